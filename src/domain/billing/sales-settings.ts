import type { UsualPayment, UsualTerms } from "../invoice/payment-terms.ts";
import { type Refusal, refuse } from "../invoice/refusal.ts";
import type { Article42Operation, Qualification } from "../invoice/request.ts";
import type { MailSwitch } from "../mailing/mail-switch.ts";
import type { Decimal } from "../shared/decimal.ts";
import { filled } from "../shared/present.ts";
import { ok, type Result } from "../shared/result.ts";

/** The treatment of an amount outside the lines: declared by the owner, never deduced from its kind. */
export type Treatment =
  | { readonly as: "payment" }
  | { readonly as: "discount" }
  | { readonly as: "fee"; readonly rate: Decimal }
  | { readonly as: "ignore_non_taxable" }
  | { readonly as: "hold" };

/** A discount lowers the price; a payment pays for it, such as a gift card. */
export type DiscountKind = "discount" | "payment";

type IssuingMode = "automatic" | "review" | "none";
type CustomerCreditMode = "discount" | "payment" | "review";
type VoucherKind = "multi_purpose" | "single_purpose";

/** The owner's declarations for the sales of a connection or a profile. */
export interface SalesSettings {
  readonly treatments: Readonly<Record<string, Treatment>>;
  /** The owner says what discounts of a name are. Keys are names by `comparableTag`. */
  readonly discounts?: Readonly<Record<string, DiscountKind>>;
  readonly issuingMode: IssuingMode;
  readonly customerCredit: CustomerCreditMode;
  readonly voucherKind: VoucherKind;
  /** Qualification of lines at 0 %; S1 is for donations (article 91.Four LIVA). */
  readonly zeroRateBasis?: Extract<Qualification, "E1" | "E6" | "N1" | "S1">;
  readonly destinations: Destinations;
  /** The declaration that sales fall under article 4.2 RD 1619/2012, and which operation they are. */
  readonly article42?: Article42Operation;
  /** Simplified invoices above the limit under the account's active authorisation. */
  readonly underAuthorisation: boolean;
  /** The shop sends discounts already taken off the lines. */
  readonly discountsIncluded: boolean;
  /** The rate that takes cents of rounding between an order's lines and its total. */
  readonly roundingRate?: Decimal;
  /** In place of the company's usual payment and days to pay. */
  readonly payment?: UsualPayment;
  readonly dueDays?: number;
}

/** The terms of a sale: each of the profile's own, else the company's. */
export function termsOfSale(
  { payment, dueDays }: Pick<SalesSettings, "payment" | "dueDays">,
  company: UsualTerms | undefined,
): UsualTerms | undefined {
  return filled({
    ...company,
    ...(payment ? { payment } : {}),
    ...(dueDays === undefined ? {} : { dueDays }),
  });
}

export const UNDECLARED: SalesSettings = {
  treatments: {},
  issuingMode: "automatic",
  customerCredit: "discount",
  voucherKind: "multi_purpose",
  destinations: {},
  underAuthorisation: false,
  discountsIncluded: false,
};

/** Sales of one channel, one store, or both, with their own numbering and treatment. */
export interface Profile {
  readonly id: string;
  readonly name: string;
  /** Lower case. */
  readonly channel?: string;
  readonly storeId?: string;
  readonly stem: string;
  readonly sales: SalesSettings;
  /** Its invoices are mailed when they are issued; absent while switched off. */
  readonly mailing?: MailSwitch;
}

type ProfileMatch =
  | { readonly match: "one"; readonly profile: Profile }
  | { readonly match: "none" }
  | { readonly match: "several"; readonly profiles: readonly Profile[] };

/** Exactly one profile must match: an order is never numbered under another channel's series. */
export function matchProfile(
  order: { readonly sourceChannel?: string; readonly storeId?: string },
  profiles: readonly Profile[],
): ProfileMatch {
  const matching = profiles.filter(
    (profile) =>
      (profile.channel === undefined || profile.channel === order.sourceChannel) &&
      (profile.storeId === undefined || profile.storeId === order.storeId),
  );
  const [first] = matching;
  if (!first) return { match: "none" };
  return matching.length === 1 ? { match: "one", profile: first } : { match: "several", profiles: matching };
}

/** The treatment of sales by destination; without a declaration they wait. */
export interface Destinations {
  /** A member state, to a buyer without a VAT number of another one. */
  readonly euConsumer?: "oss" | "domestic";
  /** A member state, to a buyer with one; `domestic` by the shorthand alone. */
  readonly euBusiness?: "intra_community" | "not_located" | "domestic";
  /** Outside the territory of the Union for VAT. */
  readonly outsideEu?: "export" | "not_located" | "domestic";
  /** A part of Spain with another tax. */
  readonly otherSpanish?: "export" | "domestic";
}

export type Destination = keyof Destinations;
export type DestinationTreatment = NonNullable<Destinations[Destination]>;

const DESTINATIONS = [
  "euConsumer",
  "euBusiness",
  "outsideEu",
  "otherSpanish",
] as const satisfies readonly Destination[];

/** Members that are absent stay; null takes a declaration back. */
export type DestinationsChange = { readonly [Name in Destination]?: Destinations[Name] | null };

/** One declaration for all four destinations. */
export type ForeignSales = "domestic" | "oss" | "export" | "intra_community";

const SHORTHANDS: Readonly<Record<ForeignSales, Destinations>> = {
  oss: { euConsumer: "oss" },
  intra_community: { euBusiness: "intra_community" },
  export: { outsideEu: "export", otherSpanish: "export" },
  domestic: {
    euConsumer: "domestic",
    euBusiness: "domestic",
    outsideEu: "domestic",
    otherSpanish: "domestic",
  },
};

/** The treatments of a `foreign_sales` value; other destinations have none. */
export function destinationsOf(shorthand: ForeignSales): Destinations {
  return SHORTHANDS[shorthand];
}

const NOTHING = { euConsumer: null, euBusiness: null, outsideEu: null, otherSpanish: null } as const;

/** An owner may send single destinations, the shorthand `foreign_sales`, or both where they agree. */
export interface DestinationStatement {
  readonly destinations?: DestinationsChange;
  readonly foreignSales?: ForeignSales | null;
}

export type DestinationRefusal = Refusal<"destinations_contradict" | "foreign_sales_not_allowed">;

/** The change of each destination. The shorthand changes all four: null for each that it does not name. */
export function statedDestinations({
  destinations = {},
  foreignSales,
}: DestinationStatement): Result<DestinationsChange, DestinationRefusal> {
  if (foreignSales === undefined) return ok(destinations);
  const said = foreignSales === null ? NOTHING : { ...NOTHING, ...SHORTHANDS[foreignSales] };
  const contrary = DESTINATIONS.find(
    (name) => destinations[name] !== undefined && destinations[name] !== said[name],
  );
  if (contrary === undefined) return ok(said);
  const facts = { foreign_sales: foreignSales ?? "null", stated: destinations[contrary] ?? "null" };
  return refuse("destinations_contradict", facts, pathOf(contrary));
}

/** The declarations after the change. Withdrawn ones are absent in stored settings. */
export function changedDestinations(current: Destinations, change: DestinationsChange): Destinations {
  return declared({ ...current, ...change });
}

/** The destinations with a treatment; null withdraws one, so it is dropped. */
export function declared(change: DestinationsChange): Destinations {
  const { euConsumer, euBusiness, outsideEu, otherSpanish } = change;
  return {
    ...(euConsumer ? { euConsumer } : {}),
    ...(euBusiness ? { euBusiness } : {}),
    ...(outsideEu ? { outsideEu } : {}),
    ...(otherSpanish ? { otherSpanish } : {}),
  };
}

const OF_THE_UNION: readonly unknown[] = ["oss", "intra_community"];

/**
 * The one-stop shop and intra-Community supplies need an issuer in the Union's VAT territory, so not in the
 * Canaries, Ceuta or Melilla. Unchanged declarations are not checked again.
 */
export function checkDestinations(
  current: Destinations,
  change: DestinationsChange,
  { paysIva, path }: { readonly paysIva: boolean; readonly path?: string },
): Result<void, DestinationRefusal> {
  if (paysIva) return ok(undefined);
  const barred = DESTINATIONS.find(
    (name) => change[name] !== current[name] && OF_THE_UNION.includes(change[name]),
  );
  if (barred === undefined) return ok(undefined);
  const facts = { treatment: String(change[barred]) };
  return refuse("foreign_sales_not_allowed", facts, path ?? pathOf(barred));
}

const NAMES_IN_BODIES: Readonly<Record<Destination, string>> = {
  euConsumer: "eu_consumer",
  euBusiness: "eu_business",
  outsideEu: "outside_eu",
  otherSpanish: "other_spanish",
};

function pathOf(name: Destination): string {
  return `destinations.${NAMES_IN_BODIES[name]}`;
}
