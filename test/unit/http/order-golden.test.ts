/** Orders of connectors of each contract version, and their facts, to the last digit. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseExactly } from "../../../src/api/wire/json.ts";
import { orderBody } from "../../../src/api/wire/order-body.ts";
import { toOrderFacts } from "../../../src/api/wire/order-facts.ts";
import { TIME_ZONES } from "../../../src/domain/shared/instant.ts";

const FOLDER = `${import.meta.dirname}/../../golden/orders`;
const FILES = readdirSync(FOLDER);

const INSTANTS = new Set(["orderedAt", "paidAt", "updatedAt", "occurredAt"]);

/** Facts as a golden file writes them: instants in words. */
function readable(facts: unknown): unknown {
  return JSON.parse(
    JSON.stringify(facts, (name, value) =>
      INSTANTS.has(name) && typeof value === "number" ? new Date(value).toISOString() : value,
    ),
  );
}

test("there is one for each version that the interface names", () => {
  expect(FILES.sort()).toEqual([
    "1.0.json",
    "1.2.json",
    "1.3.json",
    "1.4.json",
    "1.5.json",
    "1.8.json",
    "1.9-shop.json",
    "1.9.json",
  ]);
});

test.each(FILES)("%s", (file) => {
  const text = readFileSync(`${FOLDER}/${file}`, "utf8");
  const { timeZone, facts, warnings } = JSON.parse(text);
  const sent: unknown = Object(parseExactly(text)).payload;
  expect(TIME_ZONES).toContain(timeZone);
  const order = toOrderFacts(orderBody.parse(sent), { timeZone, sent });
  expect(readable(order.facts)).toStrictEqual(facts);
  expect(order.warnings).toEqual(warnings);
  expect(parseExactly(order.raw)).toEqual(sent);
});

test.each(FILES)("%s survives the way to the connection's object", (file) => {
  const sent: unknown = Object(parseExactly(readFileSync(`${FOLDER}/${file}`, "utf8"))).payload;
  const order = toOrderFacts(orderBody.parse(sent), { timeZone: "Europe/Madrid", sent });
  expect(structuredClone(order)).toStrictEqual(order);
  expect(JSON.parse(JSON.stringify(order))).toStrictEqual(order);
});
