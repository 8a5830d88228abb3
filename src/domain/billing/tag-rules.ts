import { refuse } from "../invoice/refusal.ts";
import type { TagRule } from "../order/context.ts";
import { comparableTag } from "../order/normalize-text.ts";
import { ok, type Result } from "../shared/result.ts";
import { hasInk, isPlainText } from "../shared/text.ts";
import type { DeclarationRefusal } from "./declaration-refusal.ts";

/** Of the tags that orders may send. */
const TAG_LENGTH = 255;

/** One rule a tag, kept as tags are compared; a later one takes the place of the one before. */
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
