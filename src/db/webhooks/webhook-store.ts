import { and, eq, gt, isNull, lte, sql } from "drizzle-orm";
import { decimal } from "../../domain/shared/decimal.ts";
import { instantOf } from "../../domain/shared/instant.ts";
import type { RecordChange } from "../../domain/verifactu/submission/settle.ts";
import {
  type ChangedPage,
  type HeldPage,
  type IssuedPage,
  PAGE_SIZE,
  type Page,
  type PageRead,
} from "../../domain/webhook/delivery.ts";
import type {
  ChangedFact,
  HeldFact,
  IssuedFact,
  NamedInvoice,
} from "../../domain/webhook/published-event.ts";
import { type Database, fromOwnJson } from "../database.ts";
import type { FencedStatement } from "../fence.ts";
import { keptReads, place } from "../kept-reads.ts";
import { invoice, invoiceDocument, record } from "../schema/ledger.ts";
import { shopOrder } from "../schema/orders.ts";
import { webhookEndpoint } from "../schema/submission.ts";
import {
  type Begun,
  type BegunAttempt,
  chainFrom,
  deliveryFrom,
  endpointFrom,
  logPageFrom,
  selectChainHeads,
  selectCursors,
  selectDue,
  selectEndpoints,
  selectLastHeld,
  selectLog,
  selectStatus,
  statusFrom,
  type WebhookListing,
  type WebhookStatus,
  type WebhookStore,
} from "./webhook-reads.ts";
import {
  beginAttempt,
  deliveryPageStatements,
  endEndpoint,
  forgetDeliveries,
  forgetEndpoints,
  settleAttempt,
  stopDeliveries,
} from "./webhook-writes.ts";

/** Webhooks of one connection: rows of others are neither read nor written. */
export function webhookStore(db: Database, connectionId: string): WebhookStore {
  return {
    readStatus: () => readStatus(db, connectionId),
    readPages: (pages) => readPages(db, connectionId, pages),
    enqueue: async (deliveryPages) =>
      allOf(
        db,
        deliveryPages.flatMap((deliveryPage) => deliveryPageStatements(db, connectionId, deliveryPage)),
      ),
    readDue: async (query) => (await selectDue(db, query)).map(deliveryFrom),
    begin: (endpointId, attempts) => begin(db, endpointId, attempts),
    settle: async (settled, end) =>
      allOf(db, [
        ...settled.map((delivery) => settleAttempt(db, delivery)),
        ...(end ? [endEndpoint(db, connectionId, end)] : []),
      ]),
    end: async (end) => allOf(db, [endEndpoint(db, connectionId, end)]),
    stop: async (at, limit) => (await stopDeliveries(db, connectionId, at, limit)).length,
    forget: async (before, limit) => {
      const deliveries = forgetDeliveries(db, connectionId, before, limit);
      const [made, , ended] = await db.batch([deliveries, ...forgetEndpoints(db, connectionId, before)]);
      return made.length + ended.length;
    },
    list: () => list(db, connectionId),
    listDeliveries: async (query) => logPageFrom(await selectLog(db, connectionId, query), query),
  };
}

async function readStatus(db: Database, connectionId: string): Promise<WebhookStatus> {
  const [webhooks, cursors, chains, [held]] = await db.batch(readingStatus(db, { connectionId }));
  return {
    frozen: webhooks.some(({ frozen }) => frozen !== 0),
    webhooks: webhooks.map((row) => statusFrom(row, cursors)),
    heads: { chains: chains.map(chainFrom), heldSeq: held?.heldSeq ?? 0 },
  };
}

const readingStatus = keptReads(
  (db) =>
    [
      selectStatus(db, place("connectionId")),
      selectCursors(db, place("connectionId")),
      selectChainHeads(db, place("connectionId")),
      selectLastHeld(db, place("connectionId")),
    ] as const,
);

async function readPages(
  db: Database,
  connectionId: string,
  pages: readonly Page[],
): Promise<readonly PageRead[]> {
  const [first, ...others] = pages.map((page) => pageOf(db, connectionId, page));
  if (!first) return [];
  const rows = await db.batch([first.select, ...others.map(({ select }) => select)]);
  return [first, ...others].map(({ read }, index) => read(rows[index] ?? []));
}

interface PageSelect {
  readonly select: FencedStatement;
  /** Types the rows of the select next to it: a mixed batch has no types. */
  readonly read: (rows: unknown) => PageRead;
}

function pageOf(db: Database, connectionId: string, page: Page): PageSelect {
  switch (page.source) {
    case "issued": {
      const select = selectIssued(db, connectionId, page);
      const read = (rows: Awaited<typeof select>) => ({
        ...page,
        facts: rows.map((row) => issuedFact(page, row)),
      });
      return { select, read: (rows) => read(rows as Awaited<typeof select>) };
    }
    case "changed": {
      const select = selectChanged(db, connectionId, page);
      const read = (rows: Awaited<typeof select>) => ({
        ...page,
        facts: rows.map((row) => changedFact(page, row)),
      });
      return { select, read: (rows) => read(rows as Awaited<typeof select>) };
    }
    case "held": {
      const select = selectHeld(db, connectionId, page);
      const read = (rows: Awaited<typeof select>) => ({ ...page, facts: rows.map(heldFact) });
      return { select, read: (rows) => read(rows as Awaited<typeof select>) };
    }
  }
}

async function begin(db: Database, endpointId: string, attempts: readonly BegunAttempt[]): Promise<Begun> {
  const alive = and(eq(webhookEndpoint.id, endpointId), isNull(webhookEndpoint.endedAt));
  const [endpoints, ...begun] = await db.batch([
    db.select().from(webhookEndpoint).where(alive),
    ...attempts.map((attempt) => beginAttempt(db, endpointId, attempt)),
  ]);
  const [endpoint] = endpoints.map(endpointFrom);
  const target = endpoint && { url: endpoint.url, secrets: endpoint.secrets };
  return { ids: begun.flatMap((rows) => rows.map(({ id }) => id)), ...(target ? { target } : {}) };
}

async function list(db: Database, connectionId: string): Promise<readonly WebhookListing[]> {
  const endpoints = (await selectEndpoints(db, connectionId)).map(endpointFrom);
  return endpoints.map(({ secrets, ...shown }) => ({ ...shown, rotating: secrets.previous !== undefined }));
}

async function allOf(db: Database, statements: readonly FencedStatement[]): Promise<void> {
  const [first, ...others] = statements;
  if (first) await db.batch([first, ...others]);
}

// Events after an endpoint's cursor, read from the rows of records and orders.

const NAMED = {
  invoiceId: invoice.id,
  invoiceOrigin: sql<string>`${invoice.origin}`.as("invoice_origin"),
  series: invoice.series,
  number: invoice.number,
  fullNumber: invoice.fullNumber,
  invoiceType: invoice.invoiceType,
  issueDate: invoice.issueDate,
  test: sql<number | null>`${invoiceDocument.document} ->> '$.test'`.as("test"),
};

/** The records of the page that issued an invoice: they have its origin, amendments their own. */
function selectIssued(db: Database, connectionId: string, { installationId, from, to }: IssuedPage) {
  return db
    .select({
      ...NAMED,
      position: record.position,
      hash: record.hash,
      generatedAt: sql<string>`${record.content} ->> '$.generatedAt'`.as("generated_at"),
      currency: sql<string>`${invoiceDocument.document} ->> '$.request.currency'`.as("currency"),
      totals: sql<string>`${invoiceDocument.document} -> '$.totals'`.as("totals"),
      totalsEur: sql<string>`${invoiceDocument.document} -> '$.totalsEur'`.as("totals_eur"),
    })
    .from(record)
    .innerJoin(invoice, and(eq(invoice.id, record.invoiceId), eq(invoice.origin, record.origin)))
    .innerJoin(invoiceDocument, eq(invoiceDocument.invoiceId, invoice.id))
    .where(
      and(
        eq(record.installationId, installationId),
        gt(record.position, from),
        lte(record.position, to),
        eq(record.connectionId, connectionId),
      ),
    )
    .orderBy(record.position);
}

type IssuedRow = Awaited<ReturnType<typeof selectIssued>>[number];

function issuedFact({ installationId }: IssuedPage, row: IssuedRow): IssuedFact {
  const { position, hash, generatedAt, currency, totals, totalsEur } = row;
  const sums = { currency, totals: totalsOf(totals), totalsEur: totalsOf(totalsEur) };
  const invoice = { ...namedInvoice(row), ...sums };
  return { installationId, position, hash, generatedAt: instantOf(generatedAt), invoice };
}

function selectChanged(db: Database, connectionId: string, { installationId, from }: ChangedPage) {
  return db
    .select({
      ...NAMED,
      position: record.position,
      changedSeq: record.changedSeq,
      kind: record.kind,
      state: record.state,
      standing: record.standing,
      origin: record.origin,
    })
    .from(record)
    .innerJoin(invoice, eq(invoice.id, record.invoiceId))
    .innerJoin(invoiceDocument, eq(invoiceDocument.invoiceId, invoice.id))
    .where(
      and(
        eq(record.installationId, installationId),
        sql`${record.changedSeq} IS NOT NULL`,
        sql`(${record.changedSeq}, ${record.position}) > (${from.seq}, ${from.position})`,
        eq(record.connectionId, connectionId),
      ),
    )
    .orderBy(record.changedSeq, record.position)
    .limit(PAGE_SIZE);
}

type ChangedRow = Awaited<ReturnType<typeof selectChanged>>[number];

function changedFact({ installationId }: ChangedPage, row: ChangedRow): ChangedFact {
  const status: Pick<RecordChange, "code" | "hold"> = row.standing === null ? {} : fromOwnJson(row.standing);
  const { code, hold } = status;
  return {
    installationId,
    position: row.position,
    changedSeq: row.changedSeq ?? 0,
    // The triggers let only these values in, and a place among the changes only with a final state.
    kind: row.kind as ChangedFact["kind"],
    state: row.state as ChangedFact["state"],
    origin: row.origin,
    invoice: namedInvoice(row),
    ...(code === undefined ? {} : { code }),
    ...(hold === undefined ? {} : { hold }),
  };
}

/** Whole batches of orders, because the cursor knows their numbers only. */
function selectHeld(db: Database, connectionId: string, { from }: HeldPage) {
  const ours = sql`${shopOrder.connectionId} = ${connectionId} AND ${shopOrder.heldSeq} > ${from}`;
  const last = sql`(SELECT ${shopOrder.heldSeq} FROM ${shopOrder} WHERE ${ours}
    ORDER BY ${shopOrder.heldSeq} LIMIT 1 OFFSET ${PAGE_SIZE - 1})`;
  return db
    .select({
      idExternal: shopOrder.idExternal,
      heldSeq: shopOrder.heldSeq,
      changedAt: shopOrder.changedAt,
      reasons: shopOrder.reasons,
    })
    .from(shopOrder)
    .where(and(ours, sql`${shopOrder.heldSeq} <= coalesce(${last}, ${Number.MAX_SAFE_INTEGER})`))
    .orderBy(shopOrder.heldSeq, shopOrder.idExternal);
}

type HeldRow = Awaited<ReturnType<typeof selectHeld>>[number];

function heldFact({ idExternal, heldSeq, changedAt, reasons }: HeldRow): HeldFact {
  const codes = fromOwnJson<readonly { readonly code: string }[]>(reasons).map(({ code }) => code);
  return { idExternal, heldSeq: heldSeq ?? 0, changedAt, reasons: codes };
}

interface NamedRow extends Omit<NamedInvoice, "origin" | "test"> {
  readonly test: number | null;
  readonly invoiceOrigin: string;
}

function namedInvoice(row: NamedRow): NamedInvoice {
  const { invoiceId, invoiceOrigin: origin, series, number, fullNumber, invoiceType, issueDate } = row;
  const named = { invoiceId, origin, series, number, fullNumber, invoiceType, issueDate };
  return row.test === 1 ? { ...named, test: true } : named;
}

function totalsOf(json: string): IssuedFact["invoice"]["totals"] {
  const { base, tax, surcharge, total } = fromOwnJson<Record<string, string>>(json);
  const amount = (text = "0") => decimal(text);
  return { base: amount(base), tax: amount(tax), surcharge: amount(surcharge), total: amount(total) };
}
