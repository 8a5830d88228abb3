import type { OrdersFound, OrdersQuery } from "../../db/ledger-state.ts";
import type { ChangePlace } from "../../db/orders/changed-orders.ts";
import type { ShopWrite } from "../../db/shops/shop-write.ts";
import type { Destination } from "../../domain/billing/sales-settings.ts";
import type { ShopRefusal } from "../../domain/connection/setup.ts";
import { type RateKey, referenceDay } from "../../domain/exchange/reference-rate.ts";
import type { InvoiceDocument, TaxGroup, Totals } from "../../domain/invoice/document.ts";
import type { RecordState } from "../../domain/invoice/invoice-view.ts";
import type { Refusal } from "../../domain/invoice/refusal.ts";
import type { AnswerRefusal } from "../../domain/order/answers/answer.ts";
import type { OrderAnswer, RefusedAnswer } from "../../domain/order/answers/table.ts";
import type { Outlook } from "../../domain/order/decide-first.ts";
import type { OrderState } from "../../domain/order/decision.ts";
import type { ClientFacts } from "../../domain/order/facts.ts";
import { type NormalizedOrder, normalizeOrder } from "../../domain/order/normalize-order.ts";
import type { Question } from "../../domain/order/question.ts";
import type { OrderWarning, Reason } from "../../domain/order/reasons.ts";
import type { SentEvents, SentOrder } from "../../domain/order/sent-order.ts";
import type { CivilDate } from "../../domain/shared/civil-date.ts";
import type { Decimal } from "../../domain/shared/decimal.ts";
import { sha256Hex } from "../../domain/shared/hash.ts";
import type { Instant, TimeZone } from "../../domain/shared/instant.ts";
import type { Tax } from "../../domain/verifactu/aeat-lists.ts";
import type { GateRefusal } from "../core/outcomes.ts";
import type { LinesOutcome, LinesRequest } from "../corrections/lines-outcomes.ts";

export interface OrderSubmission {
  readonly sent: SentOrder;
  /** The whole body as JSON, with unknown members: it is kept with the order. */
  readonly asSent: string;
  /** Only computes what would happen; nothing is stored. */
  readonly preview: boolean;
}

/** Events of an order that the connection knows. */
export interface EventSubmission {
  readonly sent: SentEvents;
  readonly preview: boolean;
}

type OrderRefusal = ShopRefusal | Refusal<"order_erased" | "document_too_large">;

export type UnknownOrder = { readonly outcome: "refused"; readonly refusal: Refusal<"order_not_found"> };

export type EventsOutcome = OrderOutcome | UnknownOrder;

/** The outcome of an owner's change to one order. */
export type AnswerOutcome =
  | OrderOutcome
  | UnknownOrder
  | { readonly outcome: "refused"; readonly refusal: AnswerRefusal };

/** The outcome of an owner's preview. */
export type PreviewOutcome =
  | { readonly outcome: "previewed"; readonly preview: OrderPreview }
  | UnknownOrder
  | { readonly outcome: "refused"; readonly refusal: Refusal<"document_too_large"> }
  | GateRefusal;

/** The order as it would be with some more answers; nothing of it is stored. */
export interface OrderPreview {
  /** The order today, without these answers. */
  readonly before: { readonly state: OrderState; readonly reasons: readonly Reason[] };
  readonly state: OrderState;
  readonly reasons: readonly Reason[];
  readonly warnings: readonly OrderWarning[];
  /** Answers that do not fit: their changes are left out. */
  readonly refusals: readonly RefusedAnswer[];
  /** The invoices that would be issued, with the numbers of this moment. */
  readonly drafts: readonly DraftInvoice[];
  /** Numbers of invoices that would be annulled. */
  readonly annulled: readonly string[];
  /** The known facts of the first invoice, even while the order waits. */
  readonly outlook?: NumberedOutlook;
  readonly choices: AnswerChoices;
  /** The user of each event that was made in the console. */
  readonly madeBy: Readonly<Record<string, string>>;
}

export type NumberedOutlook = Outlook & { readonly fullNumber?: string };

export interface DraftInvoice {
  readonly kind: "invoice" | "rectification" | "replacement";
  readonly fullNumber: string;
  readonly issueDate: string;
  readonly document: InvoiceDocument;
}

/** The choices that the owner has. */
export interface AnswerChoices {
  readonly today: CivilDate;
  /** The profile that gives its series and settings; undefined for the connection's own. */
  readonly profileId?: string;
  /** Profiles that may be assigned; empty where a profile takes the order automatically. */
  readonly profiles: readonly { readonly id: string; readonly name: string }[];
  /** For sales that leave the territory: the declaration that covers this sale. */
  readonly destination?: Destination;
  readonly tax: Tax;
  readonly rates: readonly Decimal[];
  /** The client as the shop sent it, with the entered corrections. */
  readonly client: ClientFacts;
  readonly events: readonly EventChoice[];
  /** Rates of the invoice that corrections act on. */
  readonly invoicedRates: readonly Decimal[];
}

interface EventChoice {
  readonly id: string;
  readonly about: string;
  readonly amount?: Decimal;
}

export interface OrderOutcomes {
  readonly submit: OrderOutcome;
  readonly events: EventsOutcome;
  readonly again: AnswerOutcome;
  readonly answer: AnswerOutcome;
  readonly together: AnswerOutcome;
  readonly preview: PreviewOutcome;
  readonly rectify: LinesOutcome;
}

/** The outcome of an instruction with its kind, so that a call recognises its own. */
export type DecidedOrder = {
  readonly [Kind in keyof OrderOutcomes]: { readonly kind: Kind; readonly outcome: OrderOutcomes[Kind] };
}[keyof OrderOutcomes];

export type OrderOutcome =
  | {
      readonly outcome: "taken";
      readonly order: OrderView;
      /** True if the connection did not know the order before. */
      readonly created: boolean;
    }
  | { readonly outcome: "refused"; readonly refusal: OrderRefusal }
  | GateRefusal;

export type ReadOrderOutcome =
  | { readonly outcome: "found"; readonly order: OrderView }
  | { readonly outcome: "unknown" }
  | { readonly outcome: "refused"; readonly refusal: ShopRefusal }
  | GateRefusal;

/** A page of orders, last changed first. */
export type OrderListOutcome =
  | {
      readonly outcome: "found";
      readonly orders: readonly OrderView[];
      /** Where the list goes on; absent at its end. */
      readonly next?: ChangePlace;
    }
  | { readonly outcome: "refused"; readonly refusal: ShopRefusal }
  | GateRefusal;

/** An instruction about one order of a connection. */
export type OrderInstruction =
  | {
      readonly kind: "submit";
      readonly submission: OrderSubmission;
      readonly requestId: string;
      /** What the order came in, written with it. */
      readonly shopWrite?: ShopWrite;
      /** It came from a search for earlier orders. */
      readonly isBackfilled?: true;
      /** Read before its turn of the queue. */
      readonly ahead?: OrderReadAhead;
    }
  | { readonly kind: "events"; readonly submission: EventSubmission; readonly requestId: string }
  /** Decides again because the declarations have changed: automatically or on the owner's request. */
  | {
      readonly kind: "again";
      readonly idExternal: string;
      readonly requestId: string;
      /** The owner who requests it; absent if automatic. */
      readonly userId?: string;
    }
  | ({ readonly kind: "answer" } & OwnerAnswering)
  | ({ readonly kind: "together" } & OwnerAnsweringTogether)
  | ({ readonly kind: "preview" } & OrderPreviewing)
  | ({ readonly kind: "rectify" } & OrderLinesRequest);

/** An owner takes back lines of an order's invoice, or annuls it. */
export type OrderLinesRequest = LinesRequest & { readonly idExternal: string };

/** What an order needs, read without a turn of the queue, so that callers wait for its batch only. */
export interface OrderReadAhead {
  readonly found: OrdersFound;
  /** `orderChanges` of the memory before the read: at another number it does not count. */
  readonly orderChanges: number;
}

export interface OwnerAnswering {
  readonly userId: string;
  readonly idExternal: string;
  readonly answer: OrderAnswer;
  readonly requestId: string;
}

/** Several answers at once: the order is decided after the last of them. */
export interface OwnerAnsweringTogether extends Omit<OwnerAnswering, "answer"> {
  readonly answers: readonly OrderAnswer[];
  /** The question whose orders are answered together; absent for an answer to this order alone. */
  readonly ofQuestion?: OfQuestion;
}

export interface OfQuestion {
  readonly jobId: string;
  readonly question: Question;
  /** When the order was written last before the owner answered: after another change it is left alone. */
  readonly changedAt: Instant;
  /** The owner left it out of a remembered answer. */
  readonly apart: boolean;
}

/** The request for a preview of these answers. */
export interface OrderPreviewing extends Omit<OwnerAnsweringTogether, "userId" | "ofQuestion"> {
  /** All orders of a question would get the answers: a dismissal is of its reason alone. */
  readonly isOfQuestion?: true;
}

/** A submission as the issuer's zone reads it. */
interface ReadSubmission extends NormalizedOrder {
  readonly sent: string;
  readonly sentSha256: string;
}

export function readSubmission({ sent, asSent }: OrderSubmission, zone: TimeZone): ReadSubmission {
  return { ...normalizeOrder(sent, zone), sent: asSent, sentSha256: sha256Hex(asSent) };
}

function orderIdOf(instruction: OrderInstruction): string {
  return "submission" in instruction ? instruction.submission.sent.idExternal : instruction.idExternal;
}

/** The rate that converts an order; undefined for an order in euros. */
export function rateKeyOf({
  currency,
  paidAt,
}: {
  readonly currency: string;
  readonly paidAt: number;
}): RateKey | undefined {
  return currency === "EUR" ? undefined : { day: referenceDay(paidAt), currency };
}

/** Everything to read for a group. What its orders need as stored comes with their rows. */
export function lookupOf(group: readonly OrderInstruction[], zones: readonly TimeZone[]): OrdersQuery {
  const received = group.flatMap((instruction) =>
    instruction.kind === "submit"
      ? zones.map((zone) => normalizeOrder(instruction.submission.sent, zone).facts)
      : [],
  );
  return {
    ids: [...new Set(group.map(orderIdOf))],
    rates: received.flatMap((facts) => rateKeyOf(facts) ?? []),
    statuses: received.flatMap(({ status }) => status ?? []),
  };
}

/** An order as its connector sees it: its state and its documents. */
export interface OrderView {
  readonly idExternal: string;
  readonly state: OrderState;
  /** Present if its documents are tests: the issuer's NIF was not proven. */
  readonly test?: true;
  /** In the order of the ladder. */
  readonly reasons: readonly Reason[];
  readonly warnings: readonly OrderWarning[];
  /** The contract version that the order's facts were read in. */
  readonly contractVersion: string;
  /** Oldest first. */
  readonly invoices: readonly OrderInvoice[];
}

export interface OrderInvoice {
  readonly kind: "invoice" | "rectification" | "replacement";
  readonly invoiceType: string;
  readonly series: string;
  readonly issueDate: string;
  readonly currency: string;
  readonly groups: readonly TaxGroup[];
  readonly totals: Totals;
  /** Absent from a preview: before it is issued, an invoice has no number. */
  readonly issued?: {
    readonly invoiceId: string;
    readonly number: number;
    readonly fullNumber: string;
    /** State of its registration or newest amendment; `cancelled` once it was annulled. */
    readonly state: RecordState | "cancelled";
  };
}
