import type { IssueDraft } from "../invoice/decide-issue.ts";
import type { Payment } from "../invoice/document.ts";
import type { CivilDate } from "../shared/civil-date.ts";
import type { ActedEvent } from "./context.ts";
import type { EffectOrigin } from "./order-origin.ts";
import type { OrderWarning, Reason } from "./reasons.ts";

export const ORDER_STATES = [
  "stored",
  "deferred",
  "before_cutoff",
  "store_not_selected",
  "held",
  "invoiced",
  "partially_rectified",
  "rectified",
  "cancelled",
] as const;
export type OrderState = (typeof ORDER_STATES)[number];

/** What becomes of an order, as it is once the effects have been carried out. */
export interface OrderDecision {
  readonly state: OrderState;
  readonly reasons: readonly Reason[];
  readonly warnings: readonly OrderWarning[];
  /** In the order in which they are numbered. */
  readonly effects: readonly OrderEffect[];
  /** Cancellations of the shop that found nothing left to take back: they have been told all the same. */
  readonly spent: readonly ActedEvent[];
  /** The row that releases the order by itself. */
  readonly waitsForRate?: { readonly day: CivilDate; readonly currency: string };
  /** The last day on which the invoice is in time. */
  readonly dueDate: CivilDate;
  /** A later effect cites what these ones number: decide again once they are in the books. */
  readonly again: boolean;
}

export type OrderEffect =
  | {
      readonly effect: "issue";
      readonly origin: EffectOrigin;
      /** The series is this stem with the suffix of the document. */
      readonly stem: string;
      readonly draft: IssueDraft;
      /** Printed below the total, as what is left to pay. */
      readonly payments: readonly Payment[];
      readonly acted: readonly ActedEvent[];
      /** Of the facts that the first invoice of a generation was made from. */
      readonly soldFingerprint?: string;
    }
  | {
      readonly effect: "annul";
      readonly invoiceId: string;
      readonly acted: readonly ActedEvent[];
    };
