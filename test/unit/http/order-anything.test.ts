/** Any JSON sent as an order becomes facts or problems, and never throws. */
import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseExactly } from "../../../src/api/wire/json.ts";
import { orderBody } from "../../../src/api/wire/order-body.ts";
import { toOrderFacts } from "../../../src/api/wire/order-facts.ts";
import { eventFingerprint, fiscalFingerprint } from "../../../src/domain/order/facts.ts";
import { localTime, TIME_ZONES } from "../../../src/domain/shared/instant.ts";
import { often } from "../../support/rules/often.ts";

const FOLDER = `${import.meta.dirname}/../../golden/orders`;
const GOLDEN: readonly unknown[] = readdirSync(FOLDER).map(
  (file) => JSON.parse(readFileSync(`${FOLDER}/${file}`, "utf8")).payload,
);

type Path = readonly string[];

function pathsOf(tree: unknown, path: Path = []): Path[] {
  if (typeof tree !== "object" || tree === null) return [path];
  return [path, ...Object.entries(tree).flatMap(([name, value]) => pathsOf(value, [...path, name]))];
}

function withValue(tree: unknown, [name, ...rest]: Path, value: unknown): unknown {
  if (name === undefined) return value;
  if (Array.isArray(tree))
    return tree.map((item, index) => (String(index) === name ? withValue(item, rest, value) : item));
  const object = Object(tree);
  return { ...object, [name]: withValue(object[name], rest, value) };
}

let taken = 0;

function readAnyhow(value: unknown): void {
  const sent = parseExactly(JSON.stringify(value));
  const read = orderBody.safeParse(sent);
  if (!read.success) {
    expect(read.error.issues.length).toBeGreaterThan(0);
    return;
  }
  taken += 1;
  for (const timeZone of TIME_ZONES) {
    const { facts, raw } = toOrderFacts(read.data, { timeZone, sent });
    expect(JSON.parse(JSON.stringify(facts))).toStrictEqual(facts);
    expect(localTime(facts.orderedAt, timeZone).date <= "2100-01-01").toBe(true);
    expect(localTime(facts.paidAt, timeZone).date >= "1969-12-30").toBe(true);
    expect(fiscalFingerprint(facts)).toMatch(/^[0-9a-f]{64}$/);
    expect(facts.events.map(eventFingerprint).every((text) => text.length === 64)).toBe(true);
    expect(parseExactly(raw)).toEqual(sent);
  }
}

const anything = fc.jsonValue({ maxDepth: 3 });
const words = fc.constantFrom(
  "",
  " ",
  "1.8",
  "0000-00-00",
  "NaN",
  "-Infinity",
  "gift_card",
  "cancelled",
  "\u0000",
);
const numbers = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer());
const dates = fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
const localDates = dates.map((text) => text.slice(0, -5).replace("T", " "));
const values = fc.oneof(anything, words, numbers, dates, localDates, fc.string({ unit: "binary" }));

test("any JSON", () => {
  fc.assert(fc.property(anything, readAnyhow), often(1000));
});

test("any value in any places of a real order", () => {
  taken = 0;
  const spoilt = fc
    .constantFrom(...GOLDEN)
    .chain((order) =>
      fc
        .array(fc.tuple(fc.constantFrom(...pathsOf(order)), values), { minLength: 1, maxLength: 3 })
        .map((changes) =>
          changes.reduce<unknown>((tree, [path, value]) => withValue(tree, path, value), order),
        ),
    );
  const length = often(3000);
  fc.assert(fc.property(spoilt, readAnyhow), length);
  expect(taken).toBeGreaterThan(length.numRuns / 10);
});

test("any time of the years that are taken", () => {
  const moments = fc
    .date({
      min: new Date("1970-01-01T00:00:00Z"),
      max: new Date("2099-12-31T23:59:59Z"),
      noInvalidDate: true,
    })
    .map((date) => date.toISOString().slice(0, 19).replace("T", " "));
  fc.assert(
    fc.property(moments, (order_date) => {
      const sent = parseExactly(
        JSON.stringify({ id_external: "1", order_date, total: 0, currency: "EUR", breakdown: [] }),
      );
      for (const timeZone of TIME_ZONES) {
        const { orderedAt } = toOrderFacts(orderBody.parse(sent), { timeZone, sent }).facts;
        const shown = localTime(orderedAt, timeZone).timestamp.slice(0, 19).replace("T", " ");
        // Only the hour that the clock skips in spring is shown one later than it was sent.
        if (shown !== order_date) expect(order_date.slice(5, 13)).toMatch(/^0[3-6]-/);
        expect(Math.abs(Date.parse(`${shown}Z`) - Date.parse(`${order_date}Z`)) % 3_600_000).toBe(0);
      }
    }),
    often(2000),
  );
});
