/** The rows that the database lets go, for any caller, and when. */
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { clientOf } from "../support/worlds/ledger-client.ts";
import { aShopSince, letGo, onTheDay, planOf, settleBooks } from "../support/worlds/old-years.ts";
import { aSentOrder, openCommerce, orderConnector } from "../support/worlds/order-calls.ts";
import { expectRefused, run, tamper } from "../support/worlds/past-the-product.ts";
import type { Shop } from "../support/worlds/shop.ts";

const database = env.LEDGER_000;

let shop: Shop;
let other: Shop;

/** Two accounts, each with two invoices of 2018, one of them corrected, and one of 2019. */
beforeEach(async () => {
  shop = await aShopSince(2018);
  other = await aShopSince(2018);
  for (const one of [shop, other]) {
    const client = clientOf(one);
    onTheDay("2018-03-01");
    await client.issue("a1");
    await client.takeBack("a2", "a1", "10");
    onTheDay("2019-02-01");
    await client.issue("b1");
  }
  await settleBooks(shop, other);
  vi.useRealTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

const invoiceOf = (one: Shop, externalId: string) =>
  `(SELECT id FROM invoice WHERE connection_id = '${one.connectionId}' AND origin = 'direct:${externalId}')`;
const installationOf = ({ connectionId }: Shop) =>
  `(SELECT id FROM installation WHERE connection_id = '${connectionId}')`;

/** Each table with its rows of one invoice, in the order in which they can go. */
const rowsOf = (one: Shop, externalId: string, position: number): Readonly<Record<string, string>> => ({
  invoice_entry: `invoice_entry WHERE invoice_id = ${invoiceOf(one, externalId)}`,
  invoice_link: `invoice_link WHERE ${invoiceOf(one, externalId)} IN (invoice_id, target_id)`,
  invoice_document: `invoice_document WHERE invoice_id = ${invoiceOf(one, externalId)}`,
  invoice: `invoice WHERE id = ${invoiceOf(one, externalId)}`,
  record: `record WHERE installation_id = ${installationOf(one)} AND position = ${position}`,
});

const spend = (one: Shop, externalId: string, year = 2018) =>
  `INSERT INTO spent_origin VALUES ('${one.connectionId}', 'direct:${externalId}', '${one.accountId}-${year}')`;

const aRun = (change: Readonly<Record<string, string | number>> = {}) => {
  const row = { account_id: `'${shop.accountId}'`, year: 2018, reason: "'r'", begun_by: "'o'", ...change };
  const { account_id, year, reason, begun_by } = row;
  return `INSERT INTO retention_run (id, account_id, year, reason, begun_by, begun_at)
    VALUES (${account_id} || '-' || ${year}, ${account_id}, ${year}, ${reason}, ${begun_by}, 0)`;
};

describe("outside of a run nothing leaves", () => {
  test("no issued row, no list of it, no line of the log", async () => {
    for (const [table, rows] of Object.entries(rowsOf(shop, "a1", 1))) {
      await expectRefused(`immutable: ${table}`, `DELETE FROM ${rows}`);
    }
    await expectRefused("immutable: audit_log", "DELETE FROM audit_log");
    await expectRefused("retention:no_run", spend(shop, "a1"));
  });

  test("nor once it has ended", async () => {
    await letGo(shop, 2018);
    await tamper();
    await run("DROP TRIGGER retention_run_update", "UPDATE retention_run SET ended_at = 1");
    for (const [table, rows] of Object.entries(rowsOf(shop, "a1", 1))) {
      await expectRefused(`immutable: ${table}`, `DELETE FROM ${rows}`);
    }
  });
});

describe("within a run", () => {
  beforeEach(() => letGo(shop, 2018));

  test("rows of its year go, in its order", async () => {
    const rows = Object.values({ ...rowsOf(shop, "a1", 1) });
    await run(spend(shop, "a1"), ...rows.map((of) => `DELETE FROM ${of}`));
    await run(
      "DELETE FROM audit_log WHERE at < unixepoch('2019-01-01') * 1000 AND account_id = " +
        `'${shop.accountId}'`,
    );
  });

  test.each<[string, () => Readonly<Record<string, string>>]>([
    ["of another account", () => rowsOf(other, "a1", 1)],
    ["of another year", () => rowsOf(shop, "b1", 3)],
  ])("nothing %s leaves", async (_, rows) => {
    for (const [table, of] of Object.entries(rows())) {
      if (table === "invoice_link" && of.includes("direct:b1")) continue;
      await expectRefused(`immutable: ${table}`, `DELETE FROM ${of}`);
    }
    await expectRefused(
      "immutable: audit_log",
      `DELETE FROM audit_log WHERE account_id = '${other.accountId}'`,
    );
    await expectRefused("immutable: audit_log", "DELETE FROM audit_log WHERE verb = 'begin_retention'");
  });

  test("no invoice leaves without a trace", async () => {
    const { invoice, record: _, ...hanging } = rowsOf(shop, "a1", 1);
    const before = Object.values(hanging).map((of) => `DELETE FROM ${of}`);
    await expectRefused("immutable: invoice", ...before, `DELETE FROM ${invoice}`);
    await expectRefused("retention:no_run", spend(shop, "b1"));
    await expectRefused("retention:no_run", spend(other, "a1"));
  });

  test("a spent origin stays spent", async () => {
    await run(spend(shop, "a1"));
    await expectRefused("fence:exists", spend(shop, "a1").replace("INSERT", "INSERT OR REPLACE"));
    await expectRefused("immutable: spent_origin", "DELETE FROM spent_origin");
    await expectRefused("immutable: spent_origin", "UPDATE spent_origin SET origin = 'direct:x'");
  });

  test("no invoice is issued into the year, and none under its number", async () => {
    const row = (
      number: number,
    ) => `INSERT INTO invoice SELECT 'x', account_id, connection_id, 'direct:x', series,
      ${number}, series || '-' || printf('%06d', ${number}), '2018-12-31', 'F1', '1', '', ''
      FROM invoice WHERE id = ${invoiceOf(shop, "a1")}`;
    await expectRefused("fence:link", row(2));
  });

  test("it does not end before its year has left", async () => {
    await expectRefused("retention:unfinished", "UPDATE retention_run SET ended_at = 1");
  });

  test("neither it nor where the chain begins is changed or taken back", async () => {
    for (const change of [
      "year = 2019",
      "account_id = 'x'",
      "begun_by = 'x'",
      "reason = 'x'",
      "invoices = -1",
    ]) {
      await expectRefused("immutable: retention_run", `UPDATE retention_run SET ${change}`);
    }
    await expectRefused("immutable: retention_run", "DELETE FROM retention_run");
    await expectRefused("immutable: chain_start", "UPDATE chain_start SET position = 1");
    await expectRefused("immutable: chain_start", "DELETE FROM chain_start");
  });
});

describe("a run begins", () => {
  /** The trigger counts by the database's own clock. */
  let thisYear: number;

  beforeEach(async () => {
    const row = await database.prepare("SELECT CAST(strftime('%Y', 'now') AS INTEGER) AS year").first<{
      year: number;
    }>();
    thisYear = row?.year ?? 0;
  });

  test("once its year may leave", async () => {
    await run(aRun());
  });

  test.each<[string, string, () => string]>([
    ["for a year of which six have not passed", "retention:too_young", () => aRun({ year: thisYear - 6 })],
    ["for this year", "retention:too_young", () => aRun({ year: thisYear })],
    ["for a year with an earlier one present", "retention:earlier_year", () => aRun({ year: 2019 })],
    ["without an operator", "retention:unsigned", () => aRun({ begun_by: "' '" })],
    ["without a reason", "retention:unsigned", () => aRun({ reason: "''" })],
  ])("not %s", async (_, text, sql) => {
    await expectRefused(text, sql());
    await expectRefused(text, sql().replace("INSERT", "INSERT OR REPLACE"));
  });

  test("once for a year, and one at a time", async () => {
    await run(aRun());
    await expectRefused("retention:exists", aRun());
    await expectRefused("retention:exists", aRun().replace("INSERT", "INSERT OR REPLACE"));
    await expectRefused("retention:exists", aRun({ year: 2017 }));
    await run(aRun({ account_id: `'${other.accountId}'` }));
  });
});

describe("a chain begins after the last record of the year", () => {
  const startAt = (position: number, change: Readonly<Record<string, string>> = {}) => {
    const columns = {
      installation_id: "installation_id",
      position: String(position),
      run_id: `'${shop.accountId}-2018'`,
      hash: "hash",
      issuer_nif: "content ->> '$.key.issuerNif'",
      number: "content ->> '$.key.number'",
      date: "content ->> '$.key.date'",
      generated_at: "content ->> '$.generatedAt'",
      ...change,
    };
    return `INSERT INTO chain_start SELECT ${Object.values(columns).join(", ")} FROM record
      WHERE installation_id = ${installationOf(shop)} AND position = ${Math.min(position, 3)}`;
  };

  test("there and nowhere else", async () => {
    await run(aRun());
    await expectRefused("retention:cut", startAt(1));
    await expectRefused("retention:cut", startAt(3));
    await expectRefused("retention:cut", startAt(4));
    for (const column of ["hash", "issuer_nif", "number", "generated_at"]) {
      await expectRefused("retention:cut", startAt(2, { [column]: "'2018'" }));
    }
    await run(startAt(2));
    await expectRefused("fence:exists", startAt(2));
    await expectRefused("fence:exists", startAt(2).replace("INSERT", "INSERT OR REPLACE"));
  });

  test("of the run's own account", async () => {
    await run(aRun(), aRun({ account_id: `'${other.accountId}'` }));
    await expectRefused("retention:no_run", startAt(2, { run_id: `'${other.accountId}-2018'` }));
  });

  test.each<[string, string, string]>([
    [
      "the authority has decided on",
      "retention:unsubmitted",
      "UPDATE record SET state = 'submitted', changed_seq = NULL WHERE position = 2",
    ],
    ["lists know of", "retention:not_entered", "UPDATE entry_cursor SET position = 1"],
    [
      "the law has kept no longer than six years",
      "retention:one_stop_shop",
      "UPDATE record SET content = json_set(content, '$.breakdown[0].regime', '17') WHERE position = 1",
    ],
  ])("of records that all %s", async (_, text, sql) => {
    await run("DROP TRIGGER entry_cursor_update");
    await tamper(sql);
    await run(aRun());
    await expectRefused(text, startAt(2));
  });

  test("the Canaries' retailers' regime 17 is no one-stop shop", async () => {
    await tamper(
      "UPDATE record SET content = json_set(content, '$.breakdown[0].regime', '17', '$.breakdown[0].tax', '03')",
    );
    expect((await planOf(shop, 2018)).hasOneStopShop).toBe(false);
    await run(aRun(), startAt(2));
  });
});

describe("orders", () => {
  async function aShopWithOrders(): Promise<Shop> {
    const orders = await openCommerce();
    const connector = orderConnector(orders);
    await connector.send(aSentOrder("invoiced"));
    await connector.send(aSentOrder("stored", { fiscal_event: "none" }));
    return orders;
  }

  const erase = ({ connectionId }: Shop, id: string, because = "asked") =>
    `INSERT INTO erased_order VALUES ('${connectionId}', '${id}', '${because}', 0)`;

  test("an invoiced order stays", async () => {
    const orders = await aShopWithOrders();
    for (const because of ["asked", "aged"]) {
      await expectRefused("immutable: shop_order", erase(orders, "invoiced", because));
    }
    await expectRefused("retention:no_run", erase(orders, "invoiced", "retention"));
  });

  test("none goes without a trace, and none comes back", async () => {
    const orders = await aShopWithOrders();
    const remove = "DELETE FROM shop_order WHERE id_external = 'stored'";
    await expectRefused("immutable: shop_order", remove);
    await run("CREATE TABLE copied AS SELECT * FROM shop_order WHERE id_external = 'stored'");
    await run(erase(orders, "stored"), remove);
    const { results } = await database
      .prepare("SELECT name FROM pragma_table_info('shop_order')")
      .all<{ name: string }>();
    const columns = results.map(({ name }) => name).join(", ");
    await expectRefused("fence:exists", `INSERT INTO shop_order (${columns}) SELECT ${columns} FROM copied`);
  });

  test("why it went stays true; its owner may admit it again", async () => {
    const orders = await aShopWithOrders();
    await run(erase(orders, "stored"));
    await expectRefused("immutable: erased_order", "UPDATE erased_order SET because = 'retention'");
    await expectRefused("fence:exists", erase(orders, "stored").replace("INSERT", "INSERT OR REPLACE"));
    await run("DELETE FROM erased_order");
  });
});
