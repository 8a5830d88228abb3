import type { CivilDate } from "../domain/shared/civil-date.ts";
import type { ErasedOrder } from "./order-state.ts";

/** Whose data are to go: those of one order, or of a customer with all of their orders. */
export type ErasureAsked = { readonly orderId: string } | { readonly clientId: string };

export interface ErasureReading {
  /** Whether the shop told of the customer beside their orders. */
  readonly isClientKnown: boolean;
  /** Those without an invoice first. */
  readonly orders: readonly OrderToErase[];
  /** More of them can go than are looked at together. */
  readonly hasMore: boolean;
  /** The order that was asked for is gone already. */
  readonly erased?: ErasedOrder;
}

export interface OrderToErase {
  readonly idExternal: string;
  readonly reference?: string;
  /** What was issued for it; such an order stays. */
  readonly invoices: readonly {
    readonly number: string;
    readonly issueDate: CivilDate;
    readonly hasOneStopShop: boolean;
  }[];
}

/** Reads of what may be erased of one connection. */
export interface ErasureReads {
  read(connectionId: string, asked: ErasureAsked): Promise<ErasureReading>;
}
