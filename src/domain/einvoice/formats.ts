import { hasFlag } from "../invoice/request.ts";
import {
  absolute,
  compare,
  type Decimal,
  digitsOf,
  isNegative,
  ONE,
  percentOf,
  subtract,
  ZERO,
} from "../shared/decimal.ts";
import { isNaturalPersonNif, type TaxIdentifier } from "../shared/tax-identifier.ts";
import { addressOfBuyer, isPeppolScheme } from "./eas.ts";
import type { CategoryTotal, ElectronicInvoice } from "./electronic-invoice.ts";
import { alpha3, isFacturaeCurrency } from "./facturae/codes.ts";
import { isPersonIn } from "./facturae/person-name.ts";

/** The files in which an invoice can be had; `ubl_peppol` is UBL for the network Peppol. */
export const FORMATS = ["pdf", "ubl", "ubl_peppol", "facturae"] as const;
export type Format = (typeof FORMATS)[number];

/** The reasons why a format cannot say an invoice, in the order in which they are told. */
export const FORMAT_REASONS = [
  "simplified",
  "cancelled",
  "withholding",
  "disbursements",
  "not_subject_mixed",
  "tax_beyond_tolerance",
  "substitution",
  "negative_substitution",
  "other_tax",
  "currency_decimals",
  "buyer_name_missing",
  "buyer_country_missing",
  "buyer_identifier_missing",
  "buyer_address_missing",
  "person_name_incomplete",
  "number_too_long",
  "code_not_listed",
  "buyer_endpoint_missing",
  "buyer_reference_missing",
] as const;
export type FormatReason = (typeof FORMAT_REASONS)[number];

const ALL: readonly Format[] = ["ubl", "ubl_peppol", "facturae"];
const UBL: readonly Format[] = ["ubl", "ubl_peppol"];
const PEPPOL: readonly Format[] = ["ubl_peppol"];
const FACTURAE: readonly Format[] = ["facturae"];

interface ReasonRule {
  readonly formats: readonly Format[];
  readonly holds: (invoice: ElectronicInvoice, format: Format) => boolean;
}

/** Currencies of today that the code list of EN 16931 lacks (BR-CL-03, BR-CL-04). */
const NOT_IN_EN16931: readonly string[] = ["STN", "XAD"];

const RULES: Readonly<Record<FormatReason, ReasonRule>> = {
  // Outside the duty between businesses (article 2 RD 238/2026).
  simplified: {
    formats: ALL,
    holds: (invoice) =>
      invoice.regime === "art7_simplified" && !hasFlag(invoice, "qualified_simplified_art_7_2_3"),
  },
  cancelled: { formats: ALL, holds: ({ cancelled }) => cancelled },
  // EN 16931 has no amount that reduces what is due and is neither paid nor rounding.
  withholding: { formats: UBL, holds: ({ withholding }) => withholding !== undefined },
  disbursements: { formats: UBL, holds: ({ disbursements }) => disbursements.length > 0 },
  // BR-O-11 and BR-O-12.
  not_subject_mixed: {
    formats: UBL,
    holds: ({ breakdown }) => breakdown.length > 1 && breakdown.some(({ category }) => category === "O"),
  },
  // BR-CO-17, BR-S-09, BR-AF-09 and BR-AG-09.
  tax_beyond_tolerance: { formats: UBL, holds: ({ breakdown }) => breakdown.some(isBeyondTolerance) },
  // P0112: 384 is for German parties only.
  substitution: { formats: PEPPOL, holds: isSubstitution },
  negative_substitution: {
    formats: UBL,
    holds: (invoice) => isSubstitution(invoice) && isNegative(invoice.totals.total),
  },
  other_tax: { formats: UBL, holds: ({ groups }) => groups.some(({ tax }) => tax === "05") },
  // BR-DEC-01 to BR-DEC-23.
  currency_decimals: {
    formats: UBL,
    holds: (invoice) => amountsOf(invoice).some((amount) => digitsOf(amount).fraction > 2),
  },
  // BR-07.
  buyer_name_missing: { formats: ALL, holds: ({ recipient }) => !isStated(recipient?.company) },
  // BR-11.
  buyer_country_missing: { formats: ALL, holds: ({ recipient }) => !isStated(recipient?.country) },
  buyer_identifier_missing: {
    formats: FACTURAE,
    holds: ({ recipient }) => !isLongEnough(recipient?.identifier),
  },
  buyer_address_missing: { formats: FACTURAE, holds: lacksAddress },
  person_name_incomplete: { formats: FACTURAE, holds: hasNameOfOneWord },
  number_too_long: { formats: FACTURAE, holds: hasLongNumber },
  code_not_listed: {
    formats: ALL,
    holds: ({ currency, recipient }, format) =>
      format === "facturae"
        ? !isFacturaeCurrency(currency) ||
          (isStated(recipient?.country) && alpha3(recipient.country) === undefined)
        : NOT_IN_EN16931.includes(currency),
  },
  // PEPPOL-EN16931-R010.
  buyer_endpoint_missing: {
    formats: PEPPOL,
    holds: ({ recipient }) => addressOfBuyer(recipient, isPeppolScheme) === undefined,
  },
  // PEPPOL-EN16931-R003.
  buyer_reference_missing: {
    formats: PEPPOL,
    holds: ({ buyerReference, orderReference }) =>
      buyerReference === undefined && orderReference === undefined,
  },
};

/** The reasons why the format cannot say the invoice; none means that it can. A PDF says every invoice. */
export function formatRefusals(invoice: ElectronicInvoice, format: Format): readonly FormatReason[] {
  return FORMAT_REASONS.filter((code) => {
    const { formats, holds } = RULES[code];
    return formats.includes(format) && holds(invoice, format);
  });
}

export interface FormatOffer {
  readonly format: Format;
  readonly available: boolean;
  readonly reasons: readonly FormatReason[];
}

/** Every format, with the reasons against it. */
export function formatsOf(invoice: ElectronicInvoice): readonly FormatOffer[] {
  return FORMATS.map((format) => {
    const reasons = formatRefusals(invoice, format);
    return { format, available: reasons.length === 0, reasons };
  });
}

function isSubstitution({ correction }: ElectronicInvoice): boolean {
  return correction?.method === "substitution";
}

/** The rules compute base x rate to the cent and take a difference below one unit of the currency. */
function isBeyondTolerance({ base, tax, categoryRate = ZERO }: CategoryTotal): boolean {
  const expected = percentOf(absolute(base), categoryRate, 2);
  return compare(absolute(subtract(absolute(tax), expected)), ONE) >= 0;
}

function amountsOf({ lines, groups, payments }: ElectronicInvoice): readonly Decimal[] {
  return [
    ...lines.map(({ net }) => net),
    ...groups.flatMap(({ amounts }) => [amounts.base, amounts.tax, amounts.surcharge]),
    ...payments.map(({ amount }) => amount),
  ];
}

/** TaxIdentificationNumber has three characters at least. */
function isLongEnough(identifier: TaxIdentifier | undefined): boolean {
  return identifier !== undefined && (identifier.kind === "nif" || identifier.id.length >= 3);
}

/** Of an address in Spain the XSD wants a postcode of five digits. */
function lacksAddress({ recipient }: ElectronicInvoice): boolean {
  const { address1, postcode = "", city, country } = recipient ?? {};
  if (!isStated(address1) || !isStated(city)) return true;
  return country === "ES" && !/^\d{5}$/.test(postcode);
}

/** Individual takes a first name and a surname, of the issuer as of the recipient. */
function hasNameOfOneWord({ issuer, recipient }: ElectronicInvoice): boolean {
  const { identifier } = recipient ?? {};
  const buyer = identifier && isPersonIn(identifier) ? recipient : undefined;
  const seller = isNaturalPersonNif(issuer.nif) ? issuer : undefined;
  return [buyer && { ...buyer, name: buyer.company ?? "" }, seller].some(
    (person) => person !== undefined && person.firstName === undefined && isOneWord(person.name),
  );
}

function isOneWord(name: string): boolean {
  return name.trim().split(/\s+/u).length < 2;
}

/** InvoiceNumber and InvoiceSeriesCode take 20 characters each. */
const LONGEST_NUMBER = 40;

function hasLongNumber({ number, correction }: ElectronicInvoice): boolean {
  return [number, ...(correction?.cited ?? []).map((cited) => cited.number)].some(
    (one) => one.length > LONGEST_NUMBER,
  );
}

function isStated(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== "";
}
