import { type RandomBytes, randomText } from "../../domain/connection/ids.ts";
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

/**
 * Another key for each body that is stored, so that to erase one takes nothing from another row. Ids are
 * hashed, because they are the shop's words.
 */
export function newBodyKey(
  connectionId: string,
  { of, id }: { readonly of: "deliveries" | "orders"; readonly id: string },
  random: RandomBytes,
): string {
  return `shops/${connectionId}/${of}/${sha256Hex(id)}/${randomText(NONCE_CHARACTERS, random)}`;
}

const NONCE_CHARACTERS = 20;

/** A body without a row is erased after so long; its row is written within seconds. */
export const UNNAMED_BODY_MS = 86_400_000;
