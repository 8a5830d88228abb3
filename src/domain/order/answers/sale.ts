import { checkSales, checkTreatment } from "../../billing/sales-change.ts";
import {
  type Destinations,
  declared,
  destinationsOf,
  type ForeignSales,
  matchProfile,
  type SalesSettings,
  type Treatment,
  UNDECLARED,
} from "../../billing/sales-settings.ts";
import { referenceDay } from "../../exchange/reference-rate.ts";
import { refuse } from "../../invoice/refusal.ts";
import { placeOf } from "../../place/place.ts";
import { type AreaRate, rateAbout, withKept } from "../../place/vat-rates.ts";
import type { CivilDate } from "../../shared/civil-date.ts";
import { isCountry } from "../../shared/country.ts";
import { currencyDecimals } from "../../shared/currency.ts";
import {
  compare,
  type Decimal,
  digitsOf,
  HUNDRED,
  isNegative,
  isPositive,
  isZero,
} from "../../shared/decimal.ts";
import type { Fact } from "../../shared/fact.ts";
import { ok } from "../../shared/result.ts";
import { comparableCode } from "../../shared/text.ts";
import type { OrderContext, OwnerAnswers } from "../context.ts";
import { operationDateOf, orderDateOf } from "../dates.ts";
import { decideOrder } from "../decide-order.ts";
import { declarableDestination, ossRatesOf } from "../destination.ts";
import { chooseRateFrom } from "../exchange-rate.ts";
import { printable } from "../fact-text.ts";
import { fiscalFingerprint } from "../facts.ts";
import { discountName, isIncluded, treatUnmapped } from "../other-totals.ts";
import { chooseProfile } from "../profile.ts";
import {
  holds,
  membersSettling,
  type Reason,
  type ReasonCode,
  SALES_MEMBERS,
  type SalesMember,
} from "../reasons.ts";
import { clientOf, identifierOf } from "../recipient.ts";
import { linesOfEntry, rateEntryAbout } from "../shop-facts.ts";
import {
  type AuditFacts,
  answer,
  type Checked,
  type CurrentOrder,
  checkUninvoiced,
  checkWaiting,
  isAskedFor,
} from "./answer.ts";

interface Released {
  /** The subject of the only reason that is released; by default all that can be. */
  readonly about?: string;
}

/** Invoice it although it is from before the cutoff, invoiced elsewhere, a test, or its shop doubts it. */
export const release = answer<Released>({
  /** Releases only the present causes, and no others. */
  apply(answers, { about }, order) {
    const { facts, state } = order;
    const named = releasedReasons(order, about);
    const has = (code: ReasonCode) => named.some((reason) => reason.code === code);
    if (has("test_order")) return { ...answers, testReleased: true };
    if (named.some(isOfShopFacts)) return withShopFacts(answers, named, facts);
    const isDone =
      answers.testReleased === true || (answers.linesCountFor ?? answers.factsReleased) !== undefined;
    const isLeftOut = state === "before_cutoff" || has("invoiced_elsewhere");
    return isDone && !isLeftOut ? answers : { ...answers, released: true };
  },
  check({ about }, order) {
    const named = releasedReasons(order, about);
    // After the invoice a payload that its shop doubts waits for the same answer.
    if (named.some(isOfShopFacts)) return ok(undefined);
    const uninvoiced = checkUninvoiced(order);
    if (!uninvoiced.ok) return uninvoiced;
    if (order.answers.dismissed) return refuse("order_dismissed");
    const isAsked = named.some(({ code }) => code === "test_order");
    if (order.state === "before_cutoff" || isAsked || isNoLongerElsewhere(order)) return ok(undefined);
    const { cutoffDate } = order.settings;
    const facts = { order_date: { date: orderDateOf(order) }, cutoff_date: { date: cutoffDate } };
    return refuse("order_not_before_cutoff", facts);
  },
});

function releasedReasons({ reasons }: CurrentOrder, about: string | undefined): readonly Reason[] {
  return about === undefined ? reasons : reasons.filter((reason) => (reason.about ?? "") === about);
}

const OF_SHOP_FACTS: readonly ReasonCode[] = [
  "shop_facts_missing",
  "shop_facts_contradict",
  "tax_totals_mismatch",
];

function isOfShopFacts({ code }: Reason): boolean {
  return OF_SHOP_FACTS.includes(code);
}

/** The lines count: for these facts alone, and for these entries of what the shop lacks. */
function withShopFacts(
  answers: OwnerAnswers,
  named: readonly Reason[],
  facts: CurrentOrder["facts"],
): OwnerAnswers {
  const ofTotals = named.some(({ code }) => code === "tax_totals_mismatch");
  const entries = named.flatMap(({ code, about }) =>
    code !== "tax_totals_mismatch" && isOfShopFacts({ code, facts: {} }) && about !== undefined
      ? [about]
      : [],
  );
  const before = answers.factsReleased ?? [];
  const factsReleased = [...before, ...entries.filter((about) => !before.includes(about))];
  return {
    ...answers,
    ...(ofTotals ? { linesCountFor: fiscalFingerprint(facts) } : {}),
    ...(factsReleased.length > 0 ? { factsReleased } : {}),
  };
}

/** Its sales were invoiced elsewhere when it came, and are not now: only the owner can decide. */
function isNoLongerElsewhere(order: CurrentOrder): boolean {
  const mode = chooseProfile(order).sale?.sales.issuingMode;
  return order.history.wasElsewhere === true && mode !== undefined && mode !== "none";
}

/** If one profile takes the order, no other may number it: its series belong to another channel. */
export const assign_profile = answer<{ readonly profileId: string }>({
  apply: (answers, { profileId }) => ({ ...answers, profileId }),
  check({ profileId }, order) {
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
  },
  facts: ({ profileId }) => ({ profile_id: profileId }),
});

/** The answer cannot be to hold the order again. */
export type OwnTreatment = Exclude<Treatment, { readonly as: "hold" }>;

/** The meaning, in this order, of an amount outside the lines. */
export const declare_treatment = answer<{ readonly code: string; readonly treatment: OwnTreatment }>({
  apply: (answers, { code, treatment }) => ({
    ...answers,
    treatments: { ...answers.treatments, [comparableCode(code)]: treatment },
  }),
  check({ code: stated, treatment }, order) {
    const waiting = checkWaiting(order);
    if (!waiting.ok) return waiting;
    const { facts, issuer } = order;
    const code = comparableCode(stated);
    if (!facts.unmappedTotals.some((amount) => amount.code === code && !isZero(amount.value))) {
      return refuse("amount_unknown", { code: printable(stated) }, "code");
    }
    const rate = checkTreatment(code, treatment, {
      territory: issuer.territory,
      date: operationDateOf(order),
      elsewhere: ossRatesOf(order),
    });
    if (!rate.ok) return rate;
    const treated = treatUnmapped(facts, { ...UNDECLARED, treatments: { [code]: treatment } });
    const contrary = treated.reasons.find((reason) => reason.code === "treatment_sign");
    return contrary ? refuse("treatment_sign", contrary.facts, "treatment") : ok(undefined);
  },
  facts: ({ code, treatment }) => ({
    code: comparableCode(code),
    treatment: treatment.as,
    ...(treatment.as === "fee" ? { rate: treatment.rate } : {}),
  }),
});

export const declare_discount = answer<{ readonly name: string; readonly as: "discount" | "payment" }>({
  apply: (answers, { name, as }) => ({
    ...answers,
    discounts: { ...answers.discounts, [printable(name)]: as },
  }),
  check({ name: stated }, order) {
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
  },
  facts: ({ name, as }) => ({ name, as }),
});

/** The rate that takes the cents of rounding; the reason names the possible rates. */
export const rounding = answer<{ readonly rate: Decimal }>({
  apply: (answers, { rate }) => ({ ...answers, sales: { ...answers.sales, roundingRate: rate } }),
  check({ rate }, order, after) {
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
  },
  facts: ({ rate }) => ({ rate }),
});

/** IC and EA are reserved in ISO 3166 for the Canary Islands, and for Ceuta and Melilla. */
const SPANISH_PARTS = ["IC", "EA"];

/** Accepted only if the shop names no existing place: a place that it names is a fact of the order. */
export const enter_country = answer<{ readonly country: string }>({
  apply: (answers, { country }) => ({ ...answers, country: country.trim().toUpperCase() }),
  check(_, order, { answers }) {
    const waiting = checkWaiting(order);
    if (!waiting.ok) return waiting;
    const { delivery, client } = order.facts;
    const known = delivery?.country ?? client?.country;
    const isPlace = known !== undefined && placeOf({ country: known }, operationDateOf(order)) !== undefined;
    if (isPlace) return refuse("country_known", { country: { country: known } }, "country");
    const { country = "" } = answers;
    if (isCountry(country) || SPANISH_PARTS.includes(country)) return ok(undefined);
    return refuse("country_invalid", { country: printable(country) }, "country");
  },
  facts: ({ country }) => ({ country }),
});

/** The tax rate of a line that the shop does not state, or states otherwise than its prices. */
export const enter_tax_rate = answer<{ readonly about: string; readonly rate: Decimal }>({
  apply: (answers, { about, rate }) => ({ ...answers, taxRates: { ...answers.taxRates, [about]: rate } }),
  check({ about, rate }, order) {
    const waiting = checkWaiting(order);
    if (!waiting.ok) return waiting;
    const entry = rateEntryAbout(about, order.facts);
    if (!entry) return refuse("tax_rate_not_missing");
    if (linesOfEntry(entry, order.facts).length === 0) {
      return refuse("line_of_rate_unknown", { where: printable(entry.where ?? "") });
    }
    return isNegative(rate) || compare(rate, HUNDRED) > 0
      ? refuse("entered_rate_invalid", {}, "rate")
      : ok(undefined);
  },
  facts: ({ rate }) => ({ rate }),
});

/** Digits of the exchange rate of a direct invoice. */
const RATE_DIGITS = { integer: 12, fraction: 6 };

export const enter_exchange_rate = answer<{ readonly rate: Decimal; readonly date: CivilDate }>({
  apply: (answers, { rate, date }) => ({ ...answers, exchangeRate: { rate, date } }),
  check({ rate, date }, order) {
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
  },
  facts: ({ rate, date }) => ({ rate, date }),
});

/** The owner cannot choose a rate that the ECB has published or may still publish. */
function checkRateAwaited({ facts, rateOn, today }: CurrentOrder): Checked {
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

/**
 * Confirms that the rate of the reason applies in that place from a day on, for all orders of the account.
 * The day may not be later than this sale: the order would still wait.
 */
export const keep_oss_rate = answer<{ readonly from: CivilDate }>({
  apply(answers, { from }, { reasons }) {
    const heldRate = rateInQuestion(reasons);
    if (!heldRate) return answers;
    return { ...answers, keptRates: withKept(answers.keptRates ?? [], { ...heldRate, from }) };
  },
  check({ from }, order) {
    const waiting = checkWaiting(order);
    if (!waiting.ok) return waiting;
    if (rateInQuestion(order.reasons) === undefined) return refuse("oss_rate_not_asked");
    const date = operationDateOf(order);
    return from <= date ? ok(undefined) : refuse("oss_rate_from_too_late", { date: { date } }, "from");
  },
  facts: ({ from }, kept) => ({ from, ...(kept ? { area: kept.area, rate: kept.rate } : {}) }),
  /** Without a reason that asks for a rate the answer has no effect, unless it was given before. */
  isStillAsked: (given, { answers }) => !(answers.keptRates ?? []).some(({ from }) => from === given.from),
});

function rateInQuestion(reasons: readonly Reason[]): AreaRate | undefined {
  const about = reasons.find(({ code }) => code === "oss_rate_unknown")?.about;
  return about === undefined ? undefined : rateAbout(about);
}

/** The owner has reviewed the order as it will be issued, so no other reason may hold it. */
export const approve = answer({
  apply: (answers) => ({ ...answers, approved: true }),
  check(_, order, after) {
    const waiting = checkWaiting(order);
    if (!waiting.ok) return waiting;
    if (!isAskedFor("approve", order)) return refuse("approval_not_awaited");
    const others = decideOrder(after).reasons.filter(holds);
    if (others.length === 0) return ok(undefined);
    return refuse("other_reasons_stand", { reasons: { all: [...new Set(others.map(({ code }) => code))] } });
  },
});

/** `approve` and `dismiss` decide if it is issued at all. */
export type OwnSales = Partial<
  Pick<
    SalesSettings,
    "zeroRateBasis" | "voucherKind" | "article42" | "underAuthorisation" | "discountsIncluded"
  >
> & {
  readonly customerCredit?: Exclude<SalesSettings["customerCredit"], "review">;
  readonly destinations?: Destinations;
  /** The shorthand for destinations; it does not affect destinations that it does not name. */
  readonly foreignSales?: ForeignSales;
};

/** Facts of this sale that outrank the general declarations. */
export const declare_sales = answer<{ readonly sales: OwnSales }>({
  apply: (answers, { sales }) => ({ ...answers, sales: withSales(answers.sales, sales) }),
  check({ sales }, order, after) {
    const waiting = checkWaiting(order);
    if (!waiting.ok) return waiting;
    const members = statedMembers(sales);
    if (members.length === 0) return refuse("nothing_declared");
    const current = chooseProfile(order).sale?.sales ?? UNDECLARED;
    const { territory, authorisation } = order.issuer;
    const possible = checkSales(current, sales, { territory, hasAuthorisation: authorisation !== undefined });
    if (!possible.ok) return possible;
    const unfit = unfitMembers(members, sales, after);
    if (unfit.length === 0) return ok(undefined);
    return refuse("sales_not_fitting", { members: { all: unfit } }, "sales");
  },
  facts: ({ sales }) => salesFacts(sales),
  isStillAsked: ({ sales }, order) => statedMembers(sales).length === 0 || isAskedFor("declare_sales", order),
});

function statedMembers(sales: OwnSales): readonly SalesMember[] {
  const hasDestination = Object.keys(answeredDestinations(sales)).length > 0;
  return SALES_MEMBERS.filter((member) =>
    member === "destinations" ? hasDestination : sales[member] !== undefined,
  );
}

/** From the shorthand and by name; contradictory values are refused. */
export function answeredDestinations({ destinations, foreignSales }: OwnSales): Destinations {
  return { ...(foreignSales ? destinationsOf(foreignSales) : {}), ...declared(destinations ?? {}) };
}

/** An order goes to one destination; the answer leaves the others unchanged. */
function withSales(current: OwnerAnswers["sales"], said: OwnSales): OwnerAnswers["sales"] {
  const members = statedMembers(said).map((member) => [member, said[member]]);
  const destinations = { ...current.destinations, ...answeredDestinations(said) };
  return {
    ...current,
    ...Object.fromEntries(members),
    ...(Object.keys(destinations).length === 0 ? {} : { destinations }),
  };
}

function unfitMembers(members: readonly SalesMember[], sales: OwnSales, after: OrderContext): SalesMember[] {
  const wrong = new Set(decideOrder(after).reasons.flatMap(({ code }) => membersSettling(code)));
  return members.filter(
    (member) => wrong.has(member) || (member === "destinations" && isOfOthers(sales, after)),
  );
}

/** The sale has another destination if the buyer turns out to be a business, or not to be one. */
function isOfOthers(sales: OwnSales, after: OrderContext): boolean {
  const destination = declarableDestination(after, identifierOf(clientOf(after)));
  return destination !== undefined && answeredDestinations(sales)[destination] === undefined;
}

/** Each destination by its own name. */
function salesFacts(sales: OwnSales): AuditFacts {
  const facts: [string, string][] = statedMembers(sales)
    .filter((member) => member !== "destinations")
    .map((member) => [member, String(sales[member])]);
  return { ...Object.fromEntries(facts), ...answeredDestinations(sales) };
}
