import type { Instant } from "../../domain/shared/instant.ts";
import type { DeliveryResult } from "../../domain/shop/delivery.ts";

/** Bytes as a row keeps them, or the key of their object in R2. */
export type KeptBody = { readonly body: string } | { readonly bodyKey: string };

export interface DeliveryRow {
  readonly deliveryId: string;
  readonly topic: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly outcome: DeliveryResult;
  /** The reason why the delivery is unreadable, as JSON. */
  readonly why?: string;
  readonly orderId?: string;
  /** Absent if nothing of the body is kept. */
  readonly kept?: KeptBody;
  readonly receivedAt: Instant;
}

export interface DocumentRow {
  readonly idExternal: string;
  readonly status?: string;
  readonly kept: KeptBody;
  readonly sha256: string;
  readonly source: "posted" | "fetched";
  readonly modifiedAt?: Instant;
  readonly receivedAt: Instant;
  readonly settingsVersion: number;
  /** MissingFact list as JSON. */
  readonly missing: string;
  /** The stored documents, mapped again: their row is changed unless other documents replaced them. */
  readonly isMappedAgain?: true;
}

/** The hints that a fetch has answered; a later hint keeps its row. */
export interface EndedFetch {
  readonly nativeId: string;
  readonly hints: number;
  readonly at: Instant;
}

/** The rows that stand in the same batch as the order of a delivery or a fetch. */
export interface ShopWrite {
  /** The access that it began under: nothing of it counts under another one. */
  readonly access: string;
  readonly delivery?: DeliveryRow;
  readonly document?: DocumentRow;
  readonly fetched?: EndedFetch;
}

/** Why an order is to be fetched. */
export type FetchBecause = "delivery" | "reconcile" | "owner" | "backfill";

export interface FetchHint {
  /** The access under which the order may be fetched. */
  readonly access: string;
  readonly nativeId: string;
  readonly because: FetchBecause;
  readonly dueAt: Instant;
}
