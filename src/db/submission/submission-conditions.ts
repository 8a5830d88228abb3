import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { record } from "../schema/ledger.ts";
import { representation } from "../schema/submission.ts";

/** In the words of the partial index, or the planner would not take it. */
export function isUnsubmitted(): SQL {
  return sql`${record.state} IN ('pending_submission', 'submitted')`;
}

/** Whether the account has a signed grant in force. */
export function isRepresented(accountId: SQLiteColumn): SQL<number> {
  return sql<number>`EXISTS (SELECT 1 FROM ${representation}
    WHERE ${representation.accountId} = ${accountId} AND ${representation.withdrawnAt} IS NULL)`;
}
