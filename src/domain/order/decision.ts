import type { IssueDraft } from "../invoice/decide-issue.ts";
import type { Payment } from "../invoice/document.ts";
import type { CivilDate } from "../shared/civil-date.ts";
import type { ActedEvent } from "./context.ts";
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
      /** Of the facts that the first invoice was made from. */
      readonly soldFingerprint?: string;
    }
  | {
      readonly effect: "annul";
      readonly invoiceId: string;
      readonly acted: readonly ActedEvent[];
    };

export type EffectOrigin =
  | { readonly of: "order" }
  | { readonly of: "event"; readonly eventId: string }
  | { readonly of: "replacement" };

/** The origin of an invoice, unique in its connection: the database refuses a second one. */
export function originText(idExternal: string, origin: EffectOrigin): string {
  switch (origin.of) {
    case "order":
      return `order:${idExternal}`;
    case "event":
      return `event:${withoutColons(idExternal)}:${canonicalEventId(origin.eventId)}`;
    case "replacement":
      return `replacement:${idExternal}`;
  }
}

/** The order that an invoice was issued for; undefined for a direct one. */
export function orderIdOf(origin: string): string | undefined {
  const [, of, rest = ""] = /^(order|replacement|event):(.*)$/s.exec(origin) ?? [];
  return of === "event" ? withColons(rest.slice(0, rest.indexOf(":"))) : of && rest;
}

const REFUND_FORM = "refund:";

/** A refund that came in both forms, as `x` and as `refund:x`, is one event. */
export function canonicalEventId(eventId: string): string {
  return eventId.startsWith(REFUND_FORM) ? eventId.slice(REFUND_FORM.length) : eventId;
}

/** Whether the id is of an entry of `refunds`, the older form of a refund. */
export function isRefundForm(eventId: string): boolean {
  return eventId.startsWith(REFUND_FORM);
}

/** The order's id ends at the first colon, so that no two pairs of ids read alike. */
function withoutColons(id: string): string {
  return id.replaceAll("%", "%25").replaceAll(":", "%3A");
}

function withColons(id: string): string {
  return id.replaceAll("%3A", ":").replaceAll("%25", "%");
}
