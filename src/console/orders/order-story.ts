import type { StoredInvoice, StoredOrder } from "../../db/ledger-state.ts";
import { annulmentsOf } from "../../domain/invoice/invoice-view.ts";
import { isAsSold, type OrderFacts } from "../../domain/order/facts.ts";
import { identityOf } from "../../domain/order/order-totals.ts";
import type { Reason } from "../../domain/order/reasons.ts";
import { isZero } from "../../domain/shared/decimal.ts";
import { type Instant, instantOf } from "../../domain/shared/instant.ts";
import type { OrderChange, OrderRead } from "./order-detail-reads.ts";

export type OrderStep = { readonly at: Instant } & (
  | { readonly step: "received" }
  | ({ readonly step: "issued" | "annulled" } & IssuedDocument)
  | { readonly step: "deed"; readonly deed: OrderChange }
  /** The current decision. */
  | { readonly step: "decided" }
);

interface IssuedDocument {
  readonly invoiceId: string;
  readonly fullNumber: string;
  readonly invoiceType: string;
}

/** Newest first: the last step is the current state. */
export function storyOf({ createdAt, changedAt, invoices, deeds }: OrderRead): OrderStep[] {
  const steps: OrderStep[] = [
    { at: createdAt, step: "received" },
    ...invoices.flatMap(stepsOfInvoice),
    ...deeds.map((deed) => ({ at: deed.at, step: "deed", deed }) as const),
    { at: changedAt, step: "decided" },
  ];
  return steps.toSorted((a, b) => inSeconds(a) - inSeconds(b) || rankOf(a) - rankOf(b)).toReversed();
}

/** Record times have whole seconds; within one second the steps follow `TURN`. */
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

/** The order's lines and discounts add up to its total, as read now or as invoiced. */
export function addsUp({ facts, reasons, answers, soldFingerprint }: StoredOrder): boolean {
  if (reasons.some(({ code }) => code === "totals_mismatch")) return false;
  if (isSum(facts, answers.sales.discountsIncluded ?? false) || isSum(facts, true)) return true;
  return soldFingerprint !== undefined && isAsSold(soldFingerprint, facts);
}

function isSum(facts: OrderFacts, discountsIncluded: boolean): boolean {
  return isZero(identityOf(facts, { discountsIncluded }).difference);
}

/** A reason as the owner's form shows it: a settled reason keeps its place. */
interface AnsweredReason {
  readonly reason: Reason;
  readonly isSettled: boolean;
}

/** The earlier reasons, settled or current, followed by the reasons that the answers added. */
export function answeredReasons(before: readonly Reason[], after: readonly Reason[]): AnsweredReason[] {
  const left = Map.groupBy(after, reasonIdentity);
  const known = before.map((reason) => {
    const standing = left.get(reasonIdentity(reason))?.shift();
    return { reason: standing ?? reason, isSettled: standing === undefined };
  });
  const fresh = [...left.values()].flat();
  return [...known, ...fresh.map((reason) => ({ reason, isSettled: false }))];
}

function reasonIdentity({ code, about = "" }: Reason): string {
  return `${code} ${about}`;
}
