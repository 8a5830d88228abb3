/** The largest body costs little before any decision: 500 ms with a key, 50 ms without one. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freshModule } from "../../support/rules/fresh-module.ts";
import { countOperations } from "../../support/rules/operations.ts";

type Edge = typeof import("../../support/worlds/stranger-edge.ts");

const counting = await countOperations();
afterAll(counting.end);

const EDGE = `${import.meta.dirname}/../../support/worlds/stranger-edge.ts`;
const { aBody, aConsole, aLine, anEdge, AUTHORISED, ENDPOINTS, FORGED_KEY } = await freshModule<Edge>(EDGE);

const SIZE = 1_048_576;

/** A mebibyte of repeated pieces, inside the given text. */
function filled(before: string, piece: string, after: string): string {
  const room = SIZE - before.length - after.length;
  const pieces = piece.repeat(Math.floor(room / piece.length)).replace(/,$/, "");
  return `${before}${pieces}${" ".repeat(room - pieces.length)}${after}`;
}

const BODIES: Readonly<Record<string, string>> = {
  "spaces around nothing": filled("{", " ", "}"),
  "members of one name": filled("{", '"a":1,', "}"),
  "members that a route knows not": `{${Array.from({ length: 90_000 }, (_, at) => `"m${at}":1`).join(",")}}`,
  "one long text": filled('{"external_id":"', "a", '"}'),
  "signs that are written as escapes": filled('{"external_id":"', "\\u0301", '"}'),
  "digits without end": filled('{"total":', "9", "}"),
  "brackets in brackets": filled("", "[", ""),
  "lines without sense": filled('{"lines":[', '{"q":1e999},', "]}"),
  "lines of an order": filled(
    '{"breakdown":[',
    '{"base_amount":1.00,"tax_amount":0.21,"tax_rate":21},',
    "]}",
  ),
  "stores of an inventory": filled('{"stores":[', '{"id":"1","name":"Tienda"},', "]}"),
  identifiers: filled('{"order_ids":[', '"5001",', "]}"),
  "no JSON at its end": filled("{", '"a":[1],', ""),
};

/**
 * Executed blocks of code: fourteen for each byte of a full invoice, six of a refused body, which is some
 * 200 ms on a calm machine. Strangers may use a twentieth of it, with any body.
 */
const MOST_BEHIND_KEY = 16 * SIZE;
const MOST_WITHOUT_KEY = MOST_BEHIND_KEY / 20;

const ROUTES = ENDPOINTS.filter(({ method }) => method === "POST").map(({ path }) =>
  path.replace(/\{\w+\}/g, "x"),
);
/** A schema that keeps unknown members, and one that refuses them. */
const LENIENT_AND_STRICT = ["/api/v1/order", "/api/v1/invoice"];
const WORST = ["members that a route knows not", "lines without sense", "digits without end"];

// Each is looked at: the brake on bodies without shape would let the first twenty through.
const { app } = anEdge({ deps: { shapeless: { waitOf: () => undefined, count: () => {} } } });

const STRANGERS = { ...AUTHORISED, "X-API-KEY": FORGED_KEY };

function posting(path: string, body: string, headers: Readonly<Record<string, string>>) {
  return async () => {
    const answer = await app.request(path, { method: "POST", headers, body });
    expect([path, answer.status]).not.toEqual([path, 500]);
    await answer.text();
  };
}

beforeAll(async () => {
  for (const path of ROUTES) await posting(path, BODIES.identifiers ?? "", AUTHORISED)();
});

describe("a mebibyte costs no more than allowed with a key, and little without one", () => {
  test.each(Object.entries(BODIES))("%s", async (name, body) => {
    expect(body.length).toBeLessThanOrEqual(SIZE);
    const paths = WORST.includes(name) ? ROUTES : LENIENT_AND_STRICT;
    const costs = await counting.each(
      paths.flatMap((path) => [posting(path, body, AUTHORISED), posting(path, body, STRANGERS)]),
    );
    for (const [at, path] of paths.entries()) {
      const [behindKey = Infinity, withoutKey = Infinity] = costs.slice(2 * at);
      expect([path, behindKey < MOST_BEHIND_KEY, withoutKey < MOST_WITHOUT_KEY]).toEqual([path, true, true]);
    }
  });

  test("an invoice of a thousand lines with a thousand letters each", async () => {
    const line = { ...aLine(), description: "a".repeat(950) };
    const body = JSON.stringify(aBody({ lines: Array(1_000).fill(line) }));
    expect(body.length).toBeGreaterThan(0.9 * SIZE);
    const cost = await counting.of(posting("/api/v1/invoice", body, AUTHORISED));
    expect(cost).toBeLessThan(MOST_BEHIND_KEY);
  });
});

test("the largest body of the console costs a stranger's part, on whichever route", async () => {
  const { routes, send } = aConsole();
  const long = "a1".repeat(1_900);
  const form = { name: "Ana", email: "a@correo.example", password: long, newPassword: "x", token: "x" };
  const bodies = [JSON.stringify(form), filled("{", '"a":1,', "}").slice(0, 4_096)];
  const sent = routes
    .filter(({ method }) => method !== "GET")
    .flatMap(({ method, path }) => bodies.map((body) => ({ method, path, body })));
  const costs = await counting.each(
    sent.map(({ method, path, body }) => async () => {
      const answer = await send(method, path.replace(/:\w+/g, "x"), { body });
      expect([path, answer.status]).not.toEqual([path, 500]);
    }),
  );
  const dear = sent.filter((_, at) => (costs[at] ?? Infinity) >= MOST_WITHOUT_KEY);
  expect(dear.map(({ path }) => path)).toEqual([]);
});
