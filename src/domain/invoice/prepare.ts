import { currencyDecimals } from "../shared/currency.ts";
import { type Decimal, HUNDRED, multiply, percentOf, round, subtract } from "../shared/decimal.ts";
import { invariant } from "../shared/result.ts";
import { canonicalRequest, fingerprintOf } from "./normalize.ts";
import type { InvoiceRequest, RequestLine } from "./request.ts";

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
