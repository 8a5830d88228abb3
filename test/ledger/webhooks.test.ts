/** The events of each endpoint, their content, and their cost for issuing. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { NOON } from "../support/builders/callbacks.ts";
import { faults } from "../support/faults/faults.ts";
import { SIMPLIFIED } from "../support/worlds/ledger-client.ts";
import { aSentOrder, aSentRefund, openCommerce, orderConnector } from "../support/worlds/order-calls.ts";
import { openShop, type Shop } from "../support/worlds/shop.ts";
import {
  bodyIn,
  deliveriesOf,
  type Exchange,
  exchangeOn,
  settleRecord,
  toldIn,
} from "../support/worlds/webhooks.ts";

let shop: Shop;
let exchange: Exchange;

beforeEach(async () => {
  shop = await openShop();
  exchange = exchangeOn(shop);
});

const wake = () => exchange.ledger.wake();

describe("direct invoices", () => {
  test("issued: the numbers and sums that the answer had, signed with the secret that was shown", async () => {
    const { secret } = await exchange.register({ events: ["invoice.issued"] });
    const issued = await exchange.client.issue("e-1");
    if (issued.outcome !== "issued") throw new Error(issued.outcome);
    await wake();
    const [message, ...others] = exchange.sent;
    expect(others).toEqual([]);
    const view = issued.invoice;
    expect(message).toMatchObject({
      url: "https://receptor.es/avisos?clave=secreta",
      secrets: { current: secret },
    });
    expect(message && bodyIn(message)).toMatchObject({
      type: "invoice.issued",
      data: {
        connection_id: shop.connectionId,
        invoice_id: view.invoiceId,
        external_id: "e-1",
        order_id: null,
        full_number: view.fullNumber,
        totals: { total: Number(view.document.totals.total) },
        record: { record_id: view.alta.recordId, position: 1, hash: view.alta.record.hash },
      },
    });
    // Nothing of the buyer.
    const text = JSON.stringify(message?.body);
    const { recipient } = view.document.request;
    expect([recipient?.company, recipient?.vatNumber].filter((part) => part && text.includes(part))).toEqual(
      [],
    );
  });

  test("rectified, replaced: invoices of their own; cancelled: a record without an invoice", async () => {
    await exchange.register({ events: ["invoice.issued"] });
    await exchange.client.issue("a");
    await exchange.client.issue("t", SIMPLIFIED);
    await exchange.client.takeBack("r", "a", "1");
    await exchange.client.issue("b");
    await exchange.client.cancel("b");
    await wake();
    expect(toldIn(exchange.sent)).toHaveLength(4);
  });

  test("an amendment of a record issues nothing", async () => {
    await exchange.register();
    await exchange.client.issue("a");
    await wake();
    const { count } = await amendFirst(shop);
    expect(count).toBe(1);
    await settleRecord(shop, 2, { state: "accepted", seq: 3 });
    exchange.sent.length = 0;
    await wake();
    expect(exchange.sent.map((message) => bodyIn(message))).toMatchObject([
      {
        type: "record.accepted",
        data: { record: { position: 2, amends: true }, invoice: { external_id: "a" } },
      },
    ]);
  });
});

/** A second record of the first invoice, as amendments write it. */
async function amendFirst({ connectionId }: Shop) {
  const { meta } = await env.LEDGER_000.prepare(
    `INSERT INTO record (installation_id, position, connection_id, account_id, origin, invoice_id, kind,
      previous_hash, hash, content, reason, request_id, state)
    SELECT installation_id, position + 1, connection_id, account_id, 'amend:' || installation_id || '-1',
      invoice_id, kind, hash, replace(hash, substr(hash, 1, 8), 'AAAAAAAA'), content, '', 'test', 'pending_submission'
    FROM record WHERE connection_id = ? AND position = 1`,
  )
    .bind(connectionId)
    .run();
  return { count: meta.changes };
}

describe("states of records", () => {
  beforeEach(async () => {
    await exchange.register({ events: ["record.accepted", "record.rejected"] });
    for (const id of ["a", "b", "c", "d"]) await exchange.client.issue(id);
  });

  test("each final state that is listened to, with its code", async () => {
    await settleRecord(shop, 1, { state: "accepted", seq: 2 });
    await settleRecord(shop, 2, { state: "accepted_with_errors", seq: 2, standing: { code: 2001 } });
    const standing = { code: 1110, text: "El NIF de Ana Pérez no está identificado" };
    await settleRecord(shop, 3, { state: "rejected", seq: 2, standing });
    await wake();
    expect(exchange.sent.map((message) => bodyIn(message))).toMatchObject([
      { type: "record.accepted", data: { code: null, hold: null } },
      { type: "record.rejected", data: { code: 1110, hold: null, record: { position: 3 } } },
    ]);
    expect(exchange.sent.some(({ body }) => body.includes("Ana"))).toBe(false);
  });

  test("later ones follow, each once, at any position", async () => {
    await settleRecord(shop, 3, { state: "accepted", seq: 2 });
    await wake();
    await settleRecord(shop, 1, { state: "accepted", seq: 3 });
    await wake();
    await wake();
    expect(exchange.sent.map((message) => bodyIn(message).data.record)).toMatchObject([
      { position: 3 },
      { position: 1 },
    ]);
  });
});

describe("orders", () => {
  beforeEach(async () => {
    shop = await openCommerce();
    exchange = exchangeOn(shop);
    exchange.now = Date.now();
    await exchange.register({ events: ["order.held", "order.invoiced", "invoice.issued"] });
  });

  const held = (id: string, total = 122) => aSentOrder(id, { total });

  test("invoiced: the invoice makes both events, its corrections the invoice event alone", async () => {
    await exchange.connector.send(aSentOrder("5:1"));
    await exchange.connector.send(aSentOrder("5:1", { correction_events: [aSentRefund("r", 10, 2.1, 21)] }));
    await wake();
    expect(toldIn(exchange.sent)).toEqual([
      "invoice.issued PED-1RS-2026-000001",
      "invoice.issued PED-1S-2026-000001",
      "order.invoiced PED-1S-2026-000001",
    ]);
    const orders = exchange.sent.map((message) => bodyIn(message).data);
    expect(orders.map((data) => data.order_id ?? data.id_external)).toEqual(["5:1", "5:1", "5:1"]);
  });

  test("held: which reasons; held for the same it is no news, for others it is", async () => {
    await exchange.connector.send(held("1"));
    await wake();
    await exchange.connector.send(aSentOrder("1", { total: 122, tags: ["otra"] }));
    await wake();
    expect(exchange.sent).toHaveLength(1);
    await exchange.connector.send(aSentOrder("1", { total: 122, client: { country: "US" } }));
    await wake();
    const told = exchange.sent.map((message) => bodyIn(message));
    expect(told.map(({ type }) => type)).toEqual(["order.held", "order.held"]);
    expect(told[0]?.data).toEqual({
      connection_id: shop.connectionId,
      id_external: "1",
      state: "held",
      reasons: [{ code: "totals_mismatch" }],
    });
    expect(told[1]?.data.reasons).toContainEqual({ code: "foreign_customer" });
  });

  test("an ended hold makes no event", async () => {
    await exchange.connector.send(held("1"));
    await exchange.connector.send(aSentOrder("1"));
    await wake();
    expect(toldIn(exchange.sent)).not.toContain("order.held 1");
    expect(toldIn(exchange.sent)).toContain("order.invoiced PED-1S-2026-000001");
  });

  test("more than a page of them, held in one batch", async () => {
    const ids = Array.from({ length: 130 }, (_, index) => `o${index}`);
    await Promise.all(ids.map((id) => exchange.connector.send(held(id))));
    await wake();
    expect(toldIn(exchange.sent)).toEqual(ids.map((id) => `order.held ${id}`).toSorted());
  });
});

describe("the receivers", () => {
  test("nothing of what happened before", async () => {
    await exchange.client.issue("a");
    await settleRecord(shop, 1, { state: "accepted", seq: 2 });
    await exchange.register();
    await exchange.client.issue("b");
    expect(await wake()).toBe(NOON + 30 * 86_400_000);
    expect(toldIn(exchange.sent)).toEqual(["invoice.issued API-1-2026-000002"]);
  });

  test("each endpoint gets its chosen events, and the others no fewer", async () => {
    await exchange.register({ url: "https://a.es/", events: ["invoice.issued"] });
    await exchange.register({ url: "https://b.es/", events: ["record.accepted"] });
    await exchange.register({ url: "https://c.es/" });
    await exchange.client.issue("a");
    await settleRecord(shop, 1, { state: "accepted", seq: 2 });
    await wake();
    const heard = exchange.sent.map((message) => `${new URL(message.url).host} ${bodyIn(message).type}`);
    expect(heard.toSorted()).toEqual([
      "a.es invoice.issued",
      "b.es record.accepted",
      "c.es invoice.issued",
      "c.es record.accepted",
    ]);
    expect(new Set(exchange.sent.map(({ id }) => id)).size).toBe(4);
  });

  test("an event chosen later is sent from then on", async () => {
    const { id } = await exchange.register({ events: ["record.rejected"] });
    await exchange.client.issue("a");
    await wake();
    const events = ["invoice.issued", "record.rejected"] as const;
    await exchange.act({ verb: "choose_webhook_events", id, events });
    await exchange.client.issue("b");
    await wake();
    expect(toldIn(exchange.sent)).toEqual(["invoice.issued API-1-2026-000002"]);
    await exchange.act({ verb: "choose_webhook_events", id, events: ["record.rejected"] });
    await exchange.client.issue("c");
    await wake();
    expect(exchange.sent).toHaveLength(1);
  });

  test("never of another connection, of the same account neither", async () => {
    const other = exchangeOn(await openShop({ accountId: shop.accountId }));
    const stranger = exchangeOn(await openShop());
    for (const each of [exchange, other, stranger]) {
      await each.register({ url: `https://${each.shop.connectionId.toLowerCase()}.es/` });
      await each.client.issue("a");
      await settleRecord(each.shop, 1, { state: "accepted", seq: 2 });
    }
    for (const each of [exchange, other, stranger]) await each.ledger.wake();
    for (const each of [exchange, other, stranger]) {
      expect(each.sent).toHaveLength(2);
      expect(each.sent.map((message) => bodyIn(message).data.connection_id)).toEqual(
        Array(2).fill(each.shop.connectionId),
      );
      expect(new Set(each.sent.map(({ url }) => url)).size).toBe(1);
      const log = await each.ledger.listWebhooks(shop.connectionId);
      expect(log.outcome === "found" && log.webhooks).toHaveLength(1);
    }
    // Nor does an owner reach into another one by its ids.
    const [foreign] = await deliveriesOf(stranger.shop);
    const request = { verb: "resend_webhook_delivery", deliveryId: foreign?.id ?? "" } as const;
    expect(await exchange.act(request)).toMatchObject({ refusal: { code: "webhook_delivery_not_found" } });
  });

  test("a second installation is read from its first record", async () => {
    await exchange.register({ events: ["invoice.issued"] });
    await exchange.client.issue("a");
    await wake();
    const close = "UPDATE installation SET closed_at = 1 WHERE connection_id = ?";
    await env.LEDGER_000.prepare(close).bind(shop.connectionId).run();
    await env.LEDGER_000.prepare(
      `INSERT INTO installation (id, account_id, connection_id, ordinal, number, environment, opened_at)
        VALUES ('is000second', ?, ?, 2, 'N-second', 'test', 2)`,
    )
      .bind(shop.accountId, shop.connectionId)
      .run();
    await exchange.client.issue("b");
    await wake();
    expect(toldIn(exchange.sent)).toEqual([
      "invoice.issued API-1-2026-000001",
      "invoice.issued API-1b-2026-000001",
    ]);
  });
});

test("registering wakes the object: from then on it looks for events", async () => {
  await exchange.ledger.wake();
  exchange.wakes.length = 0;
  await exchange.register({ events: ["invoice.issued"] });
  expect(exchange.wakes).toEqual([NOON]);
  await exchange.ledger.wake();
  await exchange.client.issue("a");
  expect(exchange.wakes.at(-1)).toBe(NOON + 1_000);
});

describe("issuing pays nothing for it", () => {
  const costs = async (call: () => Promise<unknown>) => {
    faults.take();
    await call();
    return faults.take().map(({ rowsWritten, sql }) => ({ rowsWritten, statements: sql.length }));
  };

  test("an invoice: not one row more, not one trip more", async () => {
    await exchange.client.issue("first");
    const before = await costs(() => exchange.client.issue("a"));
    await exchange.register();
    await exchange.register({ url: "https://otro.es/" });
    await exchange.client.issue("warm");
    expect(before).toHaveLength(1);
    expect(await costs(() => exchange.client.issue("b"))).toEqual(before);
  });

  test("an order, invoiced or held: neither", async () => {
    shop = await openCommerce();
    exchange = exchangeOn(shop);
    const { send } = orderConnector(shop, exchange.ledger);
    const cost = async (round: string) => [
      await costs(() => send(aSentOrder(`i${round}`))),
      await costs(() => send(aSentOrder(`h${round}`, { total: 1 }))),
    ];
    await send(aSentOrder("first"));
    const before = await cost("1");
    await exchange.register();
    await send(aSentOrder("warm"));
    expect(await cost("2")).toEqual(before);
  });
});
