import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { type Instant, instantOf, type TimeZone } from "../../domain/shared/instant.ts";
import type { AeatEnvironment } from "../../domain/verifactu/record.ts";
import type { Stop } from "../../domain/verifactu/submission/chain.ts";
import { needOf } from "../../domain/verifactu/submission/corrections.ts";
import { fromOwnJson, type PlainReads, plainReads, rowsAs, written } from "../database.ts";
import { account, connection, installation, invoice, record } from "../schema/ledger.ts";
import { chainSubmission, submissionAttempt } from "../schema/submission.ts";
import { isRepresented, isUnsubmitted } from "./submission-writes.ts";

/** The state of one chain's records at the authority, for its owner. */
export interface ChainStatus {
  readonly installationId: string;
  readonly installationNumber: string;
  readonly environment: AeatEnvironment;
  readonly isClosed: boolean;
  /** Records that the authority has not decided on. */
  readonly unsent: number;
  /** When the oldest of them was made. */
  readonly unsentSince?: Instant;
  /** From the first failure until nothing is unsent (article 16.4 Orden HAC/1177/2024). */
  readonly incidentSince?: Instant;
  /** Attempts in a row that came to nothing. */
  readonly failures: number;
  /** A person has to act. */
  readonly stopped?: Stop;
  readonly underWay?: UnderWay;
  /** When the next message is due; absent where nothing is unsent, or time alone changes nothing. */
  readonly nextAttemptAt?: Instant;
  readonly lastAnswerAt?: Instant;
  /** Invoices whose newest record needs a correction. */
  readonly toCorrect: ToCorrect;
}

interface ToCorrect {
  readonly rejected: number;
  readonly acceptedWithErrors: number;
}

interface UnderWay {
  readonly startedAt: Instant;
  readonly from: number;
  readonly to: number;
}

export interface SubmissionStatus {
  readonly timeZone: TimeZone;
  /** The issuer's signed grant is missing: without it nothing is sent. */
  readonly representationPending: boolean;
  readonly chains: readonly ChainStatus[];
}

/** The data read; its consequences are decided here. */
export interface StatusRead {
  readonly timeZone: TimeZone;
  readonly isRepresented: boolean;
  readonly chains: readonly ChainRead[];
}

interface ChainRead extends Omit<ChainStatus, "toCorrect" | "nextAttemptAt" | "underWay" | "failures"> {
  readonly failures?: number;
  /** Undefined before the first message. */
  readonly dueAt?: Instant;
  readonly underWay?: UnderWay;
  /** Newest records of invoices, by the authority's answer. */
  readonly rejected: readonly RejectedRead[];
}

interface RejectedRead {
  readonly state: "rejected" | "accepted_with_errors";
  readonly code?: number;
  readonly records: number;
}

/** One message of a chain, newest first: evidence of tries and failures. */
export interface AttemptLine {
  readonly id: string;
  readonly from: number;
  readonly to: number;
  readonly incident: boolean;
  readonly resend: boolean;
  readonly startedAt: Instant;
  readonly requestSha256: string;
  readonly endedAt?: Instant;
  /** JSON of the result; absent until there is one. */
  readonly result?: string;
  /** CSV: the authority's proof that it took the message. */
  readonly csv?: string;
  readonly presentedAt?: string;
  readonly answerSha256?: string;
}

export interface AttemptPage {
  readonly attempts: readonly AttemptLine[];
  /** To go on with; absent on the last page. */
  readonly next?: AttemptCursor;
}

interface AttemptCursor {
  readonly startedAt: Instant;
  readonly row: number;
}

export interface AttemptsQuery {
  readonly accountId: string;
  readonly installationId: string;
  readonly before?: AttemptCursor;
}

/** Every method is exactly one D1 round trip. */
export interface SubmissionStatusStore {
  /** Undefined without an account, or for another account. */
  readStatus(accountId: string): Promise<StatusRead | undefined>;
  /** Empty for a chain that is not the connection's. */
  readAttempts(query: AttemptsQuery): Promise<AttemptPage>;
}

export interface RejectedQuery {
  readonly codes: readonly number[];
  readonly limit: number;
  /** Limits the result to this invoice. */
  readonly invoiceId?: string;
}

export interface RejectedRecord {
  readonly invoiceId: string;
  readonly kind: "ALTA" | "ANULACION";
  /** The reason of an annulment. */
  readonly reason: string;
}

export interface RejectedStore {
  /** The newest records of their invoices, the oldest of these first. One D1 round trip. */
  readRejected(query: RejectedQuery): Promise<readonly RejectedRecord[]>;
}

export interface StatusMoment {
  readonly now: Instant;
  /** The way to the authority takes records only of an issuer whose signed grant is kept. */
  readonly wantsRepresentation: boolean;
}

export function submissionStatusOf(read: StatusRead, moment: StatusMoment): SubmissionStatus {
  const representationPending = moment.wantsRepresentation && !read.isRepresented;
  const waits = { ...moment, representationPending };
  return {
    timeZone: read.timeZone,
    representationPending,
    chains: read.chains.map((chain) => chainStatus(chain, waits)),
  };
}

interface Waits {
  readonly now: Instant;
  readonly representationPending: boolean;
}

function chainStatus(
  { rejected, dueAt, failures, ...read }: ChainRead,
  { now, representationPending }: Waits,
): ChainStatus {
  // A suspended chain waits for the authority; every other stop is retried automatically.
  const waitsForPerson = representationPending || read.stopped?.reason === "suspended";
  const isDue = read.unsent > 0 && !waitsForPerson && read.underWay === undefined;
  return {
    ...read,
    failures: failures ?? 0,
    ...(isDue ? { nextAttemptAt: Math.max(dueAt ?? 0, now) } : {}),
    toCorrect: {
      rejected: countOf(rejected, "rejected"),
      acceptedWithErrors: countOf(rejected, "accepted_with_errors"),
    },
  };
}

function countOf(rejected: readonly RejectedRead[], state: RejectedRead["state"]): number {
  return rejected
    .filter((one) => one.state === state && needOf(one) === "required")
    .reduce((sum, { records }) => sum + records, 0);
}

const ATTEMPTS = 50;

/** The submission state of one connection: lookups in partial indexes, independent of the stored volume. */
export function submissionStatusStore(binding: D1Database, connectionId: string): SubmissionStatusStore {
  const reads = plainReads(binding);
  return {
    readStatus: (accountId) => readStatus(reads, connectionId, accountId),
    readAttempts: (query) => readAttempts(reads, connectionId, query),
  };
}

/** Records that were declined with one of the codes, the newest of their invoices. */
export function rejectedStore(binding: D1Database, connectionId: string): RejectedStore {
  const reads = plainReads(binding);
  return {
    async readRejected(query) {
      const rows = await reads.rows<RejectedRecordColumns>(selectWithCodes(connectionId, query));
      return rows.map(({ invoice_id: invoiceId, kind, reason }) => ({
        invoiceId,
        kind: kind === "ANULACION" ? kind : "ALTA",
        reason,
      }));
    },
  };
}

async function readStatus(
  reads: PlainReads,
  connectionId: string,
  accountId: string,
): Promise<StatusRead | undefined> {
  const rows = await reads.batch(statusStatements(connectionId, accountId).map(written));
  return statusFrom(rows);
}

/** The three statements of one connection, for a batch. */
export function statusStatements(connectionId: string, accountId: string): readonly [SQL, SQL, SQL] {
  return [selectScope(connectionId, accountId), selectChains(connectionId), selectRejected(connectionId)];
}

export function statusFrom([scopes, chains, found]: readonly (readonly unknown[])[]): StatusRead | undefined {
  const [scope] = rowsAs<ScopeColumns>(scopes);
  if (!scope) return undefined;
  const ofChain = Map.groupBy(rowsAs<RejectedColumns>(found), (row) => row.installation_id);
  return {
    timeZone: scope.time_zone,
    isRepresented: scope.is_represented === 1,
    chains: rowsAs<ChainColumns>(chains).map((row) => chainRead(row, ofChain.get(row.id) ?? [])),
  };
}

function selectScope(connectionId: string, accountId: string): SQL {
  return sql`SELECT ${account.timeZone} AS time_zone, ${isRepresented(account.id)} AS is_represented
    FROM ${connection} JOIN ${account} ON ${account.id} = ${connection.accountId}
    WHERE ${connection.id} = ${connectionId} AND ${account.id} = ${accountId}`;
}

const rejected = alias(record, "declined");
const later = alias(record, "later");

function selectChains(connectionId: string): SQL {
  const ofChain = sql`FROM ${record}
    WHERE ${record.installationId} = ${installation.id} AND ${isUnsubmitted()}`;
  return sql`SELECT ${installation.id} AS id, ${installation.number} AS number,
      ${installation.environment} AS environment, ${installation.closedAt} AS closed_at,
      (SELECT count(*) ${ofChain}) AS unsent,
      (SELECT json_extract(${record.content}, '$.generatedAt') ${ofChain}
        ORDER BY ${record.position} LIMIT 1) AS unsent_since,
      ${chainSubmission.dueAt} AS due_at, ${chainSubmission.failures} AS failures,
      ${chainSubmission.incidentSince} AS incident_since, ${chainSubmission.answeredAt} AS answered_at,
      ${chainSubmission.stopped} AS stopped, ${submissionAttempt.startedAt} AS started_at,
      ${submissionAttempt.fromPosition} AS from_position, ${submissionAttempt.toPosition} AS to_position
    FROM ${installation}
    LEFT JOIN ${chainSubmission} ON ${chainSubmission.installationId} = ${installation.id}
    LEFT JOIN ${submissionAttempt} ON ${submissionAttempt.installationId} = ${installation.id}
      AND ${submissionAttempt.endedAt} IS NULL
    WHERE ${installation.connectionId} = ${connectionId} AND ${installation.trial} = 0
    ORDER BY ${installation.ordinal}`;
}

const name = sql.identifier("declined");

/** No later record of the invoice has taken the place of the declined one. */
function isNewest(): SQL {
  const laterOf = (sort: string) => sql`EXISTS (SELECT 1 FROM ${record} AS ${sql.identifier("later")}
    WHERE ${later.connectionId} = ${rejected.connectionId}
      AND ${later.origin} >= ${sort} || ${rejected.invoiceId} || ':'
      AND ${later.origin} < ${sort} || ${rejected.invoiceId} || ';'
      AND ${sql.identifier("later")}.rowid > ${name}.rowid)`;
  return sql`NOT ${laterOf("amend:")} AND NOT ${laterOf("cancel:")}`;
}

/** The owner has found that the number is foreign: no correction remains. */
function isForeign(): SQL {
  const found = sql`json_extract(${later.standing}, '$.found') = 'foreign'`;
  return sql`(json_extract(${rejected.standing}, '$.hold') IS NOT NULL AND EXISTS (SELECT 1
    FROM ${record} AS ${sql.identifier("later")} WHERE ${later.connectionId} = ${rejected.connectionId}
      AND (${later.origin} = (SELECT ${invoice.origin} FROM ${invoice}
          WHERE ${invoice.id} = ${rejected.invoiceId})
        OR (${later.origin} >= 'amend:' || ${rejected.invoiceId} || ':'
          AND ${later.origin} < 'amend:' || ${rejected.invoiceId} || ';'))
      AND ${found}))`;
}

function rejectedOf(connectionId: string): SQL {
  return sql`FROM ${installation} CROSS JOIN ${record} AS ${name}
      ON ${rejected.installationId} = ${installation.id}
      AND ${rejected.state} IN ('accepted_with_errors', 'rejected')
    WHERE ${installation.connectionId} = ${connectionId} AND ${isNewest()}
      AND NOT ${isForeign()}`;
}

/** Declined records that no later one of their invoice has taken the place of. */
function selectRejected(connectionId: string): SQL {
  return sql`SELECT ${rejected.installationId} AS installation_id, ${rejected.state} AS state,
      json_extract(${rejected.standing}, '$.code') AS code, count(*) AS records
    ${rejectedOf(connectionId)} GROUP BY 1, 2, 3`;
}

/** The oldest records refused with one of the codes. */
function selectWithCodes(connectionId: string, { codes, limit, invoiceId }: RejectedQuery): SQL {
  const query = sql`(SELECT value FROM json_each(${JSON.stringify(codes)}))`;
  const ofInvoice = invoiceId === undefined ? sql`` : sql`AND ${rejected.invoiceId} = ${invoiceId}`;
  return sql`SELECT ${rejected.invoiceId} AS invoice_id, ${rejected.kind} AS kind,
      ${rejected.reason} AS reason
    ${rejectedOf(connectionId)} AND json_extract(${rejected.standing}, '$.code') IN ${query} ${ofInvoice}
    ORDER BY ${name}.rowid LIMIT ${limit}`;
}

async function readAttempts(
  reads: PlainReads,
  connectionId: string,
  { accountId, installationId, before }: AttemptsQuery,
): Promise<AttemptPage> {
  const row = sql`${submissionAttempt}.rowid`;
  const isBefore = before
    ? sql`AND ${submissionAttempt.startedAt} <= ${before.startedAt}
        AND (${submissionAttempt.startedAt} < ${before.startedAt} OR ${row} < ${before.row})`
    : sql``;
  const rows = await reads.rows<AttemptColumns>(sql`SELECT ${attemptColumns()} FROM ${submissionAttempt}
    WHERE ${submissionAttempt.installationId} = ${installationId}
      AND ${submissionAttempt.connectionId} = ${connectionId}
      AND ${submissionAttempt.accountId} = ${accountId} ${isBefore}
    ORDER BY ${submissionAttempt.startedAt} DESC, ${row} DESC LIMIT ${ATTEMPTS + 1}`);
  const shown = rows.slice(0, ATTEMPTS);
  const last = rows.length > ATTEMPTS ? shown.at(-1) : undefined;
  return {
    attempts: shown.map(attemptLine),
    ...(last ? { next: { startedAt: last.started_at, row: last.row } } : {}),
  };
}

/** Columns of `submission_attempt`. */
export function attemptColumns(): SQL {
  return sql`${submissionAttempt}.rowid AS row, ${submissionAttempt.id} AS id,
    ${submissionAttempt.fromPosition} AS from_position, ${submissionAttempt.toPosition} AS to_position,
    ${submissionAttempt.incident} AS incident, ${submissionAttempt.resend} AS resend,
    ${submissionAttempt.startedAt} AS started_at, ${submissionAttempt.requestSha256} AS request_sha256,
    ${submissionAttempt.endedAt} AS ended_at, ${submissionAttempt.result} AS result,
    ${submissionAttempt.csv} AS csv, ${submissionAttempt.presentedAt} AS presented_at,
    ${submissionAttempt.answerSha256} AS answer_sha256`;
}

interface ScopeColumns {
  /** The schema checks the values of this column. */
  readonly time_zone: TimeZone;
  readonly is_represented: number;
}

interface RejectedRecordColumns {
  readonly invoice_id: string;
  readonly kind: string;
  readonly reason: string;
}

interface ChainColumns {
  readonly id: string;
  readonly number: string;
  readonly environment: string;
  readonly closed_at: number | null;
  readonly unsent: number;
  readonly unsent_since: string | null;
  readonly due_at: number | null;
  readonly failures: number | null;
  readonly incident_since: number | null;
  readonly answered_at: number | null;
  readonly stopped: string | null;
  readonly started_at: number | null;
  readonly from_position: number | null;
  readonly to_position: number | null;
}

interface RejectedColumns {
  readonly installation_id: string;
  readonly state: RejectedRead["state"];
  readonly code: number | null;
  readonly records: number;
}

function chainRead(row: ChainColumns, rows: readonly RejectedColumns[]): ChainRead {
  const { started_at: startedAt, from_position: from, to_position: to } = row;
  return {
    installationId: row.id,
    installationNumber: row.number,
    environment: row.environment === "production" ? "production" : "test",
    isClosed: row.closed_at !== null,
    unsent: row.unsent,
    ...(row.unsent_since === null ? {} : { unsentSince: instantOf(row.unsent_since) }),
    ...(row.due_at === null ? {} : { dueAt: row.due_at }),
    ...(row.failures === null ? {} : { failures: row.failures }),
    ...(row.incident_since === null ? {} : { incidentSince: row.incident_since }),
    ...(row.answered_at === null ? {} : { lastAnswerAt: row.answered_at }),
    ...(row.stopped === null ? {} : { stopped: fromOwnJson(row.stopped) }),
    ...(startedAt === null || from === null || to === null ? {} : { underWay: { startedAt, from, to } }),
    rejected: rows.map(({ state, code, records }) => ({
      state,
      records,
      ...(code === null ? {} : { code }),
    })),
  };
}

export interface AttemptColumns {
  readonly row: number;
  readonly id: string;
  readonly from_position: number;
  readonly to_position: number;
  readonly incident: number;
  readonly resend: number;
  readonly started_at: number;
  readonly request_sha256: string;
  readonly ended_at: number | null;
  readonly result: string | null;
  readonly csv: string | null;
  readonly presented_at: string | null;
  readonly answer_sha256: string | null;
}

export function attemptLine(row: AttemptColumns): AttemptLine {
  return {
    id: row.id,
    from: row.from_position,
    to: row.to_position,
    incident: row.incident === 1,
    resend: row.resend === 1,
    startedAt: row.started_at,
    requestSha256: row.request_sha256,
    ...(row.ended_at === null ? {} : { endedAt: row.ended_at }),
    ...(row.result === null ? {} : { result: row.result }),
    ...(row.csv === null ? {} : { csv: row.csv }),
    ...(row.presented_at === null ? {} : { presentedAt: row.presented_at }),
    ...(row.answer_sha256 === null ? {} : { answerSha256: row.answer_sha256 }),
  };
}
