/** Orders that wait for consent: their sums in the setup before it, and the progress after it. */
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { civilDate } from "../../src/domain/shared/civil-date.ts";
import { type ShopConsole, shopConsole } from "../support/worlds/console.ts";
import { aSentOrder } from "../support/worlds/order-calls.ts";
import { HELD } from "../support/worlds/order-changes.ts";
import { consent, MARTA } from "../support/worlds/owners.ts";
import { act, ring } from "../support/worlds/shop.ts";

async function waiting(...orders: readonly (readonly [id: string, day: string, change?: object])[]) {
  const shop = await shopConsole({ consented: false });
  for (const [id, day, change] of orders) {
    await shop.connector.send(aSentOrder(id, { order_date: `${day} 12:00:00`, ...change }));
  }
  return shop;
}

const asked = (shop: ShopConsole, path: string, cutoff: string) =>
  shop.owner.get(shop.of(path, { cutoff })).then(({ body }) => body);
const progress = async (shop: ShopConsole) => (await shop.owner.get(shop.of("/waiting/progress"))).body;

describe("before consent", () => {
  test("they are shown by day, with their sums on both sides of a date", async () => {
    const shop = await waiting(
      ["1", "2026-10-30"],
      ["2", "2026-11-01", { total: 121.01 }],
      ["3", "2026-11-01", { total: 0.1 }],
      ["4", "2026-11-20"],
    );
    const { data } = await asked(shop, "/waiting", "2026-11-01");
    expect(data).toEqual({
      cutoffDate: "2026-11-01",
      days: [
        { day: "2026-10-30", orders: 1, totalEur: "121", withoutRate: 0 },
        { day: "2026-11-01", orders: 2, totalEur: "121.11", withoutRate: 0 },
        { day: "2026-11-20", orders: 1, totalEur: "121", withoutRate: 0 },
      ],
      before: { orders: 1, totalEur: "121", withoutRate: 0 },
      from: { orders: 3, totalEur: "242.11", withoutRate: 0 },
    });
  });

  test("halves of a thousandth are rounded as decimals are", async () => {
    const shop = await waiting(
      ...["1", "2", "3", "4", "5"].map((id) => [id, "2026-11-01", { total: 1.0005 }] as const),
    );
    const { data } = await asked(shop, "/waiting", "2026-11-01");
    expect(data.from).toEqual({ orders: 5, totalEur: "5.005", withoutRate: 0 });
  });

  test("amounts in another currency count in euros, where the rate is known", async () => {
    await env.LEDGER_000.prepare(
      "INSERT INTO exchange_rate (day, currency, rate) VALUES ('2026-11-12', 'SEK', '11.05') ON CONFLICT DO NOTHING",
    ).run();
    const sek = { currency: "SEK", total: 1105 };
    const shop = await waiting(
      ["1", "2026-11-13", { ...sek, paid_at: "2026-11-13T10:00:00+01:00" }],
      ["2", "2026-11-13", { ...sek, currency: "ARS" }],
      ["3", "2026-11-13"],
    );
    const { data } = await asked(shop, "/waiting", "2026-11-13");
    expect(data.from).toEqual({ orders: 3, totalEur: "221", withoutRate: 1 });
  });

  test("nothing waits, and nothing is shown", async () => {
    const { data } = await asked(await waiting(), "/waiting", "2026-11-01");
    expect(data).toMatchObject({ days: [], before: { orders: 0, totalEur: "0" }, from: { orders: 0 } });
  });

  test("there is no progress, and no date to move", async () => {
    const shop = await waiting(["1", "2026-11-01"]);
    expect(await progress(shop)).toMatchObject({ error_code: "consent_missing" });
    expect(await asked(shop, "/waiting/cutoff", "2026-11-01")).toMatchObject({
      error_code: "consent_missing",
    });
  });

  test.each(["", "2026-02-30", "tomorrow"])("a date like «%s» is refused", async (cutoff) => {
    const shop = await waiting();
    expect(await asked(shop, "/waiting", cutoff)).toMatchObject({ error_code: "validation_failed" });
  });
});

describe("moving the cutoff", () => {
  test("earlier lists the included orders, later the excluded ones, and neither changes anything", async () => {
    const shop = await waiting(
      ["1", "2026-10-30"],
      ["2", "2026-10-31"],
      ["3", "2026-11-10", HELD],
      ["4", "2026-11-10"],
      ["5", "2026-11-20", HELD],
    );
    await consent(shop.shop, "2026-11-01");
    await ring(shop.shop);
    expect((await asked(shop, "/waiting/cutoff", "2026-10-31")).data).toEqual({
      ...{ current: "2026-11-01", moves: "earlier", orders: 1, totalEur: "121", withoutRate: 0 },
    });
    expect((await asked(shop, "/waiting/cutoff", "2026-11-15")).data).toMatchObject({
      ...{ moves: "later", orders: 1, totalEur: "1210" },
    });
    expect((await asked(shop, "/waiting/cutoff", "2026-11-01")).data).toMatchObject({
      ...{ moves: "nowhere", orders: 0 },
    });
  });
});

describe("after consent", () => {
  test("progress is of the orders that waited, for every reader", async () => {
    const shop = await waiting(
      ["1", "2026-11-01"],
      ["2", "2026-11-02", HELD],
      ["3", "2026-01-05"],
      ["4", "2026-11-03"],
    );
    await consent(shop.shop, "2026-11-01");
    expect((await progress(shop)).data).toEqual({
      ...{ total: 4, done: 0, invoiced: 0, held: 0, isDone: false },
    });
    await shop.connector.send(aSentOrder("later"));
    await ring(shop.shop);
    const done = { total: 4, done: 4, invoiced: 2, held: 1, isDone: true };
    expect((await progress(shop)).data).toEqual(done);
    await shop.connector.send(aSentOrder("still later"));
    expect((await progress(shop)).data).toEqual(done);
  });

  test("when consent is withdrawn it stops, and a new consent counts anew", async () => {
    const shop = await waiting(["1", "2026-11-01"], ["2", "2026-11-02"]);
    await consent(shop.shop, "2026-11-01");
    await act(shop.shop, { verb: "withdraw_consent" }, MARTA);
    await ring(shop.shop);
    expect((await progress(shop)).data).toMatchObject({
      done: 0,
      isDone: false,
      paused: "consent_withdrawn",
    });
    await shop.connector.send(aSentOrder("3"));
    await consent(shop.shop, "2026-11-01");
    expect((await progress(shop)).data).toMatchObject({ total: 3, done: 0 });
    await ring(shop.shop);
    expect((await progress(shop)).data).toEqual({ total: 3, done: 3, invoiced: 3, held: 0, isDone: true });
  });

  test("orders that a moved cutoff includes are counted like the first ones", async () => {
    const shop = await waiting(
      ["1", "2026-10-20"],
      ["2", "2026-10-30"],
      ["3", "2026-10-31", HELD],
      ["4", "2026-11-01"],
    );
    await consent(shop.shop, "2026-11-01");
    await ring(shop.shop);
    expect((await progress(shop)).data).toMatchObject({ total: 4, done: 4, invoiced: 1, isDone: true });
    await act(shop.shop, { verb: "move_cutoff", cutoffDate: civilDate("2026-10-25") }, MARTA);
    expect((await progress(shop)).data).toEqual({
      ...{ total: 2, done: 0, invoiced: 0, held: 0, isDone: false },
    });
    await ring(shop.shop);
    const done = { total: 2, done: 2, invoiced: 1, held: 1, isDone: true };
    expect((await progress(shop)).data).toEqual(done);
    // Neither a later one, nor one that includes nothing, nor an order that its owner releases alone.
    await act(shop.shop, { verb: "move_cutoff", cutoffDate: civilDate("2026-10-28") }, MARTA);
    await act(shop.shop, { verb: "move_cutoff", cutoffDate: civilDate("2026-10-26") }, MARTA);
    await ring(shop.shop);
    await shop.owner.post(shop.of("/order/answers"), {
      order_id: "1",
      answers: [{ answer: "release" }],
    });
    expect((await progress(shop)).data).toEqual(done);
  });

  test("a new consent from an earlier day counts what the first had left out", async () => {
    const shop = await waiting(["1", "2026-10-30"], ["2", "2026-11-01"]);
    await consent(shop.shop, "2026-11-01");
    await ring(shop.shop);
    await act(shop.shop, { verb: "withdraw_consent" }, MARTA);
    await shop.connector.send(aSentOrder("3"));
    await consent(shop.shop, "2026-10-01");
    expect((await progress(shop)).data).toMatchObject({ total: 2, done: 0, isDone: false });
    await ring(shop.shop);
    expect((await progress(shop)).data).toMatchObject({ total: 2, done: 2, invoiced: 2, isDone: true });
  });

  test("progress without movement for minutes is reported as stopped by something", async () => {
    const shop = await waiting(["1", "2026-11-01"]);
    await consent(shop.shop, "2026-11-01");
    await env.LEDGER_000.prepare("UPDATE order_release SET changed_at = 0 WHERE connection_id = ?")
      .bind(shop.shop.connectionId)
      .run();
    expect((await progress(shop)).data).toMatchObject({ paused: "stalled" });
  });
});
