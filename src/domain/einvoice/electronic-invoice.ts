import type { Amounts, CitedInvoice, Payment, TaxGroupKey, Totals } from "../invoice/document.ts";
import type { Issuer } from "../invoice/issuer.ts";
import type { PaymentTerms } from "../invoice/payment-terms.ts";
import type {
  Delivery,
  Disbursement,
  DocumentaryFlag,
  DocumentaryRegime,
  InvoiceType,
  InvoicingPeriod,
  Recipient,
  RectificationMethod,
  RectifiedPeriod,
} from "../invoice/request.ts";
import type { CivilDate } from "../shared/civil-date.ts";
import type { Decimal } from "../shared/decimal.ts";
import type { TaxIdentifier } from "../shared/tax-identifier.ts";

/**
 * An issued invoice as electronic formats say it (article 7 RD 238/2026), in the terms of none of them. It is
 * made of the stored document on demand and never stored. Amounts have the signs of the document and at most
 * the decimals of its currency.
 */
export interface ElectronicInvoice {
  /** NumSerieFactura: series and number. */
  readonly number: string;
  readonly issueDate: CivilDate;
  /** Only if it differs from the issue date. */
  readonly operationDate?: CivilDate;
  readonly invoiceType: InvoiceType;
  readonly regime: DocumentaryRegime;
  readonly flags: readonly DocumentaryFlag[];
  readonly cancelled: boolean;
  readonly description: string;
  readonly currency: string;
  /** Minor units of the currency. */
  readonly decimals: number;
  /** Units of the currency for one euro; absent in euros. */
  readonly exchange?: { readonly rate: Decimal; readonly date: CivilDate };
  readonly issuer: Issuer;
  readonly recipient?: ElectronicRecipient;
  /** Of R1 to R5. */
  readonly correction?: Correction;
  /** The simplified invoices that an F3 replaces. */
  readonly replaces: readonly CitedInvoice[];
  readonly lines: readonly ElectronicLine[];
  readonly groups: readonly ElectronicGroup[];
  readonly breakdown: readonly CategoryTotal[];
  /** Sums of the groups as they are shown: of the margin scheme the prices, without tax. */
  readonly totals: Totals;
  readonly totalsEur: Totals;
  /** IRPF: part of no other amount here. */
  readonly withholding?: { readonly rate: Decimal; readonly base: Decimal; readonly amount: Decimal };
  /** Suplidos: part of no other amount here. */
  readonly disbursements: readonly Disbursement[];
  /** Gift cards and the like, each with its amount. */
  readonly payments: readonly Payment[];
  /** The sum of `payments`. */
  readonly prepaid: Decimal;
  readonly dueDate?: CivilDate;
  /** With `paidOn` the whole invoice has been paid. */
  readonly payment?: PaymentTerms;
  readonly buyerReference?: string;
  readonly orderReference?: string;
  readonly contractReference?: string;
  readonly fileReference?: string;
  readonly delivery?: Delivery;
  readonly invoicingPeriod?: InvoicingPeriod;
  /** Each once, in the order in which the page prints them. */
  readonly mentions: readonly Mention[];
  /** Absent if no tax authority would know the invoice. */
  readonly qrUrl?: string;
}

export interface ElectronicRecipient extends Recipient {
  /** In canonical form; absent from invoices without identification (article 6.1.d). */
  readonly identifier?: TaxIdentifier;
}

export interface Correction {
  readonly method: RectificationMethod;
  /** Empty with a period. */
  readonly cited: readonly CitedInvoice[];
  readonly period?: RectifiedPeriod;
  /** ReasonCode of Facturae, if one was stated. */
  readonly reason?: string;
}

export interface ElectronicLine {
  /** From 1. */
  readonly number: number;
  readonly description: string;
  readonly itemCode?: string;
  /** UN/ECE Recommendation 20 or 21. */
  readonly unit: string;
  /** Below zero on a line that takes back. */
  readonly quantity: Decimal;
  /** Never below zero. */
  readonly unitPrice: Decimal;
  /** In percent of quantity x unit price; absent where the unit price is what remains. */
  readonly discountRate?: Decimal;
  /**
   * Set where no unit price of 8 decimals gives the net: the net is then the price of this quantity, and the
   * unit price is only its quotient, rounded.
   */
  readonly pricedQuantity?: Decimal;
  /** The nets of a group add up to its base. */
  readonly net: Decimal;
  /** Its place in `groups`. */
  readonly group: number;
}

/** A tax group of the document as it is shown. */
export interface ElectronicGroup extends TaxGroupKey, CategoryKey {
  /** 03 and 05 with S1: the base is the price paid and the tax is 0 (article 138 LIVA). */
  readonly isMargin: boolean;
  /** Taxed at the rate of the country of consumption. */
  readonly isOss: boolean;
  readonly amounts: Amounts;
  readonly eur: Amounts;
}

/** UNCL 5305 as EN 16931 restricts it: L is IGIC, M is IPSI. */
export type VatCategory = "S" | "Z" | "L" | "M" | "E" | "AE" | "G" | "K" | "O";

/** BT-118 to BT-121 of a group. */
export interface CategoryKey {
  readonly category: VatCategory;
  /** With the equivalence surcharge; absent for O. */
  readonly categoryRate?: Decimal;
  /** VATEX code. */
  readonly reasonCode?: string;
  readonly reason?: string;
}

/** Groups that share category and rate, as one entry; their reasons joined by `; `. */
export interface CategoryTotal extends CategoryKey {
  readonly base: Decimal;
  /** Tax and surcharge. */
  readonly tax: Decimal;
}

export type MentionKind =
  | "test"
  | "replaces"
  | "no_recipient"
  | "qualified_simplified"
  | "special_regime"
  | "one_stop_shop"
  | "reverse_charge"
  | "exempt"
  | "not_subject";

/** Spanish words that the law wants on the invoice. */
export interface Mention {
  readonly kind: MentionKind;
  readonly text: string;
}

/** The mentions of these kinds stand in no other element of a format. */
export function mentionsOf(invoice: ElectronicInvoice, kinds: readonly MentionKind[]): readonly string[] {
  return invoice.mentions.filter(({ kind }) => kinds.includes(kind)).map(({ text }) => text);
}
