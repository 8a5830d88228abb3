import { sha256Hex } from "./sha256.ts";

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
