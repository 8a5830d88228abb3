import { type SQL, sql } from "drizzle-orm";
import { fromOwnJson, type PlainReads } from "../../db/database.ts";
import { connection } from "../../db/schema/ledger.ts";
import { profile } from "../../db/schema/orders.ts";
import { rememberedAnswer } from "../../db/schema/review.ts";
import type { Question } from "../../domain/order/question.ts";
import type { Reason } from "../../domain/order/reasons.ts";
import type { Setting } from "../../domain/order/remembered.ts";
import type { Instant } from "../../domain/shared/instant.ts";

/** Settings that the company's owners declared by answering a question, newest first. */
export function rememberedReads(reads: PlainReads): RememberedReads {
  return {
    async list(accountId, limit, after) {
      const rows = await reads.rows<RememberedRow>(listed(accountId, limit, after));
      return rows.map(({ reason, value, ...row }) => ({
        ...row,
        value: fromOwnJson<unknown>(value),
        ...(reason === null ? {} : { reason: fromOwnJson<Reason>(reason) }),
      }));
    },
    async find(accountId, { connectionId, profileId, setting }) {
      const [row] = await reads.rows<{ rememberedAt: Instant; value: string }>(sql`
        SELECT ${rememberedAnswer.rememberedAt} AS rememberedAt, ${rememberedAnswer.value} AS value
        FROM ${rememberedAnswer} WHERE ${rememberedAnswer.connectionId} = ${connectionId}
          AND ${rememberedAnswer.profileId} = ${profileId} AND ${rememberedAnswer.setting} = ${setting}
          AND ${rememberedAnswer.accountId} = ${accountId}`);
      return row && { rememberedAt: row.rememberedAt, value: fromOwnJson<unknown>(row.value) };
    },
  };
}

/** The index of the account is read to the end of the page. */
function listed(accountId: string, limit: number, after: RememberedKey | undefined): SQL {
  const { rememberedAt, connectionId, profileId, setting } = rememberedAnswer;
  const place = sql`(${rememberedAt}, ${connectionId}, ${profileId}, ${setting})`;
  const isAfter = after
    ? sql`AND ${place} < (${after.rememberedAt}, ${after.connectionId}, ${after.profileId}, ${after.setting})`
    : sql``;
  return sql`SELECT ${connectionId} AS connectionId, ${connection.name} AS connection,
      ${profileId} AS profileId, ${profile.name} AS profile, ${setting} AS setting,
      ${rememberedAnswer.userId} AS userId, ${rememberedAnswer.question} AS question,
      ${rememberedAnswer.reason} AS reason, ${rememberedAnswer.value} AS value,
      ${rememberedAnswer.uses} AS uses, ${rememberedAt} AS rememberedAt
    FROM ${rememberedAnswer} INDEXED BY remembered_answer_account
    CROSS JOIN ${connection} ON ${connection.id} = ${connectionId}
    LEFT JOIN ${profile} ON ${profile.id} = ${profileId}
    WHERE ${rememberedAnswer.accountId} = ${accountId} ${isAfter}
    ORDER BY ${rememberedAt} DESC, ${connectionId} DESC, ${profileId} DESC, ${setting} DESC LIMIT ${limit}`;
}

interface RememberedRow {
  readonly connectionId: string;
  readonly connection: string;
  /** Empty for the connection's own sales. */
  readonly profileId: string;
  readonly profile: string | null;
  readonly setting: Setting;
  readonly userId: string;
  readonly question: Question;
  readonly reason: string | null;
  readonly value: string;
  readonly uses: number;
  readonly rememberedAt: Instant;
}

export interface RememberedListed extends Omit<RememberedRow, "reason" | "value"> {
  /** The reason of an order that asked; absent for answers of earlier versions. */
  readonly reason?: Reason;
  /** The declared value. */
  readonly value: unknown;
}

export interface RememberedPlace {
  readonly connectionId: string;
  readonly profileId: string;
  readonly setting: Setting;
}

export interface RememberedKey extends RememberedPlace {
  readonly rememberedAt: Instant;
}

/** Every method is one D1 round trip. */
export interface RememberedReads {
  list(
    accountId: string,
    limit: number,
    after: RememberedKey | undefined,
  ): Promise<readonly RememberedListed[]>;
  /** Undefined if it was forgotten, or belongs to another account. */
  find(
    accountId: string,
    place: RememberedPlace,
  ): Promise<Pick<RememberedListed, "rememberedAt" | "value"> | undefined>;
}
