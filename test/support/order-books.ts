/** Orders of a connection with their invoices, as they stand in the database. */
import type { InvoiceDocument, TaxGroup } from "../../src/domain/invoice/document.ts";
import type { ActedEvent, OwnerAnswers } from "../../src/domain/order/context.ts";
import type { OrderState } from "../../src/domain/order/decision.ts";
import type { OrderFacts } from "../../src/domain/order/facts.ts";
import { originText } from "../../src/domain/order/order-origin.ts";
import type { Reason } from "../../src/domain/order/reasons.ts";
import { add, type Decimal, sum, ZERO } from "../../src/domain/shared/decimal.ts";
import type { InvoiceRow, StoredBooks } from "./book-rules.ts";

export type { InvoiceRow } from "./book-rules.ts";

export interface LinkRow {
  readonly invoice_id: string;
  readonly target_id: string;
  readonly kind: string;
  readonly taken: string;
}

export interface StoredOrderRow {
  readonly idExternal: string;
  readonly state: OrderState;
  /** Columns that work is found by: they say what the facts say. */
  readonly foundBy: { readonly orderedAt: unknown; readonly status: unknown };
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
  /** Full invoices of what went back of a replaced ticket. */
  readonly followUps: readonly InvoiceRow[];
}

export type OrderColumns = Readonly<Record<string, string | null>>;

/** A row of `shop_order` with its body beside it. */
export function orderFrom(row: OrderColumns): StoredOrderRow {
  const json = <T>(column: string) => JSON.parse(row[column] ?? "") as T;
  return {
    idExternal: row.id_external ?? "",
    state: row.state as OrderState,
    foundBy: { orderedAt: row.ordered_at, status: row.status },
    facts: json("facts"),
    reasons: json("reasons"),
    answers: json("answers"),
    acted: json("acted"),
    soldFingerprint: row.sold_fingerprint ?? null,
    sentSha256: row.sent_sha256 ?? "",
    sent: row.sent ?? null,
  };
}

/** By origin, which is unique in a connection: of each invoice of the order, oldest first. */
export function generationsOf(
  { idExternal, acted }: Pick<StoredOrderRow, "idExternal" | "acted">,
  { invoices }: Pick<StoredBooks, "invoices">,
): readonly OrderDocuments[] {
  const find = (origin: string) => invoices.find((row) => row.origin === origin);
  const found: OrderDocuments[] = [];
  for (let generation = 1; ; generation += 1) {
    const first = find(originText(idExternal, { of: "order", generation }));
    const replacement = find(originText(idExternal, { of: "replacement", generation }));
    const its = acted.filter((event) => event.how === "rectified" && (event.generation ?? 1) === generation);
    const ofSort = (of: "event" | "event_replacement") =>
      its.flatMap(({ id }) => find(originText(idExternal, { of, eventId: id })) ?? []);
    const [ofEvents, followUps] = [ofSort("event"), ofSort("event_replacement")];
    if (generation > 1 && !first && !replacement && ofEvents.length === 0) return found;
    found.push({ ...(first ? { first } : {}), ...(replacement ? { replacement } : {}), ofEvents, followUps });
  }
}

/** What remains of an invoice: what was invoiced and what was taken from it, as groups that sum to it. */
export function remainingGroups(
  target: InvoiceRow,
  { links }: Pick<OrderBooks, "links">,
): readonly TaxGroup[] {
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

export function annulledIn({ records }: Pick<StoredBooks, "records">): ReadonlySet<string> {
  return new Set(records.filter(({ kind }) => kind === "ANULACION").map((row) => row.invoice_id));
}
