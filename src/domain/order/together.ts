import type { SalesChange } from "../billing/sales-change.ts";
import { declared, type SalesSettings } from "../billing/sales-settings.ts";
import { type Refusal, refuse } from "../invoice/refusal.ts";
import { isSameValue } from "../shared/hash.ts";
import { present } from "../shared/present.ts";
import { ok, type Result } from "../shared/result.ts";
import { comparableCode, comparableTag } from "../shared/text.ts";
import { answeredDestinations, type OwnSales } from "./answers/sale.ts";
import type { OrderAnswer } from "./answers/table.ts";
import type { QuestionParts } from "./question.ts";
import { type AnswerKind, answersTo, type ReasonCode } from "./reasons.ts";

/** Identifiers and mismatches: each order has its own answer, so together they can only be dismissed. */
const OF_ONE_ORDER: readonly ReasonCode[] = [
  ...(["tax_identifier_invalid", "totals_mismatch", "tax_mismatch", "order_date_in_future"] as const),
  ...(["too_many_tax_groups", "not_invoiceable", "destination_conflict", "tax_totals_mismatch"] as const),
  ...(["shop_facts_missing", "shop_facts_contradict"] as const),
];

/** About an invoice and its corrections: they too can only be dismissed together. */
const AFTER_THE_INVOICE: readonly ReasonCode[] = [
  ...(["status_cancelled", "reactivated", "changed_after_invoice"] as const),
  ...(["correction_amount_mismatch", "correction_event_changed", "refund_possibly_repeated"] as const),
  ...(["over_refund", "rate_not_invoiced", "correction_increases", "refund_lines_needed"] as const),
  "annulment_review",
];

/** Answers that name one order's customer or approve one payload of the shop. */
const NEVER_TOGETHER: readonly AnswerKind[] = ["enter_recipient", "release", "rounding"];

/** The answers that several orders with this reason can get at once; `dismiss` is always the last. */
export function answersTogether(code: ReasonCode): readonly AnswerKind[] {
  if (OF_ONE_ORDER.includes(code) || AFTER_THE_INVOICE.includes(code)) return ["dismiss"];
  return answersTo(code).filter((kind) => !NEVER_TOGETHER.includes(kind));
}

export type TogetherRefusal = Refusal<"question_settled" | "answer_not_together" | "answer_not_remembered">;

/** Refuses an answer that the orders of a question cannot get together. */
export function checkTogether(
  { code, about: [subject] }: QuestionParts,
  answer: OrderAnswer,
): Result<void, TogetherRefusal> {
  const no = refuse("answer_not_together", { code }, "answer");
  if (!answersTogether(code).includes(answer.answer)) return no;
  switch (answer.answer) {
    case "declare_treatment":
      return comparableTag(answer.code) === subject ? ok(undefined) : no;
    case "declare_discount":
      return subject === undefined || foldedName(answer.name) === subject ? ok(undefined) : no;
    case "declare_sales":
      // A recipient that lacks data is one customer's; only the kind of operation is common to the sales.
      return code !== "recipient_incomplete" || isOnlyArticle42(answer.sales) ? ok(undefined) : no;
    default:
      return ok(undefined);
  }
}

function isOnlyArticle42(sales: OwnSales): boolean {
  return sales.article42 !== undefined && Object.values(present(sales)).length === 1;
}

/** The name of a discount as settings keep it: several spellings of upper and lower case are one. */
export function foldedName(name: string): string {
  return comparableTag(name);
}

/** Members of the sales settings that can be remembered, because without them the order asks again. */
const REMEMBERED = ["destinations", "foreignSales", "zeroRateBasis", "customerCredit", "article42"] as const;

/** The setting that answers the next orders as well; undefined if the answer is about these alone. */
export function rememberedChange(answer: OrderAnswer): SalesChange | undefined {
  switch (answer.answer) {
    case "declare_treatment":
      return { treatments: { [comparableCode(answer.code)]: answer.treatment } };
    case "declare_discount":
      return { discounts: { [foldedName(answer.name)]: answer.as } };
    case "declare_sales": {
      const names = Object.keys(present(answer.sales));
      if (names.length === 0 || !names.every((name) => REMEMBERED.some((known) => known === name))) {
        return undefined;
      }
      const { destinations: _, foreignSales: __, ...members } = answer.sales;
      const destinations = answeredDestinations(answer.sales);
      return { ...members, ...(Object.keys(destinations).length > 0 ? { destinations } : {}) };
    }
    default:
      return undefined;
  }
}

/** The change that takes a remembered answer back, so that the next orders ask again. */
export function forgottenChange(change: SalesChange): SalesChange {
  const { treatments, discounts, destinations, ...members } = change;
  return present({
    zeroRateBasis: members.zeroRateBasis === undefined ? undefined : null,
    article42: members.article42 === undefined ? undefined : null,
    customerCredit: members.customerCredit === undefined ? undefined : ("review" as const),
    treatments: treatments && allNull(treatments),
    discounts: discounts && allNull(discounts),
    destinations: destinations && allNull(destinations),
  });
}

function allNull<Names extends object>(members: Names): { readonly [Name in keyof Names]: null } {
  // Object.fromEntries forgets the names of its record.
  return Object.fromEntries(Object.keys(members).map((name) => [name, null])) as {
    readonly [Name in keyof Names]: null;
  };
}

/** True while the settings say what was remembered; another declaration may have replaced it. */
export function isInForce(change: SalesChange, sales: SalesSettings): boolean {
  const { treatments = {}, discounts = {}, destinations = {}, ...members } = change;
  const isAll = (said: object, now: object) =>
    Object.entries(said).every(
      ([name, value]) => Object.hasOwn(now, name) && isSameValue(now[name as keyof typeof now], value),
    );
  return (
    isAll(treatments, sales.treatments) &&
    isAll(discounts, sales.discounts ?? {}) &&
    isAll(declared(destinations), sales.destinations) &&
    isAll(present(members), sales)
  );
}
