/** Refunds, reductions, new issues and annulments by lines over the owner's API, of orders and direct invoices. */
import { describe, expect, test } from "vitest";
import type { InvoiceRequest } from "../../src/domain/invoice/request.ts";
import { civilDate } from "../../src/domain/shared/civil-date.ts";
import { decimal } from "../../src/domain/shared/decimal.ts";
import { linesOf } from "../support/builders/requests.ts";
import { expectBooksConsistent } from "../support/rules/consistency.ts";
import { ownerOf, type ShopConsole, shopConsole } from "../support/worlds/console.ts";
import { plainLedger, SIMPLIFIED } from "../support/worlds/ledger-client.ts";
import { A_SENT_COMPANY, aSentLine, aSentOrder, toldOf } from "../support/worlds/order-calls.ts";
import { auditOf } from "../support/worlds/owners.ts";
import { refunds } from "../support/worlds/refund-calls.ts";
import { act, openShop, type Shop } from "../support/worlds/shop.ts";

const PLATE = { name: "Fuente", quantity: 2 };
const CUP = { name: "Taza", quantity: 4 };
/** 2 for 96.80 and 4 for 48.40 at 21 %, a book for 26.00 at 4 %. */
const SALE = aSentOrder("10482", {
  total: 171.2,
  breakdown: [
    aSentLine(80, 16.8, 21, { ...PLATE, line_id: "l1" }),
    aSentLine(40, 8.4, 21, { ...CUP, line_id: "l2" }),
    aSentLine(25, 1, 4, { name: "Libro", quantity: 1, line_id: "l3" }),
  ],
  client: A_SENT_COMPANY,
});
const pieces = (line: number, quantity: string) => ({ line, quantity });
const refund = (...lines: object[]) => ({ what: "refund", lines });

async function sold(
  order: object = SALE,
): Promise<{ shop: ShopConsole; id: string } & ReturnType<typeof refunds>> {
  const shop = await shopConsole();
  const answer = await shop.connector.send(order as typeof SALE);
  if (answer.outcome !== "taken") throw new Error(answer.outcome);
  const id = answer.order.invoices[0]?.issued?.invoiceId ?? "";
  return { shop, id, ...refunds(shop.owner, shop.shop.accountId, id) };
}

describe("an invoice of an order", () => {
  test("shows its lines, what is left, and the rectification that would be issued", async () => {
    const { preview, detail } = await sold();
    expect((await detail()).changes).toEqual(["refund", "price_reduction", "void"]);
    const start = await preview(refund());
    expect(start).toMatchObject({
      ...{ order: "10482", left: "171.20", total: null, changes: ["refund", "price_reduction", "void"] },
      problem: { code: "rectify_nothing_chosen", message: "Elige cuánto se devuelve de alguna línea." },
      lines: [
        {
          line: 1,
          description: "Fuente",
          quantity: "2",
          price: "48.40",
          left: { quantity: "2", amount: "96.80" },
        },
        { line: 2, description: "Taza", quantity: "4", price: "12.10" },
        { line: 3, description: "Libro", quantity: "1", rate: "4", worth: "26.00" },
      ],
    });
    const asked = await preview({ ...refund(pieces(1, "1"), pieces(2, "2")), cause: "Llegaron rotas" });
    expect(asked).toMatchObject({
      ...{ total: "-72.60", leftAfter: "98.60", problem: null },
      drafts: [
        {
          ...{ fullNumber: "PED-1R-2026-000001", invoiceType: "R1" },
          groups: [{ rate: "21", base: "-60", tax: "-12.6" }],
          description: "Reembolso. Pedido 10482. Llegaron rotas",
        },
      ],
    });
    expect(asked.lines.map(({ amount }: { amount: string }) => amount)).toEqual(["48.40", "24.20", "0.00"]);
  });

  test("is refunded once for one key, by an owner, and the invoice names the person", async () => {
    const { shop, act: acted, send, preview, detail } = await sold();
    const first = await acted(refund(pieces(1, "1"), pieces(2, "2")));
    expect(first).toMatchObject({
      status: 200,
      body: { replayed: false, data: { fullNumber: "PED-1R-2026-000001" } },
    });
    expect((await send(first.sent)).body).toEqual({ ...first.body, replayed: true });
    const other = await send({ ...first.sent, lines: [pieces(1, "2")] });
    expect([other.status, other.body.error_code]).toEqual([409, "idempotency_conflict"]);
    const { left, lines } = await preview(refund());
    expect([left, lines[0].left, lines[1].taken]).toEqual([
      "98.60",
      { quantity: "1", amount: "48.40" },
      { quantity: "2", amount: "24.20" },
    ]);
    expect((await detail()).changes).toEqual(["refund", "price_reduction"]);
    const made = refunds(shop.owner, shop.shop.accountId, first.body.data.id);
    expect(await made.detail()).toMatchObject({ issuedBy: "María Ferrer", changes: [] });
    const part = await made.send({ ...first.sent, idempotency_key: "deed-of-part" });
    expect([part.status, part.body.error_code]).toEqual([409, "rectify_other_invoice"]);
    expect(await auditOf(shop.shop)).toContainEqual(
      expect.objectContaining({
        verb: "rectify_invoice",
        facts: expect.objectContaining({
          number: "PED-1R-2026-000001",
          order: "10482",
          reason: "Llegó rota",
          change: "refund",
        }),
      }),
    );
    await expectBooksConsistent(shop.shop.connectionId);
  });

  test("accountants preview and issue nothing", async () => {
    const { shop, preview, send } = await sold();
    const accountant = await ownerOf(shop.shop, "accountant");
    const asked = refund(pieces(3, "1"));
    expect((await preview(asked, accountant)).total).toBe("-26.00");
    const sent = {
      ...asked,
      idempotency_key: "deed-accountant",
      cause: "Rota",
      expects: { total: "-26.00" },
    };
    expect((await send(sent, accountant)).status).toBe(403);
  });

  test("another total is told with the new preview, and of two at once one acts", async () => {
    const { shop, send, preview } = await sold();
    const asked = { ...refund(pieces(1, "2")), cause: "Rota", expects: { total: "-90" } };
    const stale = await send({ ...asked, idempotency_key: "deed-stale-1" });
    expect([stale.status, stale.body.error_code]).toEqual([409, "preview_stale"]);
    expect(stale.body.data).toMatchObject({ total: "-96.80", drafts: [{ invoiceType: "R1" }] });
    const right = { ...asked, expects: { total: "-96.80" } };
    const both = await Promise.all(
      ["deed-both-1", "deed-both-2"].map((key) => send({ ...right, idempotency_key: key })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 422]);
    const refused = both.find(({ status }) => status === 422);
    expect(refused?.body.error_code).toBe("rectify_quantity_exceeds");
    expect((await preview(refund())).left).toBe("74.40");
    await expectBooksConsistent(shop.shop.connectionId);
  });

  test("of two who see the same total one acts, if what was left is confirmed too", async () => {
    const { shop, send, preview } = await sold();
    const asked = { ...refund(pieces(1, "1")), cause: "Rota" };
    const { total, left } = await preview(asked);
    const both = await Promise.all(
      ["deed-same-1", "deed-same-2"].map((key) =>
        send({ ...asked, idempotency_key: key, expects: { total, left } }),
      ),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const stale = both.find(({ status }) => status === 409);
    expect(stale?.body).toMatchObject({
      error_code: "preview_stale",
      data: { total: "-48.40", left: "122.80" },
    });
    expect((await preview(refund())).left).toBe("122.80");
    await expectBooksConsistent(shop.shop.connectionId);
  });

  test("a later refund of the shop with the same amounts waits, and says who issued it", async () => {
    const { shop, act: acted } = await sold();
    await acted(refund(pieces(1, "1")));
    const event = {
      id_external_event: "r-1",
      event_type: "refund",
      lines: [{ base_delta: -40, tax_delta: -8.4, tax_rate: 21 }],
    };
    const answer = await shop.connector.send({ ...SALE, correction_events: [event] } as never);
    expect(toldOf(answer)).toBe(
      "held refund_possibly_repeated F1 PED-1-2026-000001 171.2 R1 PED-1R-2026-000001 -48.4",
    );
    const { body } = await shop.owner.get(`${shop.of("/order")}?order_id=10482`);
    expect(body.data.reasons[0].sentence).toMatch(
      /^Ya la emitió María Ferrer el \d\d\/\d\d\/2026: PED-1R-2026-000001\.$/,
    );
    const asked = { order_id: "10482", answers: [] };
    const { body: seen } = await shop.owner.post(shop.of("/order/preview"), asked);
    expect(seen.data.reasons[0].sentence).toContain("Ya la emitió María Ferrer el ");
    const distinct = { answer: "mark_distinct", event_id: "r-1" };
    await shop.owner.post(shop.of("/order/answers"), { order_id: "10482", answers: [distinct] });
    expect(toldOf(await shop.connector.read("10482"))).toContain("R1 PED-1R-2026-000002 -48.4");
  });

  test("what the shop took back counts by its lines", async () => {
    const { shop, preview, act: acted } = await sold();
    const event = {
      ...{ id_external_event: "r-1", event_type: "refund" },
      lines: [{ line_id: "l2", quantity_delta: -3, base_delta: -30, tax_delta: -6.3, tax_rate: 21 }],
    };
    await shop.connector.send({ ...SALE, correction_events: [event] } as never);
    const { lines, left } = await preview(refund());
    expect([left, lines[1].left]).toEqual(["134.90", { quantity: "1", amount: "12.10" }]);
    const all = await acted(refund(pieces(1, "2"), pieces(2, "1"), pieces(3, "1")));
    expect(all.total).toBe("-134.90");
    expect(toldOf(await shop.connector.read("10482"))).toMatch(/^rectified /);
    await expectBooksConsistent(shop.shop.connectionId);
  });

  test("a reduced price takes amounts and no pieces", async () => {
    const { preview, act: acted } = await sold();
    const byPieces = await preview({ what: "price_reduction", lines: [pieces(1, "1")] });
    expect(byPieces.problem).toMatchObject({ code: "rectify_reduction_by_pieces", path: "lines.0.quantity" });
    const done = await acted({ what: "price_reduction", lines: [{ line: 1, amount: "16.80" }] });
    expect(done).toMatchObject({ status: 200, total: "-16.80" });
    const { lines } = await preview(refund(pieces(1, "1")));
    expect([lines[0].left, lines[0].amount]).toEqual([{ quantity: "2", amount: "80.00" }, "40.00"]);
  });

  test("without a sale it is annulled, unless something went back before", async () => {
    const { shop, preview, act: acted, detail, send } = await sold();
    const asked = await preview({ what: "void" });
    expect(asked).toMatchObject({ total: "-171.20", annulled: ["PED-1-2026-000001"], drafts: [] });
    const done = await acted({ what: "void", cause: "Era una prueba" });
    expect(done.body.data).toMatchObject({ fullNumber: "PED-1-2026-000001", annulled: true });
    expect((await send(done.sent)).body.replayed).toBe(true);
    expect(toldOf(await shop.connector.read("10482"))).toBe("cancelled F1 PED-1-2026-000001 171.2");
    expect(await detail()).toMatchObject({ standing: { is: "cancelled" }, changes: [] });
    const again = await send({ ...done.sent, idempotency_key: "deed-again-1" });
    expect([again.status, again.body.error_code]).toEqual([409, "invoice_annulled"]);
    await expectBooksConsistent(shop.shop.connectionId);
    const touched = await sold();
    await touched.act(refund(pieces(3, "1")));
    expect((await touched.preview({ what: "void" })).problem.code).toBe("annulment_after_correction");
  });

  test("with a discount, a surcharge, several rates and another currency it goes back to the cent", async () => {
    const discounted = await sold({
      ...SALE,
      total: 154.2,
      discounts: [{ code: "X", name: "Cupón", amount: 17, kind: "promotional" }],
    });
    const { lines } = await discounted.preview(refund());
    const worth = lines.map((line: { worth: string }) => Number(line.worth));
    expect(worth.reduce((sum: number, each: number) => sum + each, 0)).toBeCloseTo(154.2, 2);
    const all = await discounted.act(refund(pieces(1, "2"), pieces(2, "4"), pieces(3, "1")));
    expect(all.total).toBe("-154.20");
    const surcharged = await sold({
      ...SALE,
      total: 126.2,
      breakdown: [
        aSentLine(100, 21, 21, {
          equivalence_surcharge_rate: 5.2,
          equivalence_surcharge_amount: 5.2,
          quantity: 4,
        }),
      ],
    });
    const part = await surcharged.preview(refund(pieces(1, "1")));
    expect(part.drafts[0].groups[0]).toMatchObject({
      base: "-25",
      tax: "-5.25",
      surcharge: "-1.3",
      total: "-31.55",
    });
  });

  test("a ticket with a full invoice gets its R5 and the full invoice of it; withdrawn consent issues nothing", async () => {
    const { client: _, ...nameless } = SALE;
    const { shop, act: acted, preview } = await sold(nameless);
    await shop.connector.send({ ...SALE, fiscal_event: "full_invoice_requested" });
    const done = await acted(refund(pieces(3, "1")));
    expect(done.status).toBe(200);
    expect(toldOf(await shop.connector.read("10482"))).toBe(
      "partially_rectified F2 PED-1S-2026-000001 171.2 F3 PED-1-2026-000001 171.2 R5 PED-1RS-2026-000001 -26 F3 PED-1-2026-000002 -26",
    );
    await act(shop.shop, { verb: "withdraw_consent" });
    expect((await preview(refund(pieces(1, "1")))).problem.code).toBe("invoicing_not_enabled");
    await expectBooksConsistent(shop.shop.connectionId);
  });
});

describe("a direct invoice", () => {
  async function issued(change: Partial<InvoiceRequest> = {}) {
    const shop: Shop = await openShop();
    const books = plainLedger(shop);
    const owner = await ownerOf(shop);
    const answer = await books.client.issue("e1", {
      lines: [
        { ...linesOf("2x40@21")[0], description: "Fuente" },
        { ...linesOf("1x25@4")[0], description: "Libro" },
      ] as InvoiceRequest["lines"],
      ...change,
    });
    if (answer.outcome !== "issued") throw new Error(JSON.stringify(answer));
    return { shop, books, owner, ...refunds(owner, shop.accountId, answer.invoice.invoiceId) };
  }

  test("is refunded by pieces, by the decision of a caller's request", async () => {
    const { shop, books, preview, act: acted, detail } = await issued();
    expect((await detail()).changes).toEqual(["refund", "price_reduction", "substitution", "void"]);
    const first = await acted(refund(pieces(1, "1")));
    expect(first).toMatchObject({
      status: 200,
      total: "-48.40",
      body: { data: { fullNumber: "API-1R-2026-000001" } },
    });
    const { lines, left, order } = await preview(refund());
    expect([left, lines[0].left, order]).toEqual(["74.40", { quantity: "1", amount: "48.40" }, null]);
    await books.client.takeBack("r1", "e1", "40");
    expect((await preview(refund(pieces(1, "1")))).problem).not.toBeNull();
    expect((await acted(refund(pieces(2, "1")))).total).toBe("-26.00");
    expect((await preview(refund())).left).toBe("0.00");
    await expectBooksConsistent(shop.connectionId);
  });

  test("of two who see the same total one acts, and an annulment sees what went back meanwhile", async () => {
    const { preview, send, act: acted } = await issued();
    const asked = { ...refund(pieces(1, "1")), cause: "Rota" };
    const { total, left } = await preview(asked);
    const annulled = { what: "void", cause: "Duplicada", lines: [] };
    const seen = await preview(annulled);
    await acted(refund(pieces(1, "1")));
    const late = await send({ ...asked, idempotency_key: "deed-direct-late", expects: { total, left } });
    expect([late.status, late.body.error_code, late.body.data.left]).toEqual([409, "preview_stale", "74.40"]);
    const expects = { total: seen.total, left: seen.left };
    const none = await send({ ...annulled, idempotency_key: "deed-direct-void", expects });
    expect(none.status).toBe(422);
    const again = await send({
      ...asked,
      idempotency_key: "deed-direct-now",
      expects: { total, left: "74.4" },
    });
    expect([again.status, (await preview(refund())).left]).toEqual([200, "26.00"]);
  });

  test("three pieces for 10.00 go back as 3.33, 3.34 and 3.33", async () => {
    const lines = [{ ...linesOf("3x3.333333@21")[0] }] as InvoiceRequest["lines"];
    const { shop, act: acted } = await issued({ lines, pricesIncludeTax: true });
    const totals = [];
    for (let piece = 0; piece < 3; piece += 1) totals.push((await acted(refund(pieces(1, "1")))).total);
    expect(totals).toEqual(["-3.33", "-3.34", "-3.33"]);
    await expectBooksConsistent(shop.connectionId);
  });

  test("is issued again with the right amounts, by substitution of it and its parts", async () => {
    const { shop, act: acted, preview, detail } = await issued();
    await acted(refund(pieces(2, "1")));
    expect((await preview({ what: "substitution", lines: [] })).problem.code).toBe("rectify_changes_nothing");
    const done = await acted({
      what: "substitution",
      lines: [{ line: 1, amount: "90.75" }],
      cause: "Precio mal puesto",
    });
    expect(done).toMatchObject({ status: 200, total: "90.75" });
    expect(await detail()).toMatchObject({ standing: { is: "replaced" }, changes: [] });
    await expectBooksConsistent(shop.connectionId);
  });

  test("is annulled where there was no sale, once for one key", async () => {
    const { shop, act: acted, send, detail } = await issued();
    const done = await acted({ what: "void", cause: "Duplicada" });
    expect(done).toMatchObject({ status: 200, total: "-122.80", body: { data: { annulled: true } } });
    expect((await send(done.sent)).body.replayed).toBe(true);
    expect((await detail()).standing).toEqual({ is: "cancelled" });
    const again = await send({ ...done.sent, idempotency_key: "deed-again-2" });
    expect(again.status).toBe(409);
    await expectBooksConsistent(shop.connectionId);
  });

  test.each<[string, Partial<InvoiceRequest>, string, string]>([
    ["with a withholding", { withholdingRate: decimal("15") }, "R1", "-48.40"],
    ["simplified", { ...SIMPLIFIED }, "R5", "-48.40"],
    [
      "in dollars",
      { currency: "USD", exchangeRate: decimal("1.1"), exchangeRateDate: civilDate("2026-11-26") },
      "R1",
      "-48.40",
    ],
  ])("%s it goes back by its own kind", async (_, change, type, total) => {
    const { shop, act: acted, preview } = await issued(change);
    const { drafts } = await preview(refund(pieces(1, "1")));
    expect([drafts[0].invoiceType, drafts[0].currency]).toEqual([type, change.currency ?? "EUR"]);
    expect((await acted(refund(pieces(1, "1")))).total).toBe(total);
    expect((await acted(refund(pieces(1, "1"), pieces(2, "1")))).total).toBe("-74.40");
    await expectBooksConsistent(shop.connectionId);
  });

  test("a body of the wrong shape and an unknown invoice are refused", async () => {
    const { owner, shop, send } = await issued();
    expect((await send({ what: "refund" })).status).toBe(422);
    expect(
      (
        await send({
          ...refund({ line: 1 }),
          idempotency_key: "deed-shape",
          cause: "x",
          expects: { total: "-1" },
        })
      ).status,
    ).toBe(422);
    const nobody = refunds(owner, shop.accountId, "in000nobody");
    const sent = {
      ...refund(pieces(1, "1")),
      idempotency_key: "deed-nobody",
      cause: "x",
      expects: { total: "-1" },
    };
    expect((await nobody.send(sent)).status).toBe(404);
  });
});
