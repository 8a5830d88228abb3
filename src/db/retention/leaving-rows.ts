/** The rows that are deleted with a year; the plan counts the same ones. */
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { invoice, series } from "../schema/ledger.ts";
import { auditLog } from "../schema/shop.ts";
import { submissionAttempt } from "../schema/submission.ts";

export interface LeavingYear {
  readonly accountId: string;
  readonly year: number;
}

/** Every series belongs to one year, which its code contains. */
export function invoicesOf({ accountId, year }: LeavingYear, joined: SQL = sql``): SQL {
  return sql`FROM ${series} CROSS JOIN ${invoice} ON ${invoice.accountId} = ${series.accountId}
      AND ${invoice.series} = ${series.code} ${joined}
    WHERE ${series.accountId} = ${accountId} AND substr(${series.code}, -4) = ${String(year)}`;
}

/** The last record to delete of a chain, in a table or a query. */
interface Cut {
  readonly installationId: SQLWrapper;
  readonly position: SQLWrapper;
}

/** Joined to cuts: attempts with all records before the cut. */
export function attemptsUpTo(cut: Cut): SQL {
  return sql`CROSS JOIN ${submissionAttempt} ON ${submissionAttempt.installationId} = ${cut.installationId}
    AND ${submissionAttempt.fromPosition} <= ${cut.position}
    AND ${submissionAttempt.toPosition} <= ${cut.position}`;
}

export function auditLinesOf({ accountId, year }: LeavingYear): SQL {
  return sql`FROM ${auditLog} WHERE ${auditLog.accountId} = ${accountId}
    AND ${auditLog.at} < ${Date.UTC(year + 1, 0, 1)}`;
}
