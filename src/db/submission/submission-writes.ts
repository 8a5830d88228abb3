import { and, between, eq, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../domain/shared/instant.ts";
import type { AeatEnvironment, SealedRecord } from "../../domain/verifactu/record.ts";
import type { Attempt, ChainSubmission, Range } from "../../domain/verifactu/submission/chain.ts";
import type { MessageIssuer } from "../../domain/verifactu/submission/message.ts";
import type { QueuedRecord } from "../../domain/verifactu/submission/next-submission.ts";
import type { RecordChange } from "../../domain/verifactu/submission/settle.ts";
import { isFinal } from "../../domain/verifactu/submission/state.ts";
import { type Database, rowParameters } from "../database.ts";
import { abortText, type FencedStatement } from "../fence.ts";
import { record } from "../schema/ledger.ts";
import { chainSubmission, representation, submissionAttempt } from "../schema/submission.ts";

/** The store of messages and responses, byte for byte, as evidence. */
export interface Evidence {
  keep(path: EvidencePath, bytes: Uint8Array): Promise<void>;
  /** Missing ones are no error. */
  erase(paths: readonly EvidencePath[]): Promise<void>;
}

export interface EvidencePath {
  readonly accountId: string;
  readonly installationId: string;
  readonly attemptId: string;
  readonly part: "request" | "answer";
}

/** A chain of the connection with records that are not final, or with an attempt under way. */
export interface SubmittingChain {
  readonly accountId: string;
  readonly installationId: string;
  readonly environment: AeatEnvironment;
  readonly issuer: MessageIssuer;
  readonly isRepresented: boolean;
  readonly isFrozen: boolean;
  /** Number of the last change of its standing; 0 before the first. */
  readonly seq: number;
  /** Undefined before the first message. */
  readonly chain: ChainSubmission | undefined;
  /** Records that are not final, counted up to UNSENT_COUNTED. */
  readonly unsent: number;
}

/** More than two full messages: the count of the rest is then exact enough. */
export const UNSENT_COUNTED = 2_001;

/** A record of a message as it is read for it. */
export interface RunRecord {
  readonly sealed: SealedRecord;
  readonly wasLost: boolean;
  readonly tries: number;
}

interface ChainWrite {
  readonly accountId: string;
  readonly installationId: string;
  /** One more than the state on which it was decided. */
  readonly seq: number;
  readonly chain: ChainSubmission;
}

interface BeginWrite extends ChainWrite {
  readonly attempt: Attempt;
  /** The attempt that is given up for it. */
  readonly takesOver?: string;
  readonly at: Instant;
}

export interface SettleWrite extends ChainWrite {
  readonly attemptId: string;
  readonly at: Instant;
  /** The result without the lines, which are in the records. */
  readonly result: object;
  readonly csv?: string;
  readonly presentedAt?: string;
  readonly answerSha256?: string;
  readonly records: readonly RecordChange[];
}

/** Records that end without a message. */
interface WithholdWrite extends ChainWrite {
  readonly records: readonly RecordChange[];
}

/** `stale`: the chain has changed since. `ended`: the attempt has another owner or is over. */
export type SubmissionWrite = "written" | "stale" | "ended";

/** `abandoned`: another has taken over. `settled`: what came of it is in the books. */
export type AttemptStatus = "open" | "abandoned" | "settled";

/** The submission of one connection's records. Every method is exactly one D1 round trip. */
export interface SubmissionStore {
  readChains(): Promise<readonly SubmittingChain[]>;
  /** The oldest records that are not final, more than one message takes. */
  readQueue(installationId: string): Promise<readonly QueuedRecord[]>;
  readRun(installationId: string, range: Range): Promise<readonly RunRecord[]>;
  /** Hashes of the record's invoice, from this record on, in the order of the chain. */
  readHashes(installationId: string, position: number): Promise<readonly string[]>;
  begin(write: BeginWrite): Promise<SubmissionWrite>;
  settle(write: SettleWrite): Promise<SubmissionWrite>;
  withhold(write: WithholdWrite): Promise<SubmissionWrite>;
  /** Undefined when it was never written. */
  readAttempt(attemptId: string): Promise<AttemptStatus | undefined>;
  /** For a response that came after the end of its attempt. */
  keepLateAnswer(attemptId: string, answerSha256: string): Promise<void>;
}

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
  const row = { seq, ...chainColumns(chain) };
  return db
    .insert(chainSubmission)
    .values({ installationId, connectionId, accountId, ...row })
    .onConflictDoUpdate({ target: chainSubmission.installationId, set: row });
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

/** In the words of the partial index, or the planner would not take it. */
export function isUnsubmitted(): SQL {
  return sql`${record.state} IN ('pending_submission', 'submitted')`;
}

/** Whether the account has a signed grant in force. */
export function isRepresented(accountId: SQLiteColumn): SQL<number> {
  return sql<number>`EXISTS (SELECT 1 FROM ${representation}
    WHERE ${representation.accountId} = ${accountId} AND ${representation.withdrawnAt} IS NULL)`;
}

/** Columns of `chain_submission` and its open attempt, nullable by the left join. */
interface ChainColumns {
  readonly waitSeconds: number | null;
  readonly dueAt: number | null;
  readonly failures: number | null;
  readonly affectedTo: number | null;
  readonly incidentSince: number | null;
  readonly answeredAt: number | null;
  readonly stopped: string | null;
  readonly isolation: string | null;
  readonly owner: string | null;
  readonly from: number | null;
  readonly to: number | null;
  readonly incident: boolean | null;
  readonly resend: boolean | null;
  readonly sha256: string | null;
  readonly startedAt: number | null;
  readonly leaseUntil: number | null;
}

/** Undefined where there is no row. */
export function chainOf(row: ChainColumns): ChainSubmission | undefined {
  if (row.dueAt === null) return undefined;
  return {
    waitSeconds: row.waitSeconds ?? 0,
    dueAt: row.dueAt,
    failures: row.failures ?? 0,
    affectedTo: row.affectedTo ?? 0,
    ...(row.incidentSince === null ? {} : { incidentSince: row.incidentSince }),
    ...(row.answeredAt === null ? {} : { answeredAt: row.answeredAt }),
    ...(row.stopped === null ? {} : { stopped: JSON.parse(row.stopped) }),
    ...(row.isolation === null ? {} : { isolation: JSON.parse(row.isolation) }),
    ...attemptOf(row),
  };
}

function attemptOf(row: ChainColumns): Pick<ChainSubmission, "attempt"> {
  if (row.owner === null) return {};
  return {
    attempt: {
      owner: row.owner,
      from: row.from ?? 0,
      to: row.to ?? 0,
      incident: row.incident === true,
      resend: row.resend === true,
      sha256: row.sha256 ?? "",
      startedAt: row.startedAt ?? 0,
      leaseUntil: row.leaseUntil ?? 0,
    },
  };
}

/** The columns of a chain's state; its attempt is a separate row. */
function chainColumns(chain: ChainSubmission) {
  const { waitSeconds, dueAt, failures, affectedTo, incidentSince, answeredAt, stopped, isolation } = chain;
  return {
    waitSeconds,
    dueAt,
    failures,
    affectedTo,
    incidentSince: incidentSince ?? null,
    answeredAt: answeredAt ?? null,
    stopped: stopped ? JSON.stringify(stopped) : null,
    isolation: isolation ? JSON.stringify(isolation) : null,
  };
}
