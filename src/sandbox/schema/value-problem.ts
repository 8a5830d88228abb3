/** The second level of checks: the values of the elements, in order. */
import type { Refusal } from "../rules/refusal.ts";
import type { XmlElement } from "../xml/tree.ts";
import { type Item, type Particle, particlesOf } from "./particle.ts";

/** The first value of an element in good form that is none; its code refuses a record, or a whole message. */
export function valueProblem(element: XmlElement, content: Particle["content"]): Refusal | undefined {
  if (content === "any") return undefined;
  if (typeof content === "function") {
    const code = content(element.text);
    return code === undefined ? undefined : { code, field: element.name };
  }
  return childrenProblem(element, content);
}

function childrenProblem(element: XmlElement, items: readonly Item[]): Refusal | undefined {
  for (const particle of items.flatMap(particlesOf)) {
    for (const child of element.children) {
      if (child.name !== particle.name) continue;
      const problem = valueProblem(child, particle.content);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}
