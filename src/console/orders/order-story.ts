import type { StoredInvoice } from "../../db/ledger-state.ts";
import type { StoredOrder } from "../../db/order-state.ts";
import { annulmentsOf } from "../../domain/invoice/invoice-records.ts";
import { isAsSold, type OrderFacts } from "../../domain/order/facts.ts";
import { identityOf } from "../../domain/order/order-totals.ts";
import { isZero } from "../../domain/shared/decimal.ts";
import { type Instant, instantOf } from "../../domain/shared/instant.ts";
import type { OrderDeed, OrderRead } from "./order-detail-ports.ts";

/** Something that happened to an order. */
export type OrderStep = { readonly at: Instant } & (
  | { readonly step: "received" }
  | ({ readonly step: "issued" | "annulled" } & IssuedDocument)
  | { readonly step: "deed"; readonly deed: OrderDeed }
  /** As it stands now. */
  | { readonly step: "decided" }
);

interface IssuedDocument {
  readonly invoiceId: string;
  readonly fullNumber: string;
  readonly invoiceType: string;
}

/** Newest first: what came last is what stands. */
export function storyOf({ createdAt, changedAt, invoices, deeds }: OrderRead): OrderStep[] {
  const steps: OrderStep[] = [
    { at: createdAt, step: "received" },
    ...invoices.flatMap(stepsOfInvoice),
    ...deeds.map((deed) => ({ at: deed.at, step: "deed", deed }) as const),
    { at: changedAt, step: "decided" },
  ];
  return steps.toSorted((a, b) => inSeconds(a) - inSeconds(b) || rankOf(a) - rankOf(b)).toReversed();
}

/** Records tell time by the second: within one, things happened in this turn. */
function inSeconds({ at }: OrderStep): number {
  return Math.floor(at / 1000);
}

const TURN = ["received", "deed", "issued", "annulled", "decided"];

function rankOf({ step }: OrderStep): number {
  return TURN.indexOf(step);
}

function stepsOfInvoice({ view }: StoredInvoice): OrderStep[] {
  const { invoiceId, fullNumber, document, alta } = view;
  const issued = { invoiceId, fullNumber, invoiceType: document.request.invoiceType };
  const at = (generatedAt: string) => instantOf(generatedAt);
  return [
    { at: at(alta.record.content.generatedAt), step: "issued", ...issued },
    ...annulmentsOf(view)
      .slice(0, 1)
      .map(({ record }) => ({ at: at(record.content.generatedAt), step: "annulled", ...issued }) as const),
  ];
}

/** Whether lines, discounts and the rest are the order's total, as it is read or as it was invoiced. */
export function addsUp({ facts, reasons, answers, soldFingerprint }: StoredOrder): boolean {
  if (reasons.some(({ code }) => code === "totals_mismatch")) return false;
  if (isSum(facts, answers.sales.discountsIncluded ?? false) || isSum(facts, true)) return true;
  return soldFingerprint !== undefined && isAsSold(soldFingerprint, facts);
}

function isSum(facts: OrderFacts, discountsIncluded: boolean): boolean {
  return isZero(identityOf(facts, { discountsIncluded }).difference);
}
