/** An owner's changes to one invoice over the owner's API: duplicates, resubmission, rectifications. */
import { beforeEach, describe, expect, test } from "vitest";
import type { InvoiceRequest } from "../../src/domain/invoice/request.ts";
import { civilDate } from "../../src/domain/shared/civil-date.ts";
import { decimal } from "../../src/domain/shared/decimal.ts";
import type { Settled } from "../support/builders/corrections.ts";
import { expectBooksConsistent } from "../support/rules/consistency.ts";
import { type Browser, ownerOf } from "../support/worlds/console.ts";
import { type PlainLedger, plainLedger, SIMPLIFIED } from "../support/worlds/ledger-client.ts";
import { aSentOrder, openCommerce, orderConnector } from "../support/worlds/order-calls.ts";
import { auditOf, settleRecord } from "../support/worlds/owners.ts";
import { aLine, openShop, type Shop } from "../support/worlds/shop.ts";

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

async function issue(externalId: string, change: Partial<InvoiceRequest> = {}): Promise<string> {
  const issued = await books.client.issue(externalId, change);
  if (issued.outcome !== "issued") throw new Error(issued.outcome);
  return issued.invoice.invoiceId;
}

const read = async (path: string) => {
  const { status, body } = await owner.get(`${base}${path}`);
  expect(status).toBe(200);
  return body.data;
};

const DUPLICATE: Settled = { state: "rejected", code: 3000, text: "Duplicado.", hold: "foreign_duplicate" };

describe("a number that the AEAT has already", () => {
  let id: string;

  beforeEach(async () => {
    id = await issue("full");
    await settleRecord(shop, id, DUPLICATE);
    await books.ledger.wake();
  });

  const settle = (found: string, reason = "Visto en la sede") =>
    owner.post(`${base}/invoices/${id}/finding`, { found, reason });
  const told = async () => {
    const [detail, attention, { toCorrect }] = await Promise.all([
      read(`/invoices/${id}`),
      read("/overview/attention"),
      read("/submission"),
    ]);
    const { duplicates, rejected } = attention;
    const listed = toCorrect.map(({ duplicate }: { duplicate: string }) => duplicate);
    const { duplicate, need, advice, amend, annul } = detail;
    const offers = [amend, annul].map(({ offered }) => offered);
    return { duplicate, need, advice, offers, duplicates: duplicates.invoices, rejected, listed };
  };

  test("waits for its owner's finding, and is counted separately from correctable ones", async () => {
    expect(await told()).toMatchObject({
      ...{ duplicate: "undecided", need: "none", offers: [false, false], duplicates: 1 },
      ...{ rejected: { invoices: 0 }, listed: ["undecided"] },
      advice: expect.stringContaining("mira en su sede"),
    });
    const { duplicates } = await read("/overview/attention");
    expect(duplicates.newest).toMatchObject({ id, advice: expect.stringContaining("mira en su sede") });
  });

  test("ours: it is corrected like any other", async () => {
    expect((await settle("ours")).status).toBe(200);
    expect(await told()).toMatchObject({
      ...{ duplicate: "ours", need: "required", offers: [true, true], duplicates: 0 },
      ...{ rejected: { invoices: 1 }, listed: ["ours"] },
      advice: expect.stringContaining("es esta factura"),
    });
    expect((await settle("foreign")).body.error_code).toBe("no_duplicate_to_settle");
  });

  test("another's: nothing is left for its owner's attention, and it may still be found to be ours", async () => {
    expect((await settle("foreign")).status).toBe(200);
    expect(await told()).toMatchObject({
      ...{ duplicate: "foreign", need: "none", offers: [false, true], duplicates: 0 },
      ...{ rejected: { invoices: 0 }, listed: [] },
      advice: expect.stringContaining("es otra factura"),
    });
    await owner.post(`${base}/invoices/${id}/corrections`, {
      ...{ correction: "annul", deed: "deed-0001", reason: "Sin venta" },
    });
    await settleRecord(shop, id, DUPLICATE);
    await books.ledger.wake();
    expect(await told()).toMatchObject({ duplicate: "foreign", duplicates: 0, listed: [] });
    expect((await settle("ours", "Era esta")).status).toBe(200);
  });

  test("is settled with a reason, by an owner, and only where there is one", async () => {
    const refused = await settle("ours", " ");
    expect([refused.status, refused.body.details[0].path]).toEqual([422, "reason"]);
    expect((await settle("theirs")).status).toBe(422);
    const accountant = await ownerOf(shop, "accountant");
    const asked = { found: "ours", reason: "Visto" };
    expect((await accountant.post(`${base}/invoices/${id}/finding`, asked)).status).toBe(403);
    const other = await issue("other");
    expect((await owner.post(`${base}/invoices/${other}/finding`, asked)).status).toBe(409);
    expect((await owner.post(`${base}/invoices/in000none/finding`, asked)).status).toBe(404);
  });
});

describe("refused through our fault", () => {
  const OURS: Settled = { state: "rejected", code: 1110 };
  const resend = (body: object) =>
    owner.post(`${base}/connections/${shop.connectionId}/submission/resend`, body);

  test("is sent again, one or all, and nothing else is", async () => {
    for (const [name, settled] of [
      ["a", OURS],
      ["b", { state: "accepted_with_errors", code: 2006 }],
      ["c", { state: "rejected", code: 1239 }],
      ["d", OURS],
    ] as const)
      await settleRecord(shop, await issue(name), settled);
    await books.ledger.wake();
    const before = await read("/submission");
    expect(before.toResend).toEqual([{ connection: { id: shop.connectionId, name: "API" }, records: 3 }]);
    const ours = before.toCorrect.filter(({ isOurs }: { isOurs: boolean }) => isOurs);
    expect(ours.map(({ code }: { code: number }) => code).sort()).toEqual([1110, 1110, 2006]);
    const one = { deed: "deed-one-1", invoice: ours[0].id };
    expect((await resend(one)).body.data).toEqual({ records: 1, refused: 0, isMore: false });
    expect((await resend(one)).body.data).toEqual({ records: 0, refused: 0, isMore: false });
    expect((await read("/submission")).toResend[0].records).toBe(2);
    expect((await resend({ deed: "deed-all-1" })).body.data).toEqual({
      records: 2,
      refused: 0,
      isMore: false,
    });
    expect((await read("/submission")).toResend).toEqual([]);
    await expectBooksConsistent(shop.connectionId);
  });

  test("an invoice of another connection is not among them", async () => {
    const id = await issue("a");
    await settleRecord(shop, id, OURS);
    const other = await openShop({ accountId: shop.accountId });
    const path = `${base}/connections/${other.connectionId}/submission/resend`;
    expect((await owner.post(path, { deed: "deed-one-2", invoice: id })).body.data.records).toBe(0);
    expect((await resend({ deed: "x" })).status).toBe(422);
  });
});

describe("a direct invoice", () => {
  const KEY = "01|01|S1|21|";
  const asked = (change: object = {}) => ({
    ...{ deed: "deed-rect-1", invoice_type: "R1", method: "difference", cause: "Devolución de una silla" },
    ...{ amounts: [{ group: KEY, amount: "40" }], ...change },
  });
  const rectify = (id: string, change?: object, who: Browser = owner) =>
    who.post(`${base}/invoices/${id}/rectifications/groups`, asked(change));
  const issuedBy = async (answer: { status: number; body: { data: { id: string } } }) => {
    expect(answer).toMatchObject({ status: 200 });
    return read(`/invoices/${answer.body.data.id}`);
  };

  test("is offered with the remainder, and rectified in part, once for one request", async () => {
    const id = await issue("full");
    expect((await read(`/invoices/${id}`)).rectify).toEqual({
      types: ["R1", "R2", "R3", "R4"],
      pricesIncludeTax: false,
      groups: [{ key: KEY, tax: "01", regime: "01", rate: "21", qualification: "S1", remaining: "100" }],
      recipient: expect.objectContaining({ country: "ES", vat_number: expect.stringMatching(/./) }),
    });
    const first = await rectify(id);
    expect(first.body.data).toMatchObject({ fullNumber: "API-1R-2026-000001" });
    expect((await rectify(id)).body.data).toEqual(first.body.data);
    expect((await rectify(id, { cause: "Otra" })).body.error_code).toBe("idempotency_conflict");
    expect(await issuedBy(first)).toMatchObject({
      ...{ invoiceType: "R1", total: "-48.40", externalId: "console:deed-rect-1" },
      related: [{ invoiceId: id, relation: "rectifies" }],
    });
    const [group] = (await read(`/invoices/${id}`)).rectify.groups;
    expect(group.remaining).toBe("60");
    const lines = await auditOf(shop);
    expect(lines.map(({ verb, facts }) => [verb, facts])).toContainEqual([
      "rectify_invoice",
      { invoice_id: id, number: "API-1R-2026-000001", reason: "Devolución de una silla" },
    ]);
    expect(lines.filter(({ verb }) => verb === "rectify_invoice")).toHaveLength(1);
    await expectBooksConsistent(shop.connectionId);
  });

  test("is issued again with the right amounts, in the place of itself and its parts", async () => {
    const id = await issue("full");
    await rectify(id);
    const substitution = await rectify(id, {
      ...{ deed: "deed-rect-2", method: "substitution", amounts: [{ group: KEY, amount: "80.50" }] },
    });
    expect(await issuedBy(substitution)).toMatchObject({ total: "97.41", related: [{}, {}] });
    const superseded = await read(`/invoices/${id}`);
    expect([superseded.standing.is, superseded.rectify]).toEqual(["replaced", undefined]);
    const again = await rectify(id, { deed: "deed-rect-3" });
    expect([again.status, again.body.error_code]).toEqual([422, "rectified_invoice_superseded"]);
    await expectBooksConsistent(shop.connectionId);
  });

  test("with nothing changed keeps its lines: a number that was taken gives way to a new one", async () => {
    const id = await issue("full", { lines: [aLine("1", "70", "21"), aLine("3", "10", "21")] });
    await settleRecord(shop, id, DUPLICATE);
    await owner.post(`${base}/invoices/${id}/finding`, { found: "foreign", reason: "Visto" });
    const answer = await rectify(id, { method: "substitution", amounts: [{ group: KEY, amount: "100" }] });
    const { externalId } = await issuedBy(answer);
    const kept = await books.client.read(externalId);
    expect(kept).toMatchObject({
      invoice: { document: { request: { lines: [{ quantity: "1" }, { quantity: "3" }] } } },
    });
  });

  test("goes to whom the record was put right to", async () => {
    const id = await issue("full", {
      recipient: { company: "Ana Lopes", vatNumber: "12345678Z", country: "ES" },
    });
    await settleRecord(shop, id, { state: "rejected", code: 1239 });
    await owner.post(`${base}/invoices/${id}/corrections`, {
      ...{ correction: "amend", deed: "deed-0005" },
      recipient: { company: "Ana López", vat_number: "12345678Z", country: "ES" },
    });
    const { externalId } = await issuedBy(await rectify(id));
    expect(await books.client.read(externalId)).toMatchObject({
      invoice: { document: { request: { recipient: { company: "Ana López", vatNumber: "12345678Z" } } } },
    });
  });

  test("by substitution goes to the right recipient, by difference to no other", async () => {
    const id = await issue("full");
    const recipient = { company: "Ana López", vat_number: "12345678Z", country: "ES" };
    const refused = await rectify(id, { recipient });
    expect([refused.status, refused.body.details[0].path]).toEqual([422, "recipient.vat_number"]);
    const whole = { method: "substitution", amounts: [{ group: KEY, amount: "100" }], recipient };
    const { externalId } = await issuedBy(await rectify(id, whole));
    expect(await books.client.read(externalId)).toMatchObject({
      invoice: { document: { request: { recipient: { company: "Ana López", vatNumber: "12345678Z" } } } },
    });
  });

  test("with prices that include tax is rectified by the paid amounts", async () => {
    const id = await issue("ticket", {
      ...SIMPLIFIED,
      ...{ pricesIncludeTax: true, lines: [aLine("1", "121", "21")] },
    });
    const { rectify: offered } = await read(`/invoices/${id}`);
    expect(offered).toMatchObject({
      types: ["R5"],
      pricesIncludeTax: true,
      groups: [{ remaining: "121" }],
    });
    const answer = await rectify(id, { invoice_type: "R5", amounts: [{ group: KEY, amount: "60.50" }] });
    expect(await issuedBy(answer)).toMatchObject({ invoiceType: "R5", total: "-60.50" });
    await expectBooksConsistent(shop.connectionId);
  });

  test("in another currency keeps its rate, and all of it goes back to the cent", async () => {
    const id = await issue("usd", {
      ...{ currency: "USD", exchangeRate: decimal("1.0837") },
      exchangeRateDate: (await issueDate()) as InvoiceRequest["exchangeRateDate"] & string,
    });
    const answer = await rectify(id, { amounts: [{ group: KEY, amount: "100" }] });
    const [whole, back] = [await read(`/invoices/${id}`), await issuedBy(answer)];
    expect([whole.standing.is, back.totalEur]).toEqual(["rectified", `-${whole.totalEur}`]);
  });

  async function issueDate(): Promise<string> {
    return (await read(`/invoices/${await issue("dated")}`)).issueDate;
  }

  test.each([
    ["more than remains", { amounts: [{ group: KEY, amount: "100.01" }] }, `amounts.${KEY}`],
    ["nothing at all", { amounts: [{ group: KEY, amount: "0" }] }, "amounts"],
    ["a rate that it has not", { amounts: [{ group: "01|01|S1|10|", amount: "1" }] }, "amounts.01|01|S1|10|"],
    ["an amount that is none", { amounts: [{ group: KEY, amount: "x" }] }, "amounts.0.amount"],
    ["an amount that adds", { amounts: [{ group: KEY, amount: "-1" }] }, `amounts.${KEY}`],
    ["no cause", { cause: " " }, "cause"],
    ["a cause without text", { cause: "<>" }, "cause"],
    ["a type of another family", { invoice_type: "R5" }, "invoice_type"],
    ["a type that rectifies nothing", { invoice_type: "F1" }, "invoice_type"],
  ])("%s is shown next to its field", async (_, change, path) => {
    const refused = await rectify(await issue("full"), change);
    expect([refused.status, refused.body.details?.[0]?.path]).toEqual([422, path]);
  });

  const other = { company: "Ana López", vat_number: "12345678Z", country: "ES" };
  const whole = { method: "substitution" };

  test.each([
    [
      "recipient_differs",
      ...(["full", {}, { recipient: other }, "recipient.vat_number"] as const),
      ...([/se emitió a otro destinatario que «12345678Z»/, /was issued to another recipient/] as const),
    ],
    [
      "substitution_negative",
      ...(["full", {}, { ...whole, amounts: [{ group: KEY, amount: "-5" }] }, `amounts.${KEY}`] as const),
      ...([/Por sustitución, .* al 21.% suman −6,05/, /By substitution .* at 21.% they come to/] as const),
    ],
    [
      "simplified_limit_exceeded",
      ...(["ticket", SIMPLIFIED, { ...whole, invoice_type: "R5" }, "amounts"] as const),
      ...([/sumaría 484,00/, /would come to/] as const),
    ],
  ] as const)(
    "%s is shown next to its field, in both languages",
    async (code, name, change, sent, path, es, en) => {
      const id = await issue(name, change);
      const body = asked({ amounts: [{ group: KEY, amount: "400" }], ...sent });
      for (const [language, words] of [
        ["es", es],
        ["en", en],
      ] as const) {
        const url = `${base}/invoices/${id}/rectifications/groups`;
        const refused = await owner.call("POST", url, body, { "Accept-Language": language });
        const [detail] = refused.body.details;
        expect([refused.status, refused.body.error_code, detail.path]).toEqual([422, code, path]);
        expect(detail.message).toMatch(words);
      }
    },
  );

  test("by difference names the same customer with another address", async () => {
    const id = await issue("full");
    const { recipient } = (await read(`/invoices/${id}`)).rectify;
    const moved = { ...recipient, address1: "Calle Mayor 8", postcode: "28013", city: "Madrid" };
    const named = Object.fromEntries(Object.entries(moved).filter(([, text]) => text !== ""));
    const { externalId } = await issuedBy(await rectify(id, { recipient: named }));
    expect(await books.client.read(externalId)).toMatchObject({
      invoice: { document: { request: { recipient: { address1: "Calle Mayor 8", city: "Madrid" } } } },
    });
  });

  test("with a discount in a rate of its own goes back whole, and is issued again with it", async () => {
    const lines = [aLine("1", "100", "21"), aLine("1", "-10", "10")];
    const reduced = "01|01|S1|10|";
    const id = await issue("full", { lines });
    const { rectify: offered } = await read(`/invoices/${id}`);
    expect(offered.groups.map(({ remaining }: { remaining: string }) => remaining)).toEqual(["100", "-10"]);
    const amounts = (first: string, second: string) => [
      { group: KEY, amount: first },
      { group: reduced, amount: second },
    ];
    const beyond = await rectify(id, { amounts: amounts("100", "-10.01") });
    expect(beyond.body.details[0].path).toBe(`amounts.${reduced}`);
    const back = await rectify(id, { amounts: amounts("100", "-10") });
    expect(await issuedBy(back)).toMatchObject({ total: "-110.00" });
    expect((await rectify(id, { amounts: amounts("100", "-10") })).body.data).toEqual(back.body.data);
    expect((await read(`/invoices/${id}`)).standing.is).toBe("rectified");
    const again = await issue("again", { lines });
    const substitution = { method: "substitution", deed: "deed-rect-5", amounts: amounts("90", "-10") };
    expect(await issuedBy(await rectify(again, substitution))).toMatchObject({ total: "97.90" });
    await expectBooksConsistent(shop.connectionId);
  });

  test("of the margin scheme gives back parts by price and margin, and the rest by its price", async () => {
    const USED = "01|03|S1|21|";
    const id = await issue("used", {
      pricesIncludeTax: true,
      lines: [{ ...aLine("1", "500", "21"), regime: "03", taxableMargin: decimal("100") }],
    });
    const { rectify: offered, amounts } = await read(`/invoices/${id}`);
    expect(amounts).toMatchObject({
      groups: [{ regime: "03", base: "82.64", quota: "17.36", outsideMargin: "400.00" }],
      total: "500.00",
    });
    expect(offered.groups).toMatchObject([{ key: USED, remaining: "500", margin: "100" }]);
    const taking = (amount: string, margin?: string) => ({
      amounts: [{ group: USED, amount, ...(margin === undefined ? {} : { margin }) }],
    });
    for (const [amount, margin, path] of [
      ["50", undefined, `amounts.${USED}.margin`],
      ["50", "51", `amounts.${USED}.margin`],
      ["500.01", "100", `amounts.${USED}`],
    ] as const) {
      const refused = await rectify(id, taking(amount, margin));
      expect([refused.status, refused.body.details[0].path]).toEqual([422, path]);
    }
    const part = await issuedBy(await rectify(id, taking("50", "10")));
    expect(part.amounts).toMatchObject({
      groups: [{ base: "-8.26", quota: "-1.74", outsideMargin: "-40.00" }],
      total: "-50.00",
    });
    const rest = { deed: "deed-rect-6", ...taking("450") };
    const last = await rectify(id, rest);
    expect((await issuedBy(last)).amounts).toMatchObject({
      groups: [{ base: "-74.38", quota: "-15.62", outsideMargin: "-360.00" }],
      total: "-450.00",
    });
    expect((await rectify(id, rest)).body.data).toEqual(last.body.data);
    expect((await read(`/invoices/${id}`)).standing.is).toBe("rectified");
    await expectBooksConsistent(shop.connectionId);
  });

  test("of the margin scheme is issued again with another price and another margin", async () => {
    const id = await issue("used", {
      pricesIncludeTax: true,
      lines: [{ ...aLine("1", "500", "21"), regime: "03", taxableMargin: decimal("100") }],
    });
    const right = {
      method: "substitution",
      amounts: [{ group: "01|03|S1|21|", amount: "480", margin: "80" }],
    };
    expect((await issuedBy(await rectify(id, right))).amounts).toMatchObject({
      groups: [{ base: "66.12", quota: "13.88", outsideMargin: "400.00" }],
      total: "480.00",
    });
    await expectBooksConsistent(shop.connectionId);
  });

  test("shows the amounts outside its total, and the period of a rebate", async () => {
    const id = await issue("beside", {
      withholdingRate: decimal("15"),
      disbursements: [{ description: "Tasa del registro", amount: decimal("30") }],
    });
    expect((await read(`/invoices/${id}`)).amounts).toEqual({
      groups: [{ tax: "01", regime: "01", rate: "21", qualification: "S1", base: "100.00", quota: "21.00" }],
      total: "121.00",
      withholding: "15.00",
      payments: [],
      disbursements: [{ name: "Tasa del registro", amount: "30.00" }],
      payable: "136.00",
    });
    const rebate = await issue("rebate", {
      ...{ invoiceType: "R1", rectificationMethod: "difference" },
      rectifiedPeriod: { from: civilDate("2024-01-01"), to: civilDate("2024-06-30") },
      lines: [aLine("-1", "10", "21")],
    });
    expect((await read(`/invoices/${rebate}`)).amounts).toMatchObject({
      total: "-12.10",
      rectifiedPeriod: { from: "2024-01-01", to: "2024-06-30" },
    });
  });

  test("is not rectified where it is cancelled, a part, or an order's; nor by an accountant", async () => {
    const id = await issue("full");
    expect((await rectify(id, {}, await ownerOf(shop, "accountant"))).status).toBe(403);
    const part = (await rectify(id)).body.data.id;
    expect((await read(`/invoices/${part}`)).rectify).toBeUndefined();
    await books.client.cancel("full");
    await issue("cancelled");
    const { invoice } = (await books.client.cancel("cancelled")) as { invoice: { invoiceId: string } };
    expect((await read(`/invoices/${invoice.invoiceId}`)).rectify).toBeUndefined();
    const refused = await rectify(invoice.invoiceId, { deed: "deed-rect-4" });
    expect(refused.body.error_code).toBe("rectified_invoice_cancelled");
    const commerce = await openCommerce();
    const person = await ownerOf(commerce);
    await orderConnector(commerce).send(aSentOrder("77"));
    const list = `/api/accounts/${commerce.accountId}/invoices`;
    const [item] = (await person.get(list)).body.data.items;
    expect((await person.get(`${list}/${item.id}`)).body.data.rectify).toBeUndefined();
    expect((await person.post(`${list}/${item.id}/rectifications/groups`, asked())).status).toBe(404);
  });
});
