import { refuse } from "../invoice/refusal.ts";
import { ok, type Result } from "../shared/result.ts";
import { LIMITS } from "../verifactu/aeat-lists.ts";
import type { DeclarationRefusal } from "./declaration-refusal.ts";
import { fullNumber, type StemPlace, stemIn } from "./series.ts";

/** Suffixes: full, simplified, rectifying full, rectifying simplified. */
const SUFFIXES = ["", "S", "R", "RS"] as const;

/** The codes of series, without their year, that a stem reserves: `A` takes A, AS, AR and ARS. */
export function codesOfStem(stem: string): readonly string[] {
  return SUFFIXES.map((suffix) => `${stem}${suffix}`);
}

/** A stem that the account has in use or has numbered with. */
export interface TakenStem {
  readonly stem: string;
  /** Name of the profile or connection that has it. */
  readonly where: string;
}

/** Capitals and digits of ASCII; points and hyphens only between them. */
const STEM = /^[A-Z0-9](?:[A-Z0-9.-]*[A-Z0-9])?$/;

/** Prefixes of the service's own stems and of test stems, forbidden to owners. */
const RESERVED = ["API-", "PED-", "MAN-", "T-"];

const LONGEST_TAIL = fullNumber("RS-2026", 1);

/** The place of a stem's declaration: test stems get a longer prefix. */
export type StemOwner = Pick<StemPlace, "trial">;

/** A stem that an owner chooses: no number under it may be taken for another's, or be too long to print. */
export function checkStem(
  stem: string,
  taken: readonly TakenStem[],
  { trial = false }: StemOwner = {},
): Result<string, DeclarationRefusal> {
  if (!STEM.test(stem)) return refuse("stem_invalid", { stem }, "stem");
  const codes = codesOfStem(stem);
  if (codes.some((code) => RESERVED.some((reserved) => `${code}-`.startsWith(reserved)))) {
    return refuse("stem_reserved", { stem }, "stem");
  }
  const numbered = stemIn(stem, { installationOrdinal: 1, trial });
  if (numbered.length + LONGEST_TAIL.length > LIMITS.numberLength) {
    return refuse("stem_too_long", { longest: { amount: String(LIMITS.numberLength) } }, "stem");
  }
  for (const other of taken) {
    const series = codesOfStem(other.stem).find((code) => codes.includes(code));
    if (series !== undefined) return refuse("stem_taken", { series, where: other.where }, "stem");
  }
  return ok(stem);
}

export interface StemChange extends StemOwner {
  readonly current: string;
  readonly next: string;
  /** Stems under which there is a number. */
  readonly numbered: readonly string[];
  readonly taken: readonly TakenStem[];
}

/** A stem can be replaced until its first number; the current stem is no conflict. */
export function changeStem(change: StemChange): Result<string, DeclarationRefusal> {
  const { current, next, numbered, taken, trial = false } = change;
  if (next === current) return ok(current);
  if (numbered.includes(current)) return refuse("stem_numbered", { stem: current }, "stem");
  return checkStem(
    next,
    taken.filter(({ stem }) => stem !== current),
    { trial },
  );
}

export interface OrderStemScope extends StemOwner {
  readonly current: string;
  /** The stem assigned by the service: the owner may always return to it. */
  readonly given: string;
  /** True if profiles number the connection's orders and this stem does not. */
  readonly hasProfiles: boolean;
  readonly numbered: readonly string[];
  readonly taken: readonly TakenStem[];
}

/** The stem of orders without profile, `PED-{n}` until the owner chooses another. */
export function changeOrderStem(next: string, scope: OrderStemScope): Result<string, DeclarationRefusal> {
  const { current, given, hasProfiles, numbered } = scope;
  if (next === current) return ok(current);
  if (hasProfiles) return refuse("stem_of_profiles", {}, "stem");
  if (next === given && !numbered.includes(current)) return ok(given);
  return changeStem({ ...scope, next });
}
