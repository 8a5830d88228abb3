/** Orders of a connection with their invoices, read past the product, from the database alone. */
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { ledgerOf } from "../../src/domain/connection/ids.ts";
import type { InvoiceDocument, TaxGroup } from "../../src/domain/invoice/document.ts";
import type { ActedEvent, OwnerAnswers } from "../../src/domain/order/context.ts";
import { type OrderState, originText } from "../../src/domain/order/decision.ts";
import type { OrderFacts } from "../../src/domain/order/facts.ts";
import type { Reason } from "../../src/domain/order/reasons.ts";
import { add, type Decimal, sum, ZERO } from "../../src/domain/shared/decimal.ts";
import { invariant } from "../../src/domain/shared/result.ts";
import { ledgersOf } from "../../src/storage/ledgers.ts";
import type { StoredBooks } from "./consistency.ts";

export type InvoiceRow = StoredBooks["invoices"][number];

export interface LinkRow {
  readonly invoice_id: string;
  readonly target_id: string;
  readonly kind: string;
  readonly taken: string;
}

export interface StoredOrderRow {
  readonly idExternal: string;
  readonly state: OrderState;
  readonly facts: OrderFacts;
  readonly reasons: readonly Reason[];
  readonly answers: Partial<OwnerAnswers>;
  readonly acted: readonly ActedEvent[];
  readonly soldFingerprint: string | null;
  readonly sentSha256: string;
  readonly sent: string | null;
}

export interface OrderBooks extends StoredBooks {
  readonly orders: readonly StoredOrderRow[];
  readonly links: readonly LinkRow[];
}

/** Of one order: what stands in the books. */
export interface OrderDocuments {
  readonly first?: InvoiceRow;
  readonly replacement?: InvoiceRow;
  readonly ofEvents: readonly InvoiceRow[];
}

export async function ordersIn(connectionId: string): Promise<Pick<OrderBooks, "orders" | "links">> {
  const database = ledgersOf(env).get(ledgerOf(connectionId, "cn") ?? "");
  invariant(database, "a connection's id names a ledger");
  const [orders, links] = await database.batch<Record<string, string | null>>([
    database
      .prepare(
        `SELECT shop_order.*, sent FROM shop_order LEFT JOIN shop_order_sent USING (connection_id, id_external)
         WHERE connection_id = ? ORDER BY id_external`,
      )
      .bind(connectionId),
    database
      .prepare(
        `SELECT invoice_link.* FROM invoice_link JOIN invoice ON invoice.id = invoice_id
         WHERE connection_id = ?`,
      )
      .bind(connectionId),
  ]);
  return {
    orders: (orders?.results ?? []).map(orderFrom),
    links: (links?.results ?? []) as unknown as readonly LinkRow[],
  };
}

function orderFrom(row: Record<string, string | null>): StoredOrderRow {
  const json = <T>(column: string) => JSON.parse(row[column] ?? "") as T;
  const facts = json<OrderFacts>("facts");
  // The columns that work is found by say what the facts say.
  expect([row.ordered_at, row.status]).toEqual([facts.orderedAt, facts.status ?? null]);
  return {
    idExternal: row.id_external ?? "",
    state: row.state as OrderState,
    facts,
    reasons: json("reasons"),
    answers: json("answers"),
    acted: json("acted"),
    soldFingerprint: row.sold_fingerprint ?? null,
    sentSha256: row.sent_sha256 ?? "",
    sent: row.sent ?? null,
  };
}

/** By origin, which is unique in a connection. */
export function documentsOf(idExternal: string, { invoices }: Pick<StoredBooks, "invoices">): OrderDocuments {
  const find = (origin: string) => invoices.find((row) => row.origin === origin);
  const first = find(originText(idExternal, { of: "order" }));
  const replacement = find(originText(idExternal, { of: "replacement" }));
  const prefix = originText(idExternal, { of: "event", eventId: "" });
  return {
    ...(first ? { first } : {}),
    ...(replacement ? { replacement } : {}),
    ofEvents: invoices.filter(({ origin }) => origin.startsWith(prefix)),
  };
}

/** What remains of an invoice: what was invoiced and what was taken from it, as groups that sum to it. */
export function remainingGroups(target: InvoiceRow, { links }: OrderBooks): readonly TaxGroup[] {
  const taken = links
    .filter((link) => link.target_id === target.id && link.kind === "difference")
    .flatMap((link) => JSON.parse(link.taken) as readonly TaxGroup[]);
  return [...documentIn(target).groups, ...taken];
}

/** By the rate as the shop has it: a surcharge is within. */
export function grossByRate(groups: readonly TaxGroup[]): ReadonlyMap<Decimal, Decimal> {
  const sums = new Map<Decimal, Decimal>();
  for (const { rate, surchargeRate = ZERO, amounts } of groups) {
    const key = add(rate, surchargeRate);
    const gross = sum([amounts.base, amounts.tax, amounts.surcharge]);
    sums.set(key, add(sums.get(key) ?? ZERO, gross));
  }
  return sums;
}

export function documentIn(row: InvoiceRow): InvoiceDocument {
  return JSON.parse(row.document) as InvoiceDocument;
}

export function annulledIn({ records }: StoredBooks): ReadonlySet<string> {
  return new Set(records.filter(({ kind }) => kind === "ANULACION").map((row) => row.invoice_id));
}
