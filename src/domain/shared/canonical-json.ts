import canonicalize from "canonicalize";

/** What canonical JSON may hold here: decimals and dates are strings, so no number ever needs a form. */
export type CanonicalValue =
  | string
  | boolean
  | readonly CanonicalValue[]
  | { readonly [member: string]: CanonicalValue | undefined };

/** RFC 8785: keys sorted, no white space; members that are undefined are left out. */
export function canonicalJson(value: CanonicalValue): string {
  const text = canonicalize(value);
  if (text === undefined) throw new Error("no canonical form");
  return text;
}
