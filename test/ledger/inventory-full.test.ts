/** The data of a key is bounded in the statement that writes it: new entries that do not fit are reported. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { hang, loseAnswer } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { plainLedger } from "../support/worlds/ledger-client.ts";
import { openShop, type Shop } from "../support/worlds/shop.ts";
import { connectorOf, inventoryReport, statusReport, type Told } from "../support/worlds/shop-reports.ts";

let shop: Shop;
let tell: ReturnType<typeof connectorOf>;

beforeEach(async () => {
  shop = await openShop();
  tell = connectorOf(shop, plainLedger(shop).ledger);
});

const ids = (from: number, many: number) => Array.from({ length: many }, (_, n) => `n${from + n}`);
const many = (table: string) =>
  env.LEDGER_000.prepare(`SELECT count(*) AS many FROM ${table} WHERE connection_id = ?`)
    .bind(shop.connectionId)
    .first<number>("many");

function refusalOf(told: Told) {
  return told.outcome === "refused" ? told.refusal : told.outcome;
}

describe.each([
  { kind: "statuses", table: "shop_status", limit: 2_000, report: statusReport },
  { kind: "stores", table: "shop_store", limit: 500, report: inventoryReport },
])("$kind", ({ table, limit, report }) => {
  beforeEach(async () => {
    for (let from = 0; from < limit - 2; from += 100) {
      await tell(report(...ids(from, Math.min(100, limit - 2 - from))));
    }
  });

  test("up to the limit are kept, and the next is reported; known ones still change", async () => {
    expect(await tell(report(...ids(limit - 2, 2)))).toMatchObject({ outcome: "recorded", created: 2 });
    const told = await tell(report("n0", "one too many"));
    expect(refusalOf(told)).toEqual({
      code: "inventory_full",
      facts: { limit: String(limit), count: "1", ids: "one too many" },
    });
    expect(await many(table)).toBe(limit);
    expect(await tell(report("n0", `n${limit - 1}`))).toMatchObject({ outcome: "recorded", updated: 2 });
  });

  test("of a report that is too long the fitting part is kept, and a repeat gets the same answer", async () => {
    for (const _ of [1, 2]) {
      expect(refusalOf(await tell(report("n1", "x", "y", "z")))).toMatchObject({
        facts: { count: "1", ids: "z" },
      });
      expect(await many(table)).toBe(limit);
    }
  });

  test("two reports at once share the remaining room, and a lost answer changes nothing", async () => {
    const held = faults.next(hang(), { times: 1 });
    const first = tell(report("n2"));
    await held.reached();
    const both = Promise.all([tell(report("x", "y")), tell(report("z"))]);
    held.cancel();
    faults.next(loseAnswer());
    await first;
    const [fits, full] = await both;
    expect(fits).toMatchObject({ outcome: "recorded" });
    expect(refusalOf(full)).toMatchObject({ code: "inventory_full", facts: { ids: "z" } });
    expect(await many(table)).toBe(limit);
  });

  test("another connection has room of its own", async () => {
    await tell(report("x", "y"));
    const other = await openShop();
    expect(await connectorOf(other)(report("n0", "z"))).toMatchObject({ outcome: "recorded", created: 2 });
  });
});
