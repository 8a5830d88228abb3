import type { Destination } from "../../domain/billing/destinations.ts";
import type { ShopRefusal } from "../../domain/connection/shop-gate.ts";
import type { InvoiceDocument } from "../../domain/invoice/document.ts";
import type { Refusal } from "../../domain/invoice/refusal.ts";
import type { AnswerRefusal } from "../../domain/order/answers/refusals.ts";
import type { RefusedAnswer } from "../../domain/order/answers/table.ts";
import type { OrderState } from "../../domain/order/decision.ts";
import type { ClientFacts } from "../../domain/order/facts.ts";
import type { SentOrder } from "../../domain/order/normalize-sent.ts";
import type { OrderView } from "../../domain/order/order-view.ts";
import type { Outlook } from "../../domain/order/outlook.ts";
import type { OrderWarning, Reason } from "../../domain/order/reasons.ts";
import type { CivilDate } from "../../domain/shared/civil-date.ts";
import type { Decimal } from "../../domain/shared/decimal.ts";
import type { Tax } from "../../domain/verifactu/aeat-lists.ts";
import type { GateRefusal } from "../core/outcomes.ts";

export interface OrderSubmission {
  readonly sent: SentOrder;
  /** The body whole, unknown members included, as JSON: it is kept with the order. */
  readonly asSent: string;
  /** What would happen, and nothing of it is stored. */
  readonly preview: boolean;
}

export type OrderRefusal = ShopRefusal | Refusal<"order_erased" | "document_too_large">;

export type UnknownOrder = { readonly outcome: "refused"; readonly refusal: Refusal<"order_not_found"> };

/** Of what an owner does to one order. */
export type AnswerOutcome =
  | OrderOutcome
  | UnknownOrder
  | { readonly outcome: "refused"; readonly refusal: AnswerRefusal };

/** Of what an owner only looks at. */
export type PreviewOutcome =
  | { readonly outcome: "previewed"; readonly preview: OrderPreview }
  | UnknownOrder
  | { readonly outcome: "refused"; readonly refusal: Refusal<"document_too_large"> }
  | GateRefusal;

/** What would become of an order with some answers more; nothing of it is stored. */
export interface OrderPreview {
  /** As it stands today, without these answers. */
  readonly before: { readonly state: OrderState; readonly reasons: readonly Reason[] };
  readonly state: OrderState;
  readonly reasons: readonly Reason[];
  readonly warnings: readonly OrderWarning[];
  /** Answers that do not fit: what they would change is left out. */
  readonly refusals: readonly RefusedAnswer[];
  /** What would be issued, with the numbers of this moment. */
  readonly drafts: readonly DraftInvoice[];
  /** Numbers of invoices that would be annulled. */
  readonly annulled: readonly string[];
  /** What is known of the first invoice, also while the order waits. */
  readonly outlook?: NumberedOutlook;
  readonly choices: AnswerChoices;
}

export type NumberedOutlook = Outlook & { readonly fullNumber?: string };

export interface DraftInvoice {
  readonly kind: "invoice" | "rectification" | "replacement";
  readonly fullNumber: string;
  readonly issueDate: string;
  readonly document: InvoiceDocument;
}

/** What an owner can choose from. */
export interface AnswerChoices {
  readonly today: CivilDate;
  /** Whose series and settings it goes by; undefined for the connection's own. */
  readonly profileId?: string;
  /** Those that may be assigned: where one takes the order by itself, no other. */
  readonly profiles: readonly { readonly id: string; readonly name: string }[];
  /** Of sales that leave the territory: which of the declarations speaks of this one. */
  readonly destination?: Destination;
  readonly tax: Tax;
  readonly rates: readonly Decimal[];
  /** As the shop sent it, with what was entered. */
  readonly client: ClientFacts;
  readonly events: readonly EventChoice[];
  /** Of the invoice that corrections act on. */
  readonly invoicedRates: readonly Decimal[];
}

export interface EventChoice {
  readonly id: string;
  readonly about: string;
  readonly amount?: Decimal;
}

export interface OrderOutcomes {
  readonly submit: OrderOutcome;
  readonly again: AnswerOutcome;
  readonly answer: AnswerOutcome;
  readonly together: AnswerOutcome;
  readonly preview: PreviewOutcome;
}

/** The outcome of an instruction, with its kind, so that a call recognises its own. */
export type DecidedOrder = {
  readonly [Kind in keyof OrderOutcomes]: { readonly kind: Kind; readonly outcome: OrderOutcomes[Kind] };
}[keyof OrderOutcomes];

export type OrderOutcome =
  | {
      readonly outcome: "taken";
      readonly order: OrderView;
      /** Whether the connection did not know the order before. */
      readonly created: boolean;
    }
  | { readonly outcome: "refused"; readonly refusal: OrderRefusal }
  | GateRefusal;

export type ReadOrderOutcome =
  | { readonly outcome: "found"; readonly order: OrderView }
  | { readonly outcome: "unknown" }
  | { readonly outcome: "refused"; readonly refusal: ShopRefusal }
  | GateRefusal;
