import { and, between, desc, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { instantOf } from "../../domain/shared/instant.ts";
import { recordText } from "../../domain/shared/text.ts";
import { LIMITS } from "../../domain/verifactu/aeat-lists.ts";
import type { RecordChange } from "../../domain/verifactu/submission/settle.ts";
import { named } from "../book-reads.ts";
import { type Database, databaseOn, recordFromJson } from "../database.ts";
import { keptReads, place } from "../kept-reads.ts";
import { account, installation, invoice, record } from "../schema/ledger.ts";
import { chainSubmission, submissionAttempt } from "../schema/submission.ts";
import {
  beginSubmission,
  chainOf,
  isRepresented,
  isUnsubmitted,
  type RunRecord,
  type SubmissionStore,
  type SubmittingChain,
  settleSubmission,
  UNSENT_COUNTED,
  withholdRecords,
} from "./submission-writes.ts";

/** The submission of one connection's records on its D1 database: every method is one round trip. */
export function submissionStore(binding: D1Database, connectionId: string): SubmissionStore {
  const db = databaseOn(binding);
  return {
    async readChains() {
      return (await selectChains(db, { connectionId })[0]).map(submittingChain);
    },
    async readQueue(installationId) {
      const rows = await selectQueue(db, installationId);
      return rows.map(({ position, state, generatedAt, notBefore, behind }) => ({
        position,
        state: state === "submitted" ? state : "pending_submission",
        generatedAt: instantOf(generatedAt),
        ...(notBefore === null ? {} : { notBefore }),
        ...(behind === "undecided" || behind === "foreign" ? { blockedBy: behind } : {}),
      }));
    },
    async readRun(installationId, { from, to }) {
      return (await selectRun(db, installationId, from, to)).map(runRecord);
    },
    async readHashes(installationId, position) {
      return (await selectHashes(db, installationId, position)).map(({ hash }) => hash);
    },
    begin: (write) => beginSubmission(db, connectionId, write),
    settle: (write) => settleSubmission(db, connectionId, write),
    withhold: (write) => withholdRecords(db, connectionId, write),
    async readAttempt(attemptId) {
      const [row] = await db
        .select({
          endedAt: submissionAttempt.endedAt,
          came: sql<string | null>`json_extract(${submissionAttempt.result}, '$.result')`.as("came"),
        })
        .from(submissionAttempt)
        .where(eq(submissionAttempt.id, attemptId));
      if (!row) return undefined;
      if (row.endedAt === null) return "open";
      return row.came === "abandoned" ? "abandoned" : "settled";
    },
    async keepLateAnswer(attemptId, answerSha256) {
      await db
        .update(submissionAttempt)
        .set({ answerSha256 })
        .where(and(eq(submissionAttempt.id, attemptId), isNull(submissionAttempt.answerSha256)));
    },
  };
}

/** Each installation with its standing, its open attempt, and how much of it is unsent. */
const selectChains = keptReads((db) => {
  const unsent = sql<number>`(SELECT count(*) FROM (SELECT 1 FROM ${record}
    WHERE ${record.installationId} = ${installation.id} AND ${isUnsubmitted()}
    LIMIT ${sql.raw(String(UNSENT_COUNTED))}))`;
  return [
    db
      .select({
        accountId: named(account.id, "account_id"),
        installationId: named(installation.id, "installation_id"),
        environment: installation.environment,
        legalName: account.legalName,
        nif: account.nif,
        frozen: account.frozen,
        represented: isRepresented(account.id).as("represented"),
        unsent: unsent.as("unsent"),
        seq: chainSubmission.seq,
        waitSeconds: chainSubmission.waitSeconds,
        dueAt: chainSubmission.dueAt,
        failures: chainSubmission.failures,
        affectedTo: chainSubmission.affectedTo,
        incidentSince: chainSubmission.incidentSince,
        answeredAt: chainSubmission.answeredAt,
        stopped: chainSubmission.stopped,
        isolation: chainSubmission.isolation,
        owner: named(submissionAttempt.id, "owner"),
        from: submissionAttempt.fromPosition,
        to: submissionAttempt.toPosition,
        incident: submissionAttempt.incident,
        resend: submissionAttempt.resend,
        sha256: submissionAttempt.requestSha256,
        startedAt: submissionAttempt.startedAt,
        leaseUntil: submissionAttempt.leaseUntil,
      })
      .from(installation)
      .innerJoin(account, eq(account.id, installation.accountId))
      .leftJoin(chainSubmission, eq(chainSubmission.installationId, installation.id))
      .leftJoin(
        submissionAttempt,
        and(eq(submissionAttempt.installationId, installation.id), isNull(submissionAttempt.endedAt)),
      )
      // Test chains are never submitted.
      .where(and(eq(installation.connectionId, place("connectionId")), sql`${installation.trial} = 0`))
      .orderBy(desc(installation.ordinal)),
  ] as const;
});

type ChainRow = Awaited<ReturnType<typeof selectChains>[0]>[number];

function submittingChain(row: ChainRow): SubmittingChain {
  return {
    accountId: row.accountId ?? "",
    installationId: row.installationId ?? "",
    environment: row.environment === "production" ? "production" : "test",
    issuer: { issuerName: recordText(row.legalName, LIMITS.nameLength), issuerNif: row.nif },
    isRepresented: row.represented === 1,
    isFrozen: row.frozen !== 0,
    seq: row.seq ?? 0,
    chain: chainOf(row),
    unsent: row.unsent,
  };
}

interface QueueRow {
  readonly position: number;
  readonly state: string;
  readonly generatedAt: string;
  readonly notBefore: number | null;
  readonly behind: string | null;
}

function selectQueue(db: Database, installationId: string) {
  return db.all<QueueRow>(sql`SELECT ${record.position} AS position, ${record.state} AS state,
      json_extract(${record.content}, '$.generatedAt') AS "generatedAt",
      json_extract(${record.standing}, '$.notBefore') AS "notBefore",
      CASE WHEN ${record.kind} = 'ANULACION' THEN ${blockedBy()} END AS behind
    FROM ${record} WHERE ${record.installationId} = ${installationId} AND ${isUnsubmitted()}
    ORDER BY ${record.position} LIMIT ${LIMITS.recordsPerMessage + 1}`);
}

const earlier = alias(record, "earlier");

/**
 * Why an annulment waits: a foreign key, an earlier registration in transit, or a later amendment. One with
 * SinRegistroPrevio is sent as it is. Found by origin; a plus stops the planner from walking the chain.
 */
function blockedBy(): SQL {
  const isForeign = sql`json_extract(${earlier.standing}, '$.hold') IS NOT NULL
    AND json_extract(${earlier.standing}, '$.found') IS NOT 'ours'`;
  const isUndecided = sql`${earlier.state} IN ('pending_submission', 'submitted')
    AND (json_type(${earlier.content}, '$.amendment') IS NOT NULL
      OR json_extract(${earlier.standing}, '$.notBefore') IS NOT NULL)`;
  return sql`(SELECT min(CASE WHEN ${isForeign} THEN 'foreign' WHEN ${isUndecided} THEN 'undecided' END)
    FROM ${record} AS ${sql.identifier("earlier")}
    WHERE ${earlier.connectionId} = ${record.connectionId}
      AND (${earlier.origin} = (SELECT ${invoice.origin} FROM ${invoice}
          WHERE ${invoice.id} = ${record.invoiceId})
        OR (${earlier.origin} >= 'amend:' || ${record.invoiceId} || ':'
          AND ${earlier.origin} < 'amend:' || ${record.invoiceId} || ';'))
      AND +${earlier.installationId} = ${record.installationId} AND +${earlier.position} < ${record.position}
      AND json_extract(${record.content}, '$.withoutPreviousRecord') IS NOT 1)`;
}

function selectRun(db: Database, installationId: string, from: number, to: number) {
  return db
    .select({
      position: record.position,
      hash: record.hash,
      content: record.content,
      state: record.state,
      standing: record.standing,
    })
    .from(record)
    .where(
      and(
        eq(record.installationId, installationId),
        between(record.position, from, to),
        inArray(record.state, ["pending_submission", "submitted"]),
      ),
    )
    .orderBy(record.position)
    .limit(LIMITS.recordsPerMessage);
}

const later = alias(record, "later");

/** Later records of an invoice are found by their origins, without walking the chain. */
function selectHashes(db: Database, installationId: string, position: number) {
  const sorts = sql`json_each('["amend:","cancel:"]') AS sort`;
  return db.all<{ readonly hash: string }>(sql`SELECT ${later.hash} AS hash FROM ${record}
    CROSS JOIN ${sorts} CROSS JOIN ${record} AS ${sql.identifier("later")}
      ON ${later.connectionId} = ${record.connectionId}
      AND ${later.origin} >= sort.value || ${record.invoiceId} || ':'
      AND ${later.origin} < sort.value || ${record.invoiceId} || ';'
      AND ${later.installationId} = ${record.installationId}
      AND ${later.position} >= ${record.position}
    WHERE ${record.installationId} = ${installationId} AND ${record.position} = ${position}
    ORDER BY ${later.position}`);
}

function runRecord(row: Awaited<ReturnType<typeof selectRun>>[number]): RunRecord {
  const { position, hash, content, state, standing } = row;
  const status: Partial<RecordChange> = standing === null ? {} : JSON.parse(standing);
  return {
    sealed: { content: recordFromJson(content), position, hash },
    wasLost: state === "submitted",
    tries: status.tries ?? 0,
  };
}
