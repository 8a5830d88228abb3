import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/**
 * Replaces addresses and networks in tables and log lines; without the secret, guessing cannot reverse it.
 */
export function keyedHash(secret: string) {
  return (kind: string, text: string): string =>
    bytesToHex(hmac(sha256, utf8ToBytes(secret), utf8ToBytes(`${kind}:${text}`)));
}
