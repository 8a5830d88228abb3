import { referenceDay } from "../exchange/reference-rate.ts";
import type { Fact } from "../shared/fact.ts";
import { comparableTag } from "../shared/text.ts";
import type { OrderFacts } from "./facts.ts";
import { HOLDING_REASONS, holds, type Reason, type ReasonCode } from "./reasons.ts";

/**
 * The reason of a hold and its subject, written as a JSON list. Two held orders of one connection ask the
 * same question if their texts are equal.
 */
export type Question = string;

export interface QuestionParts {
  readonly code: ReasonCode;
  /** The subject: none, one, or two texts as `SUBJECTS` says. */
  readonly about: readonly string[];
}

type Subject = (reason: Reason, facts: OrderFacts) => readonly (string | undefined)[];

const named: Subject = ({ about }) => [about === undefined ? undefined : comparableTag(about)];
const ofFact =
  (...names: readonly string[]): Subject =>
  ({ facts }) =>
    names.map((name) => factText(facts[name]));
const ofSale: Subject = (_, { sourceChannel, storeId }) => [sourceChannel ?? "", storeId ?? ""];
const ofDay: Subject = (_, { currency, paidAt }) => [currency, referenceDay(paidAt)];

/** The subject of a reason whose `about` is not enough, or is the name of something. */
const SUBJECTS: Partial<Readonly<Record<ReasonCode, Subject>>> = {
  profile_not_matched: ofSale,
  profile_ambiguous: ofSale,
  tag_hold: named,
  untreated_total: named,
  treatment_hold: named,
  treatment_sign: named,
  discount_kind_unknown: named,
  customer_credit_review: named,
  voucher_kind_conflict: named,
  foreign_customer: ofFact("country"),
  territory_review: ofFact("from", "to"),
  country_unknown: ofFact("code"),
  exchange_rate_unavailable: ofDay,
  currency_not_quoted: ofDay,
};

/** The question of one reason of the order. */
export function questionOf(reason: Reason, facts: OrderFacts): Question {
  const subject = SUBJECTS[reason.code] ?? (({ about }) => [about]);
  return questionText({
    code: reason.code,
    about: subject(reason, facts).filter((text) => text !== undefined),
  });
}

/** A held order asks the question of its first reason; once that is answered, the question of the next. */
export function questionOfOrder(reasons: readonly Reason[], facts: OrderFacts): Question | undefined {
  const [first] = reasons;
  return first && holds(first) ? questionOf(first, facts) : undefined;
}

export function questionText({ code, about }: QuestionParts): Question {
  return JSON.stringify([code, ...about]);
}

/** Undefined if the text is no question. */
export function questionParts(question: Question): QuestionParts | undefined {
  const [first, ...about] = listIn(question) ?? [];
  const code = HOLDING_REASONS.find((known) => known === first);
  if (code === undefined || !about.every((text) => typeof text === "string")) return undefined;
  return { code, about };
}

function listIn(text: string): readonly unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The plain text of a fact that names one thing. */
function factText(fact: Fact | undefined): string | undefined {
  if (fact === undefined || typeof fact === "string") return fact;
  if ("phrase" in fact) return fact.phrase;
  return "country" in fact && typeof fact.country === "string" ? fact.country : undefined;
}
