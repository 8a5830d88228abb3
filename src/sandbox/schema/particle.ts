/** What the tables of this folder are made of: elements in their order, and what may stand in them. */
import { INFORMATION } from "../xml/names.ts";

/** The code that a text earns; undefined when it is a good one. */
export type ValueRule = (text: string) => number | undefined;

/** One element of a sequence. */
export interface Particle {
  readonly name: string;
  readonly namespace: string;
  readonly isRequired: boolean;
  readonly most: number;
  /** Text, elements, or anything at all. */
  readonly content: ValueRule | readonly Item[] | "any";
}

/** One of two elements. Both at once are left to the rules, which have codes of their own for that. */
export interface Either {
  readonly either: readonly [Particle, Particle];
  readonly isRequired: boolean;
}

export type Item = Particle | Either;

export function required(
  name: string,
  content: Particle["content"],
  namespace: string = INFORMATION,
): Particle {
  return { name, namespace, isRequired: true, most: 1, content };
}

export function optional(
  name: string,
  content: Particle["content"],
  namespace: string = INFORMATION,
): Particle {
  return { name, namespace, isRequired: false, most: 1, content };
}

/** One or more of them. */
export function repeated(
  name: string,
  most: number,
  content: Particle["content"],
  namespace: string = INFORMATION,
): Particle {
  return { name, namespace, isRequired: true, most, content };
}

export function either(first: Particle, second: Particle, isRequired = true): Either {
  return { either: [first, second], isRequired };
}

/** The particles of an item, in the order in which they may come. */
export function particlesOf(item: Item): readonly Particle[] {
  return "either" in item ? item.either : [item];
}
