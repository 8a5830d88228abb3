import { sha256Hex } from "../../domain/shared/hash.ts";

/** Bodies of shops that are too large for their rows. */
export interface BodyStore {
  keep(key: string, bytes: Uint8Array): Promise<void>;
  read(key: string): Promise<Uint8Array | undefined>;
  erase(keys: readonly string[]): Promise<void>;
}

/** In R2, in the bucket of the evidence. */
export function bodyStore(bucket: R2Bucket, withDeadline: <T>(call: Promise<T>) => Promise<T>): BodyStore {
  return {
    async keep(key, bytes) {
      await withDeadline(bucket.put(key, bytes));
    },
    async read(key) {
      const found = await withDeadline(bucket.get(key));
      return found ? new Uint8Array(await withDeadline(found.arrayBuffer())) : undefined;
    },
    async erase(keys) {
      await withDeadline(bucket.delete([...keys]));
    },
  };
}

/** Hashes, because the ids are the shop's words; each row has a key of its own, so that it can be erased. */
export function deliveryKey(connectionId: string, deliveryId: string): string {
  return `shops/${connectionId}/deliveries/${sha256Hex(deliveryId)}`;
}

export function documentKey(connectionId: string, idExternal: string, sha256: string): string {
  return `shops/${connectionId}/orders/${sha256Hex(idExternal)}/${sha256}`;
}
