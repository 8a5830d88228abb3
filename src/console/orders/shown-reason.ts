import type { RefusedAnswer } from "../../domain/order/answers/table.ts";
import { answersToReason, holds, type OrderWarning, type Reason } from "../../domain/order/reasons.ts";
import { errorSentence, type Language, reasonText, warningSentence } from "../../words/words.ts";

/** A reason in the reader's words, with what can be answered to it. */
export function shownReason(reason: Reason, language: Language) {
  const { title, sentence } = reasonText(reason, language);
  const { code, about = "", facts } = reason;
  return {
    code,
    about,
    // A heading, where it stands above its sentence.
    title: (title ?? sentence).replace(/\.$/, ""),
    sentence: title === undefined ? "" : sentence,
    holds: holds(reason),
    answers: answersToReason(reason),
    /** Where the sentence speaks of money that is missing a rate, its currency. */
    currency: typeof facts.currency === "string" ? facts.currency : "",
    ...(code === "totals_mismatch" ? { rates: percentsIn(facts.rates) } : {}),
    ...(code === "exchange_rate_unavailable" ? { chooseFrom: dateIn(facts.choose_from) } : {}),
  };
}

function dateIn(fact: Reason["facts"][string] | undefined): string {
  return typeof fact === "object" && "date" in fact && typeof fact.date === "string" ? fact.date : "";
}

/** Of the rates that could take a difference of rounding. */
function percentsIn(fact: Reason["facts"][string] | undefined): string[] {
  if (typeof fact !== "object" || !("all" in fact)) return [];
  return fact.all.flatMap((each) =>
    typeof each === "object" && "percent" in each ? [String(each.percent)] : [],
  );
}

export function shownWarning({ code, facts }: OrderWarning, language: Language) {
  return { code, sentence: warningSentence(code, facts, language) };
}

/** Why an answer does not fit, at its place in the form. */
export function shownRefusal({ index, refusal }: RefusedAnswer, language: Language) {
  const { code, facts, path = "" } = refusal;
  return { index, code, path, message: errorSentence(code, facts, language) };
}
