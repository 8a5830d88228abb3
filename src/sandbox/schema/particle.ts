/** The building blocks of this folder's tables: elements in order, with their content. */
import { INFORMATION } from "../xml/xml.ts";

/** The code that a text earns; undefined when it is a good one. */
export type ValueRule = (text: string) => number | undefined;

export interface Particle {
  readonly name: string;
  readonly namespace: string;
  readonly isRequired: boolean;
  readonly most: number;
  /** Text, elements, or anything at all. */
  readonly content: ValueRule | readonly Item[] | "any";
}

/** One of two elements. The rules check for both at once, with their own codes. */
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

/** An element that occurs at least once. */
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
