import { type SQL, sql } from "drizzle-orm";
import { type ProfileRow, profileFrom } from "../../db/book-reads.ts";
import { type PlainReads, rowsAs, written } from "../../db/database.ts";
import { connection } from "../../db/schema/ledger.ts";
import { profile, shopOrder } from "../../db/schema/orders.ts";
import type { Profile } from "../../domain/billing/sales-settings.ts";
import { HOLDING_REASONS, type ReasonCode } from "../../domain/order/reasons.ts";
import type { CivilDate } from "../../domain/shared/civil-date.ts";
import {
  beyond,
  listedOrders,
  type OrderListed,
  ofAccount,
  type PageQuery,
  type PageRead,
  pageOf,
  pickedIs,
  pickOrders,
  readListed,
} from "./listed-orders.ts";

const DUE = sql.raw("due_date");

export function reviewReads(reads: PlainReads): ReviewReads {
  return {
    async queue(accountId, filter, page) {
      const isBackwards = page.from?.way === "before";
      const pick = pickOrders({
        accountId,
        connectionId: filter.connectionId,
        where: heldOf(filter, page),
        first: DUE,
        way: isBackwards ? "descending" : "ascending",
        limit: page.limit + 1,
      });
      const rows = await readListed(reads, listedOrders(pick, inOrder(isBackwards)));
      return pageOf(rows, page.limit, isBackwards);
    },
    async count(accountId, today) {
      const [row] = await reads.rows<{ waiting: number; overdue: number }>(sql`SELECT
        (${counted(heldBy(accountId))}) AS waiting,
        (${counted(sql`${heldBy(accountId)} AND ${shopOrder.dueDate} < ${today}`)}) AS overdue`);
      return { waiting: row?.waiting ?? 0, overdue: row?.overdue ?? 0 };
    },
    groups: (accountId, connectionId) => reads.rows(groups(accountId, connectionId)),
    async placeOf(accountId, { connectionId, reason }, { dueDate, connectionId: at, idExternal }) {
      const isReason = reason === undefined ? sql`` : sql` AND ${shopOrder.heldFor} = ${reason}`;
      const before = sql`${heldBy(accountId, connectionId)}${isReason} AND ${shopOrder.dueDate} <= ${dueDate}
        AND (${shopOrder.dueDate}, ${shopOrder.connectionId}, ${shopOrder.idExternal})
          < (${dueDate}, ${at}, ${idExternal})`;
      const [row] = await reads.rows<{ place: number }>(sql`SELECT (${counted(before)}) AS place`);
      return row?.place ?? 0;
    },
    similar: (accountId, query) => similar(reads, accountId, query),
  };
}

function inOrder(isBackwards: boolean): SQL {
  const way = isBackwards ? sql` DESC` : sql``;
  return sql`${shopOrder.dueDate}${way}, ${shopOrder.connectionId}${way}, ${shopOrder.idExternal}${way}`;
}

function heldOf({ reason }: ReviewFilter, { from }: PageQuery<ReviewKey>): SQL {
  const conditions = [
    pickedIs(sql`state = 'held'`),
    ...(reason === undefined ? [] : [pickedIs(sql`held_for = ${reason}`)]),
    ...(from
      ? [
          beyond(DUE, from.way === "after" ? "behind" : "before", {
            ...from.key,
            first: from.key.dueDate,
          }),
        ]
      : []),
  ];
  return sql.join(conditions, sql` AND `);
}

function heldBy(accountId: string, connectionId?: string): SQL {
  return sql`FROM ${connection} CROSS JOIN ${shopOrder} ON ${shopOrder.connectionId} = ${connection.id}
    WHERE ${ofAccount(accountId, connectionId)} AND ${shopOrder.state} = 'held'`;
}

/** Stops at the limit, so that the cost of a count is bounded. */
function counted(from: SQL): SQL {
  return sql`SELECT count(*) FROM (SELECT 1 ${from} LIMIT ${MOST_COUNTED})`;
}

/** Without the name of its index, SQLite takes one of the state and reads all held orders for each reason. */
function groups(accountId: string, connectionId: string | undefined): SQL {
  const waiting = sql`SELECT count(*) FROM (SELECT 1 FROM ${shopOrder} INDEXED BY shop_order_held_for
    WHERE ${shopOrder.connectionId} = ${connection.id} AND ${shopOrder.state} = 'held'
      AND ${shopOrder.heldFor} = reason.value LIMIT ${MOST_COUNTED})`;
  return sql`SELECT code, sum(orders) AS orders FROM (
      SELECT reason.key AS place, reason.value AS code, (${waiting}) AS orders FROM ${connection}
      CROSS JOIN json_each(${JSON.stringify(HOLDING_REASONS)}) AS reason
      WHERE ${ofAccount(accountId, connectionId)})
    WHERE orders > 0 GROUP BY place, code ORDER BY place`;
}

/** Limit of waiting orders that are compared with one order's reason. */
const MOST_COMPARED = 2_000;

async function similar(reads: PlainReads, accountId: string, query: SimilarOrdersQuery) {
  const { connectionId, code, about = null, except } = query;
  const [rows, profiles] = await reads.batch([
    written(sql`SELECT channel, store, assigned, count(*) AS orders FROM (
        SELECT ${shopOrder.facts} ->> '$.sourceChannel' AS channel, ${shopOrder.storeId} AS store,
          ${shopOrder.answers} ->> '$.profileId' AS assigned, ${shopOrder.reasons} AS reasons
        ${heldBy(accountId, connectionId)} AND ${shopOrder.idExternal} <> ${except}
        ORDER BY ${shopOrder.dueDate}, ${shopOrder.idExternal} LIMIT ${MOST_COMPARED}) AS waiting
      WHERE EXISTS (SELECT 1 FROM json_each(waiting.reasons) AS reason
        WHERE reason.value ->> '$.code' = ${code}
          AND (${about} IS NULL OR reason.value ->> '$.about' = ${about}))
      GROUP BY channel, store, assigned`),
    written(sql`SELECT ${profile.id} AS id, ${profile.name} AS name, ${profile.channel} AS channel,
        ${profile.storeId} AS storeId, ${profile.stem} AS stem, ${profile.sales} AS sales,
        ${profile.mailing} AS mailing
      FROM ${profile} WHERE ${profile.connectionId} = ${connectionId}
        AND ${profile.accountId} = ${accountId}`),
  ]);
  return {
    waiting: rowsAs<SimilarRow>(rows).map(similarOf),
    profiles: rowsAs<ProfileRow>(profiles).map((row) => profileFrom(row)),
  };
}

interface SimilarRow {
  readonly channel: string | null;
  readonly store: string | null;
  readonly assigned: string | null;
  readonly orders: number;
}

function similarOf({ channel, store, assigned, orders }: SimilarRow): SimilarOrders {
  return {
    ...(channel === null ? {} : { channel }),
    ...(store === null ? {} : { storeId: store }),
    ...(assigned === null ? {} : { assignedProfileId: assigned }),
    orders,
  };
}

/** Oldest due date first. */
export interface ReviewKey {
  readonly dueDate: string;
  readonly connectionId: string;
  readonly idExternal: string;
}

interface ReviewFilter {
  readonly connectionId?: string;
  /** The queue files an order under its first reason. */
  readonly reason?: ReasonCode;
}

/** The badge shows no higher count. */
export const MOST_COUNTED = 1_000;

interface ReviewCount {
  readonly waiting: number;
  /** Orders past their due date. */
  readonly overdue: number;
}

/** Orders that wait for the same reason, grouped by the facts that select their profile. */
export interface SimilarOrders {
  readonly channel?: string;
  readonly storeId?: string;
  readonly assignedProfileId?: string;
  readonly orders: number;
}

export interface SimilarOrdersQuery {
  readonly connectionId: string;
  readonly code: ReasonCode;
  /** The code of the amount, if the reason is about one. */
  readonly about?: string;
  /** Id of the order that is left out of the count. */
  readonly except: string;
}

export interface ReviewReads {
  queue(accountId: string, filter: ReviewFilter, page: PageQuery<ReviewKey>): Promise<PageRead<OrderListed>>;
  count(accountId: string, today: CivilDate): Promise<ReviewCount>;
  /** Counts by first reason. */
  groups(
    accountId: string,
    connectionId: string | undefined,
  ): Promise<readonly { readonly code: ReasonCode; readonly orders: number }[]>;
  /** The number of orders before that place in the queue. */
  placeOf(accountId: string, filter: ReviewFilter, key: ReviewKey): Promise<number>;
  /** Compares only the orders that have waited longest. */
  similar(
    accountId: string,
    query: SimilarOrdersQuery,
  ): Promise<{ readonly waiting: readonly SimilarOrders[]; readonly profiles: readonly Profile[] }>;
}
