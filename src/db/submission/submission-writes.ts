import { and, between, eq, sql } from "drizzle-orm";
import type { RecordChange } from "../../domain/verifactu/submission/record-change.ts";
import { isFinal } from "../../domain/verifactu/submission/state.ts";
import type { Database } from "../database.ts";
import { abortText, type FencedStatement } from "../fence.ts";
import { rowParameters } from "../json-rows.ts";
import { record } from "../schema/ledger.ts";
import { chainSubmission, submissionAttempt } from "../schema/submission.ts";
import type { BeginWrite, SettleWrite, SubmissionWrite, WithholdWrite } from "./submission-ports.ts";
import { chainColumns } from "./submission-rows.ts";

/** Writes the attempt before its message is sent: from now on all its records may have arrived. */
export function beginSubmission(
  db: Database,
  connectionId: string,
  write: BeginWrite,
): Promise<SubmissionWrite> {
  const { accountId, installationId, attempt, takesOver, at } = write;
  const { owner: id, from, to, incident, resend, sha256, startedAt, leaseUntil } = attempt;
  const abandoned = { endedAt: at, result: JSON.stringify({ result: "abandoned" }) };
  const run = and(
    eq(record.installationId, installationId),
    between(record.position, from, to),
    eq(record.state, "pending_submission"),
  );
  return written(db, [
    upsertChain(db, connectionId, write),
    ...(takesOver === undefined ? [] : [endAttempt(db, takesOver, abandoned)]),
    db.insert(submissionAttempt).values({
      ...{ id, installationId, connectionId, accountId, fromPosition: from, toPosition: to },
      ...{ incident, resend, requestSha256: sha256, startedAt, leaseUntil },
    }),
    db.update(record).set({ state: "submitted" }).where(run),
  ]);
}

/** Writes the result of an attempt as a whole; an ended attempt changes nothing. */
export function settleSubmission(
  db: Database,
  connectionId: string,
  write: SettleWrite,
): Promise<SubmissionWrite> {
  const { installationId, attemptId, at, result, csv, presentedAt, answerSha256, records, seq } = write;
  const ended = {
    endedAt: at,
    result: JSON.stringify(result),
    ...{ csv: csv ?? null, presentedAt: presentedAt ?? null, answerSha256: answerSha256 ?? null },
  };
  return written(db, [
    upsertChain(db, connectionId, write),
    endAttempt(db, attemptId, ended),
    ...changeRecords(db, installationId, records, seq),
  ]);
}

/** While no message is under way, as the fence of the chain and its attempts prove. */
export function withholdRecords(
  db: Database,
  connectionId: string,
  write: WithholdWrite,
): Promise<SubmissionWrite> {
  const { installationId, records, seq } = write;
  return written(db, [
    upsertChain(db, connectionId, write),
    ...changeRecords(db, installationId, records, seq),
  ]);
}

function upsertChain(
  db: Database,
  connectionId: string,
  { accountId, installationId, seq, chain }: BeginWrite | SettleWrite | WithholdWrite,
): FencedStatement {
  const standing = { seq, ...chainColumns(chain) };
  return db
    .insert(chainSubmission)
    .values({ installationId, connectionId, accountId, ...standing })
    .onConflictDoUpdate({ target: chainSubmission.installationId, set: standing });
}

/** A trigger aborts where it has ended before. */
function endAttempt(
  db: Database,
  id: string,
  ended: { readonly endedAt: number; readonly result: string },
): FencedStatement {
  return db.update(submissionAttempt).set(ended).where(eq(submissionAttempt.id, id));
}

/**
 * One statement for a thousand records. Each row has the whole key: with a part of it as a parameter, SQLite
 * would walk the chain and search each record among the changes.
 */
function changeRecords(
  db: Database,
  installationId: string,
  records: readonly RecordChange[],
  seq: number,
): FencedStatement[] {
  const rows = records.map(({ position, state, ...standing }) => [
    installationId,
    position,
    state,
    Object.keys(standing).length > 0 ? JSON.stringify(standing) : null,
    isFinal(state) ? seq : null,
  ]);
  return rowParameters(rows).map((json) => {
    const change = sql`json_each(${json}) AS change`;
    return db
      .update(record)
      .set({
        state: sql`change.value ->> 2`,
        standing: sql`change.value ->> 3`,
        changedSeq: sql`change.value ->> 4`,
      })
      .from(change)
      .where(
        and(sql`${record.installationId} = change.value ->> 0`, sql`${record.position} = change.value ->> 1`),
      );
  });
}

/** Our own aborts are answers; anything else is thrown, and its outcome is unknown. */
async function written(
  db: Database,
  statements: readonly [FencedStatement, ...FencedStatement[]],
): Promise<SubmissionWrite> {
  try {
    await db.batch(statements);
    return "written";
  } catch (error) {
    const [, abort] = /fence:(stale_chain|attempt_open|attempt_ended|exists)/.exec(abortText(error)) ?? [];
    if (abort === undefined) throw error;
    return abort === "attempt_ended" ? "ended" : "stale";
  }
}
