import { ORDER_REASONS, type Reason, type ReasonCode } from "../domain/order/reasons.ts";
import { invariant } from "../domain/shared/result.ts";
import { type Facts, sentence } from "./errors/sentence.ts";
import { ERRORS, type ErrorCode } from "./errors.ts";
import type { Language } from "./language.ts";
import { DOCUMENT_REASONS } from "./reasons/document-reasons.ts";
import type { ReasonEntries, ReasonEntry, ReasonWords } from "./reasons/entry.ts";
import { EVENT_REASONS } from "./reasons/event-reasons.ts";
import { SALE_REASONS } from "./reasons/sale-reasons.ts";
import { SETTLED_REASONS } from "./reasons/settled-reasons.ts";
import { TAX_REASONS } from "./reasons/tax-reasons.ts";

/** Every reason of an order with its words. Answers, documentation and the review queue are made from it. */
export const REASONS: ReasonEntries = {
  ...SALE_REASONS,
  ...TAX_REASONS,
  ...DOCUMENT_REASONS,
  ...EVENT_REASONS,
  ...SETTLED_REASONS,
};

export interface ReasonText {
  /** The heading where the order waits for somebody. */
  readonly title?: string;
  readonly sentence: string;
}

type Told = Pick<Reason, "code" | "facts">;

export function reasonText(reason: Told, language: Language): ReasonText {
  const words = wordsOf(reason);
  const facts = reason.code === "not_invoiceable" ? { ...reason.facts, rule: ruleIn(reason) } : reason.facts;
  return {
    ...(words.title ? { title: sentence(words.title, facts, language) } : {}),
    sentence: sentence(words.sentence, facts, language),
  };
}

/** Title and sentence in one. */
export function reasonMessage(reason: Told, language: Language): string {
  const { title, sentence: rest } = reasonText(reason, language);
  return title === undefined ? rest : `${title} ${rest}`;
}

function wordsOf({ code, facts }: Told): ReasonWords {
  const entry: ReasonEntry = REASONS[code];
  const isWhole = factsOf(code).every((name) => Object.hasOwn(facts, name));
  return entry.other && !isWhole ? entry.other : entry;
}

function factsOf(code: ReasonCode): readonly string[] {
  const row = ORDER_REASONS.find((each) => each.code === code);
  invariant(row, "every reason has its row");
  return row.facts;
}

/** The refusal that a direct invoice would meet, whose facts stand beside its code. */
function ruleIn({ facts }: Told): Facts[string] {
  const { refusal } = facts;
  return isErrorCode(refusal) ? { within: ERRORS[refusal], facts } : "";
}

function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === "string" && Object.hasOwn(ERRORS, code);
}
