import { ORDER_REASONS, type ReasonCode } from "../../domain/order/reasons.ts";
import type { Fact, Facts } from "../../domain/shared/fact.ts";
import { assertNever } from "../../domain/shared/result.ts";
import { exampleReasonFacts } from "./example-reasons.ts";
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
  const forms = exampleReasonFacts(code).map(code === "not_invoiceable" ? refusalFacts : factsSchema);
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
  return OR_A_WORD.includes(name) ? { anyOf: [schema, WORD] } : schema;
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
