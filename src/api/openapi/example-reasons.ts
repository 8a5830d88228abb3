import {
  type ExampleFact,
  type ExampleFacts,
  ORDER_REASONS,
  type ReasonCode,
  type ReasonRow,
} from "../../domain/order/reasons.ts";
import { civilDate } from "../../domain/shared/civil-date.ts";
import { decimal } from "../../domain/shared/decimal.ts";
import { type Fact, type Facts, money } from "../../domain/shared/fact.ts";
import { reasonMessage } from "../../words/words.ts";

/** A row of the published table: a code with each of its forms, as an order could have it. */
export interface PublishedReason {
  readonly code: ReasonCode;
  /** True if the order waits for the owner. */
  readonly holds: boolean;
  readonly forms: readonly { readonly facts: readonly string[]; readonly message: string }[];
}

export function publishedReasons(): PublishedReason[] {
  return ORDER_REASONS.map(({ code, holds }) => ({
    code,
    holds,
    forms: exampleReasonFacts(code).map((facts) => ({
      facts: Object.keys(facts),
      message: reasonMessage({ code, facts }, "en"),
    })),
  }));
}

/** Example facts of a reason: for its sentence, and for its second sentence if there is one. */
export function exampleReasonFacts(code: ReasonCode): readonly Facts[] {
  const row: ReasonRow | undefined = ORDER_REASONS.find((each) => each.code === code);
  if (row === undefined) return [];
  const { facts, otherFacts, exampleFacts = [] } = row;
  return [facts, ...(otherFacts ? [otherFacts] : [])].map((names, index) => {
    const own = ownFacts(exampleFacts[index]);
    const known: Facts = { ...COMMON, ...own };
    const named = names.map((name) => [name, known[name] ?? name] as const);
    return { ...Object.fromEntries(named), ...(code === "not_invoiceable" ? own : {}) };
  });
}

function ownFacts(example: ExampleFacts = {}): Facts {
  return Object.fromEntries(Object.entries(example).map(([name, fact]) => [name, factOf(fact)]));
}

function factOf(example: ExampleFact): Fact {
  if (typeof example === "string" || "phrase" in example) return example;
  if ("all" in example) return { all: example.all.map(factOf) };
  if ("percent" in example) return { percent: decimal(example.percent) };
  if ("date" in example) return { date: civilDate(example.date) };
  return example;
}

const eur = (amount: string) => money(decimal(amount), "EUR");
const day = (date: string) => ({ date: civilDate(date) });

/** Example values by fact name. A reason overrides those that do not fit it. */
const COMMON: Facts = {
  amount: eur("24.2"),
  applied: eur("24.2"),
  base: eur("100"),
  channel: "web",
  choose_from: day("2026-11-29"),
  code: "cod_fee",
  computed: eur("121"),
  connection: "Tienda",
  country: { country: "FR" },
  currency: "USD",
  date: day("2026-11-26"),
  event: "r-17",
  identifier: "B12345675",
  kind: { phrase: "multi_purpose" },
  limit: eur("400"),
  line: "Taza azul",
  missing: { all: [{ phrase: "vat_number" }] },
  name: "Cupón",
  number: "PED-1S-2026-000042",
  place: { country: "FR" },
  profile: "Web",
  rate: { percent: decimal("21") },
  remaining: eur("49"),
  store: "2",
  tag: "mayorista",
  tax: eur("10"),
  title: "Contra reembolso",
  total: eur("118"),
  value: eur("3"),
};
