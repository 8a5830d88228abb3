/** Refunds of an order with a full invoice for its ticket, in the books. */
import { expect, test } from "vitest";
import { loseAnswer } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { expectBooksConsistent, expectOrdersConsistent } from "../support/rules/consistency.ts";
import { plainLedger } from "../support/worlds/ledger-client.ts";
import {
  A_SENT_COMPANY,
  aSentLine,
  aSentOrder,
  aSentRefund,
  openCommerce,
  orderIn,
  toldOf,
} from "../support/worlds/order-calls.ts";
import { dealingWith, writesOrders } from "../support/worlds/order-changes.ts";

const TEN = { total: 10, breakdown: [aSentLine(8.26, 1.74, 21)], client: A_SENT_COMPANY };
const FULL = { ...TEN, fiscal_event: "full_invoice_requested" };
const THREE = aSentRefund("r:1", 2.48, 0.52, 21);
const BOTH = "F2 1S-2026-000001 10 F3 1-2026-000001 10 R5 1RS-2026-000001 -3 F3 1-2026-000002 -3";

async function replaced() {
  const shop = await openCommerce();
  const dealing = dealingWith(shop, plainLedger(shop).ledger);
  await dealing.send(aSentOrder("5:1", { ...TEN, client: undefined }));
  const told = toldOf(await dealing.send(aSentOrder("5:1", FULL)));
  expect(told).toBe("invoiced F2 PED-1S-2026-000001 10 F3 PED-1-2026-000001 10");
  return { shop, dealing };
}

test("R5 and its F3 are one batch, read alike by every ledger", async () => {
  const { shop, dealing } = await replaced();
  faults.take();
  const sent = aSentOrder("5:1", { ...FULL, correction_events: [THREE] });
  const told = toldOf(await dealing.send(sent)).replaceAll("PED-", "");
  expect(told).toBe(`partially_rectified ${BOTH}`);
  expect(faults.take().filter(({ rowsWritten }) => rowsWritten > 0)).toHaveLength(1);
  const cold = dealingWith(shop, plainLedger(shop).ledger);
  const read = orderIn(await cold.read("5:1"));
  expect(read.invoices.map(({ kind }) => kind)).toEqual([
    "invoice",
    "replacement",
    "rectification",
    "replacement",
  ]);
  const gone = { ...sent, fiscal_event: "cancelled" };
  expect(toldOf(await cold.send(gone)).replaceAll("PED-", "")).toBe(
    `rectified ${BOTH} R5 1RS-2026-000002 -7 F3 1-2026-000003 -7`,
  );
  await expectBooksConsistent(shop.connectionId);
  await expectOrdersConsistent(shop.connectionId, { answers: [] });
});

test("neither comes twice where the database's answer is lost", async () => {
  const { shop, dealing } = await replaced();
  faults.when(writesOrders, loseAnswer());
  const sent = aSentOrder("5:1", { ...FULL, correction_events: [THREE] });
  const told = toldOf(await dealing.send(sent)).replaceAll("PED-", "");
  expect([told, faults.pending()]).toEqual([`partially_rectified ${BOTH}`, []]);
  await expectOrdersConsistent(shop.connectionId, { answers: [] });
});
