import type { InvoiceLook } from "../../domain/brand/look.ts";
import type { InvoiceView } from "../../domain/invoice/invoice-view.ts";
import { invariant } from "../../domain/shared/result.ts";
import { GRANT_LIFE_SECONDS } from "../../domain/viewer/access.ts";
import { type SealKey, seal, unseal } from "../../platform/seal.ts";

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

interface KeptFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The entry expires with the link. */
  readonly ttlSeconds: number;
}

/** Everything that a customer sees of an order. Plain values: they are kept as JSON and cross RPC. */
export interface OrderDocuments {
  /** The order's name in the shop. */
  readonly orderReference: string;
  /** The shop's name as its customer knows it. */
  readonly seller: string;
  /** True if amounts in other currencies were converted at the rate of the European Central Bank. */
  readonly isEcbRate: boolean;
  /** Oldest first; at least one. */
  readonly views: readonly InvoiceView[];
  /** The look when the documents were read. */
  readonly look?: InvoiceLook;
}

const USE = "viewer-snapshot/2";
/** KV keeps nothing for less. */
const SHORTEST_TTL_SECONDS = 60;
const encoder = new TextEncoder();

/**
 * Documents and files in KV, which keeps to no region: encrypted under a key derived from the token, and
 * stored under a hash of it. A copy of the whole KV reveals none of them.
 */
export function snapshotStore(
  kv: KVNamespace,
  random: (sizeBytes: number) => Uint8Array<ArrayBuffer>,
): SnapshotStore {
  return {
    async read(token) {
      const kept = await kv.get(await nameOf(token), "arrayBuffer");
      return kept ? documentsFrom(await opened(kept, token)) : undefined;
    },
    async keep(token, documents) {
      const sealed = await seal(encoder.encode(JSON.stringify(documents)), keyOf(token), random);
      await kv.put(await nameOf(token), sealed, { expirationTtl: GRANT_LIFE_SECONDS });
    },
    async readFile(token, name) {
      const kept = await kv.get(await fileNameOf(token, name), "arrayBuffer");
      return kept ? await opened(kept, token) : undefined;
    },
    async keepFile(token, name, { bytes, ttlSeconds }) {
      if (ttlSeconds < SHORTEST_TTL_SECONDS) return;
      const sealed = await seal(bytes, keyOf(token), random);
      await kv.put(await fileNameOf(token, name), sealed, { expirationTtl: ttlSeconds });
    },
  };
}

/** Throws for anything but the stored bytes. */
async function opened(kept: ArrayBuffer, token: string): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await unseal(new Uint8Array(kept), keyOf(token));
  invariant(bytes, "KV holds what was sealed under this token");
  return bytes;
}

function documentsFrom(bytes: Uint8Array): OrderDocuments {
  return JSON.parse(new TextDecoder().decode(bytes));
}

/** The hash that names a snapshot does not reveal its key: both come from the token in different ways. */
function keyOf(token: string): SealKey {
  return { secret: token, use: USE };
}

async function nameOf(token: string): Promise<string> {
  return `viewer/${await sha256(token)}`;
}

async function fileNameOf(token: string, name: string): Promise<string> {
  return `${await nameOf(token)}/${await sha256(name)}`;
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", encoder.encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
