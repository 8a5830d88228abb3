import { invariant } from "../../domain/shared/result.ts";
import type { AnswerDoc, Endpoint } from "../endpoint.ts";
import type { NamedSchema } from "./schema.ts";

/** The named bodies and answers. Adjacent endpoints with a common answer list their bodies first. */
export function namedSchemas(endpoints: readonly Endpoint[]): readonly NamedSchema[] {
  const byName = new Map<string, NamedSchema>();
  for (const group of neighbours(endpoints)) {
    for (const schema of [...group.flatMap(bodyOf), ...group.flatMap(answersOf)]) {
      const known = byName.get(schema.name) ?? schema;
      invariant(known.contract === schema.contract, "a name belongs to one schema");
      byName.set(schema.name, known);
    }
  }
  return [...byName.values()];
}

function neighbours(endpoints: readonly Endpoint[]): readonly (readonly Endpoint[])[] {
  const groups: Endpoint[][] = [];
  for (const endpoint of endpoints) {
    const last = groups.at(-1);
    if (last?.some((other) => answerAlike(other, endpoint))) last.push(endpoint);
    else groups.push([endpoint]);
  }
  return groups;
}

function answerAlike(one: Endpoint, other: Endpoint): boolean {
  return answersOf(one).some(({ name }) => answersOf(other).some((answer) => answer.name === name));
}

function bodyOf({ doc }: Endpoint): NamedSchema[] {
  return doc.body ? [{ name: doc.body.name, contract: doc.body.schema, io: "input" }] : [];
}

function answersOf({ doc }: Endpoint): NamedSchema[] {
  return Object.values(doc.answers).flatMap(namesIn);
}

function namesIn({ name, data, or }: AnswerDoc): NamedSchema[] {
  const own: NamedSchema[] = name && data ? [{ name, contract: data, io: "output" }] : [];
  return [...own, ...(or ? namesIn(or) : [])];
}
