/** The owner's API at the ends of the calendar, and by values that are written strangely. */
import { beforeEach, expect, test } from "vitest";
import { type ShopConsole, shopConsole } from "../support/worlds/console.ts";
import { aSentOrder } from "../support/worlds/order-calls.ts";

let shop: ShopConsole;

beforeEach(async () => {
  shop = await shopConsole();
  await shop.connector.send(aSentOrder("5001"));
  await shop.owner.call("PUT", shop.of("/access"), { enabled: false });
});

test("from the first day that a list has to the last, all that was done is listed", async () => {
  const all = (await shop.owner.get(shop.at("/activity"))).body.data.items;
  expect(all.length).toBeGreaterThan(0);
  for (const days of [
    { from: "1970-01-01" },
    { to: "2099-12-31" },
    { from: "1970-01-01", to: "2099-12-31" },
  ]) {
    const { status, body } = await shop.owner.get(shop.at("/activity", days));
    expect([status, body.data?.items]).toEqual([200, all]);
  }
});

test.each(["1970-01", "2099-12"])("the month %s has no orders and no invoices", async (month) => {
  for (const path of ["/orders", "/invoices"]) {
    const { status, body } = await shop.owner.get(shop.at(path, { month }));
    expect([path, status, body.data?.items]).toEqual([path, 200, []]);
  }
});

test("a place before the first or after the last is refused", async () => {
  const asked: readonly (readonly [string, Record<string, string>])[] = [
    ["/activity", { from: "1900-01-01" }],
    ["/activity", { from: "1969-12-31" }],
    ["/activity", { to: "2100-01-01" }],
    ["/activity", { to: "2999-12-31" }],
    ["/orders", { month: "1900-01" }],
    ["/orders", { month: "2999-12" }],
    ["/invoices", { month: "2100-01" }],
  ];
  for (const [path, query] of asked) {
    const { status, body } = await shop.owner.get(shop.at(path, query));
    expect([path, query, status, body.error_code]).toEqual([path, query, 422, "validation_failed"]);
  }
});

test("blanks and line ends around a month are not part of a file's name", async () => {
  for (const month of [" 2026-11 ", "2026-11\r\n", "\t2026-11"]) {
    const response = await shop.owner.raw(shop.of("/exports/invoices.csv", { month }));
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Disposition")).toBe('attachment; filename="facturas-2026-11.csv"');
    await response.text();
  }
});
