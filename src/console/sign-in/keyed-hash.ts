import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** Stands for an address or a network in tables and lines: without the secret nobody finds it by trying. */
export function keyedHash(secret: string) {
  return (kind: string, text: string): string =>
    bytesToHex(hmac(sha256, utf8ToBytes(secret), utf8ToBytes(`${kind}:${text}`)));
}
