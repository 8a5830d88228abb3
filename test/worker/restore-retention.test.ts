/** What left or was erased between the moment of a restore and now is not brought back for good. */
import { env } from "cloudflare:workers";
import { afterEach, expect, test, vi } from "vitest";
import { putBackAccount } from "../../src/dev/restore/put-back-account.ts";
import { BEGIN_TEXTS, END_TEXTS } from "../../src/dev/restore/sql-text.ts";
import { brokenChecks } from "../../src/domain/proof/proof.ts";
import { clientOf } from "../support/ledger-client.ts";
import { aShopSince, letGo, onTheDay, settleBooks, verified, workOff } from "../support/old-years.ts";
import { aSentOrder, openCommerce, orderConnector } from "../support/order-calls.ts";
import { act, type Shop } from "../support/shop.ts";
import { goBackTo, type Moment, momentOf } from "../support/time-travel.ts";

const HOUR_MS = 3_600_000;
const ledger = env.LEDGER_000;

afterEach(() => {
  vi.useRealTimers();
});

const freeze = (frozen: 0 | 1) => ledger.prepare("UPDATE account SET frozen = ?").bind(frozen).run();

/** As the runbook has it: freeze, export, restore, freeze again, put back, thaw. */
async function restore({ accountId }: Shop, moment: Moment): Promise<void> {
  await freeze(1);
  const statements = [...BEGIN_TEXTS];
  for await (const sql of putBackAccount(ledger, { accountId, since: Date.now() - HOUR_MS })) {
    statements.push(sql);
  }
  await goBackTo(ledger, moment);
  await freeze(1);
  // It can be repeated.
  for (const sql of [...statements, ...END_TEXTS, ...statements, ...END_TEXTS]) {
    await ledger.prepare(sql).run();
  }
  await freeze(0);
}

test("a year that left since is there again, and is let go again", async () => {
  const shop = await aShopSince(2018);
  const client = clientOf(shop);
  onTheDay("2018-03-01");
  await client.issue("a1");
  onTheDay("2019-03-01");
  await client.issue("b1");
  await settleBooks(shop);
  vi.useRealTimers();
  const moment = await momentOf(ledger);
  await letGo(shop, 2018);
  await workOff();
  await client.issue("new");
  await restore(shop, moment);
  expect(await client.issue("new")).toMatchObject({ outcome: "replayed" });
  expect(await client.read("a1")).toMatchObject({ outcome: "found" });
  await settleBooks(shop);
  await letGo(shop, 2018);
  await workOff();
  expect(await client.issue("a1")).toMatchObject({ refusal: { code: "invoice_erased" } });
  expect(await client.issue("newer")).toMatchObject({ outcome: "issued" });
  expect(brokenChecks((await verified(shop)).tally)).toEqual([]);
});

test("an order that was erased since is erased, and one that was admitted since is there", async () => {
  const shop = await openCommerce();
  const connector = orderConnector(shop);
  for (const id of ["erased", "admitted", "stays"]) {
    await connector.send(aSentOrder(id, { fiscal_event: "none" }));
  }
  await act(shop, { verb: "erase_order", orderId: "admitted" });
  const moment = await momentOf(ledger);
  await act(shop, { verb: "erase_order", orderId: "erased" });
  await act(shop, { verb: "admit_order", orderId: "admitted" });
  await connector.send(aSentOrder("admitted", { fiscal_event: "none" }));
  await restore(shop, moment);
  const ids = async (table: string) =>
    (await ledger.prepare(`SELECT id_external AS id FROM ${table} ORDER BY 1`).all<{ id: string }>()).results;
  expect(await ids("erased_order")).toEqual([{ id: "erased" }]);
  expect(await ids("shop_order")).toEqual([{ id: "admitted" }, { id: "stays" }]);
  expect(await ids("shop_order_sent")).toEqual([{ id: "admitted" }, { id: "stays" }]);
  expect(await connector.send(aSentOrder("erased"))).toMatchObject({ refusal: { code: "order_erased" } });
});
