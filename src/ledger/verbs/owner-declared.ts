import type { Deed, OwnerReading } from "../../db/owner-state.ts";
import { refuse } from "../../domain/invoice/refusal.ts";
import { DECLARED_BYTES } from "../../domain/limits.ts";
import { type OwnerDecision, refused } from "./owner-decision.ts";

type Declared = Pick<OwnerReading, "profiles" | "sales" | "tagRules">;

/** Refused where a deed would leave more declared than fits; one that takes away never does. */
export function boundDeclared(decision: OwnerDecision, before: Declared): OwnerDecision {
  const after = decision.decision === "write" ? declaredAfter(decision.deed, before) : undefined;
  if (!after) return decision;
  const bytes = bytesOf(after);
  const isTooMuch = bytes > DECLARED_BYTES && bytes > bytesOf(before);
  return isTooMuch ? refused(refuse("too_much_declared").error) : decision;
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
