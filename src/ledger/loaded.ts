import { UNGUIDED } from "../domain/connection/setup.ts";
import type { Books, Gate, LoadResult, StoredInvoice } from "../usecases/ports.ts";
import { Unavailable } from "./unavailable.ts";

export interface Loaded {
  readonly gate: Gate;
  readonly books: Books | undefined;
  readonly invoices: readonly StoredInvoice[];
}

/** The gate of a connection that nobody opened: no key, so it admits nobody. */
const NOBODY: Gate = { keyHashes: [], rateLimit: 0, connectionKind: "", setup: UNGUIDED };

export function loadedOf(loaded: LoadResult): Loaded {
  if (loaded.result === "frozen") throw new Unavailable("account_frozen");
  if (loaded.result === "loaded") return { ...loaded, gate: loaded.books.gate };
  return { gate: NOBODY, books: undefined, invoices: [] };
}
