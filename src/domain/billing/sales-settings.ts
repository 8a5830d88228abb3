import type { Article42Operation, Qualification } from "../invoice/request.ts";
import type { Decimal } from "../shared/decimal.ts";
import type { Destinations } from "./destinations.ts";

/** The treatment of an amount outside the lines: declared by the owner, never deduced from its kind. */
export type Treatment =
  | { readonly as: "payment" }
  | { readonly as: "discount" }
  | { readonly as: "fee"; readonly rate: Decimal }
  | { readonly as: "ignore_non_taxable" }
  | { readonly as: "hold" };

export type IssuingMode = "automatic" | "review" | "none";
export type CustomerCreditMode = "discount" | "payment" | "review";
export type VoucherKind = "multi_purpose" | "single_purpose";

/** The owner's declarations for the sales of a connection or a profile. */
export interface SalesSettings {
  readonly treatments: Readonly<Record<string, Treatment>>;
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
}

export type ProfileMatch =
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
