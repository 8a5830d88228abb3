/** Refunds by lines of sales that are special: under OSS, above a limit, rejected by the AEAT, sold again. */
import { expect, test } from "vitest";
import type { InvoiceRequest } from "../../src/domain/invoice/request.ts";
import { linesOf } from "../support/builders/requests.ts";
import { expectBooksConsistent, expectOrdersConsistent } from "../support/rules/consistency.ts";
import { ownerOf, shopConsole } from "../support/worlds/console.ts";
import { plainLedger, SIMPLIFIED } from "../support/worlds/ledger-client.ts";
import { aSentLine, aSentOrder, orderIn, toldOf } from "../support/worlds/order-calls.ts";
import { settleRecord } from "../support/worlds/owners.ts";
import { refunds } from "../support/worlds/refund-calls.ts";
import { act, openShop } from "../support/worlds/shop.ts";

const pieces = (line: number, quantity: string) => ({ line, quantity });
const refund = (...lines: object[]) => ({ what: "refund", lines });

async function direct(change: Partial<InvoiceRequest>) {
  const shop = await openShop();
  const books = plainLedger(shop);
  const issued = await books.client.issue("e1", change);
  if (issued.outcome !== "issued") throw new Error(JSON.stringify(issued));
  const { invoiceId } = issued.invoice;
  return { shop, books, invoiceId, ...refunds(await ownerOf(shop), shop.accountId, invoiceId) };
}

test("a sale under OSS goes back at the rate of its country, in the regime of its invoice", async () => {
  const shop = await shopConsole();
  await act(shop.shop, { verb: "declare_sales", change: { destinations: { euConsumer: "oss" } } });
  const told = await shop.connector.send(
    aSentOrder("fr", {
      total: 146.4,
      client: { first_name: "Anne", last_name: "Petit", country: "FR", city: "Lyon", postcode: "69001" },
      breakdown: [
        aSentLine(100, 20, 20, { name: "Fuente", quantity: 2 }),
        aSentLine(24, 2.4, 10, { name: "Libro" }),
      ],
    }),
  );
  const id = orderIn(told).invoices[0]?.issued?.invoiceId ?? toldOf(told);
  const { preview, act: acted } = refunds(shop.owner, shop.shop.accountId, id);
  const asked = await preview(refund(pieces(1, "1"), pieces(2, "1")));
  expect(asked).toMatchObject({
    total: "-86.40",
    drafts: [
      {
        groups: [
          { rate: "20", base: "-50", tax: "-10" },
          { rate: "10", base: "-24", tax: "-2.4" },
        ],
      },
    ],
  });
  expect((await acted(refund(pieces(1, "1"), pieces(2, "1")))).status).toBe(200);
  const { invoices } = orderIn(await shop.connector.read("fr"));
  const regimes = invoices.map(({ groups }) => groups.map(({ regime }) => regime));
  expect(regimes).toEqual([
    ["17", "17"],
    ["17", "17"],
  ]);
  expect((await preview(refund())).left).toBe("60.00");
  await expectBooksConsistent(shop.shop.connectionId);
});

test("a simplified invoice is not issued again above its limit, and goes back whole below it", async () => {
  const lines = linesOf("1x300@21") as InvoiceRequest["lines"];
  const { shop, act: acted, preview, send } = await direct({ ...SIMPLIFIED, lines });
  const again = { what: "substitution", cause: "Precio mal puesto" };
  const above = { ...again, lines: [{ line: 1, amount: "400.01" }] };
  const { problem } = await preview(above);
  expect(problem).toMatchObject({ code: "simplified_limit_exceeded" });
  const refused = await send({
    ...{ ...above, idempotency_key: "deed-limit-1" },
    expects: { total: "400.01" },
  });
  expect([refused.status, refused.body.error_code]).toEqual([422, "simplified_limit_exceeded"]);
  const atLimit = await preview({ ...again, lines: [{ line: 1, amount: "400" }] });
  expect(atLimit).toMatchObject({ total: "400.00", drafts: [{ invoiceType: "R5" }] });
  expect((await acted(refund(pieces(1, "1")))).total).toBe("-363.00");
  await expectBooksConsistent(shop.connectionId);
});

test("an invoice whose record the AEAT rejected goes back by its lines, and both records stand", async () => {
  const { shop, books, invoiceId, act: acted, preview } = await direct({});
  await settleRecord(shop, invoiceId, { state: "rejected", code: 1239 });
  const { changes, left } = await preview(refund());
  expect([changes, left]).toEqual([["refund", "price_reduction", "substitution", "void"], "121.00"]);
  const done = await acted(refund(pieces(1, "1")));
  expect([done.status, done.total]).toEqual([200, "-121.00"]);
  expect((await preview(refund())).left).toBe("0.00");
  expect(await books.client.read("e1")).toMatchObject({ invoice: { alta: { state: "rejected" } } });
  await expectBooksConsistent(shop.connectionId);
});

test("an order that was sold again goes back from its new invoice, and the first one is over", async () => {
  const shop = await shopConsole();
  const sale = aSentOrder("9", { breakdown: [aSentLine(100, 21, 21, { quantity: 4 })] });
  const first = orderIn(await shop.connector.send(sale)).invoices[0]?.issued?.invoiceId ?? "";
  const ofFirst = refunds(shop.owner, shop.shop.accountId, first);
  expect((await ofFirst.act(refund(pieces(1, "4")))).total).toBe("-121.00");
  await shop.connector.send({ ...sale, fiscal_event: "cancelled" });
  const back = await shop.connector.send({ ...sale, status: "back" });
  expect(toldOf(back)).toMatch(/^held reactivated/);
  const asked = { order_id: "9", answers: [{ answer: "issue" }] };
  expect((await shop.owner.post(shop.of("/order/answers"), asked)).status).toBe(200);
  const { invoices } = orderIn(await shop.connector.read("9"));
  const again = invoices.findLast(({ kind }) => kind === "invoice")?.issued?.invoiceId ?? "";
  expect(again).not.toBe(first);
  const ofAgain = refunds(shop.owner, shop.shop.accountId, again);
  expect((await ofAgain.preview(refund())).left).toBe("121.00");
  expect((await ofAgain.act(refund(pieces(1, "1")))).total).toBe("-30.25");
  expect((await ofAgain.preview(refund())).left).toBe("90.75");
  expect((await ofFirst.detail()).changes).toEqual([]);
  const over = await ofFirst.send({
    ...{ ...refund(pieces(1, "1")), cause: "Rota" },
    ...{ idempotency_key: "deed-over-1", expects: { total: "-30.25" } },
  });
  expect([over.status, over.body.error_code]).toEqual([409, "rectify_other_invoice"]);
  await expectOrdersConsistent(shop.shop.connectionId, { answers: [] });
});
