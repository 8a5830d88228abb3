import { currencyDecimals } from "../shared/currency.ts";
import { type Decimal, HUNDRED, multiply, ONE, percentOf, round, subtract } from "../shared/decimal.ts";
import { type CanonicalValue, canonicalJson, sha256Hex } from "../shared/hash.ts";
import { invariant } from "../shared/result.ts";
import { type TaxIdentifier, taxIdentifierFrom } from "../shared/tax-identifier.ts";
import { defaultRegime, type InvoiceRequest, type Recipient, type RequestLine } from "./request.ts";

/** Everything about a request that needs no state: computed in front of the connection's object. */
export interface PreparedInvoice {
  readonly request: InvoiceRequest;
  readonly lineAmounts: readonly Decimal[];
  /** SHA-256 of the normalized request. */
  readonly fingerprint: string;
}

export function prepareInvoice(request: InvoiceRequest): PreparedInvoice {
  const canonical = canonicalRequest(request);
  const scale = scaleOf(request.currency);
  return {
    request: canonical,
    lineAmounts: canonical.lines.map((line) => lineAmount(line, scale)),
    fingerprint: fingerprintOf(canonical),
  };
}

/** Minor units of the currency: every amount of an invoice is rounded to them. */
export function scaleOf(currency: string): number {
  const decimals = currencyDecimals(currency);
  invariant(decimals !== undefined, "the contract lets only ISO 4217 codes through");
  return decimals;
}

/**
 * quantity x price x (1 - discount), rounded once: rounding the price first would lose 0.03 on 6 x 4.6546.
 */
function lineAmount(line: RequestLine, scale: number): Decimal {
  const full = multiply(line.quantity, line.priceUnit);
  if (line.discountRate === undefined) return round(full, scale);
  return percentOf(full, subtract(HUNDRED, line.discountRate), scale);
}

/** The identifier as it was canonicalised; undefined where there is none or it is wrong. */
export function identifierOf(recipient: Recipient | undefined): TaxIdentifier | undefined {
  if (recipient?.vatNumber === undefined) return undefined;
  const identifier = taxIdentifierFrom({ ...recipient, vatNumber: recipient.vatNumber });
  return identifier.ok ? identifier.value : undefined;
}

/**
 * One form for all spellings of a request: canonical identifiers, sorted sets, no members that equal their
 * default. This form is fingerprinted, stored and issued.
 */
export function canonicalRequest(request: InvoiceRequest): InvoiceRequest {
  const { recipient, withholdingRate, exchangeRate, exchangeRateDate, disbursements = [], ...rest } = request;
  // In euros a rate of 1, or a date alone, equals its absence.
  const isDefault = request.currency === "EUR" && (exchangeRate ?? ONE) === ONE;
  return {
    ...rest,
    flags: [...new Set(request.flags)].sort(),
    lines: request.lines.map(canonicalLine),
    ...(recipient ? { recipient: canonicalRecipient(recipient) } : {}),
    ...(withholdingRate !== undefined && withholdingRate !== "0" ? { withholdingRate } : {}),
    ...(disbursements.length > 0 ? { disbursements } : {}),
    ...(!isDefault && exchangeRate !== undefined ? { exchangeRate } : {}),
    ...(!isDefault && exchangeRateDate !== undefined ? { exchangeRateDate } : {}),
    ...(request.attestation
      ? { attestation: { ...request.attestation, lineIds: [...request.attestation.lineIds].sort() } }
      : {}),
  };
}

/** SHA-256 of the canonical request without the members that equal their fixed default. */
export function fingerprintOf(request: InvoiceRequest): string {
  const { regime, flags, pricesIncludeTax, rectifies, lines, ...rest } = canonicalRequest(request);
  const withoutDefaults = {
    ...rest,
    ...(regime === defaultRegime(request.invoiceType) ? {} : { regime }),
    ...(flags.length > 0 ? { flags } : {}),
    ...(pricesIncludeTax ? { pricesIncludeTax } : {}),
    ...(rectifies.length > 0 ? { rectifies } : {}),
    lines: lines.map(({ qualification, ...line }) =>
      qualification === "S1" ? line : { ...line, qualification },
    ),
  };
  return sha256Hex(canonicalJson(asCanonical(withoutDefaults)));
}

function canonicalLine(line: RequestLine): RequestLine {
  const { discountRate, surchargeRate, ...rest } = line;
  return {
    ...rest,
    ...(discountRate !== undefined && discountRate !== "0" ? { discountRate } : {}),
    ...(surchargeRate !== undefined && surchargeRate !== "0" ? { surchargeRate } : {}),
  };
}

function canonicalRecipient(recipient: Recipient): Recipient {
  const identifier = identifierOf(recipient);
  if (!identifier) return recipient;
  const { idType, ...rest } = recipient;
  switch (identifier.kind) {
    case "nif": {
      // With a foreign country the prefix marks a NIF, so the canonical form must keep it.
      const isHome = recipient.country === undefined || recipient.country === "ES";
      return { ...rest, vatNumber: isHome ? identifier.nif : `ES${identifier.nif}` };
    }
    case "eu_vat": {
      // GB has left the EU: its VAT numbers keep the stated type.
      const untyped = { ...rest, vatNumber: identifier.id };
      return identifierOf(untyped)?.kind === "eu_vat" ? untyped : { ...untyped, idType: "02" };
    }
    case "other":
      return { ...recipient, vatNumber: identifier.id };
  }
}

/**
 * Interfaces have no index signature, so the compiler cannot see that a request is made of canonical values.
 */
function asCanonical(value: object): CanonicalValue {
  return value as CanonicalValue;
}
