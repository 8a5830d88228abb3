import { currentLanguage } from "../../app/language.ts";
import { typedAmount } from "../invoices/typed-amount.ts";
import { dueDaysBody, type PaymentForm, paymentBody, paymentForm } from "./payment-form.ts";
import type { ProfileShown, Selling } from "./queries.ts";

/** Paths of a new profile, and of orders without one. */
export const NEW_PROFILE = "nuevo";
export const WITHOUT_PROFILE = "pedidos";

type Sales = Selling["orders"]["sales"];

export const MODES = ["automatic", "review", "none"] as const;
export const CREDITS = ["discount", "payment", "review"] as const;
export const VOUCHERS = ["multi_purpose", "single_purpose"] as const;
export const ZERO_BASES = ["E1", "E6", "N1", "S1"] as const;
export const EU_CONSUMER = ["oss", "domestic"] as const;
export const EU_BUSINESS = ["intra_community", "not_located"] as const;
export const OUTSIDE_EU = ["export", "not_located", "domestic"] as const;
export const OTHER_SPANISH = ["export", "domestic"] as const;
export const TREATMENTS = ["payment", "discount", "fee", "ignore_non_taxable", "hold"] as const;
export const OPERATIONS = [
  ...(["retail_sale", "itinerant_sale", "home_sale_or_service", "passenger_transport"] as const),
  ...(["hospitality", "dance_venue", "public_telephone", "hairdressing_beauty", "sports_facility"] as const),
  ...(["photography", "parking", "film_rental", "laundry", "toll_motorway"] as const),
] as const;

export interface TreatmentRow {
  code: string;
  as: (typeof TREATMENTS)[number];
  rate: string;
}

/** All values of the form; an empty text means no declaration. */
export interface ProfileForm extends PaymentForm {
  name: string;
  channel: string;
  store_id: string;
  stem: string;
  issuing_mode: (typeof MODES)[number];
  customer_credit: (typeof CREDITS)[number];
  voucher_kind: (typeof VOUCHERS)[number];
  zero_rate_basis: "" | (typeof ZERO_BASES)[number];
  eu_consumer: "" | (typeof EU_CONSUMER)[number];
  /** As a domestic sale only where it was declared of all destinations at once. */
  eu_business: "" | (typeof EU_BUSINESS)[number] | "domestic";
  outside_eu: "" | (typeof OUTSIDE_EU)[number];
  other_spanish: "" | (typeof OTHER_SPANISH)[number];
  article_4_2: "" | (typeof OPERATIONS)[number];
  under_authorisation: boolean;
  discounts_included: boolean;
  rounding_rate: string;
  treatments: TreatmentRow[];
}

export function formOf(
  profile: Pick<ProfileShown, "name" | "channel" | "storeId" | "stem" | "sales">,
): ProfileForm {
  const { name, channel, storeId, stem, sales } = profile;
  return { name, channel: channel ?? "", store_id: storeId ?? "", stem, ...salesForm(sales) };
}

/** A new profile begins with the connection's declarations, so that they need not be repeated. */
export function newForm(sales: Sales): ProfileForm {
  const form = salesForm(sales);
  // Sales to businesses as domestic ones are declared of all destinations at once, never by a form.
  const eu_business = form.eu_business === "domestic" ? "" : form.eu_business;
  return { name: "", channel: "", store_id: "", stem: "", ...form, eu_business };
}

/** The form of orders without a profile has no name and no match. */
export function connectionForm({ stem, sales }: Selling["orders"]): ProfileForm {
  return { name: "", channel: "", store_id: "", stem, ...salesForm(sales) };
}

function salesForm(sales: Sales) {
  return {
    issuing_mode: sales.issuingMode,
    customer_credit: sales.customerCredit,
    voucher_kind: sales.voucherKind,
    zero_rate_basis: sales.zeroRateBasis ?? "",
    eu_consumer: sales.destinations.euConsumer ?? "",
    eu_business: sales.destinations.euBusiness ?? "",
    outside_eu: sales.destinations.outsideEu ?? "",
    other_spanish: sales.destinations.otherSpanish ?? "",
    article_4_2: sales.article42 ?? "",
    under_authorisation: sales.underAuthorisation,
    discounts_included: sales.discountsIncluded,
    rounding_rate: sales.roundingRate ?? "",
    ...paymentForm(sales),
    treatments: sales.treatments.map(({ code, as, rate }) => ({ code, as, rate: rate ?? "" })),
  } as const satisfies Partial<ProfileForm>;
}

type Treated = { as: "fee"; rate: string } | { as: Exclude<TreatmentRow["as"], "fee"> };

/** The changed declarations; all of them without a `before`. */
export function salesBody(form: ProfileForm, before?: ProfileForm) {
  const differs = <Name extends keyof ProfileForm>(name: Name) => !before || form[name] !== before[name];
  return {
    ...(differs("issuing_mode") ? { issuing_mode: form.issuing_mode } : {}),
    ...(differs("customer_credit") ? { customer_credit: form.customer_credit } : {}),
    ...(differs("voucher_kind") ? { voucher_kind: form.voucher_kind } : {}),
    ...(differs("zero_rate_basis") ? { zero_rate_basis: form.zero_rate_basis || null } : {}),
    destinations: destinationsBody(form, before),
    ...(differs("article_4_2") ? { article_4_2: form.article_4_2 || null } : {}),
    ...(differs("under_authorisation") ? { under_authorisation: form.under_authorisation } : {}),
    ...(differs("discounts_included") ? { discounts_included: form.discounts_included } : {}),
    ...(differs("rounding_rate") ? { rounding_rate: plainNumber(form.rounding_rate) || null } : {}),
    ...(differs("means") || differs("iban") || differs("bic") ? { payment: paymentBody(form) } : {}),
    ...(differs("due_days") ? { due_days: dueDaysBody(form) } : {}),
    treatments: treatmentsBody(form.treatments, before?.treatments ?? []),
  };
}

/** Sales to businesses as domestic ones are declared by the shorthand alone, so they only ever stay. */
function destinationsBody(form: ProfileForm, before: ProfileForm | undefined) {
  const differs = (name: "eu_consumer" | "eu_business" | "outside_eu" | "other_spanish") =>
    !before || form[name] !== before[name];
  const { eu_business: business } = form;
  return {
    ...(differs("eu_consumer") ? { eu_consumer: form.eu_consumer || null } : {}),
    ...(differs("eu_business") && business !== "domestic" ? { eu_business: business || null } : {}),
    ...(differs("outside_eu") ? { outside_eu: form.outside_eu || null } : {}),
    ...(differs("other_spanish") ? { other_spanish: form.other_spanish || null } : {}),
  };
}

function treatmentsBody(rows: readonly TreatmentRow[], before: readonly TreatmentRow[]) {
  const gone = before.filter(({ code }) => !rows.some((row) => row.code.trim() === code));
  const changed = rows.filter((row) => !before.some((one) => isSame(one, row)));
  const stated: [string, Treated | null][] = [
    ...gone.map(({ code }): [string, null] => [code, null]),
    ...changed.map((row): [string, Treated] => [row.code.trim(), treatedAs(row)]),
  ];
  return Object.fromEntries(stated);
}

function treatedAs({ as, rate }: TreatmentRow): Treated {
  return as === "fee" ? { as, rate: plainNumber(rate) } : { as };
}

export function isSame(a: TreatmentRow, b: TreatmentRow): boolean {
  const isSameRate = a.as !== "fee" || plainNumber(a.rate) === plainNumber(b.rate);
  return a.code.trim() === b.code.trim() && a.as === b.as && isSameRate;
}

export function newProfileBody(form: ProfileForm) {
  const { name, channel, store_id, stem } = form;
  return { name, stem, channel: channel.trim() || null, store_id: store_id || null, ...salesBody(form) };
}

export function profileChangeBody(form: ProfileForm, before: ProfileForm) {
  return {
    ...(form.name === before.name ? {} : { name: form.name }),
    ...(form.channel === before.channel ? {} : { channel: form.channel.trim() || null }),
    ...(form.store_id === before.store_id ? {} : { store_id: form.store_id || null }),
    ...(form.stem === before.stem ? {} : { stem: form.stem }),
    ...salesBody(form, before),
  };
}

/** 1.234,56 and 21,5 as the API takes them. */
export function plainNumber(typed: string): string {
  return typedAmount(typed.replaceAll("%", ""), currentLanguage());
}
