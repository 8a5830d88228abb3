import { BY_HAND } from "../connection/kind.ts";
import { familyOf } from "../invoice/rectifiable.ts";
import { refuse } from "../invoice/refusal.ts";
import type { DocumentaryRegime, InvoiceType } from "../invoice/request.ts";
import { type CivilDate, yearOf } from "../shared/civil-date.ts";
import { ok, type Result } from "../shared/result.ts";
import { LIMITS } from "../verifactu/aeat-lists.ts";
import type { DeclarationRefusal } from "./declarations.ts";

/** The parts of a series code besides the documentary regime. */
export interface SeriesOwner {
  /** Ordinal of the connection in its account. */
  readonly connectionOrdinal: number;
  /** Ordinal of the installation in its connection: the second chain of a connection numbers as `API-1b`. */
  readonly installationOrdinal: number;
  /** For tests alone: its series are never taken for others. */
  readonly trial?: boolean;
}

/** The place where a declared stem is used. */
export type StemPlace = Pick<SeriesOwner, "installationOrdinal" | "trial">;

interface Documented {
  readonly invoiceType: InvoiceType;
  readonly regime: DocumentaryRegime;
}

/** Series follow the documentary regime, not the type: suffix none, S, R or RS (`API-1RS-2026`). */
export function seriesCode(stem: string, invoice: Documented, issueDate: CivilDate): string {
  return `${stem}${suffixOf(invoice)}-${yearOf(issueDate)}`;
}

interface DirectOwner extends SeriesOwner {
  readonly connectionKind: string;
}

/** `API-{n}`, and `MAN-{n}` where people issue by hand. */
export function directStem(owner: DirectOwner): string {
  const prefix = owner.connectionKind === BY_HAND ? "MAN" : "API";
  return stemIn(`${prefix}-${owner.connectionOrdinal}`, owner);
}

/** The stem of orders where the connection has no profiles. */
export function orderStem(owner: SeriesOwner): string {
  return stemIn(`PED-${owner.connectionOrdinal}`, owner);
}

/** A declared stem as an installation numbers by it: the second chain of `A` is `Ab`, one for tests `T-A`. */
export function stemIn(stem: string, { installationOrdinal, trial = false }: StemPlace): string {
  const numbered = trial ? trialStem(stem) : stem;
  return `${numbered}${installationOrdinal === 1 ? "" : installationLetters(installationOrdinal)}`;
}

/** Service stems keep their prefix: `API-T1`. */
export function trialStem(stem: string): string {
  const [, given, rest] = GIVEN.exec(stem) ?? [];
  return given === undefined ? `T-${stem}` : `${given}T${rest}`;
}

/** The declared stem of one for tests. */
export function declaredStem(stem: string): string {
  const [, given, rest] = GIVEN_TRIAL.exec(stem) ?? [];
  return given === undefined ? stem.replace(/^T-/, "") : `${given}${rest}`;
}

const GIVEN = /^(API-|PED-|MAN-)(\d.*)$/;
const GIVEN_TRIAL = /^(API-|PED-|MAN-)T(\d.*)$/;

/** The declared stem that a series was made of, without the letters of its installation. */
export function stemOf(code: string, invoice: Documented, trial = false): string {
  const tail = suffixOf(invoice).length + "-YYYY".length;
  const stem = code.slice(0, -tail).replace(/[a-z]+$/, "");
  return trial ? declaredStem(stem) : stem;
}

/** True if the number belongs to a series of the stem. */
export function isNumberOf(stem: string, number: string): boolean {
  return number.startsWith(stem) && /^R?S?-\d{4}-\d{6,}$/.test(number.slice(stem.length));
}

/** NumSerieFactura: six digits, more when a series outgrows them. */
export function fullNumber(code: string, number: number): string {
  return `${code}-${String(number).padStart(6, "0")}`;
}

/** Series and number of a full number as this service writes it; undefined where it never gave one such. */
export function partsOfNumber(text: string): { readonly code: string; readonly number: number } | undefined {
  const [, code = "", digits = ""] = /^(.+)-(\d{6,15})$/.exec(text) ?? [];
  const number = Number(digits);
  return number > 0 && fullNumber(code, number) === text ? { code, number } : undefined;
}

function suffixOf(invoice: Documented): string {
  const family = familyOf(invoice);
  const isSimplified = family === "simplified" || family === "qualified";
  return `${invoice.invoiceType.startsWith("R") ? "R" : ""}${isSimplified ? "S" : ""}`;
}

/** 2 is b, 26 is z, 27 is ba: lower case, so that no letter is taken for a suffix. */
function installationLetters(ordinal: number): string {
  let letters = "";
  for (let rest = ordinal - 1; rest > 0; rest = Math.floor(rest / 26)) {
    letters = String.fromCharCode(97 + (rest % 26)) + letters;
  }
  return letters;
}

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

interface StemChange extends StemOwner {
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
