import type { ShopRefusal } from "../../domain/connection/shop-gate.ts";
import type { AccessRefusal, CustomerAccess, FrameRequest, Framing } from "../../domain/viewer/access.ts";
import type { OrderDocuments } from "../../ledger/access/order-documents.ts";
import type { GateRefusal } from "../../ledger/core/outcomes.ts";

/** The given orders with a document to show. */
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

/** The result of checking if customers of the connection have access. */
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

/** The request of a genuine token to the connection's object. */
export interface Viewing {
  readonly connectionId: string;
  readonly epoch: number;
  readonly idExternal: string;
  /** True if the documents are needed; otherwise they come only if they cost no round trip. */
  readonly withDocuments: boolean;
}

export type ViewingOutcome =
  | { readonly outcome: "open"; readonly documents?: OrderDocuments }
  /** Switched off since, or of an order that has nothing to show. */
  | { readonly outcome: "closed" }
  | Extract<GateRefusal, { readonly outcome: "unavailable" | "failed" }>;

/** Whether a token of that epoch is still valid. Without a live key no token was issued. */
export function isViewable(
  admission: { readonly keyHashes: readonly string[]; readonly access: CustomerAccess },
  epoch: number,
): boolean {
  return admission.access.isOn && admission.access.epoch === epoch && admission.keyHashes.length > 0;
}

/**
 * The documents of viewer URLs, cached so that a view needs no database. The cache may miss and fail. An
 * entry can be read only with its token.
 */
export interface SnapshotStore {
  /** Undefined for a miss. */
  read(token: string): Promise<OrderDocuments | undefined>;
  keep(token: string, documents: OrderDocuments): Promise<void>;
  /** A derived file, under a name that covers all of its inputs. */
  readFile(token: string, name: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
  keepFile(token: string, name: string, file: KeptFile): Promise<void>;
}

export interface KeptFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** As long as the link is good. */
  readonly ttlSeconds: number;
}
