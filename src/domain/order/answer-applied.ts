import { type Destinations, declared, destinationsOf } from "../billing/destinations.ts";
import { type AreaRate, rateAbout, withKept } from "../place/kept-rates.ts";
import { compare } from "../shared/decimal.ts";
import { assertNever } from "../shared/result.ts";
import { normalizeText } from "../shared/text.ts";
import type { EnteredRecipient, OrderAnswer, OrderAsItStands, OwnSales } from "./answer.ts";
import { ownerCancellation } from "./answer-cancellation.ts";
import type { Dismissal, OwnerAnswers, RateAmount } from "./context.ts";
import { printable } from "./fact-text.ts";
import { isAboutFullInvoice } from "./full-invoice.ts";
import { aboutReactivation, isReissue, reissueOf } from "./generation.ts";
import { aboutEvent } from "./judge-event.ts";
import { fiscalFingerprint } from "./normalize-fingerprint.ts";
import { comparableCode } from "./normalize-text.ts";
import { holds, type Reason, type ReasonCode } from "./reasons.ts";

/** What the owner has said of the order once the answer counts, whether it fits or not. */
export function applied(answer: OrderAnswer, order: OrderAsItStands): OwnerAnswers {
  const { answers } = order;
  switch (answer.answer) {
    case "release":
      return releasing(order);
    case "assign_profile":
      return { ...answers, profileId: answer.profileId };
    case "declare_treatment": {
      const treatments = { ...answers.treatments, [comparableCode(answer.code)]: answer.treatment };
      return { ...answers, treatments };
    }
    case "declare_sales":
      return { ...answers, sales: withSales(answers.sales, answer.sales) };
    case "enter_recipient":
      return { ...answers, recipient: recipientFor(order, answer.recipient) };
    case "enter_country":
      return { ...answers, country: answer.country.trim().toUpperCase() };
    case "enter_exchange_rate":
      return { ...answers, exchangeRate: { rate: answer.rate, date: answer.date } };
    case "approve":
      return { ...answers, approved: true };
    case "keep_oss_rate": {
      const asked = askedRate(order.reasons);
      if (!asked) return answers;
      return { ...answers, keptRates: withKept(answers.keptRates ?? [], { ...asked, from: answer.from }) };
    }
    case "rounding":
      return { ...answers, sales: { ...answers.sales, roundingRate: answer.rate } };
    case "declare_discount":
      return { ...answers, discounts: { ...answers.discounts, [printable(answer.name)]: answer.as } };
    case "mark_distinct":
      return { ...answers, distinctEvents: withMember(answers.distinctEvents, answer.eventId) };
    case "share_event": {
      const eventShares = { ...answers.eventShares, [answer.eventId]: inOrderOfRates(answer.shares) };
      return { ...takenUp(order, answer.eventId), eventShares };
    }
    case "confirm_annulment": {
      const confirmedVoids = withMember(answers.confirmedVoids, answer.eventId);
      return { ...takenUp(order, answer.eventId), confirmedVoids };
    }
    case "issue_cancellation": {
      const event = ownerCancellation(order);
      return event ? { ...answers, events: [...answers.events, event] } : answers;
    }
    case "issue":
      return issuingAnew(order);
    case "ask_full_invoice":
      return askingFullInvoice(order, answer.recipient);
    case "dismiss":
      return dismissing(order, answer.which);
    default:
      return assertNever(answer);
  }
}

/** The rate of the one-stop shop that waits for the owner's word. */
export function askedRate(reasons: readonly Reason[]): AreaRate | undefined {
  const about = reasons.find(({ code }) => code === "oss_rate_unknown")?.about;
  return about === undefined ? undefined : rateAbout(about);
}

/** From what it stands at, and from nothing else: who releases a trial has not said that it is in time. */
function releasing({ answers, reasons, facts, state }: OrderAsItStands): OwnerAnswers {
  const stands = (code: ReasonCode) => reasons.some((reason) => reason.code === code);
  if (stands("test_order")) return { ...answers, testReleased: true };
  if (stands("tax_totals_mismatch")) return { ...answers, linesCountFor: fiscalFingerprint(facts) };
  const isDone = answers.testReleased === true || answers.linesCountFor !== undefined;
  const isLeftOut = state === "before_cutoff" || stands("invoiced_elsewhere");
  return isDone && !isLeftOut ? answers : { ...answers, released: true };
}

/** What was asked for, or settled, of the invoices before is not said of the new one. */
function issuingAnew(order: OrderAsItStands): OwnerAnswers {
  const { answers, reasons } = order;
  if (!reasons.some(({ code }) => code === "reactivated")) return answers;
  const dismissals = answers.dismissals.filter(
    ({ code, about }) => code !== "status_cancelled" && !isAboutFullInvoice(about),
  );
  return { ...answers, reissue: reissueOf(order), fullInvoice: false, approved: true, dismissals };
}

/** Before an invoice the order itself is dismissed, after it what stands of it. */
export function dismissedBy(order: OrderAsItStands, which?: readonly Dismissal[]): readonly Dismissal[] {
  if (which) return which.map(({ code, about }) => ({ code, about }));
  if (!order.history.invoice) return [];
  return order.reasons.filter(holds).map(({ code, about = "" }) => ({ code, about }));
}

function dismissing(order: OrderAsItStands, which?: readonly Dismissal[]): OwnerAnswers {
  const { answers, history } = order;
  const added = dismissedBy(order, which).filter((dismissal) => !isAmong(answers.dismissals, dismissal));
  const dismissals = [...answers.dismissals, ...added];
  const isWhole = !history.invoice && which === undefined;
  if (isWhole && isReissue(order)) return withoutReissue(order);
  // What the owner asked for is taken back: only the shop's own request can come again with other data.
  const fullInvoice = answers.fullInvoice && !added.some(({ about }) => isAboutFullInvoice(about));
  return { ...answers, dismissals, fullInvoice, ...(isWhole ? { dismissed: true } : {}) };
}

export function isAmong(dismissals: readonly Dismissal[], { code, about }: Dismissal): boolean {
  return dismissals.some((other) => other.code === code && other.about === about);
}

/** An event that is answered is not dismissed any more. */
function takenUp({ answers, facts }: OrderAsItStands, eventId: string): OwnerAnswers {
  const abouts = facts.events.filter(({ id }) => id === eventId).map(aboutEvent);
  return { ...answers, dismissals: answers.dismissals.filter(({ about }) => !abouts.includes(about)) };
}

/** The order stays as its cancellation left it. */
function withoutReissue({ answers, history, ...order }: OrderAsItStands): OwnerAnswers {
  const before = { ...order, answers, history: { ...history, generation: history.generation - 1 } };
  const dismissal = { code: "reactivated", about: aboutReactivation(before) } as const;
  return {
    ...answers,
    reissue: { generation: history.generation - 1, over: answers.reissue?.over ?? [] },
    dismissals: [...answers.dismissals, dismissal],
  };
}

function askingFullInvoice(order: OrderAsItStands, recipient: EnteredRecipient | undefined): OwnerAnswers {
  const { answers } = order;
  return {
    ...answers,
    fullInvoice: true,
    ...(recipient ? { recipient: recipientFor(order, recipient) } : {}),
    dismissals: answers.dismissals.filter(({ about }) => !isAboutFullInvoice(about)),
  };
}

/** An identifier is entered with its type: that of the shop's number says nothing of another one. */
function recipientFor({ facts }: OrderAsItStands, entered: EnteredRecipient): EnteredRecipient {
  const stated = statedRecipient(entered);
  const isOthers = stated.vatNumber !== undefined && stated.idType === undefined;
  return isOthers && facts.client?.idType !== undefined ? { ...stated, idType: "" } : stated;
}

const RECIPIENT_MEMBERS = [
  "firstName",
  "lastName",
  "company",
  "vatNumber",
  "idType",
  "country",
  "address1",
  "postcode",
  "city",
] as const satisfies readonly (keyof EnteredRecipient)[];

/** What was entered before is entered anew: a form is filled in whole. */
export function statedRecipient(entered: EnteredRecipient): EnteredRecipient {
  return Object.fromEntries(
    RECIPIENT_MEMBERS.flatMap((member) => {
      const text = entered[member];
      if (text === undefined) return [];
      const kept = normalizeText(text);
      return [[member, member === "country" ? kept.toUpperCase() : kept]];
    }),
  );
}

const SALES_MEMBERS = [
  "zeroRateBasis",
  "destinations",
  "voucherKind",
  "customerCredit",
  "article42",
  "underAuthorisation",
  "discountsIncluded",
] as const satisfies readonly (keyof OwnSales)[];
export type SalesMember = (typeof SALES_MEMBERS)[number];

export function statedMembers(sales: OwnSales): readonly SalesMember[] {
  const hasDestination = Object.keys(saidDestinations(sales)).length > 0;
  return SALES_MEMBERS.filter((member) =>
    member === "destinations" ? hasDestination : sales[member] !== undefined,
  );
}

/** Each destination stands by itself: an order goes to one, and an answer about it says nothing of others. */
function withSales(current: OwnerAnswers["sales"], said: OwnSales): OwnerAnswers["sales"] {
  const members = statedMembers(said).map((member) => [member, said[member]]);
  const destinations = { ...current.destinations, ...saidDestinations(said) };
  return {
    ...current,
    ...Object.fromEntries(members),
    ...(Object.keys(destinations).length === 0 ? {} : { destinations }),
  };
}

/** By the shorthand and by name; where these contradict each other the answer is refused. */
export function saidDestinations({ destinations, foreignSales }: OwnSales): Destinations {
  return { ...(foreignSales ? destinationsOf(foreignSales) : {}), ...declared(destinations ?? {}) };
}

function inOrderOfRates(shares: readonly RateAmount[]): RateAmount[] {
  return shares.map(({ rate, gross }) => ({ rate, gross })).sort((a, b) => compare(b.rate, a.rate));
}

function withMember(members: readonly string[], member: string): readonly string[] {
  return members.includes(member) ? members : [...members, member];
}
