import type { ShopWork } from "../../db/shops/work-store.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { BackfillOutlook, BackfillWould } from "../../domain/shop/backfill.ts";
import type { ShopDocuments } from "../../domain/shop/documents.ts";

/** An order as the shop's API answered. */
export interface Fetched {
  readonly nativeId: string;
  /** Hints that this fetch answers. */
  readonly hints: number;
  readonly at: Instant;
  /** Absent if the shop no longer has it. */
  readonly documents?: ShopDocuments;
  /** The shop hides older orders, so that of such an order its answer says nothing. */
  readonly hidesOlderThanMs?: number;
  /** It came from a search for earlier orders. */
  readonly isBackfilled?: true;
}

/**
 * `nothing`: no order of ours is concerned. `unknown`: neither the shop nor the connection has the order.
 * `later`: the ledger cannot decide now. `unreadable`: documents that make no order. `lost`: the stored
 * documents are not there.
 */
export type ShopDecision = "decided" | "nothing" | "unknown" | "later" | "unreadable" | "lost";

/** `known`: the connection has the order already. */
export type Previewed =
  | { readonly would: BackfillWould; readonly outlook: BackfillOutlook }
  | { readonly would: "known" };

/** Decisions about a shop's documents, in the connection's queue; the object provides them. */
export interface ShopOrders {
  decideFetched(fetched: Fetched, work: ShopWork): Promise<ShopDecision>;
  /** Decides the stored documents of an order again. */
  decideStored(idExternal: string, work: ShopWork): Promise<ShopDecision>;
  /** What the documents would become, by the preview of the decision: nothing is stored. */
  preview(documents: ShopDocuments, work: ShopWork): Promise<Previewed | "later">;
}
