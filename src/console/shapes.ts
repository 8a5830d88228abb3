import { zValidator } from "@hono/zod-validator";
import type { Context } from "hono";
import * as z from "zod";
import { shapeProblems } from "../api/wire/problems.ts";
import { date, formedText, sentText } from "../api/wire/values.ts";
import { FIRST_YEAR, LAST_YEAR } from "../domain/order/sent-order.ts";
import { yearOf } from "../domain/shared/civil-date.ts";
import { type Decimal, decimalFrom, digitsOf } from "../domain/shared/decimal.ts";
import { normalizeText } from "../domain/shared/text.ts";
import type { Bilingual } from "../words/words.ts";
import { refuse } from "./refuse.ts";

/** Validates a route's JSON body and reports all problems of a form together. */
export function body<Schema extends z.ZodType>(schema: Schema) {
  return zValidator("json", schema, (checked, c) => {
    refuseProblems(checked, c);
  });
}

/** Validates a route's query. */
export function query<Schema extends z.ZodType>(schema: Schema) {
  return zValidator("query", schema, (checked, c) => {
    refuseProblems(checked, c);
  });
}

interface Checked {
  readonly success: boolean;
  readonly data: unknown;
  readonly error?: { readonly issues: readonly z.core.$ZodIssue[] };
}

function refuseProblems(checked: Checked, c: Context): void {
  if (!checked.success) refuse(c, "validation_failed", shapeProblems(checked, c.var.language));
}

const INTEGER_DIGITS = 12;
const DECIMALS = 6;
const PLAIN_NUMBER = /^\d+(\.\d+)?$/;
const SIGNED_NUMBER = /^-?\d+(\.\d+)?$/;

/** An amount or a rate on the wire: a decimal text, never a JavaScript number. */
export const decimalText = decimalOf(PLAIN_NUMBER);
/** An amount that may be negative. */
export const signedDecimalText = decimalOf(SIGNED_NUMBER);

function decimalOf(form: RegExp) {
  return formedText<Decimal>(
    (text) => {
      const value = form.test(text) ? decimalFrom(text) : undefined;
      if (value === undefined) return undefined;
      const { integer, fraction } = digitsOf(value);
      return integer <= INTEGER_DIGITS && fraction <= DECIMALS ? value : undefined;
    },
    { en: "an amount such as 1234.56", es: "un importe como 1234.56" },
    { pattern: form.source },
  );
}

const YEARS: Bilingual = {
  en: `from ${FIRST_YEAR} to ${LAST_YEAR}`,
  es: `de ${FIRST_YEAR} a ${LAST_YEAR}`,
};

/** A day in the years for which the zones' UTC offsets are known; orders have no others. */
export const listedDay = date.refine((day) => isListed(yearOf(day)), {
  params: { problem: { kind: "invalidValue", facts: { expected: YEARS } } },
});

/** Refuses a range that ends before it begins. */
export function daysInOrder(
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
  context: z.RefinementCtx,
): void {
  if (from === undefined || to === undefined || from <= to) return;
  const expected: Bilingual = {
    en: "a day that is not before `from`",
    es: "un día que no sea anterior a `from`",
  };
  const problem = { kind: "invalidValue", facts: { expected } };
  context.addIssue({ code: "custom", path: ["to"], params: { problem } });
}

export const month = formedText(
  (text) => (/^\d{4}-(0[1-9]|1[0-2])$/.test(text) && isListed(Number(text.slice(0, 4))) ? text : undefined),
  { en: `a month ${YEARS.en}, such as 2026-11`, es: `un mes ${YEARS.es}, como 2026-11` },
  {},
);

function isListed(year: number): boolean {
  return year >= FIRST_YEAR && year <= LAST_YEAR;
}

/** Text that may be empty; empty means none. */
export function freeText(maximum: number) {
  const expected = {
    en: `a text of ${maximum} characters at most`,
    es: `un texto de hasta ${maximum} caracteres`,
  };
  return formedText((text) => within(normalizeText(text), maximum), expected, { maxLength: maximum });
}

function within(text: string, maximum: number): string | undefined {
  return [...text].length <= maximum ? text : undefined;
}

/** The form's version, returned as it was sent. */
export const version = z.string().min(1).max(64);

/** A shop's id: compared exactly, never trimmed. */
export function idOf(maximum: number) {
  return sentText(maximum).transform((sent, context) => {
    const isOne = sent !== "" && [...sent].length <= maximum;
    return isOne ? sent : refuseValue(context, { en: "the id of one", es: "el identificador de uno" });
  });
}

export const orderId = idOf(1000);

/** Long enough for any address; unknown addresses get the same reply as known ones. */
export const typedEmail = z.string().min(1).max(254);
export const emailText = sentText(254).pipe(z.email().max(254));

/** Id of a change: a repeated id is a retry. */
export const changeId = sentText(64).regex(/^[0-9a-zA-Z-]{8,64}$/);

export function refuseValue(context: z.RefinementCtx, expected: Bilingual): never {
  context.addIssue({ code: "custom", params: { problem: { kind: "invalidValue", facts: { expected } } } });
  return z.NEVER;
}
