/** The service's codes and their texts. */
import { CLOCK_MARGIN_SECONDS } from "../rules/admissible.ts";
import type { Refusal } from "../rules/check.ts";
import table from "./errors.json" with { type: "json" };

/** Seen in answers, but in none of the AEAT's published tables. */
const INTERNAL_ERROR = 102;

const TEXTS: ReadonlyMap<number, string> = new Map<number, string>([
  [INTERNAL_ERROR, "Error interno en el servidor"],
  ...Object.entries(table).map(([code, text]) => [Number(code), text] as const),
]);

/** Texts that end with the name of the element. */
const GENERAL = [1100, 4102, 4113];

export const ERROR_CODES: readonly number[] = [...TEXTS.keys()];

export function isMessageCode(code: number): boolean {
  return TEXTS.has(code) && (code < 1000 || code >= 3500);
}

/** 3000 needs the record that it is a duplicate of, so it cannot be asked for. */
export function isRecordCode(code: number): boolean {
  return TEXTS.has(code) && !isMessageCode(code) && code !== 3000;
}

/** Codes from 2000 to 2999 come with an accepted record. */
export function isAdmissible(code: number): boolean {
  return code >= 2000 && code < 3000;
}

/** In the service's form: the code's own text, then its subject. */
export function describe({ code, field, because, party }: Refusal): string {
  const own = ownText(code);
  const about = field !== undefined && GENERAL.includes(code) ? `: ${field}` : "";
  const inner = because === undefined ? "" : `. ${ownText(because)}`;
  const who = party === undefined ? "" : `. NIF:${party.nif}. NOMBRE_RAZON:${party.name}.`;
  return `${own}${about}${inner}${who}`;
}

function ownText(code: number): string {
  const text = TEXTS.get(code) ?? "";
  if (code === 2004) return `${text} ${CLOCK_MARGIN_SECONDS} segundos.`;
  return text.replace("%s", "NumSerieFactura");
}
