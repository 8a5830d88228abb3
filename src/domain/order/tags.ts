import type { DeclarationRefusal } from "../billing/declaration-refusal.ts";
import { refuse } from "../invoice/refusal.ts";
import { ok, type Result } from "../shared/result.ts";
import { hasInk, isPlainText } from "../shared/text.ts";
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

/** The limit for the tags in orders. */
const TAG_LENGTH = 255;

/** One rule per tag, in its normalized form; a later rule replaces the earlier. */
export function setTagRule(
  rules: readonly TagRule[],
  { tag: stated, action }: TagRule,
): Result<readonly TagRule[], DeclarationRefusal> {
  const tag = comparableTag(stated);
  const isTag = isPlainText(tag) && hasInk(tag) && [...tag].length <= TAG_LENGTH;
  if (!isTag) return refuse("tag_invalid", {}, "tag");
  const isRuled = rules.some((rule) => comparableTag(rule.tag) === tag);
  if (!isRuled) return ok([...rules, { tag, action }]);
  return ok(rules.map((rule) => (comparableTag(rule.tag) === tag ? { tag, action } : rule)));
}

/** Without a rule there is nothing to remove, and nothing to refuse. */
export function removeTagRule(rules: readonly TagRule[], tag: string): readonly TagRule[] {
  return rules.filter((rule) => comparableTag(rule.tag) !== comparableTag(tag));
}
