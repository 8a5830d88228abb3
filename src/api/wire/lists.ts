import type { Context } from "hono";
import * as z from "zod";
import type { ChainPlace, ListedState } from "../../db/invoices/listed-invoices.ts";
import type { ChangePlace } from "../../db/orders/changed-orders.ts";
import { INVOICE_TYPES } from "../../domain/invoice/request.ts";
import { LISTS } from "../../domain/limits.ts";
import { ORDER_STATES } from "../../domain/order/decision.ts";
import { instantFrom } from "../../domain/order/sent-order.ts";
import { base64Of, bytesOf } from "../../domain/shared/base64.ts";
import type { Bilingual, Problem } from "../../words/words.ts";
import type { AppEnv } from "../deps.ts";
import { refuse as refuseWith } from "../refuse.ts";
import { RECORD_STATES } from "./answers.ts";
import { INSTANT } from "./order-values.ts";
import { particularsOf } from "./problems.ts";
import { date, formedText, sentText } from "./values.ts";

/** Query parameters of lists, and the cursors with which a list goes on. */

export const LISTED_STATES = [...RECORD_STATES, "cancelled"] as const satisfies readonly ListedState[];

/** A cursor names an order of up to 120 characters, each of up to twelve bytes in JSON. */
const LONGEST_CURSOR = 2_000;

const EXPECTED: Bilingual = {
  en: "a next_cursor of this list and this connection; without a cursor the list begins anew",
  es: "un next_cursor de esta lista y de esta conexión; sin cursor la lista empieza de nuevo",
};

const CURSOR_PROBLEM: Problem = { kind: "invalidValue", facts: { expected: EXPECTED } };

/** A place in a list, with the connection that it was given to. */
export interface Cursor<Place> {
  readonly connectionId: string;
  readonly place: Place;
}

/** 422 for the cursor of another connection, in the words for a broken one. */
export function refuseForeignCursor(
  c: Context<AppEnv>,
  cursor: Cursor<unknown> | undefined,
  connectionId: string,
): Response | undefined {
  if (cursor === undefined || cursor.connectionId === connectionId) return undefined;
  const placed = { path: ["cursor"], problem: CURSOR_PROBLEM };
  return refuseWith(c, "validation_failed", particularsOf([placed], c.get("language")));
}

const natural = z.int().min(0);
const chainPlace = z
  .tuple([z.literal("invoices"), z.string(), natural, natural.nullable()])
  .transform(([, connectionId, chain, before]): Cursor<ChainPlace> => {
    return { connectionId, place: { chain, ...(before === null ? {} : { before }) } };
  });
const changePlace = z
  .tuple([z.literal("orders"), z.string(), natural, z.string()])
  .transform(([, connectionId, changedAt, idExternal]): Cursor<ChangePlace> => {
    return { connectionId, place: { changedAt, idExternal } };
  });

export function invoiceCursor({ connectionId, place }: Cursor<ChainPlace>): string {
  return encoded(["invoices", connectionId, place.chain, place.before ?? null]);
}

export function orderCursor({ connectionId, place }: Cursor<ChangePlace>): string {
  return encoded(["orders", connectionId, place.changedAt, place.idExternal]);
}

/** Base64 for URLs: the caller sends it back as it is. */
function encoded(parts: readonly (string | number | null)[]): string {
  const bytes = new TextEncoder().encode(JSON.stringify(parts));
  return base64Of(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function decoded(sent: string): unknown {
  try {
    const bytes = bytesOf(sent.replaceAll("-", "+").replaceAll("_", "/"));
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

function cursorOf<Place>(places: z.ZodType<Cursor<Place>>) {
  return sentText(LONGEST_CURSOR).transform((sent, context): Cursor<Place> => {
    const read = places.safeParse(decoded(sent));
    return read.success ? read.data : refuse(context, CURSOR_PROBLEM);
  });
}

const limit = formedText(
  (text) => (/^\d{1,3}$/.test(text) && isWithin(Number(text)) ? text : undefined),
  { en: `a whole number from 1 to ${LISTS.mostItems}`, es: `un número entero de 1 a ${LISTS.mostItems}` },
  {},
)
  .transform(Number)
  .optional()
  .transform((sent = LISTS.mostItems) => sent);

function isWithin(count: number): boolean {
  return count >= 1 && count <= LISTS.mostItems;
}

/** Some of the words, by commas. */
function wordsOf<Word extends string>(words: readonly Word[]) {
  return sentText(1_000).transform((sent, context): readonly Word[] => {
    const given = sent.split(",").map((word) => word.trim());
    const known = words.filter((word) => given.includes(word));
    if (given.every((word) => known.some((one) => one === word))) return known;
    return refuse(context, { kind: "notAllowed", facts: { allowed: words.join(", ") } });
  });
}

/** In a query that was not encoded, the plus of an offset arrives as a space. */
const instant = formedText(
  (text) => {
    const at = instantFrom(text.replace(/ (?=\d{2}:?\d{2}$)/, "+"));
    return at === undefined ? undefined : String(at);
  },
  INSTANT,
  {},
).transform(Number);

const FROM_AFTER_TO: Problem = {
  kind: "invalidValue",
  facts: { expected: { en: "the day of from or a later one", es: "el día de from u otro posterior" } },
};

export const invoiceListQuery = z
  .object({
    cursor: cursorOf(chainPlace).optional(),
    from: date.optional(),
    to: date.optional(),
    type: wordsOf(INVOICE_TYPES).optional(),
    state: wordsOf(LISTED_STATES).optional(),
    limit,
  })
  .check(({ value, issues }) => {
    if (value.from === undefined || value.to === undefined || value.from <= value.to) return;
    issues.push({ code: "custom", path: ["to"], input: value.to, params: { problem: FROM_AFTER_TO } });
  });

export const orderListQuery = z.object({
  cursor: cursorOf(changePlace).optional(),
  state: wordsOf(ORDER_STATES).optional(),
  updated_since: instant.optional(),
  limit,
});

export const nextCursorAnswer = z
  .string()
  .nullable()
  .describe("Send it as cursor for what comes next; null at the end of the list, and only there.");

function refuse(context: z.RefinementCtx, problem: Problem): never {
  context.addIssue({ code: "custom", params: { problem } });
  return z.NEVER;
}
