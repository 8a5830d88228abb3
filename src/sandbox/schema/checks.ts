import type { Refusal } from "../rules/check.ts";
import type { XmlElement } from "../xml/xml.ts";
import { type Item, type Particle, particlesOf } from "./particle.ts";

/** The first level of checks: the right elements in the right order. One breach refuses the whole message. */

const SCHEMA_INSTANCE = "http://www.w3.org/2001/XMLSchema-instance";

/** The fault of an element that should hold `content`; undefined if it has that form. */
export function structureProblem(element: XmlElement, content: Particle["content"]): Refusal | undefined {
  if (content === "any") return undefined;
  if (element.attributes.some(({ namespace }) => namespace !== SCHEMA_INSTANCE))
    return unexpected(element.name);
  if (typeof content === "function") {
    return element.children.length > 0 ? unexpected(element.name) : undefined;
  }
  if (/[^ \t\n]/.test(element.text)) return unexpected(element.name);
  return sequenceProblem(element.children, content);
}

function sequenceProblem(children: readonly XmlElement[], items: readonly Item[]): Refusal | undefined {
  let at = 0;
  for (const item of items) {
    const start = at;
    for (const particle of particlesOf(item)) {
      const found = runOf(children.slice(at, at + particle.most + 1), particle);
      if (particle.most > 1 && found.length > particle.most) return tooMany(particle.name);
      const taken = found.slice(0, particle.most);
      const inner = firstProblem(taken, (child) => structureProblem(child, particle.content));
      if (inner !== undefined) return inner;
      at += taken.length;
    }
    if (at === start && item.isRequired) return unexpected(particlesOf(item)[0]?.name ?? "");
  }
  const left = children[at];
  return left === undefined ? undefined : unexpected(left.name);
}

/** The children at the front that are such elements. */
function runOf(children: readonly XmlElement[], { name, namespace }: Particle): readonly XmlElement[] {
  const end = children.findIndex((child) => child.name !== name || child.namespace !== namespace);
  return end === -1 ? children : children.slice(0, end);
}

function firstProblem(
  children: readonly XmlElement[],
  problemOf: (child: XmlElement) => Refusal | undefined,
): Refusal | undefined {
  for (const child of children) {
    const problem = problemOf(child);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** The service names the missing or unexpected element after the text of 4102. */
function unexpected(name: string): Refusal {
  return { code: 4102, field: name };
}

function tooMany(name: string): Refusal {
  return name === "RegistroFactura" ? { code: 4114 } : { code: 4113, field: name };
}

/** The second level of checks: the values of the elements, in order. */

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
