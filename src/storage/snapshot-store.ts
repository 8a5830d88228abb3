import { GRANT_LIFE_SECONDS } from "../domain/viewer/grant.ts";
import type { OrderDocuments } from "../usecases/order-documents.ts";
import type { SnapshotStore } from "../usecases/viewer-ports.ts";

const NONCE_BYTES = 12;
const encoder = new TextEncoder();

/**
 * Documents in KV, which keeps to no region: encrypted under a key that is made of the token, and filed under
 * the token's hash. Whoever reads KV whole can read none of them.
 */
export function snapshotStore(
  kv: KVNamespace,
  random: (sizeBytes: number) => Uint8Array<ArrayBuffer>,
): SnapshotStore {
  return {
    async read(token) {
      const kept = await kv.get(await nameOf(token), "arrayBuffer");
      if (!kept) return undefined;
      const [nonce, sealed] = [kept.slice(0, NONCE_BYTES), kept.slice(NONCE_BYTES)];
      const text = await crypto.subtle.decrypt(gcm(nonce), await keyOf(token), sealed);
      return documentsFrom(new TextDecoder().decode(text));
    },
    async keep(token, documents) {
      const nonce = random(NONCE_BYTES);
      const text = encoder.encode(JSON.stringify(documents));
      const sealed = new Uint8Array(await crypto.subtle.encrypt(gcm(nonce), await keyOf(token), text));
      const kept = new Uint8Array(NONCE_BYTES + sealed.length);
      kept.set(nonce);
      kept.set(sealed, NONCE_BYTES);
      await kv.put(await nameOf(token), kept, { expirationTtl: GRANT_LIFE_SECONDS });
    },
  };
}

/** The authenticated cipher proves that it is what was kept. */
function documentsFrom(text: string): OrderDocuments {
  return JSON.parse(text);
}

function gcm(nonce: BufferSource) {
  return { name: "AES-GCM", iv: nonce } as const;
}

/** The hash that names a snapshot says nothing of its key: both are made of the token, each its own way. */
async function keyOf(token: string): Promise<CryptoKey> {
  const secret = await crypto.subtle.importKey("raw", encoder.encode(token), "HKDF", false, ["deriveKey"]);
  const derivation = {
    name: "HKDF",
    hash: "SHA-256",
    salt: new Uint8Array(),
    info: encoder.encode("viewer-snapshot/1"),
  };
  return crypto.subtle.deriveKey(derivation, secret, { name: "AES-GCM", length: 256 }, false, [
    "encrypt",
    "decrypt",
  ]);
}

async function nameOf(token: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", encoder.encode(token));
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return `viewer/${hex}`;
}
