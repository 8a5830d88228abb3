import type { OrderContext, TagRule } from "./context.ts";
import { comparableTag } from "./normalize-text.ts";
import { because, type Reason } from "./reasons.ts";

/** Tags only describe; the rules that the owner confirmed act. */
export function ignoredByTag(context: OrderContext): Reason | undefined {
  const [tag] = tagsWith(context, "ignore");
  return tag === undefined ? undefined : because("tag_ignored", { tag });
}

export function tagReasons(context: OrderContext): Reason[] {
  if (context.answers.approved) return [];
  return tagsWith(context, "hold").map((tag) => because("tag_hold", { tag }, tag));
}

function tagsWith({ facts, settings }: OrderContext, action: TagRule["action"]): string[] {
  const ruled = new Set(
    settings.tagRules.filter((rule) => rule.action === action).map((rule) => comparableTag(rule.tag)),
  );
  return facts.tags.filter((tag) => ruled.has(comparableTag(tag)));
}
