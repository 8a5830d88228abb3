import type { Profile } from "../../domain/billing/sales-settings.ts";
import type { ReasonCode } from "../../domain/order/reasons.ts";
import type { CivilDate } from "../../domain/shared/civil-date.ts";
import type { OrderListed, PageAsked, PageRead } from "./order-list-ports.ts";

/** What was due first comes first. */
export interface ReviewKey {
  readonly dueDate: string;
  readonly connectionId: string;
  readonly idExternal: string;
}

export interface ReviewFilter {
  readonly connectionId?: string;
  /** The reason that the order stands under: the first of its reasons. */
  readonly reason?: ReasonCode;
}

/** No count goes further: a badge need not know more. */
export const MOST_COUNTED = 1_000;

export interface ReviewCount {
  readonly waiting: number;
  /** Whose day has passed. */
  readonly overdue: number;
}

/** How many orders wait for the same reason, by what decides which profile takes them. */
export interface AlikeOrders {
  readonly channel?: string;
  readonly storeId?: string;
  readonly assignedProfileId?: string;
  readonly orders: number;
}

export interface AlikeAsked {
  readonly connectionId: string;
  readonly code: ReasonCode;
  /** Of an amount, its code. */
  readonly about?: string;
  /** Not counted. */
  readonly except: string;
}

export interface ReviewReads {
  queue(accountId: string, filter: ReviewFilter, page: PageAsked<ReviewKey>): Promise<PageRead<OrderListed>>;
  count(accountId: string, today: CivilDate): Promise<ReviewCount>;
  /** By the reason that orders stand under. */
  groups(
    accountId: string,
    connectionId: string | undefined,
  ): Promise<readonly { readonly code: ReasonCode; readonly orders: number }[]>;
  /** How many stand before that place. */
  placeOf(accountId: string, filter: ReviewFilter, key: ReviewKey): Promise<number>;
  /** Of those that have waited longest. */
  alike(
    accountId: string,
    asked: AlikeAsked,
  ): Promise<{ readonly waiting: readonly AlikeOrders[]; readonly profiles: readonly Profile[] }>;
}
