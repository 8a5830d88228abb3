import type { StoredInvoice } from "../../db/ledger-state.ts";
import type { StoredOrder } from "../../db/order-state.ts";
import type { Instant } from "../../domain/shared/instant.ts";

/** One order with everything that happened to it. */
export interface OrderRead {
  readonly order: StoredOrder;
  readonly connection: string;
  readonly store?: string;
  readonly createdAt: Instant;
  readonly changedAt: Instant;
  readonly invoices: readonly StoredInvoice[];
  /** What owners did to it, oldest first. */
  readonly deeds: readonly OrderDeed[];
  readonly hasMoreDeeds: boolean;
}

export interface OrderDeed {
  readonly at: Instant;
  readonly userId: string;
  readonly verb: string;
  readonly facts: Readonly<Record<string, string>>;
}

export interface OrderDetailReads {
  read(accountId: string, connectionId: string, idExternal: string): Promise<OrderRead | undefined>;
  /** The newest body, as its connector sent it. */
  sent(accountId: string, connectionId: string, idExternal: string): Promise<string | undefined>;
}
