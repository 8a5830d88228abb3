import { checkSales, checkTreatment } from "../billing/sales-change.ts";
import { matchProfile, UNDECLARED } from "../billing/sales-settings.ts";
import { referenceDay } from "../exchange/reference-day.ts";
import { refuse } from "../invoice/refusal.ts";
import { placeOf } from "../place/place.ts";
import type { CivilDate } from "../shared/civil-date.ts";
import { isCountry } from "../shared/country.ts";
import { currencyDecimals } from "../shared/currency.ts";
import { type Decimal, digitsOf, isPositive, isZero } from "../shared/decimal.ts";
import type { Fact } from "../shared/fact.ts";
import { ok, type Result } from "../shared/result.ts";
import type { OrderAsItStands, OwnSales, OwnTreatment } from "./answer.ts";
import { askedRate, type SalesMember, saidDestinations, statedMembers } from "./answer-applied.ts";
import { invoiceInForce } from "./answer-cancellation.ts";
import type { AnswerRefusal } from "./answer-refusal.ts";
import type { OrderContext } from "./context.ts";
import { operationDateOf, orderDateOf } from "./dates.ts";
import { decideOrder } from "./decide-order.ts";
import { declarableDestination } from "./destination.ts";
import { discountName, isIncluded } from "./discounts.ts";
import { chooseRateFrom } from "./exchange-rate.ts";
import { printable } from "./fact-text.ts";
import { comparableCode } from "./normalize-text.ts";
import { ossRatesOf } from "./place.ts";
import { chooseProfile } from "./profile.ts";
import { holds, type ReasonCode } from "./reasons.ts";
import { clientOf, identifierOf } from "./recipient.ts";
import { treatUnmapped } from "./unmapped-totals.ts";

type Checked = Result<void, AnswerRefusal>;

export function checkRelease(order: OrderAsItStands): Checked {
  const uninvoiced = checkUninvoiced(order);
  if (!uninvoiced.ok) return uninvoiced;
  if (order.answers.dismissed) return refuse("order_dismissed");
  const isAsked = order.reasons.some(({ code }) => code === "test_order" || code === "tax_totals_mismatch");
  if (order.state === "before_cutoff" || isAsked || isNoLongerElsewhere(order)) return ok(undefined);
  const { cutoffDate } = order.settings;
  const facts = { order_date: { date: orderDateOf(order) }, cutoff_date: { date: cutoffDate } };
  return refuse("order_not_before_cutoff", facts);
}

/** Its sales were invoiced elsewhere when it came, and those of today are not: only the owner knows of it. */
function isNoLongerElsewhere(order: OrderAsItStands): boolean {
  const mode = chooseProfile(order).sale?.sales.issuingMode;
  return order.history.wasElsewhere === true && mode !== undefined && mode !== "none";
}

/** What is said of the first invoice is said while the order waits for it. */
export function checkWaiting(order: OrderAsItStands): Checked {
  const uninvoiced = checkUninvoiced(order);
  if (!uninvoiced.ok || order.state === "held") return uninvoiced;
  return refuse("order_not_held");
}

function checkUninvoiced(order: OrderAsItStands): Checked {
  const invoice = invoiceInForce(order);
  return invoice ? refuse("order_already_invoiced", { number: invoice.rectifiable.number }) : ok(undefined);
}

/** Where one profile takes the order, no other may number it: its series are another channel's. */
export function checkProfile(profileId: string, order: OrderAsItStands): Checked {
  const waiting = checkWaiting(order);
  if (!waiting.ok) return waiting;
  const { profiles } = order.settings;
  if (!profiles.some(({ id }) => id === profileId)) {
    return refuse("profile_unknown", { profile: profileId }, "profile_id");
  }
  const found = matchProfile(order.facts, profiles);
  if (found.match === "one" && found.profile.id !== profileId) {
    return refuse("profile_matches", { profile: found.profile.name }, "profile_id");
  }
  return ok(undefined);
}

export function checkOwnTreatment(
  { code: stated, treatment }: { readonly code: string; readonly treatment: OwnTreatment },
  order: OrderAsItStands,
): Checked {
  const waiting = checkWaiting(order);
  if (!waiting.ok) return waiting;
  const { facts, issuer } = order;
  const code = comparableCode(stated);
  if (!facts.unmappedTotals.some((entry) => entry.code === code && !isZero(entry.value))) {
    return refuse("amount_unknown", { code: printable(stated) }, "code");
  }
  const { territory } = issuer;
  const rate = checkTreatment(code, treatment, {
    territory,
    date: operationDateOf(order),
    elsewhere: ossRatesOf(order),
  });
  if (!rate.ok) return rate;
  const treated = treatUnmapped(facts, { ...UNDECLARED, treatments: { [code]: treatment } });
  const contrary = treated.reasons.find((reason) => reason.code === "treatment_sign");
  return contrary ? refuse("treatment_sign", contrary.facts, "treatment") : ok(undefined);
}

/** The reasons that a member is declared for: one that stands nevertheless says that it cannot be true. */
const SETTLED_BY: Readonly<Record<SalesMember, readonly ReasonCode[]>> = {
  zeroRateBasis: ["zero_rate_basis_missing"],
  destinations: ["foreign_customer", "territory_review", "destination_conflict"],
  voucherKind: ["voucher_kind_conflict"],
  customerCredit: ["customer_credit_review", "credit_covers_total"],
  article42: ["recipient_incomplete"],
  underAuthorisation: ["recipient_incomplete"],
  discountsIncluded: ["totals_mismatch"],
};

export function checkOwnSales(sales: OwnSales, order: OrderAsItStands, after: OrderContext): Checked {
  const waiting = checkWaiting(order);
  if (!waiting.ok) return waiting;
  const members = statedMembers(sales);
  if (members.length === 0) return refuse("nothing_declared");
  const current = chooseProfile(order).sale?.sales ?? UNDECLARED;
  const { territory, authorisation } = order.issuer;
  const possible = checkSales(current, sales, { territory, hasAuthorisation: authorisation !== undefined });
  if (!possible.ok) return possible;
  const standing = new Set(decideOrder(after).reasons.map(({ code }) => code));
  const isUnfit = (member: SalesMember) =>
    SETTLED_BY[member].some((code) => standing.has(code)) ||
    (member === "destinations" && isOfOthers(sales, after));
  const unfit = members.filter(isUnfit);
  if (unfit.length === 0) return ok(undefined);
  return refuse("sales_not_fitting", { members: { all: unfit } }, "sales");
}

/** A buyer who turned out to be a business, or none, makes another destination of the same sale. */
function isOfOthers(sales: OwnSales, after: OrderContext): boolean {
  const destination = declarableDestination(after, identifierOf(clientOf(after)));
  return destination !== undefined && saidDestinations(sales)[destination] === undefined;
}

/** IC and EA are what ISO 3166 reserves for the Canaries, and for Ceuta and Melilla. */
const SPANISH_PARTS = ["IC", "EA"];

/** Only where the shop names none that there is: what it says of the place is a fact of the order. */
export function checkCountry(order: OrderAsItStands, { answers }: OrderContext): Checked {
  const waiting = checkWaiting(order);
  if (!waiting.ok) return waiting;
  const { delivery, client } = order.facts;
  const known = delivery?.country ?? client?.country;
  const isPlace = known !== undefined && placeOf({ country: known }, operationDateOf(order)) !== undefined;
  if (isPlace) return refuse("country_known", { country: { country: known } }, "country");
  const { country = "" } = answers;
  if (isCountry(country) || SPANISH_PARTS.includes(country)) return ok(undefined);
  return refuse("country_invalid", { country: printable(country) }, "country");
}

/** Digits of the rate of a direct invoice. */
const RATE_DIGITS = { integer: 12, fraction: 6 };

export function checkExchangeRate(
  { rate, date }: { readonly rate: Decimal; readonly date: CivilDate },
  order: OrderAsItStands,
): Checked {
  const waiting = checkWaiting(order);
  if (!waiting.ok) return waiting;
  const awaited = checkRateAwaited(order);
  if (!awaited.ok) return awaited;
  const { currency } = order.facts;
  const invalid = (detail: Fact, path: string) =>
    refuse("exchange_rate_invalid", { detail, fix: { phrase: "give_rate", currency } }, path);
  if (!isPositive(rate)) return invalid({ phrase: "rate_not_above_zero" }, "rate");
  if (date > order.today) return invalid({ phrase: "rate_date_in_future" }, "date");
  const { integer, fraction } = digitsOf(rate);
  const fits = integer <= RATE_DIGITS.integer && fraction <= RATE_DIGITS.fraction;
  return fits ? ok(undefined) : refuse("exchange_rate_digits", {}, "rate");
}

/** What the ECB has published is not for the owner to choose, nor what it may still publish. */
function checkRateAwaited({ facts, rateOn, today }: OrderAsItStands): Checked {
  const { currency, paidAt } = facts;
  if (currency === "EUR") return refuse("exchange_rate_not_needed");
  if (currencyDecimals(currency) === undefined) return refuse("currency_not_invoiceable", { currency });
  const day = referenceDay(paidAt);
  const found = rateOn(day, currency);
  if (found.outcome === "found") {
    const facts = { currency, date: { date: day }, rate: { amount: found.rate } };
    return refuse("exchange_rate_known", facts);
  }
  const from = chooseRateFrom(day);
  if (found.outcome === "not_quoted" || today >= from) return ok(undefined);
  return refuse("exchange_rate_awaited", { currency, date: { date: day }, choose_from: { date: from } });
}

/** From the day of this sale or an earlier one: else the order would wait for the same. */
export function checkKeptRate(from: CivilDate, order: OrderAsItStands): Checked {
  const waiting = checkWaiting(order);
  if (!waiting.ok) return waiting;
  if (askedRate(order.reasons) === undefined) return refuse("oss_rate_not_asked");
  const date = operationDateOf(order);
  return from <= date ? ok(undefined) : refuse("oss_rate_from_too_late", { date: { date } }, "from");
}

/** The last word before the invoice: what is seen is what is issued, so nothing else may be open. */
export function checkApproval(order: OrderAsItStands, after: OrderContext): Checked {
  const waiting = checkWaiting(order);
  if (!waiting.ok) return waiting;
  const isAwaited = order.reasons.some(({ code }) => code === "manual_issuing" || code === "tag_hold");
  if (!isAwaited) return refuse("approval_not_awaited");
  const others = decideOrder(after).reasons.filter(holds);
  if (others.length === 0) return ok(undefined);
  return refuse("other_reasons_stand", { reasons: { all: [...new Set(others.map(({ code }) => code))] } });
}

/** The reason names the rates that can take the difference: of more than rounding makes there is none. */
export function checkRounding(rate: Decimal, order: OrderAsItStands, after: OrderContext): Checked {
  const waiting = checkWaiting(order);
  if (!waiting.ok) return waiting;
  const mismatch = order.reasons.find(({ code }) => code === "totals_mismatch");
  if (!mismatch) return refuse("rounding_not_awaited");
  const { difference = "", rates } = mismatch.facts;
  if (rates === undefined) return refuse("difference_not_rounding", { difference });
  const isSettled = !decideOrder(after).reasons.some(({ code }) => code === "totals_mismatch");
  return isSettled
    ? ok(undefined)
    : refuse("rounding_rate_unknown", { rate: { percent: rate }, rates }, "rate");
}

export function checkDiscount(stated: string, order: OrderAsItStands): Checked {
  const waiting = checkWaiting(order);
  if (!waiting.ok) return waiting;
  const name = printable(stated);
  const named = order.facts.discounts.filter(
    (discount) => discountName(discount) === name && !isZero(discount.amount),
  );
  if (named.length === 0) return refuse("discount_unknown", { name }, "name");
  const sales = chooseProfile(order).sale?.sales ?? UNDECLARED;
  const isOpen = named.some(
    (discount) =>
      (discount.kind === "unknown" || discount.kind === "customer_credit") && !isIncluded(discount, sales),
  );
  return isOpen ? ok(undefined) : refuse("discount_kind_known", { name }, "name");
}
