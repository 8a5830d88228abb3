import { expect, test } from "vitest";
import { ERRORS } from "../../../src/words/words.ts";
import { CALL_KINDS, CONNECTIONS, DONE, SHOP_CONNECTIONS } from "../../prove/crash/call.ts";
import { callsIn, killsOf, type PlanOptions, planOf } from "../../prove/crash/plan.ts";

const NOW = Date.parse("2026-11-28T12:00:00Z");
const place = { account: "ac000", connection: "/api/accounts/ac000/connections/cn000" };
const shop = { address_url: "http://api.example/v1/shops/x/sa_x", connection: { id: "cn000", key: "key" } };
// One for each name.
const places = Object.fromEntries(CONNECTIONS.map((name) => [name, place])) as PlanOptions["places"];
const shops = Object.fromEntries(
  SHOP_CONNECTIONS.map((name) => [name, { ...shop, secret: `secret of ${name}` }]),
) as PlanOptions["shops"];
const options = { seed: 7, requests: 2_000, now: NOW, places, shops };

test("a plan is its seed's, whenever it is made", () => {
  expect(planOf(options)).toEqual(planOf(options));
  expect(planOf({ ...options, seed: 8 })).not.toEqual(planOf(options));
  expect(killsOf(7, 20, 2_000)).toEqual(killsOf(7, 20, 2_000));
});

test("a plan makes at least as many calls as were asked for, of every kind, on every connection", () => {
  const calls = callsIn(planOf(options));
  expect(calls.length).toBeGreaterThanOrEqual(2_000);
  expect(new Set(calls.map(({ kind }) => kind))).toEqual(new Set(CALL_KINDS));
  expect(new Set(calls.map(({ connection }) => connection))).toEqual(new Set(CONNECTIONS));
  expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length);
});

test("a call uses values only of an earlier step, and expects only documented answers", () => {
  const documented = new Set([DONE, "gone", ...Object.keys(ERRORS)]);
  for (const { steps } of planOf(options)) {
    const known = new Set<string>();
    for (const step of steps) {
      for (const { from, expect: expected, awaits = [] } of step) {
        if (from) expect(known).toContain(from.call);
        for (const code of [...expected, ...awaits]) expect(documented).toContain(code);
      }
      for (const { id } of step) known.add(id);
    }
  }
});

test("kills are spread over the run, the last one after the last answer, some during a start", () => {
  const kills = killsOf(7, 20, 2_000);
  expect(kills).toHaveLength(20);
  expect(kills.at(-1)?.answered).toBe(2_000);
  expect(kills.map(({ answered }) => answered)).toEqual(
    kills.map(({ answered }) => answered).toSorted((one, other) => one - other),
  );
  expect(kills.some(({ startsMs }) => startsMs.length > 0)).toBe(true);
  expect(killsOf(7, 1, 2_000)).toMatchObject([{ answered: 2_000 }]);
});

test("a refund to be refused is more than the sale at its rate", () => {
  const bodies = callsIn(planOf({ ...options, requests: 5_000 })).flatMap(({ body }) =>
    body ? [body as Sent] : [],
  );
  const sales = new Map(bodies.filter(({ rectifies }) => !rectifies).map((body) => [body.external_id, body]));
  const tooMuch = bodies.filter(({ external_id: id }) => id?.endsWith("-r2"));
  expect(tooMuch.length).toBeGreaterThan(20);
  for (const { external_id: id = "", lines = [] } of tooMuch) {
    const [taken] = lines;
    const sold = sales.get(id.replace(/-r2$/, ""))?.lines ?? [];
    const atRate = sold.filter((line) => line.tax_rate === taken?.tax_rate);
    expect([id, -amountOf(lines) > amountOf(atRate)]).toEqual([id, true]);
  }
});

interface Sent {
  readonly external_id?: string;
  readonly rectifies?: unknown;
  readonly lines?: readonly {
    readonly quantity: number;
    readonly price_unit: number;
    readonly tax_rate: number;
  }[];
}

function amountOf(lines: NonNullable<Sent["lines"]>): number {
  return lines.reduce((sum, line) => sum + line.quantity * line.price_unit, 0);
}
