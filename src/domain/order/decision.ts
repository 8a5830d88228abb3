import type { IssueDraft } from "../invoice/decide-issue.ts";
import type { Collected } from "../invoice/document.ts";
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

/** The decision on an order, as it is after its effects. */
export interface OrderDecision {
  readonly state: OrderState;
  readonly reasons: readonly Reason[];
  readonly warnings: readonly OrderWarning[];
  /** In the order in which they are numbered. */
  readonly effects: readonly OrderEffect[];
  /** Events without anything left to take back; they count as handled. */
  readonly handled: readonly ActedEvent[];
  /** The rate that releases the order when it arrives. */
  readonly waitsForRate?: { readonly day: CivilDate; readonly currency: string };
  /** The last day on which the invoice is in time. */
  readonly dueDate: CivilDate;
  /** A later effect cites the numbers of these, so the order is decided again after them. */
  readonly redecide: boolean;
}

export type OrderEffect =
  | {
      readonly effect: "issue";
      readonly origin: EffectOrigin;
      /** The series is this stem with the suffix of the document. */
      readonly stem: string;
      readonly draft: IssueDraft;
      /** Printed: the order is not paid in full. */
      readonly collected?: Collected;
      readonly acted: readonly ActedEvent[];
      /** The fingerprint of the facts of a generation's first invoice. */
      readonly soldFingerprint?: string;
    }
  | {
      readonly effect: "annul";
      readonly invoiceId: string;
      readonly acted: readonly ActedEvent[];
    };
