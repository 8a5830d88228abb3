import { UNGUIDED } from "../domain/connection/setup.ts";
import type { Books, CommitResult, Gate, LoadResult, StoredInvoice } from "../usecases/ports.ts";
import type { ShopStanding } from "../usecases/shop-ports.ts";
import { Unavailable } from "./unavailable.ts";

export interface Loaded {
  readonly gate: Gate;
  readonly books: Books | undefined;
  readonly invoices: readonly StoredInvoice[];
}

/** `lost`: no answer came, and now it is certain that the batch is in what was read or never will be. */
export type Lost = { readonly result: "lost"; readonly invoices: readonly StoredInvoice[] };
export type SettledCommit = { readonly result: CommitResult } | Lost;

export interface InvoiceReading {
  readonly gate: Gate;
  readonly invoices: readonly StoredInvoice[];
}

export interface StandingReading {
  readonly gate: Gate;
  /** Undefined where the gate admits nobody. */
  readonly standing: ShopStanding | undefined;
}

/** The gate of a connection that nobody opened: no key, so it admits nobody. */
const NOBODY: Gate = { keyHashes: [], rateLimit: 0, connectionKind: "", setup: UNGUIDED };

export function loadedOf(loaded: LoadResult): Loaded {
  if (loaded.result === "frozen") throw new Unavailable("account_frozen");
  if (loaded.result === "loaded") return { ...loaded, gate: loaded.books.gate };
  return { gate: NOBODY, books: undefined, invoices: [] };
}
