import type { CivilDate } from "../domain/shared/civil-date.ts";
import type { ErasedOrder } from "./order-state.ts";

/** The data to erase: one order, or a customer with all orders. */
export type ErasureQuery = { readonly orderId: string } | { readonly clientId: string };

export interface ErasureReading {
  /** True if the shop has reported the customer separately from the orders. */
  readonly isClientKnown: boolean;
  /** Orders without an invoice come first. */
  readonly orders: readonly OrderToErase[];
  /** More of them can go than are looked at together. */
  readonly hasMore: boolean;
  /** The requested order is erased already. */
  readonly erased?: ErasedOrder;
}

export interface OrderToErase {
  readonly idExternal: string;
  readonly reference?: string;
  /** Issued invoices of the order; such an order is kept. */
  readonly invoices: readonly {
    readonly number: string;
    readonly issueDate: CivilDate;
    readonly hasOneStopShop: boolean;
  }[];
}

/** Reads of the erasable data of one connection. */
export interface ErasureReads {
  read(connectionId: string, asked: ErasureQuery): Promise<ErasureReading>;
}
