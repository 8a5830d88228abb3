import * as z from "zod";
import { type CivilDate, civilDateFrom } from "../../domain/shared/civil-date.ts";
import { isCountry } from "../../domain/shared/country.ts";
import { currencyDecimals } from "../../domain/shared/currency.ts";
import {
  compare,
  type Decimal,
  decimal,
  decimalFrom,
  digitsOf,
  isPositive,
  isZero,
} from "../../domain/shared/decimal.ts";
import { isPlainText, normalizeText } from "../../domain/shared/text.ts";
import type { Bilingual, Problem } from "../../words/words.ts";
import { JsonNumber } from "./json.ts";

const MOST_INTEGER_DIGITS = 12;
const MOST_DECIMALS = 6;
const FIRST_TOO_LARGE = 1e12;

const A_NUMBER: Problem = { kind: "wrongType", facts: { expected: { en: "a number", es: "un número" } } };
const CHARACTERS: Bilingual = { en: "characters", es: "caracteres" };
const ENTRIES: Bilingual = { en: "entries", es: "elementos" };

/** Longest text of a date, a number or a code. */
const LONGEST_FORM = 100;
/** A text may arrive with surrounding space and decomposed: NFC joins up to four units into one. */
const UNITS_PER_CHARACTER = 4;
const UNITS_BESIDE = 100;

/** The most UTF-16 units that a text of so many characters may arrive with. */
export function longestSent(maximum: number): number {
  return maximum * UNITS_PER_CHARACTER + UNITS_BESIDE;
}

/** A text in a request. Its length is checked before it is trimmed, normalised or matched. */
export function sentText(maximum = LONGEST_FORM) {
  const longest = longestSent(maximum);
  return z.string().refine((sent) => sent.length <= longest, {
    abort: true,
    params: { problem: { kind: "tooLong", facts: { maximum: String(maximum), unit: CHARACTERS } } },
  });
}

/** The entries of a list that is too long are not checked: they could hold a hundred thousand faults. */
export function list<Item extends z.ZodType>(item: Item, maximum: number, minimum = 0) {
  const within = z.transform((sent: z.input<Item>[], context) => {
    if (!Array.isArray(sent) || sent.length <= maximum) return sent;
    return refuse(context, { kind: "tooLong", facts: { maximum: String(maximum), unit: ENTRIES } });
  });
  const bounds = { ...(minimum > 0 ? { minItems: minimum } : {}), maxItems: maximum };
  return within.pipe(z.array(item).min(minimum)).meta(bounds);
}

/** Text as it is kept: trimmed, NFC. Length is counted in code points, as JSON Schema counts it. */
export function text(maximum: number) {
  return sentText(maximum)
    .transform((sent, context) => {
      const kept = normalizeText(sent);
      const problem = isPlainText(sent) ? lengthProblem(kept, maximum) : controlCharacter;
      return problem ? refuse(context, problem) : kept;
    })
    .meta({ minLength: 1, maxLength: maximum });
}

/** The caller's own key, compared exactly: surrounding space is refused, not trimmed. */
export function exactText(maximum: number) {
  return sentText(maximum)
    .transform((sent, context) => {
      const problem = isPlainText(sent) ? lengthProblem(sent, maximum) : controlCharacter;
      if (problem) return refuse(context, problem);
      return sent === sent.trim() ? sent : refuse(context, { kind: "notTrimmed" });
    })
    .meta({ minLength: 1, maxLength: maximum, pattern: "^\\S([\\s\\S]*\\S)?$" });
}

/** Segments that URLs resolve away: an order or invoice with such an id could never be read again. */
const NOT_IN_PATHS: readonly string[] = [".", ".."];
const NO_PATH: Problem = {
  kind: "invalidValue",
  facts: { expected: { en: "other than . and ..", es: "distinto de . y .." } },
};

/** An id that is part of a path. */
export function readableId<Schema extends z.ZodType<string>>(schema: Schema) {
  const isReadable = (id: string) => !NOT_IN_PATHS.includes(id);
  return schema.refine(isReadable, { params: { problem: NO_PATH } }).meta({ not: { enum: NOT_IN_PATHS } });
}

/** Text of a closed form; `expected` says in words what it must be. */
export function formedText<Form extends string>(
  read: (text: string) => Form | undefined,
  expected: Bilingual,
  schema: { readonly pattern?: string; readonly format?: string; readonly maxLength?: number },
) {
  return sentText(schema.maxLength)
    .transform((sent, context) => {
      const value = read(sent.trim());
      return value ?? refuse(context, { kind: "invalidValue", facts: { expected } });
    })
    .meta(schema);
}

export const currencyCode = formedText(
  (text) => (currencyDecimals(text) === undefined ? undefined : text),
  { en: "a current ISO 4217 code in capitals, such as EUR", es: "un código ISO 4217 vigente, como EUR" },
  { pattern: "^[A-Z]{3}$" },
);

export const countryCode = formedText(
  (text) => (isCountry(text) ? text : undefined),
  { en: "an ISO 3166-1 code of two capitals, such as ES", es: "un código ISO 3166-1 de dos letras, como ES" },
  { pattern: "^[A-Z]{2}$" },
);

export const date = sentText()
  .transform(
    (sent, context): CivilDate => civilDateFrom(sent.trim()) ?? refuse(context, { kind: "invalidDate" }),
  )
  .meta({ format: "date" });

interface Limits {
  readonly minimum?: Decimal;
  readonly maximum?: Decimal;
  readonly notZero?: true;
  readonly positive?: true;
}

/** A number read from its source text, digit by digit; binary floating point never sees it. */
export function exactDecimal(limits: Limits = {}) {
  const { minimum, maximum, positive } = limits;
  return z
    .custom<JsonNumber>((sent) => sent instanceof JsonNumber, {
      // By default a custom type stops every check that follows, also those of other members.
      abort: false,
      params: { problem: A_NUMBER },
    })
    .transform((sent, context) => {
      const value = decimalFrom(sent.source);
      if (value === undefined || !fits(value)) return refuse(context, { kind: "tooManyDigits" });
      const problem = limitProblem(value, limits);
      return problem ? refuse(context, problem) : value;
    })
    .meta({
      type: "number",
      ...(minimum === undefined
        ? { exclusiveMinimum: positive ? 0 : -FIRST_TOO_LARGE }
        : { minimum: Number(minimum) }),
      ...(maximum === undefined ? { exclusiveMaximum: FIRST_TOO_LARGE } : { maximum: Number(maximum) }),
      ...(limits.notZero ? { not: { const: 0 } } : {}),
    });
}

export const percent = exactDecimal({ minimum: decimal("0"), maximum: decimal("100") });

/**
 * An object that accepts no other members. A number is by then an instance of our class, which zod would
 * accept as an object. It becomes a plain number first, so that its type is refused.
 */
export function strictObject<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
  ...checks: z.core.$ZodCheck<unknown>[]
) {
  const plain = (sent: unknown) => (sent instanceof JsonNumber ? Number(sent.source) : sent);
  return z.preprocess(plain, z.strictObject(shape).check(...checks));
}

/** Absent and null are the same, and leave no member. */
export function optional<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().transform((value) => value ?? undefined);
}

const controlCharacter: Problem = { kind: "controlCharacter" };

function lengthProblem(kept: string, maximum: number): Problem | undefined {
  const length = [...kept].length;
  if (length === 0) return { kind: "empty" };
  if (length <= maximum) return undefined;
  return { kind: "tooLong", facts: { maximum: String(maximum), unit: CHARACTERS } };
}

function fits(value: Decimal): boolean {
  const digits = digitsOf(value);
  return digits.integer <= MOST_INTEGER_DIGITS && digits.fraction <= MOST_DECIMALS;
}

function limitProblem(value: Decimal, limits: Limits): Problem | undefined {
  const { minimum, maximum, notZero, positive } = limits;
  if (positive && !isPositive(value)) return { kind: "notPositive" };
  if (notZero && isZero(value)) return { kind: "zero" };
  const below = minimum !== undefined && compare(value, minimum) < 0;
  const above = maximum !== undefined && compare(value, maximum) > 0;
  if (!below && !above) return undefined;
  return { kind: "outOfLimits", facts: { minimum: minimum ?? "", maximum: maximum ?? "" } };
}

function refuse(context: z.RefinementCtx, problem: Problem): never {
  context.addIssue({ code: "custom", params: { problem } });
  return z.NEVER;
}
