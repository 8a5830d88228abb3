import type { Destination, DestinationTreatment } from "../billing/sales-settings.ts";
import { TAX_OF_TERRITORY, type Territory } from "../invoice/settings.ts";
import { ratesOn } from "../invoice/tax-rates.ts";
import {
  isMemberState,
  type MemberState,
  type Place,
  placeName,
  placeOf,
  type Spain,
} from "../place/place.ts";
import { aboutRate, areaOf, keptIn, ratesIn } from "../place/vat-rates.ts";
import type { CivilDate } from "../shared/civil-date.ts";
import { add, compare, type Decimal, isZero, ZERO } from "../shared/decimal.ts";
import { type Fact, percents } from "../shared/fact.ts";
import { assertNever } from "../shared/result.ts";
import { isPrefixInForce, type TaxIdentifier } from "../shared/tax-identifier.ts";
import { keptRatesFor } from "./apart.ts";
import type { OrderContext } from "./context.ts";
import { operationDateOf } from "./dates.ts";
import type { Sale } from "./profile.ts";
import { because, NOT_STATED, type Reason } from "./reasons.ts";
import { isGoods, type SoldLine } from "./sold-lines.ts";

/** The taxation of a sale's lines; undefined while unknown. */
export type Taxation = "home" | Exclude<DestinationTreatment, "domestic">;

interface PlaceReading {
  readonly taxation?: Taxation;
  readonly reasons: readonly Reason[];
}

interface SoldThere {
  readonly context: OrderContext;
  readonly sale: Sale;
  /** Everything invoiced with a price, as the shop has it. */
  readonly lines: readonly SoldLine[];
  /** The same with combined rates read as rate and surcharge, as they are at home. */
  readonly homeLines: readonly SoldLine[];
  readonly identifier: TaxIdentifier | undefined;
  /** True if every line has a positive rate of the issuer's territory. */
  readonly hasHomeRates: boolean;
}

const AT_HOME: PlaceReading = { taxation: "home", reasons: [] };

/** The destination of the goods decides the taxation; outside the territory the owner must declare it. */
export function readPlace(sold: SoldThere): PlaceReading {
  const bound = boundOf(sold.context, sold.identifier);
  switch (bound.to) {
    case "home":
      return AT_HOME;
    case "unknown": {
      if (bound.code === undefined && sold.hasHomeRates) return AT_HOME;
      return { reasons: [because("country_unknown", bound.code === undefined ? {} : { code: bound.code })] };
    }
    default:
      return readElsewhere(sold, bound);
  }
}

/** The declaration counts if it is possible for every line; otherwise the order waits. */
function readElsewhere(sold: SoldThere, there: Elsewhere): PlaceReading {
  const treatment = declaredFor(sold, there.to);
  if (treatment === undefined) return { reasons: [undeclared(sold, there)] };
  const contrary = contradiction(treatment, sold, there.place);
  if (contrary) return { reasons: [conflict(treatment, contrary, sold, there)] };
  if (treatment === "domestic") return AT_HOME;
  const unknown = treatment === "oss" ? unknownRate(sold, there.place) : undefined;
  return unknown ? { reasons: [unknown] } : { taxation: treatment, reasons: [] };
}

/**
 * The one-stop shop (LIVA 163 unvicies) and intra-Community supplies (LIVA 25) start in the Union's VAT
 * territory, so not in the Canaries, Ceuta or Melilla.
 */
function declaredFor({ context, sale }: SoldThere, to: Destination): DestinationTreatment | undefined {
  const treatment = sale.sales.destinations[to];
  const isOfUnion = treatment === "oss" || treatment === "intra_community";
  return isOfUnion && context.issuer.territory !== "peninsula" ? undefined : treatment;
}

function undeclared(sold: SoldThere, { to, place }: Elsewhere): Reason {
  const { context, sale, lines } = sold;
  const country = placeName(place);
  if (to === "otherSpanish") {
    const from = { phrase: context.issuer.territory };
    return because("territory_review", { from, to: country, ...sale.declaredBy });
  }
  // Any declaration for businesses needs a sale without tax.
  const taxed = to === "euBusiness" ? lines.find(isTaxed) : undefined;
  return taxed
    ? because("destination_conflict", ofBusiness(taxed, sold, country))
    : because("foreign_customer", { country, ...sale.declaredBy });
}

interface Contradiction {
  readonly line: SoldLine;
  /** The rates that the treatment takes. */
  readonly allowed: readonly Decimal[];
}

/** The first line that cannot be sold so. */
function contradiction(
  treatment: DestinationTreatment,
  { context, lines, homeLines }: SoldThere,
  place: Place,
): Contradiction | undefined {
  switch (treatment) {
    case "domestic": {
      const allowed = ratesOn(TAX_OF_TERRITORY[context.issuer.territory], operationDateOf(context)) ?? [];
      return contrary(
        homeLines.find((line) => isTaxed(line) && !allowed.includes(line.rate)),
        allowed,
      );
    }
    case "oss": {
      const unlike = lines.find((line) => (isGoods(line) && !isTaxed(line)) || hasSurcharge(line));
      return contrary(unlike, ratesThere(context, place));
    }
    case "intra_community":
    case "not_located":
    case "export":
      return contrary(lines.find(isTaxed), [ZERO]);
    default:
      return assertNever(treatment);
  }
}

function contrary(line: SoldLine | undefined, allowed: readonly Decimal[]): Contradiction | undefined {
  return line && { line, allowed };
}

/** Both figures: the declared rates and the line's rate; for a business also its number. */
function conflict(
  treatment: DestinationTreatment,
  { line, allowed }: Contradiction,
  sold: SoldThere,
  { to, place }: Elsewhere,
): Reason {
  const at = placeName(place);
  if (to === "euBusiness" && treatment !== "domestic") {
    return because("destination_conflict", ofBusiness(line, sold, at));
  }
  return because("destination_conflict", {
    place: at,
    destination: { phrase: DESTINATION_PHRASES[to] },
    treatment: { phrase: treatment },
    allowed: listed(allowed),
    line: line.name,
    rate: { percent: wholeRate(line) },
  });
}

function ofBusiness(line: SoldLine, { identifier }: SoldThere, place: Fact) {
  return {
    place,
    identifier: identifier?.kind === "eu_vat" ? identifier.id : NOT_STATED,
    line: line.name,
    rate: { percent: wholeRate(line) },
  };
}

const DESTINATION_PHRASES = {
  euConsumer: "eu_consumer",
  euBusiness: "eu_business",
  outsideEu: "outside_eu",
  otherSpanish: "other_spanish",
} as const satisfies Readonly<Record<Destination, string>>;

/** A rate that the place did not have on the day of the sale. */
function unknownRate({ context, lines }: SoldThere, place: Place): Reason | undefined {
  const allowed = ratesThere(context, place);
  const unknown = lines.find(({ rate }) => !isZero(rate) && !allowed.includes(rate));
  const area = areaOf(place);
  if (unknown === undefined || area === undefined) return undefined;
  const { name: line, rate } = unknown;
  const date = { date: operationDateOf(context) };
  const facts = { place: placeName(place), line, rate: { percent: rate }, date, allowed: listed(allowed) };
  return because("oss_rate_unknown", facts, aboutRate({ area, rate }));
}

/** The one-stop-shop rates of this order; empty for other destinations. */
export function ossRatesOf(context: OrderContext): readonly Decimal[] {
  const bound = boundOf(context, undefined);
  return bound.to === "euConsumer" ? ratesThere(context, bound.place) : [];
}

/** Rates of the table, and rates that the owner has kept. */
function ratesThere(context: OrderContext, place: Place): readonly Decimal[] {
  const date = operationDateOf(context);
  const { keptRates: own = [] } = context.answers;
  const ofAccount = keptRatesFor(context.settings.keptRates, context.answers);
  const kept = keptIn(place, date, [...ofAccount, ...own]);
  return [...new Set([...ratesIn(place, date), ...kept])].sort(compare);
}

function listed(rates: readonly Decimal[]): Fact {
  return rates.length === 0 ? { phrase: "no_rate_known" } : { all: percents(rates) };
}

function isTaxed(line: SoldLine): boolean {
  return !isZero(line.rate) || !isZero(line.tax) || hasSurcharge(line);
}

function hasSurcharge({ surchargeRate = ZERO, surcharge }: SoldLine): boolean {
  return !isZero(surchargeRate) || !isZero(surcharge);
}

function wholeRate({ rate, surchargeRate = ZERO }: SoldLine): Decimal {
  return add(rate, surchargeRate);
}

/** The destination of a sale from the issuer's territory. */
type Bound =
  | { readonly to: "home" }
  /** No country is stated, or a code that names none. */
  | { readonly to: "unknown"; readonly code?: string }
  | Elsewhere;

/** In a member state the kind of buyer decides the destination. */
interface Elsewhere {
  readonly to: Destination;
  readonly place: Place;
}

function boundOf(context: OrderContext, identifier: TaxIdentifier | undefined): Bound {
  const stated = statedPlace(context);
  if (stated.country === undefined) return { to: "unknown" };
  const { country, postcode } = stated;
  const date = operationDateOf(context);
  const place = placeOf({ country, postcode }, date);
  if (place === undefined) return { to: "unknown", code: country };
  if (place.kind === "spain") {
    return isAtHome(place, context.issuer.territory) ? { to: "home" } : { to: "otherSpanish", place };
  }
  if (!isMemberState(place)) return { to: "outsideEu", place };
  return { to: isOfUnion(identifier, date) ? "euBusiness" : "euConsumer", place };
}

/** The state of the tax of a one-stop-shop sale: for Monaco, France. */
export function ossStateOf(context: OrderContext): MemberState | undefined {
  const bound = boundOf(context, undefined);
  return bound.to === "euConsumer" && isMemberState(bound.place) ? bound.place.state : undefined;
}

/** GB was a prefix of the Union once. */
function isOfUnion(identifier: TaxIdentifier | undefined, date: CivilDate): boolean {
  return identifier?.kind === "eu_vat" && isPrefixInForce(identifier.prefix, date);
}

/** The destination that a declaration would be about; undefined at home and where no country is known. */
export function declarableDestination(
  context: OrderContext,
  identifier: TaxIdentifier | undefined,
): Destination | undefined {
  const bound = boundOf(context, identifier);
  return bound.to === "home" || bound.to === "unknown" ? undefined : bound.to;
}

/** The delivery, else the client. A postcode counts only for the country that it was given with. */
function statedPlace({ facts, answers }: OrderContext) {
  const { delivery, client } = facts;
  const country = answers.country ?? delivery?.country ?? client?.country;
  const isClients = delivery?.country === undefined || delivery.country === client?.country;
  return { country, postcode: delivery?.postcode ?? (isClients ? client?.postcode : undefined) };
}

/** Without a postcode Spain is the issuer's own part of it. */
function isAtHome({ territory: part }: Spain, territory: Territory): boolean {
  if (part === "unknown") return true;
  return territory === "ceuta_melilla" ? part !== "peninsula" && part !== "canarias" : part === territory;
}
