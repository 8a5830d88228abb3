import type { ShopRefusal } from "../../domain/connection/shop-gate.ts";
import type { AccessRefusal, CustomerAccess, FrameRequest, Framing } from "../../domain/viewer/access.ts";
import type { OrderDocuments } from "../../ledger/access/order-documents.ts";
import type { GateRefusal } from "../../ledger/core/outcomes.ts";

/** Which of some orders have a document to show. */
export type AvailabilityOutcome =
  | { readonly outcome: "found"; readonly available: readonly string[] }
  | { readonly outcome: "refused"; readonly refusal: ShopRefusal }
  | GateRefusal;

export interface AccessRequest extends FrameRequest {
  readonly idExternal: string;
}

type AccessRefused =
  | { readonly outcome: "refused"; readonly refusal: ShopRefusal | AccessRefusal }
  | GateRefusal;

/** Whether customers of the connection may look at all. */
export type AdmissionOutcome = { readonly outcome: "admitted" } | AccessRefused;

export type AccessOutcome =
  | {
      readonly outcome: "available";
      readonly epoch: number;
      readonly framing: Framing;
      readonly documents: OrderDocuments;
    }
  | { readonly outcome: "not_available" }
  | AccessRefused;

/** What the holder of a genuine token asks the connection's object. */
export interface Viewing {
  readonly connectionId: string;
  readonly epoch: number;
  readonly idExternal: string;
  /** Whether the documents are asked for, too; unasked they come along only where they cost no trip. */
  readonly withDocuments: boolean;
}

export type ViewingOutcome =
  | { readonly outcome: "open"; readonly documents?: OrderDocuments }
  /** Switched off since, or of an order that has nothing to show. */
  | { readonly outcome: "closed" }
  | Extract<GateRefusal, { readonly outcome: "unavailable" | "failed" }>;

/** Whether a token of that epoch still shows something. Without a living key nobody minted it. */
export function isViewable(
  gate: { readonly keyHashes: readonly string[]; readonly access: CustomerAccess },
  epoch: number,
): boolean {
  return gate.access.isOn && gate.access.epoch === epoch && gate.keyHashes.length > 0;
}

/**
 * The documents of viewer URLs, so that looking at them needs no database: a cache, which may miss and fail.
 * What is kept can be read only with the token that it is kept for.
 */
export interface SnapshotStore {
  /** Undefined for a miss. */
  read(token: string): Promise<OrderDocuments | undefined>;
  keep(token: string, documents: OrderDocuments): Promise<void>;
  /** A file made of them, under a name that tells apart everything that it was made of. */
  readFile(token: string, name: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
  keepFile(token: string, name: string, file: KeptFile): Promise<void>;
}

export interface KeptFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** As long as the link is good. */
  readonly ttlSeconds: number;
}
