import { ORDER_STATES, type OrderState } from "../order/decision.ts";
import type { MissingFact } from "../order/facts.ts";
import type { Instant } from "../shared/instant.ts";
import type { ShopFailure } from "./fetching.ts";

/** Orders that one backfill lists, and so the most that are confirmed at once. */
export const MOST_LISTED = 10_000;

/** These make no order: an unreadable document, an order that the shop no longer has, an erased one. */
const NEVER_ORDERS = ["unreadable", "gone", "erased"] as const;

export const BACKFILL_WOULD = [...ORDER_STATES, ...NEVER_ORDERS] as const;
/** The state that an order would have, by the preview of its decision. */
export type BackfillWould = (typeof BACKFILL_WOULD)[number];

/** The states whose orders may be confirmed. The decision takes the order as the shop has it at that time. */
export const CONFIRMABLE: readonly OrderState[] = ORDER_STATES;

/** What an order of the shop would become; nothing of its customer is kept. */
export interface BackfillOutlook {
  readonly reference?: string;
  readonly orderedAt?: Instant;
  readonly status?: string;
  readonly total?: string;
  readonly currency?: string;
  /** Codes. */
  readonly reasons: readonly string[];
  readonly warnings: readonly string[];
  readonly missing: readonly MissingFact[];
  readonly invoices: readonly OutlookInvoice[];
  /** Why the shop gave no document. */
  readonly failure?: string;
}

export interface OutlookInvoice {
  readonly kind: string;
  readonly invoiceType: string;
  readonly series: string;
  readonly issueDate: string;
  readonly total: string;
  readonly currency: string;
}

export const NO_OUTLOOK: BackfillOutlook = { reasons: [], warnings: [], missing: [], invoices: [] };

export type BackfillState = "listing" | "listed" | "confirmed" | "done";

/** The row of a search. */
export interface Backfill {
  readonly state: BackfillState;
  /** A civil day in the issuer's zone. */
  readonly since: string;
  /** Where the next page begins. */
  readonly page?: string;
  readonly isListed: boolean;
  readonly hasMore: boolean;
  /** Identifies the search: the next one has another time. */
  readonly begunAt: Instant;
  readonly dueAt?: Instant;
  readonly failure?: string;
  readonly attempts: number;
}

/** The search as a run reads it: what the run writes counts only under the same access to the shop. */
export interface RunningBackfill extends Backfill {
  readonly access: string;
}

/** Which orders of the list the owner confirms. */
export type Confirmed =
  | { readonly all: true }
  | { readonly would: readonly OrderState[] }
  | { readonly orders: readonly string[] };

/** Orders whose fetch is under way at once: few, so that a delivery of today waits behind few. */
export const UNDER_WAY = 10;
/** With so many failing, no further order is asked for until some have succeeded. */
export const MOST_FAILING = 30;

/**
 * Attempts after which a confirmed order is given up, by the failure of its document. A document that makes
 * no order is tried once a day. Failures of the whole shop are no reason: it may be down for days.
 */
export const GIVEN_UP: Readonly<Record<string, number>> = {
  ...{ unreadable: 2, too_large: 2, unexpected: 6 },
} satisfies Partial<Record<ShopFailure | "unreadable", number>>;

/** An order that the shop fails to give is passed over if it gives others, or after so many failed steps. */
const PASSED_OVER_AFTER = 3;
const GIVEN_UP_AFTER = 6;

export function isPassedOver(attempts: number, othersSucceeded: boolean): boolean {
  return attempts >= GIVEN_UP_AFTER || (othersSucceeded && attempts >= PASSED_OVER_AFTER);
}
