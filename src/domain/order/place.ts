import type { Destinations, DestinationTreatment, Destination as Named } from "../billing/destinations.ts";
import type { Territory } from "../invoice/settings.ts";
import { isMemberState, type Place, placeOf } from "../place/place.ts";
import { ratesIn } from "../place/vat-rates.ts";
import { isZero } from "../shared/decimal.ts";
import { assertNever } from "../shared/result.ts";
import type { TaxIdentifier } from "../shared/tax-identifier.ts";
import type { OrderContext } from "./context.ts";
import { operationDateOf } from "./dates.ts";
import type { Sale } from "./profile.ts";
import { because, type Reason } from "./reasons.ts";
import type { SoldLine } from "./sold-lines.ts";

/** How the lines of a sale are taxed; undefined while that is not known. */
export type Taxation = "home" | Exclude<DestinationTreatment, "domestic">;

export interface PlaceReading {
  readonly taxation?: Taxation;
  readonly reasons: readonly Reason[];
}

type Destination =
  | { readonly at: "home" }
  | { readonly at: "territory"; readonly territory: Exclude<SpanishPart, "unknown"> }
  | { readonly at: "country"; readonly country: string; readonly place: Place }
  | { readonly at: "unknown" };

type Elsewhere = Extract<Destination, { readonly at: "territory" | "country" }>;

export interface SoldThere {
  readonly context: OrderContext;
  readonly sale: Sale;
  /** Whatever is invoiced and is not free. */
  readonly lines: readonly SoldLine[];
  readonly identifier: TaxIdentifier | undefined;
  /** Whether every line has a positive rate of the issuer's territory. */
  readonly hasHomeRates: boolean;
}

/** Where the goods go decides how the sale is taxed; what leaves the territory needs the owner's word. */
export function readPlace(sold: SoldThere): PlaceReading {
  const { context, sale } = sold;
  const { territory } = context.issuer;
  const destination = destinationOf(context);
  switch (destination.at) {
    case "home":
      return { taxation: "home", reasons: [] };
    case "unknown":
      if (sold.hasHomeRates) return { taxation: "home", reasons: [] };
      return { reasons: [because("country_unknown")] };
    case "territory": {
      const taxation = declared(sold, destination);
      const facts = {
        from: { phrase: territory },
        to: { phrase: destination.territory },
        ...sale.declaredBy,
      };
      return taxation ? { taxation, reasons: [] } : { reasons: [because("territory_review", facts)] };
    }
    case "country": {
      const taxation = declared(sold, destination);
      const facts = { country: { country: destination.country }, ...sale.declaredBy };
      return taxation ? { taxation, reasons: [] } : { reasons: [because("foreign_customer", facts)] };
    }
  }
}

/**
 * A declared treatment that cannot be true of this sale is no treatment. LIVA: 68.Tres (distance sales to
 * consumers), 25 (supplies to businesses with a VAT number), 21 (exports).
 */
function declared(sold: SoldThere, destination: Elsewhere): Taxation | undefined {
  const { context, lines, identifier, sale } = sold;
  const treatment = treatmentOf(sale.sales.destinations, destination, identifier);
  const isUntaxed = lines.every(({ rate, tax }) => isZero(rate) && isZero(tax));
  const paysIva = context.issuer.territory === "peninsula";
  switch (treatment) {
    case undefined:
      return undefined;
    case "domestic":
      return "home";
    case "oss": {
      const place = destination.at === "country" ? destination.place : undefined;
      return paysIva && place && haveRatesOf(place, sold) ? treatment : undefined;
    }
    case "intra_community":
      return paysIva && isUntaxed ? treatment : undefined;
    case "export":
    case "not_located":
      return isUntaxed ? treatment : undefined;
    default:
      return assertNever(treatment);
  }
}

function treatmentOf(
  destinations: Destinations,
  destination: Elsewhere,
  identifier: TaxIdentifier | undefined,
): DestinationTreatment | undefined {
  return destinations[nameOf(destination, identifier)];
}

/** What is declared of the destination: in a member state it is the buyer who makes it. */
function nameOf(destination: Elsewhere, identifier: TaxIdentifier | undefined): Named {
  if (destination.at === "territory") return "otherSpanish";
  if (!isMemberState(destination.place)) return "outsideEu";
  return identifier?.kind === "eu_vat" ? "euBusiness" : "euConsumer";
}

/** The destination that a declaration would be about; undefined at home and where no country is known. */
export function declarableDestination(
  context: OrderContext,
  identifier: TaxIdentifier | undefined,
): Named | undefined {
  const destination = destinationOf(context);
  const isElsewhere = destination.at === "territory" || destination.at === "country";
  return isElsewhere ? nameOf(destination, identifier) : undefined;
}

function haveRatesOf(place: Place, { context, lines }: SoldThere): boolean {
  const rates = ratesIn(place, operationDateOf(context));
  return lines.every(({ rate }) => rates.includes(rate));
}

/** The delivery, else the client. A postcode counts only for the country that it was given with. */
function destinationOf(context: OrderContext): Destination {
  const { facts, issuer, answers } = context;
  const { delivery, client } = facts;
  const country = answers.country ?? delivery?.country ?? client?.country;
  if (country === undefined) return { at: "unknown" };
  const isClients = delivery?.country === undefined || delivery.country === client?.country;
  const postcode = delivery?.postcode ?? (isClients ? client?.postcode : undefined);
  const part = spanishPart(country, postcode);
  if (part === undefined) {
    const place = placeOf({ country, postcode }, operationDateOf(context));
    return { at: "country", country, place: place ?? { kind: "outside", country } };
  }
  if (part === "unknown" || isPartOf(part, issuer.territory)) return { at: "home" };
  return { at: "territory", territory: part };
}

type SpanishPart = "peninsula" | "canarias" | "ceuta" | "melilla" | "unknown";

const PARTS_BY_POSTCODE: Readonly<Record<string, SpanishPart>> = {
  "35": "canarias",
  "38": "canarias",
  "51": "ceuta",
  "52": "melilla",
};

/** IC and EA are what ISO 3166 reserves for the Canaries, and for Ceuta and Melilla. */
function spanishPart(country: string, postcode: string | undefined): SpanishPart | undefined {
  if (country === "IC") return "canarias";
  if (country === "EA") return postcode?.trim().startsWith("52") ? "melilla" : "ceuta";
  if (country !== "ES") return undefined;
  if (postcode === undefined) return "unknown";
  // 3501 is 03501, of Alicante: spreadsheets and numeric columns drop the first zero.
  const digits = postcode.trim();
  const province = (/^\d{4}$/.test(digits) ? `0${digits}` : digits).slice(0, 2);
  return PARTS_BY_POSTCODE[province] ?? "peninsula";
}

function isPartOf(part: SpanishPart, territory: Territory): boolean {
  return territory === "ceuta_melilla" ? part === "ceuta" || part === "melilla" : part === territory;
}
