import { HOLDING_REASONS } from "../../../domain/order/reasons.ts";
import { countryName } from "../../words/format.ts";
import type { Say } from "../../words/words.tsx";

/** What names a question: the code and subject of its reason, and the texts in it. */
export interface NamedQuestion {
  readonly code: string;
  readonly about: readonly string[];
  /** The title of the reason; empty where only the code is known. */
  readonly title: string;
  readonly names: Readonly<Record<string, string>>;
}

/** The question in words; other reasons are headed by their own title, or by that of their group. */
export function questionTitle(
  { code, about: [subject = ""], title, names }: NamedQuestion,
  say: Say,
): string {
  switch (code) {
    case "untreated_total":
      return say("review.q.untreated_total", { title: names.title ?? subject });
    case "discount_kind_unknown":
      return say("review.q.discount_kind_unknown", { name: names.name ?? subject });
    case "foreign_customer":
      return say("review.q.foreign_customer", { country: countryName(names.country ?? subject) });
    default: {
      const known = HOLDING_REASONS.find((one) => one === code);
      return title !== "" || known === undefined ? title : say(`review.group.${known}`);
    }
  }
}
