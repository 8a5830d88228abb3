import type { OrderState } from "../../domain/order/decision.ts";
import type { Reason } from "../../domain/order/reasons.ts";
import type { Instant } from "../../domain/shared/instant.ts";

/** How many rows a page of the console has. */
export const PAGE = 25;

/** An order as lists show it: read out of its row, never its whole facts. */
export interface OrderListed {
  readonly connectionId: string;
  readonly connection: string;
  readonly idExternal: string;
  readonly reference?: string;
  readonly orderedAt: Instant;
  readonly dueDate: string;
  /** The shop by its name, or by its id where it has told none. */
  readonly store?: string;
  readonly customer?: string;
  readonly total: string;
  readonly currency: string;
  readonly state: OrderState;
  /** The first of its reasons, and how many more there are. */
  readonly reason?: Reason;
  readonly moreReasons: number;
  /** Oldest first, the first of many. */
  readonly documents: readonly ListedDocument[];
  readonly hasMoreDocuments: boolean;
}

export interface ListedDocument {
  readonly id: string;
  readonly fullNumber: string;
  readonly test?: true;
}

/** A page of a list that is ordered by these values of its rows. */
export interface PageAsked<Key> {
  readonly limit: number;
  /** The page behind this row, or the one before it; the first where there is none. */
  readonly from?: { readonly way: "after" | "before"; readonly key: Key };
}

export interface PageRead<Row> {
  /** In the order of the list, whichever way was gone. */
  readonly rows: readonly Row[];
  /** Whether there are more in the way that was gone. */
  readonly hasMore: boolean;
}

/** Newest first. */
export interface OrderKey {
  readonly orderedAt: Instant;
  readonly connectionId: string;
  readonly idExternal: string;
}

export interface OrdersFilter {
  readonly connectionId?: string;
  readonly states: readonly OrderState[];
  readonly storeId?: string;
  /** From the first moment to the last, that one left out. */
  readonly between?: { readonly from: Instant; readonly to: Instant };
}

export interface StoreListed {
  readonly connectionId: string;
  readonly storeId: string;
  readonly name?: string;
}

/** Of one state, so many; of more than can be counted in no time, that there are more. */
export interface OrdersCounted {
  readonly state: OrderState;
  readonly orders: number;
  readonly hasMore: boolean;
}

export interface OrderListReads {
  /** What the filter leaves, by state; states that there are none of are left out. */
  count(accountId: string, filter: OrdersFilter): Promise<readonly OrdersCounted[]>;
  list(accountId: string, filter: OrdersFilter, page: PageAsked<OrderKey>): Promise<PageRead<OrderListed>>;
  /** Orders whose id or reference begins so; those that are it whole first. */
  find(accountId: string, text: string, limit: number): Promise<readonly OrderListed[]>;
  /** What can be chosen from: connections that take orders, and their shops. */
  /** Shops of one connection, or the first of all. */
  places(
    accountId: string,
    connectionId?: string,
  ): Promise<{
    readonly connections: readonly { readonly id: string; readonly name: string }[];
    readonly stores: readonly StoreListed[];
  }>;
}
