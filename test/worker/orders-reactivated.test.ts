/** An order that comes back after its cancellation, through every read of its documents. */
import { env } from "cloudflare:test";
import { drizzle } from "drizzle-orm/d1";
import { expect, test } from "vitest";
import { orderOfOrigin } from "../../src/storage/order-of-origin.ts";
import { invoice } from "../../src/storage/schema/ledger.ts";
import { plainLedger } from "../support/ledger-client.ts";
import { aSentOrder, openCommerce, orderIn, toldOf } from "../support/order-calls.ts";
import { expectOrdersConsistent } from "../support/order-consistency.ts";
import { dealingWith } from "../support/order-deeds.ts";
import { getOrder, postOrder, stateOf } from "../support/order-http.ts";

test.each(["5001", "2:5001", "a:b%c"])(
  "each invoice of the order %j is cancelled once, and every ledger reads all of them",
  async (id) => {
    const shop = await openCommerce();
    const one = dealingWith(shop, plainLedger(shop).ledger);
    const gone = aSentOrder(id, { fiscal_event: "cancelled" });
    const back = aSentOrder(id);
    for (const generation of [1, 2]) {
      await one.send(generation === 1 ? back : gone);
      await one.send(generation === 1 ? gone : { ...gone, status: "gone" });
      expect(toldOf(await one.send({ ...back, status: `back ${generation}` }))).toMatch(/^held reactivated/);
      expect((await one.answer(id, { answer: "issue" })).outcome).toBe("taken");
    }
    const cold = dealingWith(shop, plainLedger(shop).ledger);
    expect(toldOf(await cold.read(id)).replaceAll("PED-", "")).toBe(
      "invoiced F2 1S-2026-000001 121 R5 1RS-2026-000001 -121 F2 1S-2026-000002 121 " +
        "R5 1RS-2026-000002 -121 F2 1S-2026-000003 121",
    );
    const { invoices } = orderIn(await cold.read(id));
    expect(invoices.map(({ kind }) => kind)).toEqual([
      "invoice",
      "rectification",
      "invoice",
      "rectification",
      "invoice",
    ]);
    expect(toldOf(await cold.send(gone)).startsWith("rectified ")).toBe(true);
    const rows = await drizzle(env.LEDGER_000)
      .select({ id: orderOfOrigin(invoice.origin) })
      .from(invoice);
    expect(new Set(rows.map((row) => row.id))).toContain(id);
    await expectOrdersConsistent(shop.connectionId, { answers: [] });
  },
);

test("a connector sees the order held, and its documents as they are", async () => {
  const shop = await openCommerce();
  await postOrder(shop, aSentOrder("1"));
  await postOrder(shop, aSentOrder("1", { fiscal_event: "cancelled" }));
  expect(stateOf(await getOrder(shop, "1"))).toBe("rectified");
  const reply = await postOrder(shop, aSentOrder("1", { fiscal_event: "full_invoice_requested" }));
  expect(stateOf(reply)).toBe("held reactivated");
});
