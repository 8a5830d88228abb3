import { type Refusal, refuse } from "../invoice/refusal.ts";
import { TAX_OF_TERRITORY, type Territory } from "../invoice/settings.ts";
import { ratesOn, TAX_NAMES } from "../invoice/tax-rates.ts";
import type { CivilDate } from "../shared/civil-date.ts";
import { compare, type Decimal, digitsOf, HUNDRED, isNegative } from "../shared/decimal.ts";
import { percents } from "../shared/fact.ts";
import { ok, type Result } from "../shared/result.ts";
import { comparableCode, hasInk, isPlainText } from "../shared/text.ts";
import type { DeclarationRefusal } from "./declarations.ts";
import {
  changedDestinations,
  checkDestinations,
  type DestinationRefusal,
  type DestinationStatement,
  type DestinationsChange,
  type DiscountKind,
  type SalesSettings,
  statedDestinations,
  type Treatment,
} from "./sales-settings.ts";

type Members = Omit<SalesSettings, "treatments" | "discounts" | "destinations">;
type Optional = "zeroRateBasis" | "article42" | "roundingRate" | "payment" | "dueDays";

/** Members that are absent stay; null takes a declaration back. */
export type SalesChange = Partial<Omit<Members, Optional>> & {
  readonly [Name in Optional]?: Members[Name] | null;
} & DestinationStatement & {
    /** A treatment for each code of an unmapped total; null takes it back. */
    readonly treatments?: Readonly<Record<string, Treatment | null>>;
    /** The kind of each named discount, by its folded name; null takes it back. */
    readonly discounts?: Readonly<Record<string, DiscountKind | null>>;
  };

export interface SalesScope {
  readonly territory: Territory;
  /** The day on which rates are judged. */
  readonly date: CivilDate;
  /** True if the account has an active authorisation for simplified invoices. */
  readonly hasAuthorisation: boolean;
}

/** The settings after the owner's change. */
export function changeSales(
  current: SalesSettings,
  change: SalesChange,
  scope: SalesScope,
): Result<SalesSettings, DeclarationRefusal> {
  const treatments = changeTreatments(current.treatments, change.treatments ?? {}, scope);
  if (!treatments.ok) return treatments;
  const { treatments: _, destinations: __, foreignSales: ___, discounts: ____, ...members } = change;
  const stated = checkSales(current, change, scope);
  if (!stated.ok) return stated;
  const rounding = checkRoundingRate(members.roundingRate);
  if (!rounding.ok) return rounding;
  const destinations = changedDestinations(current.destinations, stated.value);
  return ok({
    ...withoutNulls({ ...current, ...members }),
    ...discountsAfter(current.discounts, change.discounts),
    destinations,
    treatments: treatments.value,
  });
}

/** Absent where no discount is named: settings of before are then unchanged. */
function discountsAfter(
  current: SalesSettings["discounts"],
  change: SalesChange["discounts"],
): Pick<SalesSettings, "discounts"> {
  const kinds = new Map(Object.entries(current ?? {}));
  for (const [name, kind] of Object.entries(change ?? {})) {
    if (kind === null) kinds.delete(name);
    else kinds.set(name, kind);
  }
  return kinds.size > 0 ? { discounts: Object.fromEntries(kinds) } : {};
}

export type SalesRefusal = DestinationRefusal | Refusal<"authorisation_missing">;

/** The change of the destinations; refused where no sale of an issuer of this territory could be so. */
export function checkSales(
  current: Pick<SalesSettings, "destinations" | "underAuthorisation">,
  change: Pick<SalesChange, "destinations" | "foreignSales" | "underAuthorisation">,
  { territory, hasAuthorisation }: Pick<SalesScope, "territory" | "hasAuthorisation">,
): Result<DestinationsChange, SalesRefusal> {
  const stated = statedDestinations(change);
  if (!stated.ok) return stated;
  const possible = checkDestinations(current.destinations, stated.value, {
    paysIva: territory === "peninsula",
    ...(change.foreignSales ? { path: "foreign_sales" } : {}),
  });
  if (!possible.ok) return possible;
  if (change.underAuthorisation === true && !current.underAuthorisation && !hasAuthorisation) {
    return refuse("authorisation_missing", {}, "under_authorisation");
  }
  return stated;
}

/** Any valid rate is accepted, because orders may carry rates of other countries. */
function checkRoundingRate(
  rate: SalesChange["roundingRate"],
): Result<void, Refusal<"rounding_rate_invalid">> {
  if (rate === undefined || rate === null) return ok(undefined);
  const isRate = !isNegative(rate) && compare(rate, HUNDRED) < 0 && digitsOf(rate).fraction <= 2;
  return isRate ? ok(undefined) : refuse("rounding_rate_invalid", {}, "rounding_rate");
}

interface FeeScope extends Pick<SalesScope, "territory" | "date"> {
  /** The rates of the place of one order. */
  readonly elsewhere?: readonly Decimal[];
}

/** A fee is taxed at a rate that the territory has. */
export function checkTreatment(
  code: string,
  treatment: Treatment,
  { territory, date, elsewhere = [] }: FeeScope,
): Result<void, Refusal<"fee_rate_not_allowed">> {
  if (treatment.as !== "fee") return ok(undefined);
  const tax = TAX_OF_TERRITORY[territory];
  const allowed = ratesOn(tax, date) ?? [];
  if ([...allowed, ...elsewhere].includes(treatment.rate)) return ok(undefined);
  const facts = {
    code,
    rate: { percent: treatment.rate },
    tax_name: TAX_NAMES[tax],
    allowed: { either: percents(allowed) },
  };
  return refuse("fee_rate_not_allowed", facts, `treatments.${code}`);
}

/** The limit for the codes in orders. */
const CODE_LENGTH = 255;

function changeTreatments(
  current: SalesSettings["treatments"],
  change: NonNullable<SalesChange["treatments"]>,
  scope: SalesScope,
): Result<SalesSettings["treatments"], DeclarationRefusal> {
  const treatments = new Map(Object.entries(current));
  for (const [stated, treatment] of Object.entries(change)) {
    const code = comparableCode(stated);
    const isCode = isPlainText(code) && hasInk(code) && [...code].length <= CODE_LENGTH;
    if (!isCode) return refuse("treatment_code_invalid", {}, "treatments");
    if (treatment === null) {
      treatments.delete(code);
      continue;
    }
    const checked = checkTreatment(code, treatment, scope);
    if (!checked.ok) return checked;
    treatments.set(code, treatment);
  }
  return ok(Object.fromEntries(treatments));
}

/** Withdrawn declarations are dropped. */
function withoutNulls(sales: Omit<SalesSettings, Optional> & Pick<SalesChange, Optional>) {
  const { zeroRateBasis, article42, roundingRate, payment, dueDays, discounts: _, ...rest } = sales;
  return {
    ...rest,
    ...(payment ? { payment } : {}),
    // No days to pay are days too: the invoice is due on its date.
    ...(dueDays === undefined || dueDays === null ? {} : { dueDays }),
    ...(zeroRateBasis ? { zeroRateBasis } : {}),
    ...(article42 ? { article42 } : {}),
    ...(roundingRate ? { roundingRate } : {}),
  };
}
