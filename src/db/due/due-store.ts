import { type SQL, sql } from "drizzle-orm";
import type { CivilDate } from "../../domain/shared/civil-date.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { eventsOf, type WebhookSource } from "../../domain/webhook/event.ts";
import { databaseOn } from "../database.ts";
import { entryCursor } from "../schema/invoice-entry.ts";
import { account, connection, consent, installation, record } from "../schema/ledger.ts";
import { invoiceDelivery } from "../schema/mailing.ts";
import { shopCallback, shopOrder } from "../schema/orders.ts";
import { reviewJob } from "../schema/review.ts";
import { exchangeRate } from "../schema/shop.ts";
import { shop, shopBackfill, shopFetch, shopWebhookTask } from "../schema/shops.ts";
import {
  chainSubmission,
  submissionAttempt,
  webhookCursor,
  webhookDelivery,
  webhookEndpoint,
} from "../schema/submission.ts";
import { isRepresented, isUnsubmitted } from "../submission/submission-writes.ts";

/** The submission settings that affect what is due. */
export interface Submits {
  readonly isOn: boolean;
  readonly wantsRepresentation: boolean;
}

export interface DueSettings extends Submits {
  /**
   * False while the deployment does not know its own hosts. The service then calls no address, so the sweep
   * wakes no connection that is due for calls alone. It changes no row, so that the first sweep after the
   * setting is corrected finds all of them.
   */
  readonly mayCallOut: boolean;
}

/** Connections of a ledger with background work. */
export function dueStore(binding: D1Database, settings: DueSettings): Omit<DueLedger, "ledger"> {
  const db = databaseOn(binding);
  return {
    async connectionsWithDueWork(query) {
      const rows = await db.all<{ id: string }>(dueConnections(query, settings));
      return rows.map(({ id }) => id);
    },
  };
}

/**
 * One lookup in a partial index per connection with due work. Above the limit a random choice is made, so
 * that work that cannot be done does not block the rest.
 */
function dueConnections({ overdueSince, today, limit }: DueQuery, settings: DueSettings): SQL {
  const { mayCallOut, ...submits } = settings;
  return sql`WITH RECURSIVE
    ${connectionsIn("deferred", sql`${shopOrder.state} = 'deferred'`)},
    ${connectionsIn("before_cutoff", sql`${shopOrder.state} = 'before_cutoff'`)},
    ${connectionsIn("undecided", sql`${shopOrder.undecided} = 1`)},
    ${connectionsIn("waiting", sql`${shopOrder.waitsForRate} = 1`)},
    ${connectionsIn("dated", sql`${shopOrder.decideFrom} IS NOT NULL`)},
    ${installationsWithUnsubmitted()},
    ${recordedChains()},
    standing(id, cutoff_date) AS (
      SELECT ids.id, (SELECT CASE WHEN ${consent.withdrawnAt} IS NULL THEN ${consent.cutoffDate} END
        FROM ${consent} WHERE ${consent.connectionId} = ids.id ORDER BY ${consent.grantedAt} DESC LIMIT 1)
      FROM (SELECT id FROM deferred UNION SELECT id FROM before_cutoff UNION SELECT id FROM undecided
        UNION SELECT id FROM waiting UNION SELECT id FROM dated) AS ids WHERE ids.id IS NOT NULL)
    SELECT id FROM (SELECT id FROM standing WHERE cutoff_date IS NOT NULL AND ${isIssuing(overdueSince)} AND (
      id IN (SELECT id FROM deferred) OR id IN (SELECT id FROM undecided)
      OR EXISTS (SELECT 1 FROM ${shopOrder} WHERE ${shopOrder.connectionId} = standing.id
        AND ${shopOrder.state} = 'before_cutoff' AND ${shopOrder.orderDay} >= standing.cutoff_date)
      OR EXISTS (SELECT 1 FROM ${shopOrder} WHERE ${shopOrder.connectionId} = standing.id
        AND ${shopOrder.decideFrom} <= ${today})
      OR EXISTS (SELECT 1 FROM ${shopOrder} CROSS JOIN ${exchangeRate}
        ON ${exchangeRate.day} = ${shopOrder.rateDay} AND ${exchangeRate.currency} = ${shopOrder.rateCurrency}
        WHERE ${shopOrder.connectionId} = standing.id AND ${shopOrder.waitsForRate} = 1))
    ${mayCallOut ? sql`UNION SELECT id FROM (${connectionsWithShopCalls(overdueSince)})` : sql``}
    ${submits.isOn ? sql`UNION ${unsubmitted(overdueSince, submits)}` : sql``}
    UNION SELECT id FROM (${connectionsWithMessages(overdueSince, mayCallOut)})
    UNION ${connectionsWithoutEntries(overdueSince)}) AS due
    WHERE (SELECT ${account.frozen} FROM ${connection}
      JOIN ${account} ON ${account.id} = ${connection.accountId} WHERE ${connection.id} = due.id) = 0
    ORDER BY random() LIMIT ${limit}`;
}

/** Deferred work of a contested company waits until its claim is settled. */
function isIssuing(at: number): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM ${connection}
    JOIN ${account} ON ${account.id} = ${connection.accountId}
    WHERE ${connection.id} = standing.id AND ${account.issuingEndsAt} <= ${at})`;
}

/** A step into the partial index for each chain that has anything in it. */
function installationsWithUnsubmitted(): SQL {
  const first = (behind: SQL) =>
    sql`SELECT min(${record.installationId}) FROM ${record} WHERE ${isUnsubmitted()} ${behind}`;
  const set = sql.identifier("unsubmitted");
  return sql`${set}(id) AS (${first(sql``)} UNION ALL
    SELECT (${first(sql`AND ${record.installationId} > ${set}.id`)}) FROM ${set}
      WHERE ${set}.id IS NOT NULL)`;
}

/** Connections with overdue records, unless every record waits for a person. */
function unsubmitted(overdueSince: number, { wantsRepresentation }: Submits): SQL {
  return sql`SELECT ${installation.connectionId} FROM unsubmitted
    JOIN ${installation} ON ${installation.id} = unsubmitted.id
    LEFT JOIN ${chainSubmission} ON ${chainSubmission.installationId} = ${installation.id}
    LEFT JOIN ${submissionAttempt} ON ${submissionAttempt.installationId} = ${installation.id}
      AND ${submissionAttempt.endedAt} IS NULL
    WHERE coalesce(${submissionAttempt.leaseUntil}, ${chainSubmission.dueAt}, 0) <= ${overdueSince}
      AND coalesce(json_extract(${chainSubmission.stopped}, '$.reason'), '') <> 'suspended'
      ${wantsRepresentation ? sql`AND ${isRepresented(installation.accountId)}` : sql``}`;
}

function connectionsIn(name: string, condition: SQL): SQL {
  const first = (behind: SQL) =>
    sql`SELECT min(${shopOrder.connectionId}) FROM ${shopOrder} WHERE ${condition} ${behind}`;
  const set = sql.identifier(name);
  return sql`${set}(id) AS (${first(sql``)} UNION ALL
    SELECT (${first(sql`AND ${shopOrder.connectionId} > ${set}.id`)}) FROM ${set}
      WHERE ${set}.id IS NOT NULL)`;
}

/** A step into the chains of records for each chain that has any. */
function recordedChains(): SQL {
  const first = (behind: SQL) => sql`SELECT min(${record.installationId}) FROM ${record} ${behind}`;
  const set = sql.identifier("recorded");
  return sql`${set}(id) AS (${first(sql``)} UNION ALL
    SELECT (${first(sql`WHERE ${record.installationId} > ${set}.id`)}) FROM ${set}
      WHERE ${set}.id IS NOT NULL)`;
}

/** Connections whose first record after the chain's cursor is older than `overdueSince`. */
function connectionsWithoutEntries(overdueSince: number): SQL {
  const madeAt = sql`unixepoch(${record.content} ->> '$.generatedAt') * 1000`;
  return sql`SELECT ${installation.connectionId} FROM recorded
    CROSS JOIN ${installation} ON ${installation.id} = recorded.id
    LEFT JOIN ${entryCursor} ON ${entryCursor.installationId} = recorded.id
    WHERE EXISTS (SELECT 1 FROM ${record} WHERE ${record.installationId} = recorded.id
      AND ${record.position} = coalesce(${entryCursor.position}, 0) + 1 AND ${madeAt} <= ${overdueSince})`;
}

/**
 * Connections with due deliveries, or with events after an endpoint's cursor: a few index lookups per
 * endpoint, independent of the stored volume.
 */
function connectionsWithWebhooks(overdueSince: number): SQL {
  return sql`SELECT ${webhookEndpoint.connectionId} FROM ${webhookEndpoint}
    WHERE EXISTS (SELECT 1 FROM ${webhookDelivery} WHERE ${webhookDelivery.endpointId} = ${webhookEndpoint.id}
      AND ${webhookDelivery.dueAt} <= ${overdueSince})
    OR (${webhookEndpoint.endedAt} IS NULL AND (
      (${listensTo("issued")} AND ${someChain(IS_ISSUED)})
      OR (${listensTo("changed")} AND ${someChain(IS_CHANGED)})
      OR (${listensTo("held")} AND EXISTS (SELECT 1 FROM ${shopOrder}
        WHERE ${shopOrder.connectionId} = ${webhookEndpoint.connectionId}
          AND ${shopOrder.heldSeq} > ${webhookEndpoint.heldSeq}))))`;
}

/** Webhooks, mails and answers to several orders. D1 takes at most five terms in one compound SELECT. */
function connectionsWithMessages(overdueSince: number, mayCallOut: boolean): SQL {
  return sql`SELECT ${invoiceDelivery.connectionId} AS id FROM ${invoiceDelivery}
      WHERE ${invoiceDelivery.dueAt} <= ${overdueSince}
    UNION SELECT ${reviewJob.connectionId} FROM ${reviewJob} INDEXED BY review_job_overdue
      WHERE ${reviewJob.endedAt} IS NULL AND ${reviewJob.begunAt} <= ${overdueSince}
    ${mayCallOut ? sql`UNION ${connectionsWithWebhooks(overdueSince)}` : sql``}`;
}

/** Callbacks, fetches, backfills and webhooks. A shop that refuses the credentials waits for its owner. */
function connectionsWithShopCalls(overdueSince: number): SQL {
  const isCallable = sql`coalesce(${shop.pausedUntil}, 0) <= ${overdueSince}`;
  const isAskable = sql`${shop.credentialsRefusedAt} IS NULL AND ${shop.url} IS NOT NULL AND ${isCallable}`;
  return sql`SELECT ${shopCallback.connectionId} AS id FROM ${shopCallback}
      WHERE ${shopCallback.dueAt} IS NOT NULL AND ${shopCallback.dueAt} <= ${overdueSince}
    UNION SELECT ${shop.connectionId} FROM ${shop}
      WHERE ${shop.dueAt} <= ${overdueSince} AND ${isCallable}
    UNION SELECT ${shopWebhookTask.connectionId} FROM ${shopWebhookTask}
      WHERE ${shopWebhookTask.dueAt} <= ${overdueSince}
    UNION SELECT ${shopFetch.connectionId} FROM ${shopFetch} CROSS JOIN ${shop}
      ON ${shop.connectionId} = ${shopFetch.connectionId}
      WHERE ${shopFetch.dueAt} <= ${overdueSince} AND ${isAskable}
    UNION SELECT ${shopBackfill.connectionId} FROM ${shopBackfill} CROSS JOIN ${shop}
      ON ${shop.connectionId} = ${shopBackfill.connectionId}
      WHERE ${shopBackfill.dueAt} <= ${overdueSince} AND ${isAskable}`;
}

function listensTo(source: WebhookSource): SQL {
  return sql`EXISTS (SELECT 1 FROM json_each(${webhookEndpoint.events})
    WHERE value IN (SELECT value FROM json_each(${JSON.stringify(eventsOf(source))})))`;
}

function someChain(hasMore: SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM ${installation} LEFT JOIN ${webhookCursor}
    ON ${webhookCursor.endpointId} = ${webhookEndpoint.id}
      AND ${webhookCursor.installationId} = ${installation.id}
    WHERE ${installation.connectionId} = ${webhookEndpoint.connectionId} AND ${hasMore})`;
}

const IS_ISSUED = sql`EXISTS (SELECT 1 FROM ${record} WHERE ${record.installationId} = ${installation.id}
  AND ${record.position} = coalesce(${webhookCursor.position}, 0) + 1)`;

const IS_CHANGED = sql`EXISTS (SELECT 1 FROM ${record} WHERE ${record.installationId} = ${installation.id}
  AND ${record.changedSeq} IS NOT NULL AND (${record.changedSeq}, ${record.position})
    > (coalesce(${webhookCursor.changedSeq}, 0), coalesce(${webhookCursor.changedPosition}, 0)))`;

/** The queries of the sweep to one ledger. */
export interface DueLedger {
  readonly ledger: string;
  /** Connections with orders to decide, or with a call that was due at `overdueSince`. */
  connectionsWithDueWork(query: DueQuery): Promise<readonly string[]>;
}

interface DueQuery {
  readonly overdueSince: Instant;
  /** The latest day that has begun in any zone of an issuer. */
  readonly today: CivilDate;
  readonly limit: number;
}
