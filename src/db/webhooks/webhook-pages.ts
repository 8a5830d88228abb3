/** Events after an endpoint's cursor, read from the rows of records and orders. */
import { and, eq, gt, lte, sql } from "drizzle-orm";
import { decimal } from "../../domain/shared/decimal.ts";
import { instantOf } from "../../domain/shared/instant.ts";
import type { RecordChange } from "../../domain/verifactu/submission/settle.ts";
import type { ChangedFact, HeldFact, IssuedFact, NamedInvoice } from "../../domain/webhook/news.ts";
import { type ChangedPage, type HeldPage, type IssuedPage, PAGE_SIZE } from "../../domain/webhook/page.ts";
import { type Database, fromOwnJson } from "../database.ts";
import { invoice, invoiceDocument, record } from "../schema/ledger.ts";
import { shopOrder } from "../schema/orders.ts";

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
export function selectIssued(db: Database, connectionId: string, { installationId, from, to }: IssuedPage) {
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

export type IssuedRow = Awaited<ReturnType<typeof selectIssued>>[number];

export function issuedFact({ installationId }: IssuedPage, row: IssuedRow): IssuedFact {
  const { position, hash, generatedAt, currency, totals, totalsEur } = row;
  const sums = { currency, totals: totalsOf(totals), totalsEur: totalsOf(totalsEur) };
  const invoice = { ...namedInvoice(row), ...sums };
  return { installationId, position, hash, generatedAt: instantOf(generatedAt), invoice };
}

export function selectChanged(db: Database, connectionId: string, { installationId, from }: ChangedPage) {
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

export type ChangedRow = Awaited<ReturnType<typeof selectChanged>>[number];

export function changedFact({ installationId }: ChangedPage, row: ChangedRow): ChangedFact {
  const standing: Pick<RecordChange, "code" | "hold"> =
    row.standing === null ? {} : fromOwnJson(row.standing);
  const { code, hold } = standing;
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
export function selectHeld(db: Database, connectionId: string, { from }: HeldPage) {
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

export type HeldRow = Awaited<ReturnType<typeof selectHeld>>[number];

export function heldFact({ idExternal, heldSeq, changedAt, reasons }: HeldRow): HeldFact {
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
