/** Personal data is erased on request, unless the law has it kept, and stays erased. */
import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { erasureReads } from "../../src/db/orders/order-reads.ts";
import type { OwnerRequest } from "../../src/ledger/verbs/table.ts";
import { gate } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { wrapD1 } from "../support/faults/wrapped-d1.ts";
import { haveArrived, plainLedger } from "../support/worlds/ledger-client.ts";
import {
  aSentOrder,
  type Connector,
  openCommerce,
  orderConnector,
  toldOf,
} from "../support/worlds/order-calls.ts";
import { auditOf, MARTA } from "../support/worlds/owners.ts";
import { act, ledgerStub, type Shop } from "../support/worlds/shop.ts";
import { connectorOf } from "../support/worlds/shop-reports.ts";

const CLIENT = {
  id_external: "c1",
  first_name: "Ana",
  last_name: "Pérez",
  email: "ana@correo.es",
  country: "ES",
};

let shop: Shop;
let connector: Connector;

/** Of one customer an order with an invoice and two without, and an order of another customer. */
beforeEach(async () => {
  shop = await openCommerce();
  connector = orderConnector(shop);
  await connectorOf(shop)({
    resource: "client",
    client: { idExternal: "c1", firstName: "Ana", lastName: "Pérez", email: "ana@correo.es" },
  });
  await connector.send(aSentOrder("invoiced", { client: CLIENT }));
  await connector.send(aSentOrder("stored", { client: CLIENT, fiscal_event: "none" }));
  await connector.send(aSentOrder("held", { client: CLIENT, tags: ["x"], total: 120 }));
  await connector.send(
    aSentOrder("other", { client: { ...CLIENT, id_external: "c2" }, fiscal_event: "none" }),
  );
});

async function everything(): Promise<string> {
  const tables = [
    "shop_order",
    "shop_order_sent",
    "shop_client",
    "erased_order",
    "audit_log",
    "webhook_delivery",
  ];
  const answers = await env.LEDGER_000.batch(
    tables.map((table) => env.LEDGER_000.prepare(`SELECT * FROM ${table}`)),
  );
  return JSON.stringify(answers.map(({ results }) => results));
}

async function ordersLeft(): Promise<readonly unknown[]> {
  const { results } = await env.LEDGER_000.prepare(
    "SELECT id_external AS id FROM shop_order ORDER BY 1",
  ).all<{ id: string }>();
  return results.map(({ id }) => id);
}

const codeOf = (outcome: object) =>
  "refusal" in outcome
    ? (outcome.refusal as { code: string }).code
    : (outcome as { outcome: string }).outcome;

describe("a customer", () => {
  test("goes with all orders that have no invoice", async () => {
    expect(await act(shop, { verb: "erase_client", clientId: "c1" }, MARTA)).toEqual({ outcome: "done" });
    expect(await ordersLeft()).toEqual(["invoiced", "other"]);
    const { results } = await env.LEDGER_000.prepare("SELECT * FROM shop_client").all();
    expect(results).toEqual([]);
    expect((await auditOf(shop)).at(-1)).toEqual({
      verb: "erase_client",
      userId: MARTA,
      facts: { orders: "2", kept: "1" },
    });
  });

  test("nothing of them is left but what belongs to the invoice", async () => {
    await act(shop, { verb: "erase_client", clientId: "c1" });
    await act(shop, { verb: "erase_client", clientId: "c2" });
    const left = await everything();
    // No duty keeps an e-mail. The name stays in the order's facts, and in the body that its shop sent.
    expect(left).not.toContain("ana@correo.es");
    expect(left.split("Pérez").length - 1).toBe(2);
  });

  test("of whom only invoices are left is refused with the law", async () => {
    await act(shop, { verb: "erase_client", clientId: "c1" });
    const again = await act(shop, { verb: "erase_client", clientId: "c1" });
    const { results } = await env.LEDGER_000.prepare(
      "SELECT full_number AS number, issue_date AS day FROM invoice",
    ).all<{
      number: string;
      day: string;
    }>();
    expect(again).toMatchObject({
      outcome: "refused",
      refusal: {
        code: "erasure_not_allowed",
        facts: {
          numbers: { all: results.map(({ number }) => number) },
          until: { date: `${Number(results[0]?.day.slice(0, 4)) + 6}-12-31` },
        },
      },
    });
  });

  /** Copies of the order that was invoiced, each with an invoice of its own. */
  async function invoiceHundreds(): Promise<void> {
    const { results } = await env.LEDGER_000.prepare("SELECT name FROM pragma_table_info('shop_order')").all<{
      name: string;
    }>();
    const copied = results.map(({ name }) => (name === "id_external" ? "'copy-' || n" : name)).join(", ");
    const counted =
      "WITH RECURSIVE counted(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM counted WHERE n < 521)";
    const many = [
      `${counted} INSERT INTO shop_order SELECT ${copied} FROM counted CROSS JOIN
        (SELECT * FROM shop_order WHERE id_external = 'invoiced')`,
      `${counted} INSERT INTO invoice SELECT id || n, account_id, connection_id, 'order:copy-' || n, series, n,
        series || '-' || printf('%06d', n), issue_date, invoice_type, total_eur, document_sha256, request_id
        FROM counted CROSS JOIN (SELECT * FROM invoice LIMIT 1)`,
    ];
    await env.LEDGER_000.batch(many.map((sql) => env.LEDGER_000.prepare(sql)));
  }

  test("is looked for without a walk through all invoices", async () => {
    await invoiceHundreds();
    const reads = erasureReads(wrapD1("LEDGER_000", env.LEDGER_000));
    faults.take();
    await reads.read(shop.connectionId, { clientId: "c1" });
    const rowsRead = faults.take().reduce((sum, trip) => sum + trip.rowsRead, 0);
    expect(rowsRead).toBeLessThan(10_000);
  });

  test("with hundreds of invoiced orders loses the ones that are not", async () => {
    await invoiceHundreds();
    expect(await act(shop, { verb: "erase_client", clientId: "c1" })).toEqual({ outcome: "done" });
    const left = await ordersLeft();
    expect(left).not.toContain("stored");
    expect(left).not.toContain("held");
    expect(left).toHaveLength(522);
  });

  test("reported anew is stored anew: the shop has it", async () => {
    await act(shop, { verb: "erase_client", clientId: "c1" });
    const told = await connectorOf(shop)({
      resource: "client",
      client: { idExternal: "c1", firstName: "Ana" },
    });
    expect(told).toMatchObject({ outcome: "recorded", created: 1 });
  });
});

describe("an order", () => {
  test.each(["stored", "held"])("that has no invoice goes: %s", async (orderId) => {
    expect(await act(shop, { verb: "erase_order", orderId })).toEqual({ outcome: "done" });
    expect(await ordersLeft()).not.toContain(orderId);
    expect(await connector.read(orderId)).toMatchObject({ outcome: "unknown" });
  });

  test("that has one stays, and it is said why and until when", async () => {
    const refused = await act(shop, { verb: "erase_order", orderId: "invoiced" });
    expect(codeOf(refused)).toBe("erasure_not_allowed");
    expect(await ordersLeft()).toContain("invoiced");
  });

  test("an unknown one is refused as that", async () => {
    const refused = await act(shop, { verb: "erase_order", orderId: "unknown" });
    expect(refused).toMatchObject({
      outcome: "refused",
      refusal: { code: "nothing_to_erase", path: "id" },
    });
  });

  test.each(["warm", "cold"])("sent again neither comes back nor is invoiced, %s", async (memory) => {
    await act(shop, { verb: "erase_order", orderId: "stored" });
    if (memory === "cold") await evictDurableObject(ledgerStub(shop));
    const candidate = aSentOrder("stored", { client: CLIENT });
    for (const outcome of [await connector.send(candidate), await connector.preview(candidate)]) {
      expect(outcome).toMatchObject({
        outcome: "refused",
        refusal: { code: "order_erased", facts: { order_id: "stored", why: { phrase: "order_asked" } } },
      });
    }
    expect(await ordersLeft()).not.toContain("stored");
    expect(await connector.send(aSentOrder("new", { client: CLIENT }))).toMatchObject({ outcome: "taken" });
  });

  test("is taken again once its owner admits it", async () => {
    await act(shop, { verb: "erase_order", orderId: "stored" }, MARTA);
    await act(shop, { verb: "admit_order", orderId: "stored" }, MARTA);
    expect(toldOf(await connector.send(aSentOrder("stored", { client: CLIENT })))).toContain("invoiced");
    expect((await auditOf(shop)).map(({ verb }) => verb).slice(-2)).toEqual(["erase_order", "admit_order"]);
  });

  test("with a retired invoice is not admitted again", async () => {
    await env.LEDGER_000.batch([
      env.LEDGER_000.prepare("DROP TRIGGER erased_order_append"),
      env.LEDGER_000.prepare("INSERT INTO erased_order VALUES (?, 'old', 'retention', 0)").bind(
        shop.connectionId,
      ),
    ]);
    expect(codeOf(await act(shop, { verb: "admit_order", orderId: "old" }))).toBe("order_stays_erased");
  });

  test("that waited for consent is counted as settled", async () => {
    await act(shop, { verb: "withdraw_consent" });
    await connector.send(aSentOrder("waiting"));
    const settled = () =>
      env.LEDGER_000.prepare("SELECT settled FROM order_release WHERE connection_id = ?")
        .bind(shop.connectionId)
        .first<number>("settled");
    const before = await settled();
    await act(shop, { verb: "erase_order", orderId: "waiting" });
    expect(await settled()).toBe((before ?? 0) + 1);
  });
});

describe("during the erasure", () => {
  test("another instance that decides the order finds it erased", async () => {
    const { ledger } = plainLedger(shop);
    const theirs = orderConnector(shop, ledger);
    await theirs.send(aSentOrder("stored", { client: CLIENT, fiscal_event: "none" }));
    const held = faults.next(gate());
    const sent = theirs.send(aSentOrder("stored", { client: CLIENT }));
    await held.reached();
    const erased = act(shop, { verb: "erase_order", orderId: "stored" });
    await haveArrived(shop, 1);
    expect(await erased).toEqual({ outcome: "done" });
    held.open();
    expect(codeOf(await sent)).toBe("order_erased");
  });

  test("an order that is invoiced while it is asked for stays", async () => {
    const requests: readonly OwnerRequest[] = [{ verb: "erase_order", orderId: "stored" }];
    const { ledger } = plainLedger(shop);
    const theirs = orderConnector(shop, ledger);
    // The erasure has been decided, and its batch waits.
    const held = faults.when(
      (sql) => sql.some((text) => text.includes('insert into "erased_order"')),
      gate(),
    );
    const erased = act(shop, requests[0] ?? { verb: "withdraw_consent" });
    await held.reached();
    expect(toldOf(await theirs.send(aSentOrder("stored", { client: CLIENT })))).toContain("invoiced");
    held.open();
    expect(codeOf(await erased)).toBe("erasure_not_allowed");
  });
});
