import type { Profile, SalesSettings, Treatment } from "../billing/sales-settings.ts";
import type { RateLookup } from "../exchange/ecb-currencies.ts";
import type { InvoiceDocument } from "../invoice/document.ts";
import type { RectifiableInvoice } from "../invoice/rectifiable.ts";
import type { IssuingSettings } from "../invoice/settings.ts";
import type { KeptRate } from "../place/kept-rates.ts";
import type { CivilDate } from "../shared/civil-date.ts";
import type { Decimal } from "../shared/decimal.ts";
import type { ClientFacts, CorrectionEvent, OrderFacts } from "./facts.ts";
import type { ReasonCode } from "./reasons.ts";

/** Everything that an order is decided from. */
export interface OrderContext {
  /** The order as sold, with every event that was ever received for it. */
  readonly facts: OrderFacts;
  /** Its `consented` says whether the consent of the connection stands. */
  readonly issuer: IssuingSettings;
  readonly settings: OrderSettings;
  readonly history: OrderHistory;
  readonly answers: OwnerAnswers;
  readonly rateOn: (day: CivilDate, currency: string) => RateLookup;
  /** Issue date of whatever is issued now. */
  readonly today: CivilDate;
}

export interface OrderSettings {
  readonly connectionName: string;
  /** With none, `sales` and `stem` are those of every order. */
  readonly profiles: readonly Profile[];
  readonly sales: SalesSettings;
  readonly stem: string;
  readonly tagRules: readonly TagRule[];
  /** Of the account: rates of the one-stop shop that the table does not have. */
  readonly keptRates: readonly KeptRate[];
  /** By the id that the connector gave them. */
  readonly statuses: Readonly<Record<string, { readonly name: string; readonly cancelled: boolean }>>;
  readonly cutoffDate: CivilDate;
  /** Null where the selection is not managed here. */
  readonly selectedStores: "all" | readonly string[] | null;
}

export interface TagRule {
  readonly tag: string;
  readonly action: "hold" | "ignore";
}

/** An invoice of the order with what its corrections need of it. */
export interface IssuedForOrder {
  readonly rectifiable: RectifiableInvoice;
  readonly document: InvoiceDocument;
  /** Of the profile that it was numbered under: its corrections stay in that family of series. */
  readonly stem: string;
}

export interface OrderHistory {
  /** Which invoice of the order it is about: 1, and one more each time that it is invoiced anew. */
  readonly generation: number;
  /** The first invoice of the generation before. */
  readonly earlier?: IssuedForOrder;
  /** The first invoice, also when it was annulled or replaced since. */
  readonly invoice?: IssuedForOrder;
  /** The full invoice that took the place of the simplified one. */
  readonly replacement?: IssuedForOrder;
  /** Oldest first. */
  readonly rectifications: readonly IssuedForOrder[];
  /** Full invoices of rectifications of a replaced ticket, also when they were annulled since. */
  readonly followUps?: readonly IssuedForOrder[];
  /** Of every generation. */
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
  /** Netted into the first invoice, by a rectification of its own, by annulling, or finding nothing left. */
  readonly how: "netted" | "rectified" | "annulled" | "spent";
  /** Gross taken, positive, by rate as the shop has it (surcharge included). */
  readonly taken: readonly RateAmount[];
  /** Of the invoice that it acted on; absent for the first. */
  readonly generation?: number;
}

export interface RateAmount {
  readonly rate: Decimal;
  readonly gross: Decimal;
}

/** What the owner has said of this one order. */
export interface OwnerAnswers {
  readonly profileId?: string;
  /** Members that replace those of the client. */
  readonly recipient?: ClientFacts;
  /** Where the sale goes. */
  readonly country?: string;
  readonly exchangeRate?: { readonly rate: Decimal; readonly date: CivilDate };
  /** From before the cutoff. */
  readonly released: boolean;
  /** A sale indeed, although the shop calls it a trial. */
  readonly testReleased?: true;
  /** Seen and good: for review mode and tags that hold. */
  readonly approved: boolean;
  /** No first invoice is ever made of it. */
  readonly dismissed: boolean;
  /** Reasons after the invoice that the owner has settled, each about one thing. */
  readonly dismissals: readonly Dismissal[];
  readonly treatments: Readonly<Record<string, Treatment>>;
  readonly sales: Partial<Omit<SalesSettings, "treatments">>;
  /** Of the one-stop shop; kept for the account as well. */
  readonly keptRates?: readonly KeptRate[];
  /** By `discountName`. */
  readonly discounts: Readonly<Record<string, "discount" | "payment">>;
  /** Fingerprint of the facts of which the lines count, whatever the shop's tax totals say. */
  readonly linesCountFor?: string;
  /** Events that look repeated and are others. */
  readonly distinctEvents: readonly string[];
  /** How much of an event without lines goes to each rate; positive. */
  readonly eventShares: Readonly<Record<string, readonly RateAmount[]>>;
  /** Events of type `void` after which there was no sale indeed. */
  readonly confirmedVoids: readonly string[];
  readonly fullInvoice: boolean;
  /** A new invoice of an order that was cancelled and came back. */
  readonly reissue?: Reissue;
  /** What the owner did to the invoice without the shop; after every event of the shop. */
  readonly events: readonly CorrectionEvent[];
}

export interface Reissue {
  readonly generation: number;
  /** Ids of the cancellations and voids told before it: they were of the invoices before. */
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
