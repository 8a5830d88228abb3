/** An order that comes back after its cancellation, through every read of its documents. */
import { env } from "cloudflare:test";
import { drizzle } from "drizzle-orm/d1";
import { expect, test } from "vitest";
import { orderOfOrigin } from "../../src/db/orders/order-reads.ts";
import { invoice } from "../../src/db/schema/ledger.ts";
import { expectOrdersConsistent } from "../support/rules/consistency.ts";
import { getOrder, postOrder, stateOf } from "../support/worlds/http-calls.ts";
import { plainLedger } from "../support/worlds/ledger-client.ts";
import {
  aSentLine,
  aSentOrder,
  aSentRefund,
  openCommerce,
  orderIn,
  toldOf,
} from "../support/worlds/order-calls.ts";
import { dealingWith, plainly } from "../support/worlds/order-changes.ts";

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

test("an order that returns with other lines is invoiced with them, and they are then the sale", async () => {
  const shop = await openCommerce();
  const one = dealingWith(shop, plainLedger(shop).ledger);
  const other = { total: 71.5, breakdown: [aSentLine(50, 10.5, 21), aSentLine(10, 1, 10)] };
  await one.send(aSentOrder("1"));
  for (const [generation, change] of [other, {}, other].entries()) {
    await one.send(aSentOrder("1", { fiscal_event: "cancelled", status: `gone ${generation}` }));
    expect(toldOf(await one.send(aSentOrder("1", change)))).toMatch(/^held reactivated/);
    expect((await one.answer("1", { answer: "issue" })).outcome).toBe("taken");
    expect(toldOf(await one.send(aSentOrder("1", { ...change, status: "paid" })))).toMatch(/^invoiced /);
  }
  expect(plainly(await one.read("1"))).toBe(
    "invoiced F2 121 R5 -121 F2 71.5 R5 -71.5 F2 121 R5 -121 F2 71.5",
  );
  expect(plainly(await one.send(aSentOrder("1")))).toMatch(/^held changed_after_invoice /);
  await expectOrdersConsistent(shop.connectionId, { answers: one.answers });
});

test("a return of the invoice before it is left out of the new one, and counts as none of its own", async () => {
  const shop = await openCommerce();
  const one = dealingWith(shop, plainLedger(shop).ledger);
  const correction_events: object[] = [aSentRefund("r1", 10, 2.1, 21)];
  await one.send(aSentOrder("1"));
  await one.send(aSentOrder("1", { correction_events }));
  await one.send(aSentOrder("1", { fiscal_event: "cancelled", correction_events }));
  expect(toldOf(await one.send(aSentOrder("1", { correction_events })))).toMatch(/^held reactivated/);
  expect((await one.answer("1", { answer: "issue" })).outcome).toBe("taken");
  const cold = dealingWith(shop, plainLedger(shop).ledger);
  const documents = "F2 121 R5 -12.1 R5 -108.9 F2 108.9";
  expect(plainly(await cold.read("1"))).toBe(`invoiced ${documents}`);
  // Decided again: no return of the new invoice makes it one that was given back in part.
  expect(plainly(await cold.send(aSentOrder("1", { correction_events, status: "paid" })))).toBe(
    `invoiced ${documents}`,
  );
  // It is untouched, so that it can be annulled.
  correction_events.push({ id_external_event: "v1", event_type: "void" });
  expect(plainly(await cold.send(aSentOrder("1", { correction_events })))).toMatch(/^held annulment_review /);
  expect((await cold.answer("1", { answer: "confirm_annulment", eventId: "v1" })).outcome).toBe("taken");
  expect(plainly(await cold.read("1"))).toBe(`cancelled ${documents} annulled`);
  await expectOrdersConsistent(shop.connectionId, { answers: [...one.answers, ...cold.answers] });
});

test("the database allows a change of the sale with a new invoice alone", async () => {
  const shop = await openCommerce();
  const one = dealingWith(shop, plainLedger(shop).ledger);
  const other = { total: 60.5, breakdown: [aSentLine(50, 10.5, 21)] };
  const write = (fingerprint: string | null) =>
    env.LEDGER_000.prepare("UPDATE shop_order SET sold_fingerprint = ? WHERE connection_id = ?")
      .bind(fingerprint, shop.connectionId)
      .run();
  const expectRefused = async (...fingerprints: readonly (string | null)[]) => {
    for (const fingerprint of fingerprints)
      await expect(write(fingerprint)).rejects.toThrow("immutable: shop_order");
  };
  await one.send(aSentOrder("1"));
  await expectRefused("x", null, "1:x", "2:x", "2");
  await one.send(aSentOrder("1", { fiscal_event: "cancelled" }));
  await one.send(aSentOrder("1", other));
  await one.answer("1", { answer: "issue" });
  await expectRefused("x", null, "1:x", "2:x", "3:x", ":x");
});
