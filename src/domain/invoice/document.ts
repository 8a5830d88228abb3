import type { CivilDate } from "../shared/civil-date.ts";
import type { Decimal } from "../shared/decimal.ts";
import type { Facts } from "../shared/fact.ts";
import type { Issuer } from "./issuer.ts";
import type { SettlementTerms } from "./payment-terms.ts";
import type { InvoiceRequest, Qualification, Tax } from "./request.ts";

/** The key of a breakdown line: lines with equal keys form one tax group. */
export interface TaxGroupKey {
  readonly tax: Tax;
  /** Absent only with tax 05. */
  readonly regime?: string;
  readonly qualification: Qualification;
  readonly rate: Decimal;
  readonly surchargeRate?: Decimal;
}

export interface Amounts {
  readonly base: Decimal;
  readonly tax: Decimal;
  readonly surcharge: Decimal;
  /** Only of the margin scheme: the part of the price that bears no tax. */
  readonly outsideMargin?: Decimal;
}

export interface TaxGroup extends TaxGroupKey {
  readonly amounts: Amounts;
  readonly eur: Amounts;
}

export interface Totals extends Amounts {
  readonly total: Decimal;
}

/** A finding that did not prevent the issue. */
export interface Warning {
  readonly code:
    | "recipient_identification_expected"
    | "issued_late"
    | "company_unverified"
    | "connection_for_tests";
  readonly facts?: Facts;
}

/** A payment that is not a discount (a gift card): printed below the total. */
export interface Payment {
  readonly name: string;
  readonly amount: Decimal;
}

/** An order of which its shop had collected only a part when it was invoiced; payments count as collected. */
export interface Collected {
  readonly paid: Decimal;
  readonly payable: Decimal;
}

/** An invoice that the new one rectifies or replaces, as it is cited. */
export interface CitedInvoice {
  readonly externalId?: string;
  readonly invoiceId?: string;
  readonly number: string;
  readonly issueDate: CivilDate;
  readonly invoiceType: string;
}

/** The amounts that a substitution replaces: our invoices by tax group, external ones as one sum. */
export interface Rectified {
  readonly groups: readonly TaxGroup[];
  readonly elsewhere?: { readonly amounts: Amounts; readonly eur: Amounts };
}

/**
 * The immutable document of an invoice: the parsed request once, and what was computed and known at issue.
 * The request can be rebuilt from it. Readers understand every `v`.
 */
export interface InvoiceDocument {
  readonly v: 1;
  readonly request: InvoiceRequest;
  readonly fingerprint: string;
  readonly issuer: Issuer;
  /** Issued while the issuer's NIF was not proven, or through a connection for tests: it is no invoice. */
  readonly test?: true;
  /** Tax and regime that lines without their own were given. */
  readonly defaults: { readonly tax: Tax; readonly regime: string };
  /** Net (or, with prices that include tax, gross) amount of each line. */
  readonly lineAmounts: readonly Decimal[];
  readonly groups: readonly TaxGroup[];
  readonly totals: Totals;
  readonly totalsEur: Totals;
  /** IRPF withheld, in the invoice's currency. */
  readonly withholding?: Decimal;
  /** The operation date in force, when it differs from the issue date. */
  readonly operationDate?: CivilDate;
  readonly cited: readonly CitedInvoice[];
  /** For a rectification by substitution; absent in older documents. */
  readonly rectified?: Rectified;
  /** For an R5 that substitutes simplified invoices: the maximum total of their legal basis. */
  readonly limitEur?: Decimal;
  /** For a one-stop-shop sale of an order: the state of the tax. The buyer may live in another state. */
  readonly consumedIn?: string;
  readonly warnings: readonly Warning[];
  /** For an order paid in part by gift card or similar; the rest remains due. */
  readonly payments?: readonly Payment[];
  /** Printed below the total, and part of no amount of the invoice. */
  readonly collected?: Collected;
  /** The issuer's own text at the foot. */
  readonly footer?: string;
  /** The issuer's own terms, for what the request left open. */
  readonly terms?: SettlementTerms;
}
