/** An increase used by refunds: a cancellation must read what it acted on, warm and cold. */
import { evictDurableObject } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { expectBooksConsistent } from "../support/rules/consistency.ts";
import { clientOf } from "../support/worlds/ledger-client.ts";
import { ledgerStub, openShop } from "../support/worlds/shop.ts";

describe.each(["warm", "cold"])("%s", (temperature) => {
  test("it cannot be cancelled before the refund is, and the refunded amount is whole", async () => {
    const shop = await openShop();
    const client = clientOf(shop);
    const meanwhile = async () => {
      if (temperature === "cold") await evictDurableObject(ledgerStub(shop));
    };
    await client.issue("sale");
    await client.takeBack("more", "sale", "-50");
    await client.takeBack("less", "sale", "120");
    await meanwhile();
    expect(await client.cancel("more")).toMatchObject({
      outcome: "refused",
      refusal: { code: "cancellation_exceeds" },
    });
    await meanwhile();
    expect(await client.cancel("less")).toMatchObject({ outcome: "cancelled" });
    await meanwhile();
    expect(await client.cancel("more")).toMatchObject({ outcome: "cancelled" });
    expect(await client.takeBack("all", "sale", "100.01")).toMatchObject({ outcome: "refused" });
    expect(await client.takeBack("all", "sale", "100")).toMatchObject({ outcome: "issued" });
    await expectBooksConsistent(shop.connectionId, client.answers);
  });
});
