/** The palette's search, and invoices found by parts of their numbers. */
import { describe, expect, test } from "vitest";
import { addressesOf, browser, ownerOf, shopConsole } from "../support/worlds/console.ts";
import { clientOf } from "../support/worlds/ledger-client.ts";
import { aSentOrder } from "../support/worlds/order-calls.ts";
import { openShop } from "../support/worlds/shop.ts";

type Shop = Awaited<ReturnType<typeof shopConsole>>;

async function found({ owner, at }: Pick<Shop, "owner" | "at">, q: string) {
  const { status, body } = await owner.get(at("/find", { q }));
  expect(status).toBe(200);
  const { invoices, orders, customers } = body.data;
  return {
    invoices: invoices.map(({ fullNumber }: { fullNumber: string }) => fullNumber),
    orders: orders.map(({ orderId }: { orderId: string }) => orderId),
    customers,
  };
}

async function aShop(ids: readonly string[]): Promise<Shop> {
  const shop = await shopConsole();
  for (const id of ids) await shop.connector.send(aSentOrder(id));
  return shop;
}

describe("the palette's search", () => {
  test("finds invoices by order, orders by the beginning of their id, at most five of each", async () => {
    const ids = Array.from({ length: 7 }, (_, index) => `9500${index}`);
    const shop = await aShop(ids);
    const { invoices, orders } = await found(shop, "9500");
    expect([invoices.length, orders.length]).toEqual([5, 5]);
    expect((await found(shop, "95003")).orders).toEqual(["95003"]);
    expect((await found(shop, "95003")).invoices).toHaveLength(1);
  });

  test("of a single character, of spaces or of nothing finds nothing", async () => {
    const shop = await aShop(["7"]);
    for (const q of ["7", "  ", ""]) {
      expect(await found(shop, q)).toEqual({ invoices: [], orders: [], customers: [] });
    }
  });

  test("finds customers among the recipients, once each, by name or NIF and not by a number", async () => {
    const shop = await openShop();
    const { issue } = clientOf(shop);
    for (const id of ["a", "b"]) await issue(id);
    await issue("c", { recipient: { company: "Otra Clienta SL" } });
    const own = { owner: await ownerOf(shop), ...addressesOf(shop) };
    const { customers } = await found(own, "cliente ejemplo");
    expect(customers).toEqual([expect.objectContaining({ name: "Cliente Ejemplo SL" })]);
    const [{ taxNumber }] = customers;
    expect((await found(own, taxNumber)).customers).toEqual(customers);
    const byNumber = await found(own, "2026-000001");
    expect([byNumber.invoices.length, byNumber.customers]).toEqual([1, []]);
  });

  test("finds orders, invoices and customers by the customer of the order, with accents or without", async () => {
    const shop = await aShop(["95001", "95002"]);
    const held = { client: { first_name: "Zoé", last_name: "Núñez" } };
    await shop.connector.send(aSentOrder("95003", held));
    for (const q of ["pérez", "ANA PEREZ", "Perez"]) {
      const { orders, invoices, customers } = await found(shop, q);
      expect([orders.toSorted(), invoices.length]).toEqual([["95001", "95002"], 2]);
      expect(customers).toEqual([{ name: "Ana Pérez" }]);
    }
    for (const q of ["nunez", "zoe nú"]) expect((await found(shop, q)).orders).toEqual(["95003"]);
    expect((await found(shop, "erez")).orders).toEqual([]);
  });

  test("needs a session and a membership, as every list of the company", async () => {
    const [shop, other] = [await aShop(["95001"]), await aShop(["95002"])];
    expect((await browser().get(shop.at("/find", { q: "95001" }))).status).toBe(401);
    expect((await other.owner.get(shop.at("/find", { q: "95001" }))).status).toBe(404);
    expect(await found(other, "95001")).toEqual({ invoices: [], orders: [], customers: [] });
  });

  test("of a text that is too long is refused", async () => {
    const shop = await aShop([]);
    expect((await shop.owner.get(shop.at("/find", { q: "a".repeat(101) }))).status).toBe(422);
  });
});
