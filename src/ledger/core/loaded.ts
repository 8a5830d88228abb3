import {
  type AdmissionFacts,
  type CommitResult,
  type InvoiceLookup,
  type InvoicesFound,
  type LedgerState,
  type LoadRequest,
  type LoadResult,
  NO_ORDERS,
  NO_SHOPFRONT,
  type OrdersRead,
  type ShopStatus,
} from "../../db/ledger-state.ts";
import { UNGUIDED } from "../../domain/connection/setup.ts";
import { Unavailable } from "./unavailable.ts";

export interface Loaded {
  readonly admission: AdmissionFacts;
  readonly books: LedgerState | undefined;
  readonly found: Found;
}

export type Found = OrdersRead & InvoicesFound;

/** `lost`: no answer came. The batch is now certainly in what was read, or will never be committed. */
export type Lost = { readonly result: "lost"; readonly found: Found };
export type SettledCommit = { readonly result: CommitResult } | Lost;

export interface InvoiceReading extends Pick<InvoicesFound, "invoices"> {
  readonly admission: AdmissionFacts;
}

export interface OrderReading {
  readonly admission: AdmissionFacts;
  readonly found: OrdersRead;
}

export interface StandingReading {
  readonly admission: AdmissionFacts;
  /** Undefined if the connection was never opened. */
  readonly standing: ShopStatus | undefined;
}

/** A connection that was never opened has no key, so that no call is admitted. */
const NOBODY: AdmissionFacts = {
  keyHashes: [],
  rateLimit: 0,
  sendsTests: false,
  connectionKind: "",
  setup: UNGUIDED,
  access: { isOn: false, epoch: 0 },
  leavingOrigins: [],
  refusedOrigins: [],
};

const NOTHING_FOUND: Found = {
  orders: [],
  erased: [],
  retiredOrigins: [],
  numbered: [],
  invoices: [],
  rates: [],
  statuses: {},
  issued: [],
  shopfront: NO_SHOPFRONT,
};

/** Invoices without any order. */
export function onlyInvoices(sought: InvoiceLookup): LoadRequest {
  return { ...sought, orders: NO_ORDERS };
}

export function loadedOf(loaded: LoadResult): Loaded {
  if (loaded.result === "frozen") throw Unavailable.frozen();
  if (loaded.result !== "loaded") return { admission: NOBODY, books: undefined, found: NOTHING_FOUND };
  const { result: _, books, ...found } = loaded;
  return { admission: books.admission, books, found };
}
