/** Orders of connectors of each contract version, and their facts, to the last digit. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseExactly } from "../../../src/api/wire/json.ts";
import { orderBody } from "../../../src/api/wire/order-body.ts";
import { toOrderFacts } from "../../../src/api/wire/order-facts.ts";
import { eventFingerprint, fiscalFingerprint } from "../../../src/domain/order/facts.ts";
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
    "1.9-trade.json",
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

/** The fingerprint of an order as sold is stored with its invoice: a new field must leave it as it was. */
test("an order without the fields of later contracts keeps its fingerprints", () => {
  const marks = FILES.filter((file) => !/^1\.9-/.test(file)).map((file) => {
    const sent: unknown = Object(parseExactly(readFileSync(`${FOLDER}/${file}`, "utf8"))).payload;
    const { facts } = toOrderFacts(orderBody.parse(sent), { timeZone: "Europe/Madrid", sent });
    const all = [fiscalFingerprint(facts), ...facts.events.map(eventFingerprint)];
    return `${file} ${all.map((mark) => mark.slice(0, 8)).join(" ")}`;
  });
  expect(marks).toMatchInlineSnapshot(`
    [
      "1.0.json 7a01d3c7",
      "1.2.json 9bca3f4e d9c64161 91046c8d",
      "1.3.json 54cb9586 1a85aaab 4cb779b3",
      "1.4.json a8fa9830 6b7c5fed",
      "1.5.json 05db64c1",
      "1.8.json c7cb8259 59cec87e 01e3b02f",
      "1.9.json 01ee64d7",
    ]
  `);
});
