import type { Context } from "hono";
import type { InvoiceDocument, TaxGroup } from "../../domain/invoice/document.ts";
import { consumptionCountry, ossDoubts } from "../../domain/invoice/oss.ts";
import type { Refusal } from "../../domain/invoice/refusal.ts";
import { hasFlag } from "../../domain/invoice/request.ts";
import { grossOf, isOss } from "../../domain/invoice/tax-groups.ts";
import type { RefusedAnswer } from "../../domain/order/answers/table.ts";
import { peopleIn } from "../../domain/order/console-event.ts";
import { questionOf } from "../../domain/order/question.ts";
import { answersToReason, holds, type OrderWarning, type Reason } from "../../domain/order/reasons.ts";
import { clientOf } from "../../domain/order/recipient.ts";
import { answersTogether } from "../../domain/order/together.ts";
import { civilDate } from "../../domain/shared/civil-date.ts";
import { add, type Decimal, sum } from "../../domain/shared/decimal.ts";
import { isoInstant } from "../../domain/shared/instant.ts";
import type {
  AnswerOutcome,
  DraftInvoice,
  NumberedOutlook,
  OrderInvoice,
  OrderPreview,
  OrderView,
} from "../../ledger/orders/order-outcomes.ts";
import { viewOrder } from "../../ledger/orders/view-order.ts";
import {
  type ErrorCode,
  errorSentence,
  type Language,
  reasonText,
  warningSentence,
} from "../../words/words.ts";
import type { ConsoleEnv } from "../deps.ts";
import { refuseAtGate, refuseByRule } from "../refuse.ts";
import type { SheetOf } from "../shown-look.ts";
import type { OrderListed } from "./listed-orders.ts";
import { addsUp, answeredReasons, type OrderRead, type OrderStep, storyOf } from "./order-detail.ts";

export function shownListed(listed: OrderListed, language: Language) {
  const { reason, orderedAt, connectionId, idExternal, ...row } = listed;
  return {
    ...row,
    connectionId,
    orderId: idExternal,
    orderedAt: isoInstant(orderedAt),
    reason: reason ? shortReason(reason, language) : null,
  };
}

function shortReason(reason: NonNullable<OrderListed["reason"]>, language: Language) {
  const { code, title } = shownReason(reason, language);
  return { code, title };
}

/** One order in full: what the shop sent, the decision and the invoices. */
export function shownOrder(read: OrderRead, names: ReadonlyMap<string, string>, language: Language) {
  const { order, invoices } = read;
  const { facts, answers } = order;
  const byOrigin = new Map(invoices.map((invoice) => [invoice.view.origin, invoice]));
  const view = viewOrder(order, { invoices: byOrigin });
  const isTest = (invoiceId: string | undefined) =>
    invoices.some((one) => one.view.invoiceId === invoiceId && one.view.document.test);
  const isUnnamed = (invoiceId: string | undefined) =>
    invoices.some(
      ({ view }) =>
        view.invoiceId === invoiceId && hasFlag(view.document.request, "no_recipient_article_6_1_d"),
    );
  return {
    orderId: order.idExternal,
    connection: read.connection,
    store: read.store ?? null,
    state: order.state,
    reasons: order.reasons.map((reason) => shownReason(named(reason, peopleIn(answers), names), language)),
    asks: order.state === "held" ? askedBy(order) : null,
    warnings: view.warnings.map((warning) => shownWarning(warning, language)),
    orderedAt: isoInstant(facts.orderedAt),
    orderDay: order.orderDay,
    dueDate: order.dueDate,
    facts,
    customer: clientOf({ facts, answers }),
    addsUp: addsUp(order),
    ossDoubts: invoices.flatMap(({ view: { document, issueDate, cancellation } }) =>
      cancellation === undefined
        ? ossDoubts(
            document.groups,
            consumptionCountry(document),
            document.operationDate ?? civilDate(issueDate),
          )
        : [],
    ),
    documents: view.invoices.map(({ kind, invoiceType, issueDate, currency, totals, issued }) => ({
      kind,
      invoiceType,
      issueDate,
      currency,
      total: totals.total,
      id: issued?.invoiceId ?? "",
      fullNumber: issued?.fullNumber ?? "",
      state: issued?.state ?? "pending_submission",
      ...(isTest(issued?.invoiceId) ? { test: true as const } : {}),
      ...(isUnnamed(issued?.invoiceId) ? { unnamed: true as const } : {}),
    })),
    story: storyOf(read).map((step) => shownStep(step, names)),
    hasMoreDeeds: read.hasMoreChanges,
  };
}

/** The question of a held order, and the answers that others with the same question can get too. */
function askedBy({ reasons: [first], facts }: OrderRead["order"]) {
  if (!first || !holds(first)) return null;
  const { code, about = "" } = first;
  // The data of a customer are those of one order: together only the kind of operation can be given.
  const answers = code === "recipient_incomplete" ? [] : answersTogether(code);
  return { text: questionOf(first, facts), code, about, answers };
}

function shownStep(step: OrderStep, names: ReadonlyMap<string, string>) {
  const at = isoInstant(step.at);
  const nothing = { who: "", answer: "", why: "", invoiceId: "", fullNumber: "", invoiceType: "" };
  switch (step.step) {
    case "issued":
    case "annulled": {
      const { invoiceId, fullNumber, invoiceType } = step;
      return { at, step: step.step, ...nothing, invoiceId, fullNumber, invoiceType };
    }
    case "deed": {
      const { userId, verb, facts } = step.deed;
      const who = names.get(userId) ?? "";
      return { at, step: step.step, ...nothing, who, answer: facts.answer ?? verb, why: facts.why ?? "" };
    }
    default:
      return { at, step: step.step, ...nothing };
  }
}

/** The order after an answer. */
export function answeredOrder(c: Context<ConsoleEnv>, outcome: AnswerOutcome) {
  switch (outcome.outcome) {
    case "taken":
      return shownAnswered(outcome.order, c.var.language);
    case "refused":
      return refuseByRule(c, outcome.refusal);
    default:
      return refuseAtGate(c, outcome);
  }
}

function shownAnswered(order: OrderView, language: Language) {
  return {
    state: order.state,
    reasons: order.reasons.map((reason) => shownReason(reason, language)),
    documents: order.invoices.flatMap(documentOf),
  };
}

function documentOf({ kind, invoiceType, currency, totals, issued }: OrderInvoice) {
  if (!issued) return [];
  const { invoiceId: id, fullNumber, state } = issued;
  return [{ kind, invoiceType, currency, total: totals.total, id, fullNumber, state }];
}

/** One order's outcome in an answer to several orders; its refusal does not fail the call. */
export function shownOutcome(outcome: AnswerOutcome, language: Language) {
  const nothing = { state: "", message: "", fullNumber: "", total: "", currency: "" };
  switch (outcome.outcome) {
    case "taken": {
      const { state, reasons, invoices } = outcome.order;
      const last = invoices.at(-1);
      const issued = { fullNumber: last?.issued?.fullNumber ?? "", total: last?.totals.total ?? "" };
      const [reason] = reasons;
      const message = reason ? shownReason(reason, language).title : "";
      return {
        outcome: "done" as const,
        ...nothing,
        state,
        message,
        ...issued,
        currency: last?.currency ?? "",
      };
    }
    case "refused":
      return { outcome: "refused" as const, ...nothing, message: sentenceOf(outcome.refusal, language) };
    default:
      return { outcome: "failed" as const, ...nothing, message: notNow(language) };
  }
}

function sentenceOf({ code, facts }: Refusal<ErrorCode>, language: Language): string {
  return errorSentence(code, facts, language);
}

function notNow(language: Language): string {
  return errorSentence("temporarily_unavailable", { seconds: { amount: "5" } }, language);
}

interface Reader {
  readonly language: Language;
  readonly sheetOf: SheetOf;
}

/** The order as the answers would leave it, in the reader's language. */
export function shownPreview(
  preview: OrderPreview,
  { language, names, sheetOf }: Reader & { readonly names: ReadonlyMap<string, string> },
) {
  const { before, reasons, outlook, drafts, choices } = preview;
  return {
    state: preview.state,
    wasState: before.state,
    reasons: answeredReasons(before.reasons, reasons).map(({ reason, isSettled }) => ({
      ...shownReason(named(reason, preview.madeBy, names), language),
      isSettled,
    })),
    refusals: preview.refusals.map((refusal) => shownRefusal(refusal, language)),
    warnings: preview.warnings.map((warning) => shownWarning(warning, language)),
    drafts: drafts.map((draft) => shownDraft(draft, sheetOf)),
    annulled: preview.annulled,
    outlook: outlook ? shownOutlook(outlook) : null,
    choices,
  };
}

function shownOutlook(numbered: NumberedOutlook) {
  const { groups, kind, declaredBy, totalEur, consumedIn, ...outlook } = numbered;
  return {
    ...outlook,
    profile: "profile" in declaredBy ? declaredBy.profile : "",
    fullNumber: outlook.fullNumber ?? "",
    invoiceType: kind?.invoiceType ?? "",
    documentaryRegime: kind?.regime ?? "",
    groups: groups.map((group) => shownGroup(group, consumedIn)),
    ossDoubts: ossDoubts(groups, consumedIn, outlook.operationDate),
    totals: totalsOf(groups),
    totalEur: totalEur ?? "",
  };
}

function shownGroup(group: TaxGroup, country: string | undefined) {
  const { tax, regime, qualification, rate, surchargeRate, amounts } = group;
  return {
    /** Of the tax of a one-stop-shop sale; empty for others, and where it is not known. */
    country: isOss(group) ? (country ?? "") : "",
    taxCode: tax,
    regime,
    qualification,
    rate,
    surchargeRate: surchargeRate ?? "",
    ...amounts,
    total: grossOf(amounts),
  };
}

function totalsOf(groups: readonly TaxGroup[]) {
  const of = (member: (group: TaxGroup) => Decimal) => sum(groups.map(member));
  return {
    base: of(({ amounts }) => amounts.base),
    tax: of(({ amounts }) => add(amounts.tax, amounts.surcharge)),
    total: of(({ amounts }) => grossOf(amounts)),
  };
}

/** An invoice that would be issued, on the sheet of its customer. */
export function shownDraft(draft: DraftInvoice, sheetOf: SheetOf) {
  const { kind, fullNumber, issueDate, document } = draft;
  const { request, groups, totals, totalsEur, warnings, operationDate } = document;
  const country = consumptionCountry(document);
  return {
    kind,
    fullNumber,
    issueDate,
    operationDate: operationDate ?? issueDate,
    invoiceType: request.invoiceType,
    documentaryRegime: request.regime,
    description: request.description,
    currency: request.currency,
    recipient: request.recipient ?? null,
    groups: groups.map((group) => shownGroup(group, country)),
    ossDoubts: ossDoubts(groups, country, operationDate ?? civilDate(issueDate)),
    totals: { base: totals.base, tax: add(totals.tax, totals.surcharge), total: totals.total },
    totalEur: totalsEur.total,
    lateAfter: lateAfter(warnings),
    sheet: sheetOf(draft),
  };
}

/** The due date of an invoice that would be issued late. */
function lateAfter(warnings: InvoiceDocument["warnings"]): string {
  const due = warnings.find(({ code }) => code === "issued_late")?.facts?.due_date;
  return typeof due === "object" && "date" in due && typeof due.date === "string" ? due.date : "";
}

/** A reason in the reader's language, with its possible answers. */
export function shownReason(reason: Reason, language: Language) {
  const { title, sentence } = reasonText(reason, language);
  const { code, about = "", facts } = reason;
  return {
    code,
    about,
    // A title heads the sentence; a reason without a title shows its sentence as the heading.
    title: (title ?? sentence).replace(/\.$/, ""),
    sentence: title === undefined ? "" : sentence,
    holds: holds(reason),
    answers: answersToReason(reason),
    /** The currency, if the reason names one. */
    currency: typeof facts.currency === "string" ? facts.currency : "",
    ...(code === "totals_mismatch" ? { rates: percentsIn(facts.rates) } : {}),
    ...(typeof facts.where === "string" ? { where: facts.where } : {}),
    ...(code === "exchange_rate_unavailable" ? { chooseFrom: dateIn(facts.choose_from) } : {}),
  };
}

/** Of what an owner issued in the console, the console names the person. */
function named(
  reason: Reason,
  madeBy: Readonly<Record<string, string>>,
  names: ReadonlyMap<string, string>,
): Reason {
  const { name, other } = reason.facts;
  const who = typeof other === "string" ? names.get(madeBy[other] ?? "") : undefined;
  return name === undefined || who === undefined
    ? reason
    : { ...reason, facts: { ...reason.facts, name: who } };
}

function dateIn(fact: Reason["facts"][string] | undefined): string {
  return typeof fact === "object" && "date" in fact && typeof fact.date === "string" ? fact.date : "";
}

/** The rates that can absorb a rounding difference. */
function percentsIn(fact: Reason["facts"][string] | undefined): string[] {
  if (typeof fact !== "object" || !("all" in fact)) return [];
  return fact.all.flatMap((each) =>
    typeof each === "object" && "percent" in each ? [String(each.percent)] : [],
  );
}

function shownWarning({ code, facts }: OrderWarning, language: Language) {
  return { code, sentence: warningSentence(code, facts, language) };
}

/** An answer's refusal, at its field in the form. */
function shownRefusal({ index, refusal }: RefusedAnswer, language: Language) {
  const { code, facts, path = "" } = refusal;
  return { index, code, path, message: errorSentence(code, facts, language) };
}
