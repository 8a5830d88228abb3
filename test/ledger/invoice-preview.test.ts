/** The preview of an invoice: decided like issuing, and nothing is stored or used up. */
import { evictDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, test } from "vitest";
import { invoiceAnswer, invoicePreviewAnswer } from "../../src/api/wire/invoice-response.ts";
import { failBefore, gate, loseAnswer } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { call, declare, everythingIn } from "../support/worlds/http-calls.ts";
import {
  aDifference,
  callsOf,
  clientOf,
  haveArrived,
  objectOf,
  plainLedger,
} from "../support/worlds/ledger-client.ts";
import { anInvoice, callerOf, ledgerStub, openShop, type Shop } from "../support/worlds/shop.ts";

let shop: Shop;

beforeEach(async () => {
  shop = await openShop();
});

const LINE = { line_id: "l1", description: "Silla", quantity: 2, price_unit: 49.95, tax_rate: 21 };
const COMPANY = {
  company: "Comercial Ejemplo SL",
  vat_number: "B12345674",
  country: "ES",
  address1: "Calle Mayor 5",
  postcode: "28013",
  city: "Madrid",
};
const FULL = {
  external_id: "full",
  invoice_type: "F1",
  description: "Sillas",
  currency: "EUR",
  recipient: COMPANY,
  lines: [LINE],
};
const { recipient: _, ...NAMELESS } = FULL;
const TICKET = { ...NAMELESS, external_id: "ticket", invoice_type: "F2" };
const RETURN = {
  ...{ ...FULL, external_id: "return", invoice_type: "R1", rectification_method: "difference" },
  ...{ rectifies: [{ external_id: "full" }], lines: [{ ...LINE, quantity: -1 }] },
};

async function send(body: object, query = "", to: Shop = shop) {
  const reply = await call(to, { method: "POST", path: `/api/v1/invoice${query}`, body });
  // Of invoices, checked by the schemas of the tests.
  const told: { data: Record<string, unknown>; replayed?: boolean } & typeof reply.body = JSON.parse(
    JSON.stringify(reply.body),
  );
  return { ...told, status: reply.status };
}

const preview = (body: object, to?: Shop) => send(body, "?preview=true", to);
const issue = (body: object, to?: Shop) => send(body, "", to);

/** All of a refusal but the id of its request. */
function refusalIn({ status, error, error_code, retryable, details }: Awaited<ReturnType<typeof send>>) {
  return { status, error, error_code, retryable, details };
}

/** The alarm of the object does postponed work at any time; none of it is of a preview. */
async function rowsAfter(act: () => Promise<unknown>): Promise<{ before: unknown; after: unknown }> {
  await evictDurableObject(ledgerStub(shop));
  const before = await everythingIn();
  await act();
  return { before, after: await everythingIn() };
}

describe("a preview", () => {
  test.each([
    ["a full invoice", FULL],
    ["a simplified one", TICKET],
    [
      "one in another currency",
      { ...FULL, currency: "USD", exchange_rate: 1.1, exchange_rate_date: "2026-01-02" },
    ],
    ["one with prices that include the tax", { ...TICKET, prices_include_tax: true }],
    ["one with a withholding", { ...FULL, withholding: { rate: 15 } }],
    [
      "one with a warning",
      { ...TICKET, documentary_regime: "art6_full", documentary_flags: ["no_recipient_article_6_1_d"] },
    ],
  ])("of %s is the invoice issued next, without number and record", async (_, body) => {
    const told = await preview(body);
    expect([told.status, told.replayed]).toEqual([200, false]);
    const { preview: is, request_id: asked, ...sale } = invoicePreviewAnswer.parse(told.data);
    expect([is, typeof asked]).toEqual([true, "string"]);
    const { data, status } = await issue(body);
    expect(status).toBe(201);
    const { invoice_id, number, full_number, verifactu, request_id, ...issued } = invoiceAnswer.parse(data);
    expect(sale).toEqual(issued);
    expect([number, verifactu.position]).toEqual([1, 1]);
  });

  test("leaves every row of the ledger as it was, and spends no number", async () => {
    await issue(FULL);
    const bodies = [TICKET, FULL, RETURN, { ...TICKET, currency: "USD" }, { ...FULL, description: "Otra" }];
    const { before, after } = await rowsAfter(async () => {
      for (const body of [...bodies, ...bodies]) await preview(body);
    });
    expect(after).toEqual(before);
    expect((await call(shop, { method: "GET", path: "/api/v1/invoice/ticket" })).status).toBe(404);
    expect((await issue({ ...FULL, external_id: "next" })).data).toMatchObject({
      number: 2,
      verifactu: { position: 2 },
    });
    expect((await issue(TICKET)).data).toMatchObject({
      number: 1,
      full_number: expect.stringContaining("S-"),
    });
  });

  test("of a rectification takes nothing of what it would rectify", async () => {
    await issue(FULL);
    const all = { ...RETURN, lines: [{ ...LINE, quantity: -2 }] };
    for (let times = 0; times < 3; times++) {
      expect((await preview(all)).data).toMatchObject({
        totals: { base: -99.9, tax: -20.98, total: -120.88 },
        rectifies: [{ external_id: "full" }],
      });
    }
    expect((await issue(all)).status).toBe(201);
    expect((await preview({ ...all, external_id: "again" })).error_code).toBe("rectification_exceeds");
    const { data } = await call(shop, { method: "GET", path: "/api/v1/invoice/full" }).then(
      ({ body }) => body,
    );
    expect(data).toMatchObject({ rectified_by: [{ external_id: "return" }] });
  });

  test("takes include, which has nothing to add", async () => {
    const told = await send(FULL, "?preview=true&include=qr_svg,xml");
    expect(told.status).toBe(200);
    expect(told.data).not.toHaveProperty("verifactu");
  });

  test("is not asked for by false", async () => {
    expect((await send(FULL, "?preview=false")).status).toBe(201);
  });

  test.each(["TRUE", "1", "yes", ""])("is asked for by true alone, and %j issues nothing", async (value) => {
    const { before, after } = await rowsAfter(async () => {
      const told = await send(FULL, `?preview=${value}`);
      expect([told.status, told.error_code]).toEqual([422, "validation_failed"]);
    });
    expect(after).toEqual(before);
  });
});

describe("a refusal is the same as at issuing", () => {
  test.each([
    ["of its shape", { ...FULL, lines: [] }, "validation_failed"],
    ["of its currency", { ...FULL, currency: "USD" }, "exchange_rate_required"],
    [
      "of its recipient",
      { ...FULL, recipient: { ...COMPANY, vat_number: "B12345675" } },
      "tax_identifier_invalid",
    ],
    ["of its rate", { ...FULL, lines: [{ ...LINE, tax_rate: 5 }] }, "tax_rate_not_allowed"],
    ["of its limit", { ...TICKET, lines: [{ ...LINE, price_unit: 400 }] }, "simplified_limit_exceeded"],
    ["of what it cites", { ...RETURN, rectifies: [{ external_id: "none" }] }, "rectified_invoice_unknown"],
  ])("%s", async (_, body, code) => {
    const told = refusalIn(await preview(body));
    expect([told.status, told.error_code]).toEqual([422, code]);
    expect(refusalIn(await issue(body))).toEqual(told);
  });

  test("before the owner's consent", async () => {
    const unconsented = await openShop({ consented: false });
    const told = refusalIn(await preview(FULL, unconsented));
    expect([told.status, told.error_code]).toEqual([409, "invoicing_not_enabled"]);
    expect(refusalIn(await issue(FULL, unconsented))).toEqual(told);
  });

  test("on a connection that issues no direct invoices", async () => {
    const commerce = await openShop({ connection: { kind: "commerce" } });
    const told = refusalIn(await preview(FULL, commerce));
    expect([told.status, told.error_code]).toEqual([403, "direct_invoicing_not_supported_by_connection"]);
  });

  test("over the limit of the connection, and previews count", async () => {
    const limited = await openShop({ connection: { rateLimit: 1 } });
    expect((await preview(FULL, limited)).status).toBe(200);
    expect((await preview(FULL, limited)).error_code).toBe("rate_limited");
    expect((await issue(FULL, limited)).error_code).toBe("rate_limited");
  });
});

describe("an external_id that is known", () => {
  test("is answered as a replay, with the invoice as it was issued", async () => {
    const first = await issue(FULL);
    const { data, status, replayed } = await send(FULL, "?preview=true&include=xml");
    expect([status, replayed]).toEqual([200, true]);
    const told = invoiceAnswer.parse(data);
    expect(told).toMatchObject({ full_number: first.data.full_number, number: 1 });
    expect(told.verifactu.xml).toContain("RegistroAlta");
  });

  test("is a conflict with other content, on books that are cold as well", async () => {
    await issue(FULL);
    const other = { ...FULL, description: "Otra" };
    const told = refusalIn(await preview(other));
    expect([told.status, told.error_code]).toEqual([409, "idempotency_conflict"]);
    await evictDurableObject(ledgerStub(shop));
    expect(refusalIn(await preview(other))).toEqual(told);
  });

  test("outranks a refusal, also where another instance has issued it", async () => {
    await issue({ ...FULL, external_id: "warm" });
    const { client } = plainLedger(shop);
    await client.issue("full");
    expect((await preview({ ...FULL, currency: "USD" })).error_code).toBe("idempotency_conflict");
  });
});

describe("books", () => {
  const plan = (externalId: string, change = {}) =>
    objectOf(shop).previewInvoice(callerOf(shop), anInvoice(externalId, change));

  test("are read once by a preview, warm or cold", async () => {
    await clientOf(shop).issue("warm");
    for (const warmth of ["warm", "cold"]) {
      if (warmth === "cold") await evictDurableObject(ledgerStub(shop));
      expect([warmth, await plan("a")]).toMatchObject([warmth, { outcome: "previewed", d1Trips: 1 }]);
    }
    expect(await plan("back", aDifference("warm", "10"))).toMatchObject({ outcome: "previewed", d1Trips: 1 });
  });

  test("are as their owner has just declared them: withdrawn consent refuses at once", async () => {
    const { client, ledger } = plainLedger(shop);
    await client.issue("warm");
    await declare(shop, { verb: "withdraw_consent" });
    const told = await ledger.previewInvoice(callerOf(shop), anInvoice("a"));
    expect(told).toMatchObject({ outcome: "refused", refusal: { code: "invoicing_not_enabled" } });
  });

  /** The calls made then wait in one group. */
  async function whileFirstIsHeld() {
    await clientOf(shop).issue("warm");
    const held = faults.next(gate());
    const stub = callsOf(ledgerStub(shop));
    const caller = callerOf(shop);
    const first = stub.issueInvoice(caller, anInvoice("first"));
    await held.reached();
    return { stub, caller, first, held };
  }

  test("see earlier invoices of the group and not later ones: previews and invoices in one group", async () => {
    const { stub, caller, first, held } = await whileFirstIsHeld();
    const waiting = [
      stub.previewInvoice(caller, anInvoice("second")),
      stub.previewInvoice(caller, anInvoice("back", aDifference("second", "10"))),
      stub.issueInvoice(caller, anInvoice("second")),
      stub.previewInvoice(caller, anInvoice("second")),
      stub.previewInvoice(caller, anInvoice("back", aDifference("second", "10"))),
      stub.issueInvoice(caller, anInvoice("third")),
    ];
    await haveArrived(shop, waiting.length + 1);
    held.open();
    expect(await first).toMatchObject({ outcome: "issued", invoice: { number: 2 } });
    expect(await Promise.all(waiting)).toMatchObject([
      { outcome: "previewed" },
      { outcome: "refused", refusal: { code: "rectified_invoice_unknown" } },
      { outcome: "issued", invoice: { number: 3 } },
      { outcome: "replayed", invoice: { number: 3 } },
      { outcome: "previewed" },
      { outcome: "issued", invoice: { number: 4 } },
    ]);
  });

  test("with a batch that loses its answer show the caller the issued invoice", async () => {
    const { stub, caller, first, held } = await whileFirstIsHeld();
    const waiting = [
      stub.previewInvoice(caller, anInvoice("second")),
      stub.issueInvoice(caller, anInvoice("second")),
    ];
    await haveArrived(shop, waiting.length + 1);
    faults.when((sql) => sql.some((text) => text.startsWith('insert into "record"')), loseAnswer());
    held.open();
    await first;
    const [planned, issued] = await Promise.all(waiting);
    expect(issued).toMatchObject({ outcome: "issued", invoice: { number: 3 } });
    expect(["previewed", "replayed"]).toContain(planned?.outcome);
  });

  test("that cannot be read are no answer: 503, and the preview may be repeated", async () => {
    await clientOf(shop).issue("warm");
    faults.when(() => true, failBefore());
    expect((await preview(FULL)).status).toBe(503);
    expect((await preview(FULL)).status).toBe(200);
  });
});
