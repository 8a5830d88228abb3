import type { TaxIdentifier } from "../../shared/tax-identifier.ts";

/** A person's name in the parts of the element Individual. */
export interface PersonName {
  readonly first: string;
  readonly surname1: string;
  readonly surname2?: string;
}

/** True for the holder of a personal NIF, also of one that is not in the census. */
export function isPersonIn(identifier: TaxIdentifier): boolean {
  if (identifier.kind === "nif") return !identifier.entity;
  return identifier.kind === "other" && identifier.idType === "07";
}

const PARTICLES: ReadonlySet<string> = new Set(["de", "del", "la", "las", "los", "y"]);

/**
 * The parts of a whole name; joined by spaces they are the name again. Of three words or more the last two
 * are surnames, of two the last; a particle belongs to the word after it. Undefined for a single word.
 */
export function splitName(name: string): PersonName | undefined {
  const words = name.trim().split(/\s+/u);
  if (words.length < 2) return undefined;
  const units = withParticles(words);
  // "De Haro": a name of one unit still has a first word and the rest.
  const parts = units.length > 1 ? units : words;
  if (parts.length === 2) return { first: parts[0] ?? "", surname1: parts[1] ?? "" };
  return {
    first: parts.slice(0, -2).join(" "),
    surname1: parts.at(-2) ?? "",
    surname2: parts.at(-1) ?? "",
  };
}

function withParticles(words: readonly string[]): string[] {
  const units: string[] = [];
  let particles: string[] = [];
  for (const word of words) {
    particles.push(word);
    if (PARTICLES.has(word.toLowerCase())) continue;
    units.push(particles.join(" "));
    particles = [];
  }
  return particles.length > 0 ? [...units, particles.join(" ")] : units;
}
