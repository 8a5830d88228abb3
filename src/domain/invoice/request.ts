import type { CivilDate } from "../shared/civil-date.ts";
import type { Decimal } from "../shared/decimal.ts";
import { present } from "../shared/present.ts";
import {
  EXEMPTIONS,
  type IdType,
  type InvoiceType,
  QUALIFICATIONS as SUBJECT_OR_NOT,
  type Tax,
} from "../verifactu/aeat-lists.ts";
import type { PaymentTerms } from "./payment-terms.ts";

export {
  ID_TYPES,
  type IdType,
  INVOICE_TYPES,
  type InvoiceType,
  TAXES,
  type Tax,
} from "../verifactu/aeat-lists.ts";

export const DOCUMENTARY_REGIMES = ["art6_full", "art7_simplified"] as const;
export type DocumentaryRegime = (typeof DOCUMENTARY_REGIMES)[number];

export const DOCUMENTARY_FLAGS = ["qualified_simplified_art_7_2_3", "no_recipient_article_6_1_d"] as const;
export type DocumentaryFlag = (typeof DOCUMENTARY_FLAGS)[number];

export const RECTIFICATION_METHODS = ["difference", "substitution"] as const;
export type RectificationMethod = (typeof RECTIFICATION_METHODS)[number];

export const LEGAL_BASES = ["article_4_2", "tax_authority_authorisation"] as const;
export type LegalBasis = (typeof LEGAL_BASES)[number];

export const BUYER_ROLES = ["consumer", "professional"] as const;
export type BuyerRole = (typeof BUYER_ROLES)[number];

/** The activities of article 4.2 RD 1619/2012. */
export const ARTICLE_4_2_OPERATIONS = [
  "retail_sale",
  "itinerant_sale",
  "home_sale_or_service",
  "passenger_transport",
  "hospitality",
  "dance_venue",
  "public_telephone",
  "hairdressing_beauty",
  "sports_facility",
  "photography",
  "parking",
  "film_rental",
  "laundry",
  "toll_motorway",
] as const;
export type Article42Operation = (typeof ARTICLE_4_2_OPERATIONS)[number];

/** CalificacionOperacion (L9) and OperacionExenta (L10) in one list, as the interface has them. */
export const QUALIFICATIONS = [...SUBJECT_OR_NOT, ...EXEMPTIONS] as const;
export type Qualification = (typeof QUALIFICATIONS)[number];

/** The units of a public customer that get an invoice (DIR3): its roles in the order of Facturae's codes. */
export const CENTRE_ROLES = [
  "accounting_office",
  "managing_body",
  "processing_unit",
  "proposing_body",
] as const;
export type CentreRole = (typeof CENTRE_ROLES)[number];

export interface AdministrativeCentre {
  readonly role: CentreRole;
  /** DIR3. */
  readonly code: string;
  readonly address1?: string;
  readonly postcode?: string;
  readonly city?: string;
}

/** An electronic address: a code of the list EAS, or `EM` for an e-mail. */
export interface Endpoint {
  readonly scheme: string;
  readonly id: string;
}

/** Where and when the goods were handed over. */
export interface Delivery {
  readonly date?: CivilDate;
  readonly country?: string;
  readonly address1?: string;
  readonly postcode?: string;
  readonly city?: string;
}

/** Both days are in it. */
export interface InvoicingPeriod {
  readonly start: CivilDate;
  readonly end: CivilDate;
}

/** Members that are absent are absent: a default is applied where it is used, never stored. */
export interface Recipient {
  readonly company?: string;
  /** In canonical form once it is known to be valid, else as sent. */
  readonly vatNumber?: string;
  readonly country?: string;
  readonly address1?: string;
  readonly postcode?: string;
  readonly city?: string;
  readonly idType?: IdType;
  readonly email?: string;
  /** The customer has agreed to electronic invoices (article 9.2 RD 1619/2012). */
  readonly acceptsElectronic?: boolean;
  readonly endpoint?: Endpoint;
  readonly province?: string;
  /** The parts of a person's name; joined by spaces they are `company`. */
  readonly firstName?: string;
  readonly surname1?: string;
  readonly surname2?: string;
  readonly administrativeCentres?: readonly AdministrativeCentre[];
}

type NameParts = Pick<Recipient, "firstName" | "surname1" | "surname2">;

/** The whole name of a person. */
export function joinedName({ firstName, surname1, surname2 }: NameParts): string {
  return [firstName, surname1, surname2].filter((part) => part !== undefined).join(" ");
}

export interface RequestLine {
  readonly lineId?: string;
  readonly description: string;
  readonly quantity: Decimal;
  /** Net of tax, or with tax if the request says so. */
  readonly priceUnit: Decimal;
  readonly taxRate: Decimal;
  readonly discountRate?: Decimal;
  readonly surchargeRate?: Decimal;
  readonly tax?: Tax;
  readonly regime?: string;
  readonly qualification: Qualification;
  /**
   * For the whole line, tax included: the amount that the margin scheme taxes (articles 137 and 145 LIVA).
   */
  readonly taxableMargin?: Decimal;
  /** UN/ECE Recommendation 20 or 21. */
  readonly unit?: string;
  readonly itemCode?: string;
}

/** Paid in the customer's name and on its account (article 78.Three.3 LIVA): claimed back, never taxed. */
export interface Disbursement {
  readonly description: string;
  readonly amount: Decimal;
}

export interface Attestation {
  readonly legalBasis: LegalBasis;
  readonly buyerRole: BuyerRole;
  readonly operation?: Article42Operation;
  readonly lineIds: readonly string[];
  readonly authorisation?: { readonly number: string; readonly limit: Decimal };
}

/** An invoice of this connection, or one issued elsewhere with the amounts that the law asks for. */
export type RectifiedReference =
  | { readonly externalId: string }
  | {
      readonly number: string;
      readonly issueDate: CivilDate;
      readonly invoiceType: InvoiceType;
      readonly base: Decimal;
      readonly tax: Decimal;
      readonly surcharge?: Decimal;
    };

/** Article 15.4 RD 1619/2012: discounts of a period name it, and no invoice. Both days are in it. */
export interface RectifiedPeriod {
  readonly from: CivilDate;
  readonly to: CivilDate;
}

/** What goes back of one line of an issued invoice. */
export interface ReturnedLine {
  /** The place of the line on its invoice, from 1. */
  readonly line: number;
  /** Pieces, positive; absent if only the price was reduced. */
  readonly quantity?: Decimal;
  /** With tax, in the invoice's currency, with the sign of the line. */
  readonly gross: Decimal;
}

/**
 * `POST /api/v1/invoice` in domain terms: shape is proven, fixed defaults are filled in, law is not judged.
 */
export interface InvoiceRequest {
  readonly externalId: string;
  readonly invoiceType: InvoiceType;
  readonly regime: DocumentaryRegime;
  readonly flags: readonly DocumentaryFlag[];
  readonly description: string;
  readonly currency: string;
  readonly exchangeRate?: Decimal;
  readonly exchangeRateDate?: CivilDate;
  readonly operationDate?: CivilDate;
  readonly pricesIncludeTax: boolean;
  readonly withholdingRate?: Decimal;
  readonly recipient?: Recipient;
  readonly lines: readonly RequestLine[];
  /** Suplidos, never an empty list. */
  readonly disbursements?: readonly Disbursement[];
  readonly attestation?: Attestation;
  readonly rectifies: readonly RectifiedReference[];
  readonly rectificationMethod?: RectificationMethod;
  /** Replaces `rectifies`. */
  readonly rectifiedPeriod?: RectifiedPeriod;
  /**
   * What a rectification from the console takes back of each line of its invoice. Then its tax groups are
   * split as the invoice was, by cumulative rounding.
   */
  readonly returned?: readonly ReturnedLine[];
  /** ReasonCode of Facturae. */
  readonly rectificationReason?: string;
  readonly dueDate?: CivilDate;
  readonly payment?: PaymentTerms;
  readonly buyerReference?: string;
  readonly orderReference?: string;
  readonly contractReference?: string;
  /** Expediente de contratación. */
  readonly fileReference?: string;
  readonly delivery?: Delivery;
  readonly invoicingPeriod?: InvoicingPeriod;
}

/** Details of the trade. No amount and no part of the record depends on one. */
export type TradeDetails = Pick<
  InvoiceRequest,
  | "rectificationReason"
  | "dueDate"
  | "payment"
  | "buyerReference"
  | "orderReference"
  | "contractReference"
  | "fileReference"
  | "delivery"
  | "invoicingPeriod"
>;

/** The references of an invoice, which the corrections of it carry too. */
export function referencesOf(details: TradeDetails): TradeDetails {
  const { buyerReference, orderReference, contractReference, fileReference, delivery } = details;
  return present({ buyerReference, orderReference, contractReference, fileReference, delivery });
}

/** The regime a type has when the request names none (decisions: F2 and R5 are simplified). */
export function defaultRegime(type: InvoiceType): DocumentaryRegime {
  return type === "F2" || type === "R5" ? "art7_simplified" : "art6_full";
}

export function isRectifying(type: InvoiceType): boolean {
  return type.startsWith("R");
}

/** True for a rectification or an F3: both refer to a sale that was invoiced before. */
export function isOfEarlierSale(type: InvoiceType): boolean {
  return isRectifying(type) || type === "F3";
}

export function hasFlag(request: Pick<InvoiceRequest, "flags">, flag: DocumentaryFlag): boolean {
  return request.flags.includes(flag);
}
