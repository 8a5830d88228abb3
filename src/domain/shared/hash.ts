import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import canonicalize from "canonicalize";

/** SHA-256 of the UTF-8 bytes, lower-case hex. Synchronous, because the domain awaits nothing. */
export function sha256Hex(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}

export function sha256Bytes(text: string): Uint8Array {
  return sha256(utf8ToBytes(text));
}

export function sha256OfBytes(bytes: Uint8Array): string {
  return bytesToHex(sha256(bytes));
}

/** Decimals and dates are strings here, so no number ever needs a canonical form. */
export type CanonicalValue =
  | string
  | boolean
  | readonly CanonicalValue[]
  | { readonly [member: string]: CanonicalValue | undefined };

/** RFC 8785: sorted keys, no white space. Undefined members are omitted. */
export function canonicalJson(value: CanonicalValue): string {
  const text = canonicalize(value);
  if (text === undefined) throw new Error("no canonical form");
  return text;
}

/** Compares two plain values by content; the order of members does not count. */
export function isSameValue(one: unknown, other: unknown): boolean {
  return asText(one) === asText(other);
}

const VERSION_LENGTH = 16;

/** A short hash of a value's content: equal for equal values, different for others. */
export function versionOf(value: unknown): string {
  return sha256Hex(asText(value ?? null)).slice(0, VERSION_LENGTH);
}

function asText(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
