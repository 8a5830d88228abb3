import { sha256Bytes } from "../shared/hash.ts";

/** Crockford's base 32 in lower case: no i, l, o, u, so that an id survives being read aloud. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/** Fills a buffer with random bytes; handed in, because the domain has no randomness of its own. */
export type RandomBytes = (sizeBytes: number) => Uint8Array;

export type LedgerNumber = string;

const LEDGER_NUMBER = /^[0-9a-hjkmnp-tv-z]{3}$/;
const ID =
  /^(ac|cn|ky|is|in|co|au|al|pf|at|rp|wh|iv|pr|vc|cl|de|dr)([0-9a-hjkmnp-tv-z]{3})[0-9a-hjkmnp-tv-z]{16}$/;

export type IdPrefix =
  | "ac"
  | "cn"
  | "ky"
  | "is"
  | "in"
  | "co"
  | "au"
  | "al"
  | "pf"
  | "at"
  | "rp"
  | "wh"
  | "iv"
  /** A proof of a NIF, a change of a verification, a claim. */
  | "pr"
  | "vc"
  | "cl"
  /** The delivery of an invoice to a customer. */
  | "de"
  /** A draft of an invoice. */
  | "dr";

/** An id of two letters, the ledger where its account was born, and 80 random bits. */
export function newId(prefix: IdPrefix, ledger: LedgerNumber, random: RandomBytes): string {
  return prefix + ledger + randomText(16, random);
}

/** The id that the same text always has: a write that comes late, after its repeat, is known by it. */
export function derivedId(prefix: IdPrefix, ledger: LedgerNumber, text: string): string {
  return newId(prefix, ledger, (sizeBytes) => sha256Bytes(text).subarray(0, sizeBytes));
}

/** `count` characters of five random bits each. */
export function randomText(count: number, random: RandomBytes): string {
  let text = "";
  for (const byte of random(count)) text += ALPHABET.charAt(byte & 31);
  return text;
}

/** The ledger number inside an id; undefined when the text is no id of that kind. */
export function ledgerOf(id: string, prefix: IdPrefix): LedgerNumber | undefined {
  const match = ID.exec(id);
  return match && match[1] === prefix ? match[2] : undefined;
}

export function isLedgerNumber(text: string): text is LedgerNumber {
  return LEDGER_NUMBER.test(text);
}
