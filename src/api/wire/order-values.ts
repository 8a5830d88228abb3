import * as z from "zod";
import { AMOUNT_KINDS, EVENT_TYPES, LINE_KINDS } from "../../domain/order/normalize-order.ts";
import {
  dayOrMomentFrom,
  FIRST_YEAR,
  instantFrom,
  isNoDate,
  LAST_YEAR,
  momentFrom,
} from "../../domain/order/sent-order.ts";
import { type Decimal, decimalFrom, digitsOf, isNegative, round } from "../../domain/shared/decimal.ts";
import type { Bilingual, Problem } from "../../words/words.ts";
import { JsonNumber } from "./json.ts";
import { date, longestSent, sentText, text } from "./values.ts";

/** Longest id in the caller's system. */
export const LONGEST_ID = 120;
export const LONGEST_STORE_ID = 32;
const MOST_INTEGER_DIGITS = 12;
const FIRST_TOO_LARGE = 1e12;
/**
 * Shops compute in binary: 8.264462809917355 or 0.30000000000000004. Eight decimals remove the errors of the
 * double and move no cent in a sum of 5,000 lines, which six could.
 */
const AMOUNT_DECIMALS = 8;

const A_NUMBER: Problem = { kind: "wrongType", facts: { expected: { en: "a number", es: "un número" } } };
/** Longer blank text does not count as absent. */
const LONGEST_BLANK = 1_000;
const WHOLE: Bilingual = { en: "a whole number", es: "un número entero" };

/** An exact number, of any number of decimals; what lies beyond the eighth is rounded half away from zero. */
export function amount({ isSigned = true, isWhole = false } = {}) {
  return z
    .custom<JsonNumber>((sent) => sent instanceof JsonNumber, {
      // By default a custom type stops every check that follows, also those of other members.
      abort: false,
      params: { problem: A_NUMBER },
    })
    .transform((sent, context) => {
      const exact = decimalFrom(sent.source);
      if (isWhole && exact && digitsOf(exact).fraction > 0)
        return refuse(context, { kind: "invalidValue", facts: { expected: WHOLE } });
      const value = exact && withoutDust(exact);
      const fits = value !== undefined && digitsOf(value).integer <= MOST_INTEGER_DIGITS;
      if (fits && (isSigned || !isNegative(value))) return value;
      const largest = "9".repeat(MOST_INTEGER_DIGITS);
      const minimum = isSigned ? `-${largest}` : "0";
      return refuse(context, { kind: "outOfLimits", facts: { minimum, maximum: largest } });
    })
    .meta({
      type: "number",
      ...(isSigned ? { exclusiveMinimum: -FIRST_TOO_LARGE } : { minimum: 0 }),
      exclusiveMaximum: FIRST_TOO_LARGE,
    });
}

/** A number of items. */
export const count = amount({ isSigned: false, isWhole: true })
  .transform(Number)
  .meta({ type: "integer", minimum: 0, exclusiveMaximum: FIRST_TOO_LARGE });

/** An id or code of the caller; platforms that send numbers have them taken as text. */
export function idText(maximum = LONGEST_ID) {
  return z.preprocess(numberAsText, text(maximum)).meta({ type: ["string", "number"] });
}

/** Names and addresses of real shops contain line breaks and tabs: they count as spaces. */
export function freeText(maximum: number) {
  const isShort = (sent: unknown): sent is string =>
    typeof sent === "string" && sent.length <= longestSent(maximum);
  return z.preprocess((sent) => (isShort(sent) ? sent.replace(/[\t\r\n]+/g, " ") : sent), text(maximum));
}

/** Only the form: the decision judges the country, because shops have codes that no list knows. */
export const countryForm = reading((sent) => (/^[A-Za-z]{2}$/.test(sent) ? sent.toUpperCase() : undefined), {
  en: "an ISO 3166-1 code of two letters, such as ES",
  es: "un código ISO 3166-1 de dos letras, como ES",
}).meta({ pattern: "^[A-Za-z]{2}$" });

const YEARS = { en: `from ${FIRST_YEAR} to ${LAST_YEAR}`, es: `de ${FIRST_YEAR} a ${LAST_YEAR}` };

const DAY_PATTERN = "\\d{4}-\\d{2}-\\d{2}";
const INSTANT_PATTERN = "[Tt ]\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})? ?([Zz]|[+-]\\d{2}:?\\d{2})";
const TIME_PATTERN = `${INSTANT_PATTERN}?`;

/** Without offset it is a time in the issuer's zone. */
export const moment = reading(momentFrom, {
  en: `a date and time ${YEARS.en}, such as 2026-11-27 10:30:00`,
  es: `una fecha y hora ${YEARS.es}, como 2026-11-27 10:30:00`,
}).meta({ pattern: `^${DAY_PATTERN}${TIME_PATTERN}$` });

export const dayOrMoment = reading(dayOrMomentFrom, {
  en: `a date ${YEARS.en}, with or without time, such as 2026-11-27 10:30:00`,
  es: `una fecha ${YEARS.es}, con hora o sin ella, como 2026-11-27 10:30:00`,
}).meta({ pattern: `^${DAY_PATTERN}(${TIME_PATTERN})?$` });

export const INSTANT: Bilingual = {
  en: `an RFC 3339 time with its offset, ${YEARS.en}, such as 2026-11-27T10:30:00+01:00`,
  es: `una hora RFC 3339 con su desfase, ${YEARS.es}, como 2026-11-27T10:30:00+01:00`,
};

export const instant = reading(instantFrom, INSTANT).meta({ pattern: `^${DAY_PATTERN}${INSTANT_PATTERN}$` });

/**
 * Unknown members are allowed: the order is kept as sent. A number is an object only to the parser of this
 * edge, so it is turned into text first.
 */
export function members<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.preprocess(numberAsText, z.object(shape));
}

/** Null and empty text count as absent and leave no member. */
export function whenSent<Schema extends z.ZodType>(schema: Schema) {
  return absentWhen(isBlank, schema, "blank");
}

/** The same for a date: platforms have their own spellings of a missing date. */
export function whenDated<Schema extends z.ZodType>(schema: Schema) {
  const isNothing = (sent: unknown) =>
    isBlank(sent) || (typeof sent === "string" && sent.length <= LONGEST_BLANK && isNoDate(sent));
  return absentWhen(isNothing, schema, "no_date");
}

/** The same for an object: an empty one of PHP arrives as an empty list. */
export function whenFilled<Schema extends z.ZodType>(schema: Schema) {
  const isNothing = (sent: unknown) => isBlank(sent) || (Array.isArray(sent) && sent.length === 0);
  return absentWhen(isNothing, schema, "empty_list");
}

export const day = whenDated(date.meta({ pattern: `^${DAY_PATTERN}$` }));

function isBlank(sent: unknown): boolean {
  return typeof sent === "string" && sent.length <= LONGEST_BLANK && sent.trim() === "";
}

/**
 * Values that count as absent besides null: blank text, for dates also zeros, for objects also an empty list.
 */
export type AbsentAs = "blank" | "no_date" | "empty_list";

/** The published schema must accept the same values: it reads `absentAs`, which is not published. */
function absentWhen<Schema extends z.ZodType>(
  isNothing: (sent: unknown) => boolean,
  schema: Schema,
  absentAs: AbsentAs,
) {
  const nothingAsAbsent = (sent: unknown) => (isNothing(sent) ? undefined : sent);
  return z
    .preprocess(nothingAsAbsent, schema.nullish())
    .transform((value) => value ?? undefined)
    .meta({ absentAs });
}

/** A value that is read from text; `expected` says in words what it must be. */
export function reading<Value>(read: (text: string) => Value | undefined, expected: Bilingual) {
  return sentText().transform((sent, context) => {
    const value = read(sent.trim());
    return value === undefined ? refuse(context, { kind: "invalidValue", facts: { expected } }) : value;
  });
}

export function numberAsText(sent: unknown): unknown {
  return sent instanceof JsonNumber ? sent.source : sent;
}

function withoutDust(exact: Decimal): Decimal {
  return digitsOf(exact).fraction > AMOUNT_DECIMALS ? round(exact, AMOUNT_DECIMALS) : exact;
}

function refuse(context: z.RefinementCtx, problem: Problem): never {
  context.addIssue({ code: "custom", params: { problem } });
  return z.NEVER;
}

/** Words known to this version, by the name of their list; the contract defines how others are read. */
export const WORDS = {
  FiscalEvent: ["none", "invoice_candidate", "cancelled", "full_invoice_requested"],
  InvoiceAction: ["none", "create_invoice"],
  LineKind: LINE_KINDS,
  AmountKind: AMOUNT_KINDS,
  EventType: EVENT_TYPES,
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type WordList = keyof typeof WORDS;

/** A word of a list that may grow. The document names the list and also allows any other text. */
export function wordOf(wordList: WordList) {
  return freeText(255).meta({ wordList });
}
