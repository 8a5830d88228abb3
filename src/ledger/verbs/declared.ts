import type { OwnerReading } from "../../db/ledger-state.ts";
import { DECLARED_BYTES } from "../../domain/limits.ts";

/** Everything that an owner declares of one connection. */
export type Declared = Pick<OwnerReading, "profiles" | "sales" | "tagRules">;

/** True if the declarations no longer fit. A change that makes them smaller always fits. */
export function isTooMuchDeclared(after: Declared, before: Declared): boolean {
  const bytes = bytesOf(after);
  return bytes > DECLARED_BYTES && bytes > bytesOf(before);
}

function bytesOf({ profiles, sales, tagRules }: Declared): number {
  return new TextEncoder().encode(JSON.stringify([profiles, sales, tagRules])).length;
}
