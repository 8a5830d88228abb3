import { DECLARED_BYTES } from "../domain/limits.ts";
import type { OwnerDecision } from "./owner-decision.ts";
import type { Deed, OwnerReading } from "./owner-ports.ts";

type Declared = Pick<OwnerReading, "profiles" | "sales" | "tagRules">;

/** Whether a deed leaves more declared than fits; one that takes away is never too much. */
export function isTooMuchDeclared(decision: OwnerDecision, before: Declared): boolean {
  if (decision.decision !== "write") return false;
  const after = declaredAfter(decision.deed, before);
  if (!after) return false;
  const bytes = bytesOf(after);
  return bytes > DECLARED_BYTES && bytes > bytesOf(before);
}

function declaredAfter(deed: Deed, before: Declared): Declared | undefined {
  const { profiles, tagRules } = before;
  switch (deed.deed) {
    case "add_profile":
      return { ...before, profiles: [...profiles, deed.profile] };
    case "change_profile":
      return {
        ...before,
        profiles: profiles.map((one) => (one.id === deed.profile.id ? deed.profile : one)),
      };
    case "set_sales":
      return { ...before, sales: deed.sales };
    case "set_tag_rule":
      return { ...before, tagRules: [...tagRules.filter(({ tag }) => tag !== deed.rule.tag), deed.rule] };
    default:
      return undefined;
  }
}

function bytesOf({ profiles, sales, tagRules }: Declared): number {
  return new TextEncoder().encode(JSON.stringify([profiles, sales, tagRules])).length;
}
