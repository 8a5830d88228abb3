/** The secret of a seal, and what it is for: what was sealed for one use cannot be opened for another. */
export interface SealKey {
  readonly secret: string;
  /** With the version of the sealed content, such as `viewer-token/2`. */
  readonly use: string;
  /** The place that the sealed bytes belong to: sealed for one, they cannot be opened in another. */
  readonly place?: string;
}

const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Bytes that sealing adds: `salt ‖ nonce ‖ AES-GCM(bytes) with its tag`. */
export const SEAL_BYTES = SALT_BYTES + NONCE_BYTES + TAG_BYTES;

/** Encrypts and authenticates bytes. Each seal has a key of its own by its salt, so no nonce repeats. */
export async function seal(
  bytes: BufferSource,
  key: SealKey,
  random: (sizeBytes: number) => Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  const [salt, nonce] = [random(SALT_BYTES), random(NONCE_BYTES)];
  const encrypted = await crypto.subtle.encrypt(gcm(nonce, key), await derivedKey(key, salt), bytes);
  const sealed = new Uint8Array(SALT_BYTES + NONCE_BYTES + encrypted.byteLength);
  sealed.set(salt);
  sealed.set(nonce, SALT_BYTES);
  sealed.set(new Uint8Array(encrypted), SALT_BYTES + NONCE_BYTES);
  return sealed;
}

/** The bytes that were sealed under this key; undefined for anything else. */
export async function unseal(
  sealed: Uint8Array<ArrayBuffer>,
  key: SealKey,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (sealed.length < SEAL_BYTES) return undefined;
  const salt = sealed.subarray(0, SALT_BYTES);
  const nonce = sealed.subarray(SALT_BYTES, SALT_BYTES + NONCE_BYTES);
  const encrypted = sealed.subarray(SALT_BYTES + NONCE_BYTES);
  const secret = await derivedKey(key, salt);
  // WebCrypto reports a wrong tag by an OperationError, and nothing else can fail here.
  return crypto.subtle.decrypt(gcm(nonce, key), secret, encrypted).then(
    (bytes) => new Uint8Array(bytes),
    () => undefined,
  );
}

function gcm(nonce: BufferSource, { place }: SealKey) {
  const additionalData = place === undefined ? {} : { additionalData: new TextEncoder().encode(place) };
  return { name: "AES-GCM", iv: nonce, ...additionalData } as const;
}

async function derivedKey({ secret, use }: SealKey, salt: BufferSource): Promise<CryptoKey> {
  const encoder = new TextEncoder();
  const material = await crypto.subtle.importKey("raw", encoder.encode(secret), "HKDF", false, ["deriveKey"]);
  const derivation = { name: "HKDF", hash: "SHA-256", salt, info: encoder.encode(use) };
  const form = { name: "AES-GCM", length: 256 };
  return crypto.subtle.deriveKey(derivation, material, form, false, ["encrypt", "decrypt"]);
}
