/** Invoices, overview and submission over the owner's API. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { type Browser, ownerOf } from "../support/worlds/console.ts";
import { aDifference, type PlainLedger, plainLedger, SIMPLIFIED } from "../support/worlds/ledger-client.ts";
import { aSentOrder, openCommerce, orderConnector } from "../support/worlds/order-calls.ts";
import { settleRecord } from "../support/worlds/owners.ts";
import { act, openShop, type Shop } from "../support/worlds/shop.ts";

let shop: Shop;
let books: PlainLedger;
let owner: Browser;
let base: string;

beforeEach(async () => {
  shop = await openShop();
  books = plainLedger(shop);
  owner = await ownerOf(shop);
  base = `/api/accounts/${shop.accountId}`;
  // The owner's API is loaded with its first request.
});

async function issue(externalId: string, change = {}): Promise<string> {
  const issued = await books.client.issue(externalId, change);
  if (issued.outcome !== "issued") throw new Error(issued.outcome);
  return issued.invoice.invoiceId;
}

const read = async (path: string) => {
  const { status, body } = await owner.get(`${base}${path}`);
  expect(status).toBe(200);
  return body.data;
};

describe("the list", () => {
  test("has amounts as texts, sums and cursors that lead on and back", async () => {
    for (let index = 0; index < 27; index++) await issue(`e${index}`);
    const first = await read("/invoices");
    expect(first).toMatchObject({ first: 1, previous: null, isWhole: true });
    expect(first.sums).toEqual({
      invoices: 27,
      cancelled: 0,
      tests: 0,
      base: "2700.00",
      tax: "567.00",
      total: "3267.00",
    });
    expect(first.items).toHaveLength(25);
    expect(first.items[0]).toMatchObject({
      ...{ fullNumber: "API-1-2026-000027", externalId: "e26", total: "121", totalEur: "121.00" },
      ...{ state: "pending_submission", standing: { is: "issued" }, invoiceType: "F1" },
    });
    const second = await read(`/invoices?cursor=${first.next}`);
    expect(second).toMatchObject({ first: 26, next: null });
    expect(second.items).toHaveLength(2);
    expect((await read(`/invoices?cursor=${second.previous}`)).items).toEqual(first.items);
    expect((await read("/invoices?search=e26&state=pending_submission")).sums.invoices).toBe(1);
    const years = "from=2020-01-15&to=2099-12-30";
    const ofYears = await read(`/invoices?${years}&document=issued`);
    expect(ofYears.sums).toEqual(first.sums);
    const rest = await read(`/invoices?${years}&document=issued&cursor=${ofYears.next}`);
    expect(rest).toMatchObject({ first: 26, next: null, items: second.items });
    for (const none of [`${years}&document=cancelled`, "to=2020-01-15", "from=2099-01-01&to=2099-01-01"]) {
      expect(await read(`/invoices?${none}`)).toMatchObject({
        items: [],
        sums: { invoices: 0, total: "0.00" },
      });
    }
    expect(await read("/invoices/choices")).toMatchObject({
      connections: [{ id: shop.connectionId, name: "API" }],
      series: [{ code: "API-1-2026", connectionId: shop.connectionId }],
    });
  });

  test.each([
    "month=2026-13",
    "state=lost",
    "document=lost",
    "from=2026-02-30",
    "to=30/11/2026",
    "from=0999-01-01",
    "from=2026-11-30&to=2026-11-29",
    "cursor=x",
    "cursor=W10",
    "unknown=1",
    `search=${"x".repeat(201)}`,
  ])("refuses %s", async (query) => {
    expect((await owner.get(`${base}/invoices?${query}`)).status).toBe(422);
  });
});

describe("one invoice", () => {
  test("shows its sheet, the state of its record, and its later changes", async () => {
    const id = await issue("full");
    await issue("cut", aDifference("full", "10"));
    await settleRecord(shop, id, {
      state: "rejected",
      code: 1239,
      text: "Error en el bloque de destinatario.",
    });
    const detail = await read(`/invoices/${id}`);
    expect(detail).toMatchObject({
      ...{ fullNumber: "API-1-2026-000001", externalId: "full", totalEur: "121.00", need: "required" },
      standing: { is: "partially_rectified" },
      related: [{ fullNumber: "API-1R-2026-000001", relation: "rectified_by" }],
      amend: { offered: true, effect: "registers" },
      amendable: { takesRecipient: true, recipient: { company: expect.any(String) } },
      records: [
        {
          ...{ kind: "registration", position: 1, state: "rejected", code: 1239 },
          ...{
            text: "Error en el bloque de destinatario.",
            advice: expect.stringContaining("no reconoce al cliente"),
          },
          ...{ hash: expect.stringMatching(/^[0-9A-F]{64}$/), attempts: [] },
        },
      ],
    });
    expect(detail.sheet.html).toContain("API-1-2026-000001");
    expect(detail.sheet.css).toContain(":host");
  });

  test("is had as PDF and as the XML of its records", async () => {
    const id = await issue("full");
    const pdf = await owner.raw(`${base}/invoices/${id}/pdf`);
    expect(pdf.headers.get("Content-Type")).toBe("application/pdf");
    expect(pdf.headers.get("Content-Disposition")).toBe('attachment; filename="API-1-2026-000001.pdf"');
    expect(new TextDecoder().decode((await pdf.arrayBuffer()).slice(0, 5))).toBe("%PDF-");
    const xml = await (await owner.raw(`${base}/invoices/${id}/xml`)).text();
    expect(xml).toContain("<sf:NumSerieFactura>API-1-2026-000001</sf:NumSerieFactura>");
  });

  test("is had as UBL, Facturae and record where they can say it", async () => {
    const recipient = {
      ...{ company: "Cliente Ejemplo SL", vatNumber: "B12345674", country: "ES" },
      ...{ address1: "Gran Vía 1", postcode: "28013", city: "Madrid" },
    };
    const id = await issue("whole", { recipient });
    expect((await read(`/invoices/${id}`)).files).toEqual([
      { format: "ubl", reasons: [] },
      { format: "facturae", reasons: [] },
    ]);
    for (const [path, ending, content] of [
      ["ubl", "ubl.xml", "<cbc:ID>API-1-2026-000001</cbc:ID>"],
      ["facturae", "facturae.xml", "<InvoiceNumber>API-1-2026-000001</InvoiceNumber>"],
      ["record", "record.xml", "<sf:NumSerieFactura>API-1-2026-000001</sf:NumSerieFactura>"],
    ] as const) {
      const answer = await owner.raw(`${base}/invoices/${id}/${path}`);
      expect(answer.headers.get("Content-Type")).toBe("application/xml; charset=utf-8");
      const name = `attachment; filename="API-1-2026-000001.${ending}"`;
      expect(answer.headers.get("Content-Disposition")).toBe(name);
      expect(await answer.text()).toContain(content);
    }
  });

  test("says why there is no UBL and no Facturae, and serves none", async () => {
    const id = await issue("ticket", SIMPLIFIED);
    const { files } = await read(`/invoices/${id}`);
    for (const { reasons } of files) expect(reasons[0]).toContain("factura simplificada");
    for (const path of ["ubl", "facturae"])
      expect((await owner.raw(`${base}/invoices/${id}/${path}`)).status).toBe(404);
    expect((await owner.raw(`${base}/invoices/${id}/record`)).status).toBe(200);
  });

  test("is corrected once, by whom is said; an accountant only looks", async () => {
    const id = await issue("full", {
      recipient: { company: "Ana Lopes", vatNumber: "12345678Z", country: "ES" },
    });
    await settleRecord(shop, id, { state: "rejected", code: 1239 });
    const asked = {
      ...{ correction: "amend", deed: "deed-0001" },
      recipient: { company: "Ana López", vat_number: "12345678Z", country: "ES" },
    };
    const accountant = await ownerOf(shop, "accountant");
    expect((await accountant.post(`${base}/invoices/${id}/corrections`, asked)).status).toBe(403);
    for (let again = 0; again < 2; again++)
      expect((await owner.post(`${base}/invoices/${id}/corrections`, asked)).status).toBe(200);
    const { records } = await read(`/invoices/${id}`);
    expect(records.map(({ kind, by }: { kind: string; by?: string }) => [kind, by])).toEqual([
      ["amendment", "María Ferrer"],
      ["registration", undefined],
    ]);
    const bad = { ...asked, deed: "deed-0002", recipient: { ...asked.recipient, vat_number: "12345678A" } };
    await settleRecord(shop, id, { state: "rejected", code: 1239 });
    const refused = await owner.post(`${base}/invoices/${id}/corrections`, bad);
    expect(refused.status).toBe(422);
    expect(refused.body.details[0].path).toBe("recipient.vat_number");
    const other = { ...bad, recipient: { company: "Cliente Ejemplo SL", vat_number: "B12345674" } };
    expect((await owner.post(`${base}/invoices/${id}/corrections`, other)).body).toMatchObject({
      error_code: "amendment_names_another",
      details: [{ path: "recipient.vat_number" }],
    });
  });

  test("is cancelled with a reason", async () => {
    const id = await issue("full");
    const asked = { correction: "annul", deed: "deed-0003", reason: "Era una prueba" };
    expect((await owner.post(`${base}/invoices/${id}/corrections`, asked)).status).toBe(200);
    expect(await read(`/invoices/${id}`)).toMatchObject({
      standing: { is: "cancelled" },
      records: [{ kind: "annulment", reason: "Era una prueba", by: "María Ferrer" }, {}],
    });
    expect((await read("/invoices")).sums).toMatchObject({ invoices: 1, cancelled: 1, total: "0.00" });
  });

  test("of an order names it", async () => {
    const commerce = await openCommerce();
    const person = await ownerOf(commerce);
    await orderConnector(commerce).send(aSentOrder("77", { reference: "WEB-9" }));
    const list = `/api/accounts/${commerce.accountId}/invoices`;
    const [item] = (await person.get(list)).body.data.items;
    expect((await person.get(`${list}/${item.id}`)).body.data).toMatchObject({
      order: { id: "77", reference: "WEB-9" },
      annul: { offered: false, code: "annulment_through_order" },
    });
  });
});

test("nothing of another tenant is found, by any question", async () => {
  const id = await issue("full");
  const stranger = await openShop();
  const person = await ownerOf(stranger);
  const theirs = `/api/accounts/${stranger.accountId}`;
  const paths = [`${base}/invoices`, `${base}/overview`, `${base}/notice`, `${base}/submission`];
  for (const path of [
    ...paths,
    ...["", "/pdf", "/xml", "/ubl", "/facturae", "/record"].map((end) => `${theirs}/invoices/${id}${end}`),
    `${theirs}/connections/${shop.connectionId}/submission/attempts?installation=x`,
    `${theirs}/connections/${shop.connectionId}/exports/invoices.csv?month=2026-11`,
  ])
    expect([path, (await person.get(path).catch(() => ({ status: 0 }))).status]).toEqual([path, 404]);
  const correction = { correction: "annul", deed: "deed-0004", reason: "x" };
  expect((await person.post(`${theirs}/invoices/${id}/corrections`, correction)).status).toBe(404);
  expect((await person.get(`${theirs}/invoices?connection=${shop.connectionId}`)).body.data.items).toEqual(
    [],
  );
  expect(
    (await person.get(`${theirs}/overview?connection=${shop.connectionId}`)).body.data.month.invoices,
  ).toBe(0);
});

describe("the overview", () => {
  test("counts today, the month and each day by state, before and after the alarm", async () => {
    const id = await issue("a");
    await issue("b");
    await issue("cut", aDifference("a", "10"));
    await settleRecord(shop, id, { state: "accepted" });
    const before = await read("/overview");
    expect(before).toMatchObject({
      today: { invoices: 3, total: "229.90" },
      month: { invoices: 3, base: "190.00" },
      rectifying: { invoices: 1, total: "-12.10" },
      days: [{ accepted: 1, open: 2, acceptedWithErrors: 0, rejected: 0 }],
    });
    expect(before.latest.map(({ externalId }: { externalId: string }) => externalId)).toEqual([
      "cut",
      "b",
      "a",
    ]);
    await books.ledger.wake();
    expect(await read("/overview")).toEqual(before);
  });

  test("lists the things that wait for the owner", async () => {
    const commerce = await openCommerce();
    const { ledger } = plainLedger(commerce);
    const connector = orderConnector(commerce, ledger);
    await connector.send(aSentOrder("held", { total: 1 }));
    await connector.send(aSentOrder("fine"));
    await ledger.wake();
    const person = await ownerOf(commerce);
    const attention = async () =>
      (await person.get(`/api/accounts/${commerce.accountId}/overview/attention`)).body.data;
    expect(await attention()).toMatchObject({ held: { orders: 1 }, rejected: { invoices: 0 }, twoKeys: [] });
    const [invoice] = (await env.LEDGER_000.prepare("SELECT id FROM invoice").all<{ id: string }>()).results;
    await settleRecord(commerce, invoice?.id ?? "", { state: "accepted_with_errors", code: 2004 });
    expect((await attention()).flawed).toEqual({ invoices: 0 });
    await act(commerce, { verb: "open_key", id: "ky000second", hash: "second" });
    expect((await attention()).twoKeys).toMatchObject([{ connectionId: commerce.connectionId }]);
  });
});

describe("submission", () => {
  test("is shown with its chains, and the band reports an incident until nothing is unsent", async () => {
    const id = await issue("a");
    expect(await read("/notice")).toEqual({ notice: null });
    expect((await read("/submission")).chains).toMatchObject([{ unsent: 1, connection: { name: "API" } }]);
    await env.LEDGER_000.prepare(
      `INSERT INTO chain_submission SELECT id, connection_id, account_id, 1, 60, 0, 3, 1, 1795000000000, NULL, NULL, NULL
        FROM installation WHERE connection_id = ?`,
    )
      .bind(shop.connectionId)
      .run();
    expect(await read("/notice")).toEqual({
      notice: { notice: "unsent", unsent: 1, since: new Date(1_795_000_000_000).toISOString() },
    });
    await settleRecord(shop, id, { state: "accepted" });
    expect(await read("/notice")).toEqual({ notice: null });
  });

  test("the chain is checked part by part, and only given-out progress is accepted back", async () => {
    await issue("a");
    const check = `${base}/connections/${shop.connectionId}/verification/check`;
    const { body } = await owner.post(check, {});
    expect(body.data).toMatchObject({ isDone: true, records: 1, invoices: 1, broken: [] });
    expect((await owner.post(check, { from: body.data.verified })).status).toBe(200);
    expect((await owner.post(check, { from: { chains: [] } })).status).toBe(422);
    expect((await owner.post(check, { from: { ...body.data.verified, at: { walk: "back" } } })).status).toBe(
      422,
    );
  });

  test("a month leaves as CSV and as XML", async () => {
    await issue("a");
    const month = new Date().toISOString().slice(0, 7);
    const path = `${base}/connections/${shop.connectionId}/exports`;
    const csv = await owner.raw(`${path}/invoices.csv?month=${month}`);
    expect(csv.headers.get("Content-Disposition")).toContain(`facturas-${month}.csv`);
    expect(await csv.text()).toContain("API-1-2026-000001");
    expect(await (await owner.raw(`${path}/records.xml?month=${month}`)).text()).toContain(
      "API-1-2026-000001",
    );
  });
});
