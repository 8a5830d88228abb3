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
import { assertNever } from "../../domain/shared/result.ts";
import { reasonMessage } from "../../words/words.ts";
import type { Schema } from "./schema.ts";

const AMOUNT_WITH_CURRENCY: Schema = {
  type: "object",
  properties: { amount: { type: "number" }, currency: { type: "string" } },
  required: ["amount", "currency"],
  additionalProperties: false,
};

const WORD_OF_THE_SERVICE: Schema = {
  description: "What the service itself has a word for: its code alone, or with what belongs to it.",
  anyOf: [
    { type: "string" },
    { type: "object", properties: { code: { type: "string" } }, required: ["code"] },
  ],
};

/** Schemas of the possible facts, by name. */
export const FACT_SCHEMAS = { Money: AMOUNT_WITH_CURRENCY, Word: WORD_OF_THE_SERVICE } as const;

/** A reason of an order: its code determines its facts. A general schema of facts would blur that. */
export function reasonSchema({ properties, ...general }: Schema): Schema {
  const { description } = Object(properties?.facts);
  const facts: Schema = { type: "object", additionalProperties: true, description };
  return {
    ...general,
    properties: { ...properties, facts },
    oneOf: ORDER_REASONS.map(({ code }) => ofCode(code)),
  };
}

function ofCode(code: ReasonCode): Schema {
  const schemaOf =
    code === "not_invoiceable"
      ? refusalFacts
      : code === "shop_facts_contradict"
        ? factsOfAnyFigure
        : factsSchema;
  const forms = exampleReasonFacts(code).map(schemaOf);
  const [facts = {}] = forms;
  return {
    type: "object",
    properties: { code: { type: "string", const: code }, facts: forms.length > 1 ? { anyOf: forms } : facts },
    required: ["code", "facts"],
  };
}

/** The reason carries the facts of the refusal that an invoice would get: each refusal has its own. */
function refusalFacts({ refusal = "" }: Facts): Schema {
  return factsSchema({ refusal });
}

/** The two figures are those of the fact: amounts, rates or the shop's text. */
function factsOfAnyFigure(facts: Facts): Schema {
  return factsSchema({ ...facts, stated: "stated", computed: "computed" });
}

/** A reason may get more facts later: these are always present. */
function factsSchema(facts: Facts): Schema {
  const properties = Object.entries(facts).map(
    ([name, fact]) => [name, orWord(name, schemaOfFact(name, fact))] as const,
  );
  return { type: "object", properties: Object.fromEntries(properties), required: Object.keys(facts) };
}

/** A word may replace a line by its whole rate, or an amount by its absence. */
const OR_A_WORD = ["line", "stated", "received"];

function orWord(name: string, schema: Schema): Schema {
  const isAny = Object.keys(schema).length === 0;
  return OR_A_WORD.includes(name) && !isAny ? { anyOf: [schema, WORD] } : schema;
}

const WORD: Schema = { $ref: "#/components/schemas/Word" };

/** If the example is the name of its fact, the fact may have any type. */
function schemaOfFact(name: string, fact: Fact): Schema {
  if (fact === name) return {};
  if (typeof fact === "string" || "date" in fact || "moment" in fact || "country" in fact)
    return { type: "string" };
  if ("phrase" in fact) return WORD;
  if ("amount" in fact)
    return fact.currency === undefined ? { type: "number" } : { $ref: "#/components/schemas/Money" };
  if ("percent" in fact) return { type: "number" };
  if ("all" in fact) return listOf(name, fact.all);
  if ("either" in fact) return listOf(name, fact.either);
  if ("each" in fact) return listOf(name, fact.each);
  return assertNever(fact);
}

function listOf(name: string, [first]: readonly Fact[]): Schema {
  return { type: "array", items: first === undefined ? {} : schemaOfFact(name, first) };
}

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
  what: { phrase: "tax_rate" },
  where: "l1",
};
