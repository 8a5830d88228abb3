import type { Profile, SalesSettings, Treatment } from "../billing/sales-settings.ts";
import type { RateLookup } from "../exchange/reference-rate.ts";
import type { InvoiceDocument } from "../invoice/document.ts";
import type { RectifiableInvoice } from "../invoice/rectifiable.ts";
import type { IssuingSettings } from "../invoice/settings.ts";
import type { KeptRate } from "../place/vat-rates.ts";
import type { CivilDate } from "../shared/civil-date.ts";
import type { Decimal } from "../shared/decimal.ts";
import type { ClientFacts, CorrectionEvent, OrderFacts } from "./facts.ts";
import type { Question } from "./question.ts";
import type { ReasonCode } from "./reasons.ts";

/** Everything that an order is decided from. */
export interface OrderContext {
  /** The order as sold, with every event that was ever received for it. */
  readonly facts: OrderFacts;
  /** `consented`: the connection's consent is in force. */
  readonly issuer: IssuingSettings;
  readonly settings: OrderSettings;
  readonly history: OrderHistory;
  readonly answers: OwnerAnswers;
  readonly rateOn: (day: CivilDate, currency: string) => RateLookup;
  /** The issue date of new invoices. */
  readonly today: CivilDate;
}

export interface OrderSettings {
  readonly connectionName: string;
  /** With none, `sales` and `stem` are those of every order. */
  readonly profiles: readonly Profile[];
  readonly sales: SalesSettings;
  readonly stem: string;
  readonly tagRules: readonly TagRule[];
  /** The account's own one-stop-shop rates, in addition to the table. */
  readonly keptRates: readonly KeptRate[];
  /** By the id that the connector gave them. */
  readonly statuses: Readonly<Record<string, { readonly name: string; readonly cancelled: boolean }>>;
  readonly cutoffDate: CivilDate;
  /** Null where the selection is not managed here. */
  readonly selectedStores: "all" | readonly string[] | null;
  /** Answers were remembered: it is counted how many orders each of them decides. */
  readonly remembers?: true;
}

export interface TagRule {
  readonly tag: string;
  readonly action: "hold" | "ignore";
}

/** An invoice of the order with the data for its corrections. */
export interface IssuedForOrder {
  readonly rectifiable: RectifiableInvoice;
  readonly document: InvoiceDocument;
  /** The stem of the profile that numbered it: corrections stay in the same series family. */
  readonly stem: string;
}

export interface OrderHistory {
  /** The number of the invoice within its order: 1, and one more each time it is invoiced anew. */
  readonly generation: number;
  /** The first invoice of the generation before. */
  readonly earlier?: IssuedForOrder;
  /** The first invoice, also when it was annulled or replaced since. */
  readonly invoice?: IssuedForOrder;
  /** The full invoice that replaced the simplified one. */
  readonly replacement?: IssuedForOrder;
  /** Oldest first. */
  readonly rectifications: readonly IssuedForOrder[];
  /** Full invoices of rectifications of a replaced ticket, also when they were annulled since. */
  readonly followUps?: readonly IssuedForOrder[];
  /** Events of every generation. */
  readonly acted: readonly ActedEvent[];
  /** Fingerprint of the fiscal facts that the invoice was made from. */
  readonly soldFingerprint?: string;
  /** Its sales were invoiced elsewhere when it was decided last: settings of later change nothing of that. */
  readonly wasElsewhere?: boolean;
}

/** An event that acted: it never does again. */
export interface ActedEvent {
  readonly id: string;
  readonly fingerprint: string;
  /** Netted into the first invoice, rectified, annulled, or without a remaining amount. */
  readonly how: "netted" | "rectified" | "annulled" | "spent";
  /** Gross taken, positive, by rate as the shop has it (surcharge included). */
  readonly taken: readonly RateAmount[];
  /** The generation of the corrected invoice; absent for the first. */
  readonly generation?: number;
  /** The status of the order at that moment, if it was marked as cancelled. */
  readonly cancelledStatus?: string;
}

export interface RateAmount {
  readonly rate: Decimal;
  readonly gross: Decimal;
}

/** The owner's answers about this order. */
export interface OwnerAnswers {
  readonly profileId?: string;
  /** Members that replace those of the client. */
  readonly recipient?: ClientFacts;
  /** The destination of the sale. */
  readonly country?: string;
  readonly exchangeRate?: { readonly rate: Decimal; readonly date: CivilDate };
  /** From before the cutoff. */
  readonly released: boolean;
  /** A sale indeed, although the shop calls it a trial. */
  readonly testReleased?: true;
  /** The owner's approval: for review mode and holding tags. */
  readonly approved: boolean;
  /** No first invoice is ever made of it. */
  readonly dismissed: boolean;
  /** Reasons after the invoice that the owner has settled, each about one thing. */
  readonly dismissals: readonly Dismissal[];
  readonly treatments: Readonly<Record<string, Treatment>>;
  readonly sales: Partial<Omit<SalesSettings, "treatments">>;
  /** Rates of the one-stop shop; also kept for the account. */
  readonly keptRates?: readonly KeptRate[];
  /** By `discountName`. */
  readonly discounts: Readonly<Record<string, "discount" | "payment">>;
  /** The fingerprint of the facts with which the lines override the shop's tax totals. */
  readonly linesCountFor?: string;
  /** Facts that the shop lacks or contradicts, each in one sale: the order counts as it was sent. */
  readonly factsReleased?: readonly string[];
  /** Tax rates of lines whose rate the shop does not have, by the subject of their reason. */
  readonly taxRates?: Readonly<Record<string, Decimal>>;
  /** Events that look repeated and are others. */
  readonly distinctEvents: readonly string[];
  /** The amount per rate of an event without lines; positive. */
  readonly eventShares: Readonly<Record<string, readonly RateAmount[]>>;
  /** Events of type `void` after which there was no sale indeed. */
  readonly confirmedVoids: readonly string[];
  readonly fullInvoice: boolean;
  /** Questions that only an answer about this order settles, never a setting. */
  readonly apart?: readonly Question[];
  /** A new invoice of an order that was cancelled and came back. */
  readonly reissue?: Reissue;
  /** The owner's own corrections without the shop; they follow every event of the shop. */
  readonly events: readonly CorrectionEvent[];
}

export interface Reissue {
  readonly generation: number;
  /** Ids of earlier cancellations and voids: they belong to earlier invoices. */
  readonly over: readonly string[];
}

export interface Dismissal {
  readonly code: ReasonCode;
  readonly about: string;
}

export const NO_ANSWERS: OwnerAnswers = {
  released: false,
  approved: false,
  dismissed: false,
  dismissals: [],
  treatments: {},
  sales: {},
  discounts: {},
  distinctEvents: [],
  eventShares: {},
  confirmedVoids: [],
  fullInvoice: false,
  events: [],
};

export const NO_HISTORY: OrderHistory = { generation: 1, rectifications: [], acted: [] };
