import { familyOf } from "../invoice/rectifiable.ts";
import type { DocumentaryRegime, InvoiceType } from "../invoice/request.ts";
import { type CivilDate, yearOf } from "../shared/civil-date.ts";

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

export function directStem(owner: SeriesOwner): string {
  return stemIn(`API-${owner.connectionOrdinal}`, owner);
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

const GIVEN = /^(API-|PED-)(\d.*)$/;
const GIVEN_TRIAL = /^(API-|PED-)T(\d.*)$/;

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
