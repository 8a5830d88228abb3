import canonicalize from "canonicalize";

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
