import type { ShopRefusal } from "../../domain/connection/shop-gate.ts";
import type { Refusal } from "../../domain/invoice/refusal.ts";
import type { AnswerRefusal } from "../../domain/order/answers/refusals.ts";
import type { SentOrder } from "../../domain/order/normalize-sent.ts";
import type { OrderView } from "../../domain/order/order-view.ts";
import type { GateRefusal } from "../core/outcomes.ts";
import type { OrderPreview } from "./preview-order.ts";

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
