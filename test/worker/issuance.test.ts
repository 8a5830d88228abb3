import { evictDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import { faults } from "../support/faults.ts";
import { anInvoice, callerOf, ledgerStub, openShop } from "../support/shop.ts";

test("an invoice is numbered, chained and pending; equal is a replay, another a conflict", async () => {
  const shop = await openShop();
  const ledger = ledgerStub(shop);
  const caller = callerOf(shop);
  const first = await ledger.issueInvoice(caller, anInvoice("e1"));
  if (first.outcome !== "issued") throw new Error(JSON.stringify(first));
  console.log(JSON.stringify(first, null, 1));
  faults.take();
  const second = await ledger.issueInvoice(caller, anInvoice("e2"));
  expect(second.outcome).toBe("issued");
  console.log(faults.take().map((t) => [t.kind, t.sql.length, t.rowsRead, t.rowsWritten]));
  expect((await ledger.issueInvoice(caller, anInvoice("e1"))).outcome).toBe("replayed");
  expect((await ledger.issueInvoice(caller, anInvoice("e1", { description: "other" }))).outcome).toBe(
    "conflict",
  );
  await evictDurableObject(ledger);
  const third = await ledgerStub(shop).issueInvoice(caller, anInvoice("e3"));
  expect(third.outcome).toBe("issued");
  if (third.outcome === "issued") expect(third.invoice.number).toBe(3);
});
