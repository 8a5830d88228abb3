/** D1 takes 2,000,000 bytes a parameter and a row; the local one takes more, so the test counts. */
import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { ledgerStore } from "../../src/db/ledger-store.ts";
import { invariant } from "../../src/domain/shared/result.ts";
import { gate } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { wrapD1 } from "../support/faults/wrapped-d1.ts";
import { booksIn, expectBooksConsistent } from "../support/rules/consistency.ts";
import { kindsOf, plainLedger } from "../support/worlds/ledger-client.ts";
import { aLine, openShop, type Shop } from "../support/worlds/shop.ts";

const LIMIT_BYTES = 2_000_000;

let shop: Shop;
let largestBytes = 0;

beforeEach(async () => {
  shop = await openShop();
  largestBytes = 0;
});

/** The database, its parameters weighed. */
function weighing(real: D1Database): D1Database {
  const weigh = (value: unknown) => {
    if (typeof value === "string")
      largestBytes = Math.max(largestBytes, new TextEncoder().encode(value).length);
  };
  const bound = (statement: D1PreparedStatement): D1PreparedStatement => ({
    bind: (...values: unknown[]) => {
      values.forEach(weigh);
      return statement.bind(...values);
    },
    first: statement.first.bind(statement),
    run: statement.run.bind(statement),
    all: statement.all.bind(statement),
    raw: statement.raw.bind(statement),
  });
  return {
    prepare: (sql) => bound(real.prepare(sql)),
    batch: (statements) => real.batch(statements),
    exec: (sql) => real.exec(sql),
    dump: () => real.dump(),
    withSession: (constraint) => real.withSession(constraint),
  };
}

const ledger = () =>
  plainLedger(shop, {
    store: ledgerStore(weighing(wrapD1("LEDGER_000", env.LEDGER_000)), shop.connectionId),
  });

/** A thousand lines, each with that description. */
function withDescriptions(description: string) {
  const line = { ...aLine("1", "1", "21"), description };
  return { lines: Array.from({ length: 1_000 }, () => line) };
}

test("a document full of quotes is not escaped twice", async () => {
  const { client } = ledger();
  expect((await client.issue("e", withDescriptions('"'.repeat(800)))).outcome).toBe("issued");
  expect(largestBytes).toBeGreaterThan(1_600_000);
  expect(largestBytes).toBeLessThan(LIMIT_BYTES);
  await expectBooksConsistent(shop.connectionId, client.answers);
});

test("documents that would be too much for one parameter are sent in several, in one batch", async () => {
  const { client } = ledger();
  await client.issue("warm");
  const held = faults.next(gate());
  const first = client.issue("first");
  await held.reached();
  const ids = ["a", "b", "c", "d"];
  const group = Promise.all(ids.map((id) => client.issue(id, withDescriptions("ñ".repeat(90)))));
  faults.take();
  held.open();
  await first;
  expect(kindsOf(await group)).toEqual(ids.map(() => "issued"));
  expect(faults.trips()).toHaveLength(1);
  expect(largestBytes).toBeLessThan(LIMIT_BYTES);
  await expectBooksConsistent(shop.connectionId, client.answers);
});

test("a document beyond 1,900,000 bytes is refused before a number is spent", async () => {
  const { client } = ledger();
  const refused = await client.issue("e", withDescriptions("ñ".repeat(950)));
  invariant(refused.outcome === "refused", refused.outcome);
  expect(refused.refusal.code).toBe("document_too_large");
  expect((await booksIn(shop.connectionId)).invoices).toEqual([]);
  expect(await client.issue("e")).toMatchObject({ outcome: "issued", invoice: { number: 1 } });
});
