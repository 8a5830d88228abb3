import { type SQL, sql } from "drizzle-orm";
import { OPERATOR } from "../../domain/connection/activity-areas.ts";
import type { CurrentChain, CurrentYear } from "../../domain/retention/keeping.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { dayOfRecord, lastPlaceUntil } from "../books/proof-reads.ts";
import { databaseOn, type PlainReads, plainReads, rowsAs, written } from "../database.ts";
import { hasOneStopShop } from "../invoices/invoice-reads.ts";
import { entryCursor, invoiceTotal } from "../schema/invoice-entry.ts";
import { account, installation, invoice, invoiceLink, record } from "../schema/ledger.ts";
import { chainStart, retentionRun } from "../schema/retention.ts";
import { submissionAttempt } from "../schema/submission.ts";
import { insertAudit } from "../shop/shop-writes.ts";
import { attemptsUpTo, auditLinesOf, invoicesOf, type RetiringYear } from "./retention-store.ts";

/** A year as an operator sees it, before and during its retirement. */
export interface YearPlan extends CurrentYear {
  readonly accountId: string;
  readonly legalName: string;
  readonly nif: string;
  readonly run?: RunSoFar;
  readonly chains: readonly PlannedChain[];
  readonly counts: Readonly<Record<"invoices" | "records" | "attempts" | "auditLines" | "corrected", number>>;
}

export interface PlannedChain extends CurrentChain {
  readonly installationId: string;
  /** Records of it that go. */
  readonly records: number;
}

export interface RunSoFar {
  readonly begunBy: string;
  readonly begunAt: Instant;
  readonly reason: string;
  readonly endedAt?: Instant;
  readonly left: Readonly<Record<"invoices" | "records" | "orders" | "attempts" | "auditLines", number>>;
}

export interface RunToBegin {
  readonly reason: string;
  readonly begunBy: string;
  readonly at: Instant;
}

/** Undefined for an account that the ledger does not have. Nothing is written. */
export async function readYearPlan(
  binding: D1Database,
  { accountId, year }: RetiringYear,
): Promise<YearPlan | undefined> {
  const reads = plainReads(binding);
  const [scopes, runs, chains] = await reads.batch(
    [selectScope(accountId, year), selectRun(accountId, year), selectChains(accountId)].map(written),
  );
  const [scope] = rowsAs<ScopeRow>(scopes);
  if (!scope) return undefined;
  const [run] = rowsAs<RunRow>(runs);
  const planned: PlannedChain[] = [];
  for (const row of rowsAs<ChainRow>(chains)) planned.push(await planChain(reads, row, year));
  return {
    accountId,
    year,
    legalName: scope.legal_name,
    nif: scope.nif,
    isFrozen: scope.frozen !== 0,
    isBlockedByAnotherYear: scope.is_behind === 1,
    ...(scope.earliest === null ? {} : { earliestYear: scope.earliest }),
    ...(run ? { run: runSoFar(run) } : {}),
    hasOneStopShop: await isOfOneStopShop(reads, planned),
    chains: planned,
    counts: await countAll(reads, { accountId, year }, planned),
  };
}

/** The run, and where its chains will begin: all of it or nothing, as the triggers find it right. */
export async function beginRun(
  binding: D1Database,
  { accountId, year, chains }: YearPlan,
  { reason, begunBy, at }: RunToBegin,
): Promise<void> {
  const id = `${accountId}-${year}`;
  const facts = { year: String(year), reason };
  const db = databaseOn(binding);
  const verb = "begin_retention";
  const line = { id: `${verb}:${id}:${at}`, userId: OPERATOR, at, verb, facts };
  const starts = chains.filter(({ records }) => records > 0).map((chain) => insertStart(id, chain));
  await plainReads(binding).batch([
    db.insert(retentionRun).values({ id, accountId, year, reason, begunBy, begunAt: at }).toSQL(),
    ...starts.map(written),
    insertAudit(db, { accountId, connectionId: null }, line).toSQL(),
  ]);
}

function insertStart(runId: string, { installationId, cut }: PlannedChain): SQL {
  const content = (path: string) => sql`${record.content} ->> ${sql.raw(`'${path}'`)}`;
  return sql`INSERT INTO ${chainStart} SELECT ${record.installationId}, ${record.position}, ${runId},
      ${record.hash}, ${content("$.key.issuerNif")}, ${content("$.key.number")}, ${content("$.key.date")},
      ${content("$.generatedAt")}
    FROM ${record} WHERE ${record.installationId} = ${installationId} AND ${record.position} = ${cut}`;
}

interface ScopeRow {
  readonly legal_name: string;
  readonly nif: string;
  readonly frozen: number;
  readonly is_behind: number;
  readonly earliest: number | null;
}

function selectScope(accountId: string, year: number): SQL {
  return sql`SELECT ${account.legalName} AS legal_name, ${account.nif} AS nif, ${account.frozen} AS frozen,
      EXISTS (SELECT 1 FROM ${retentionRun} WHERE ${retentionRun.accountId} = ${account.id}
        AND (${retentionRun.year} > ${year}
          OR (${retentionRun.year} < ${year} AND ${retentionRun.endedAt} IS NULL))) AS is_behind,
      (SELECT CAST(substr(min(${invoiceTotal.period}), 1, 4) AS INTEGER) FROM ${invoiceTotal}
        WHERE ${invoiceTotal.accountId} = ${account.id} AND ${invoiceTotal.grain} = 'month') AS earliest
    FROM ${account} WHERE ${account.id} = ${accountId}`;
}

interface RunRow {
  readonly begun_by: string;
  readonly begun_at: number;
  readonly reason: string;
  readonly ended_at: number | null;
  readonly invoices: number;
  readonly records: number;
  readonly orders: number;
  readonly attempts: number;
  readonly audit_lines: number;
}

function selectRun(accountId: string, year: number): SQL {
  return sql`SELECT * FROM ${retentionRun}
    WHERE ${retentionRun.accountId} = ${accountId} AND ${retentionRun.year} = ${year}`;
}

function runSoFar(row: RunRow): RunSoFar {
  const { invoices, records, orders, attempts, audit_lines: auditLines, ended_at: endedAt } = row;
  return {
    begunBy: row.begun_by,
    begunAt: row.begun_at,
    reason: row.reason,
    ...(endedAt === null ? {} : { endedAt }),
    left: { invoices, records, orders, attempts, auditLines },
  };
}

interface ChainRow {
  readonly id: string;
  readonly number: string;
  readonly last: number;
  readonly started: number;
  readonly entered: number;
}

function selectChains(accountId: string): SQL {
  const last = (table: typeof record | typeof chainStart | typeof entryCursor) =>
    sql`coalesce((SELECT max(${table.position}) FROM ${table}
      WHERE ${table.installationId} = ${installation.id}), 0)`;
  return sql`SELECT ${installation.id} AS id, ${installation.number} AS number,
      ${last(record)} AS last, ${last(chainStart)} AS started, ${last(entryCursor)} AS entered
    FROM ${installation} WHERE ${installation.accountId} = ${accountId} ORDER BY ${installation.number}`;
}

/**
 * The last record before the first one of a later year. Its time or the date of its invoice counts, because
 * in the Canaries they can differ by a day.
 */
async function planChain(reads: PlainReads, chain: ChainRow, year: number): Promise<PlannedChain> {
  const { id: installationId, number: installationNumber, last, started, entered } = chain;
  const dayAt = dayOfRecord({ installationId });
  const until = (day: string) => lastPlaceUntil(last, day, dayAt, true);
  const [days, ends] = await reads.batch([until(`${year}-12-30`), until(`${year}-12-31`)].map(written));
  const placeOf = (rows: readonly unknown[] | undefined) =>
    rowsAs<{ readonly place: number }>(rows)[0]?.place ?? 0;
  const [before, end] = [placeOf(days), placeOf(ends)];
  const [found] = await reads.rows<{ readonly cut: number; readonly unsubmitted: number }>(
    selectCut(installationId, { before, end, year }),
  );
  const cut = found?.cut ?? 0;
  return {
    ...{ installationId, installationNumber, cut },
    records: Math.max(0, cut - started),
    isUnsubmitted: found?.unsubmitted === 1,
    isUnentered: cut > Math.max(entered, started),
  };
}

function selectCut(
  installationId: string,
  { before, end, year }: { readonly before: number; readonly end: number; readonly year: number },
): SQL {
  const cut = sql`coalesce((SELECT min(${record.position}) - 1 FROM ${record}
    WHERE ${record.installationId} = ${installationId}
      AND ${record.position} > ${before} AND ${record.position} <= ${end}
      AND CAST(substr(${record.content} ->> '$.key.date', 7, 4) AS INTEGER) > ${year}), ${end})`;
  return sql`SELECT cut, EXISTS (SELECT 1 FROM ${record} WHERE ${record.installationId} = ${installationId}
        AND ${record.position} <= cut AND ${record.state} IN ('pending_submission', 'submitted'))
      OR EXISTS (SELECT 1 FROM ${submissionAttempt}
        WHERE ${submissionAttempt.installationId} = ${installationId}
          AND ${submissionAttempt.endedAt} IS NULL
          AND ${submissionAttempt.fromPosition} <= cut) AS unsubmitted
    FROM (SELECT ${cut} AS cut)`;
}

async function isOfOneStopShop(reads: PlainReads, chains: readonly PlannedChain[]): Promise<boolean> {
  for (const { installationId, cut } of chains) {
    const rows = await reads.rows(sql`SELECT 1 AS found FROM ${record}
      WHERE ${record.installationId} = ${installationId} AND ${record.position} <= ${cut}
        AND instr(${record.content}, '"17"') > 0
        AND ${hasOneStopShop(record.content, "$.breakdown")} LIMIT 1`);
    if (rows.length > 0) return true;
  }
  return false;
}

async function countAll(
  reads: PlainReads,
  retiring: RetiringYear,
  planned: readonly PlannedChain[],
): Promise<YearPlan["counts"]> {
  const later = sql`CROSS JOIN ${invoiceLink} ON ${invoiceLink.targetId} = ${invoice.id}
    JOIN ${invoice} AS later ON later.id = ${invoiceLink.invoiceId}`;
  const cut = { installationId: sql`cuts.value ->> 0`, position: sql`cuts.value ->> 1` };
  const cuts = JSON.stringify(planned.map(({ installationId, cut }) => [installationId, cut]));
  const statements = [
    sql`SELECT count(*) AS many ${invoicesOf(retiring)}`,
    sql`SELECT count(*) AS many FROM json_each(${cuts}) AS cuts ${attemptsUpTo(cut)}`,
    sql`SELECT count(*) AS many ${auditLinesOf(retiring)}`,
    sql`SELECT count(*) AS many ${invoicesOf(retiring, later)}
      AND CAST(substr(later.issue_date, 1, 4) AS INTEGER) > ${retiring.year}`,
  ];
  const counted = await reads.batch(statements.map(written));
  const [invoices = 0, attempts = 0, auditLines = 0, corrected = 0] = counted.map(
    (rows) => rowsAs<{ readonly many: number }>(rows)[0]?.many ?? 0,
  );
  const records = planned.reduce((sum, chain) => sum + chain.records, 0);
  return { invoices, records, attempts, auditLines, corrected };
}
