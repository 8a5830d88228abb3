/** The stems that pages name of a program that asks for invoices one by one. */
import { describe, expect, test } from "vitest";
import { addressesOf, ownerOf } from "../support/worlds/console.ts";
import { aSentOrder, openCommerce, orderConnector } from "../support/worlds/order-calls.ts";
import { act, openShop, type Shop } from "../support/worlds/shop.ts";

async function pagesOf(shop: Shop) {
  const owner = await ownerOf(shop);
  const { at, of } = addressesOf(shop);
  const { series } = (await owner.get(of("/setup"))).body.data;
  const { upcoming } = (await owner.get(of(""))).body.data;
  const [selling] = (await owner.get(at("/profiles"))).body.data.connections;
  const year = new Date().getFullYear();
  const codes = (upcoming as readonly { code: string }[]).map(({ code }) => code.replace(`-${year}`, ""));
  return {
    setup: (series as readonly { stem: string }[]).map(({ stem }) => stem),
    connection: codes,
    namesOrders: selling.namesOrders as boolean,
    direct: selling.direct.stem as string,
  };
}

const FOUR = ["API-1", "API-1S", "API-1R", "API-1RS"];

describe("a connection of kind api", () => {
  test("has one stem and four series", async () => {
    const shop = await openShop();
    expect(await pagesOf(shop)).toEqual({
      ...{ setup: ["API-1"], connection: FOUR, namesOrders: false, direct: "API-1" },
    });
  });

  test("has that of its orders too once it has sent one", async () => {
    const shop = await openShop();
    const { outcome } = await orderConnector(shop).send(aSentOrder("a"));
    expect(outcome).toBe("taken");
    const pages = await pagesOf(shop);
    expect(pages).toMatchObject({ setup: ["API-1", "PED-1"], namesOrders: true });
    expect(pages.connection).toHaveLength(8);
  });

  test("has the stem that its owner chose for orders, or those of its profiles", async () => {
    const chosen = await openShop();
    await act(chosen, { verb: "choose_order_stem", stem: "WEB" });
    expect(await pagesOf(chosen)).toMatchObject({ setup: ["API-1", "WEB"], namesOrders: true });
    const profiled = await openShop();
    const profile = { name: "Web", channel: "web", stem: "LOZA" };
    await act(profiled, { verb: "add_profile", profile });
    expect(await pagesOf(profiled)).toMatchObject({ setup: ["API-1", "LOZA"], namesOrders: true });
  });
});

test("a shop has the stem of its orders alone", async () => {
  const shop = await openCommerce();
  const owner = await ownerOf(shop);
  const { series } = (await owner.get(addressesOf(shop).of("/setup"))).body.data;
  expect(series).toMatchObject([{ stem: "PED-1", isOfOrders: true }]);
});
