/** A company's contact and usual terms: set in the console, kept in the invoices that are issued afterwards. */
import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { type Browser, ownerOf } from "../support/worlds/console.ts";
import { type Body, directCaller, postOrder } from "../support/worlds/http-calls.ts";
import { aSentOrder, openCommerce, orderConnector } from "../support/worlds/order-calls.ts";
import { openShop, type Shop } from "../support/worlds/shop.ts";

const IBAN = "ES9121000418450200051332";
const TRANSFER = { means: "transfer", iban: IBAN, bic: "CAIXESBBXXX" };

let shop: Shop;
let owner: Browser;

beforeEach(async () => {
  shop = await openShop();
  owner = await ownerOf(shop);
});

const path = (of: Shop = shop) => `/api/accounts/${of.accountId}/company`;

async function contact(of: Browser = owner) {
  return (await of.get(path())).body.data.contact;
}

async function set(form: Body, by: Browser = owner) {
  const { version } = await contact(by);
  return by.call("PUT", `${path()}/contact`, { ...form, version });
}

async function documents(): Promise<{ readonly issuer: Body; readonly terms?: Body }[]> {
  const { results } = await env.LEDGER_000.prepare(
    `SELECT document FROM invoice_document JOIN invoice ON invoice.id = invoice_id
     WHERE account_id = ? ORDER BY invoice.rowid`,
  )
    .bind(shop.accountId)
    .all<{ document: string }>();
  return results.map(({ document }) => JSON.parse(document));
}

test("an invoice keeps contact and terms of its day, and earlier ones do not change", async () => {
  const { issue, read } = directCaller(shop);
  const before = (await issue("a", "F1", "1x100@21")).data;
  const form = { email: "Facturas@Sur.example", phone: " +34 963 12 34 56", province: "Valencia" };
  expect((await set({ ...form, payment: TRANSFER, due_days: 30 })).status).toBe(200);
  const after = (await issue("b", "F1", "1x100@21")).data;
  expect([before.due_date, before.payment]).toEqual([undefined, undefined]);
  expect(after).toMatchObject({ payment: TRANSFER, due_date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) });
  const days = Date.parse(String(after.due_date)) - Date.parse(String(after.issue_date));
  expect(days / 86_400_000).toBe(30);
  expect((await read("b")).data).toMatchObject({ payment: TRANSFER, due_date: after.due_date });
  const [first, second] = await documents();
  expect([first?.issuer.email, first?.terms]).toEqual([undefined, undefined]);
  expect(second?.issuer).toMatchObject({
    ...{ email: "facturas@sur.example", phone: "+34 963 12 34 56", province: "Valencia" },
  });
  // Taken away again, nothing of it remains.
  await set({});
  await issue("c", "F1", "1x100@21");
  expect((await documents())[2]).toMatchObject({ issuer: first?.issuer });
  expect((await documents())[2]?.terms).toBeUndefined();
});

test("the terms are part of no fingerprint: a repeat after a change is the invoice that was issued", async () => {
  const { issue } = directCaller(shop);
  const first = await issue("a", "F1", "1x100@21");
  await set({ payment: TRANSFER, due_days: 15 });
  const again = await issue("a", "F1", "1x100@21");
  expect([again.status, again.number, again.data.due_date]).toEqual([200, first.number, undefined]);
});

test.each<[string, string, string, Body, Body]>([
  [
    "what the request says wins",
    "F1",
    "1x100@21",
    { due_date: "2099-01-31", payment: { means: "card" } },
    {
      due_date: "2099-01-31",
      payment: { means: "card" },
    },
  ],
  [
    "a reference alone is paid by the usual means",
    "F1",
    "1x100@21",
    { payment: { reference: "R-1" } },
    {
      payment: { ...TRANSFER, reference: "R-1" },
    },
  ],
  [
    "a paid invoice takes none of it",
    "F1",
    "1x100@21",
    { payment: { paid_on: "2026-01-15" } },
    {
      payment: { paid_on: "2026-01-15" },
    },
  ],
  ["an invoice of nothing takes none of it", "F1", "1x0@21", {}, {}],
])("%s", async (_, type, lines, change, told) => {
  await set({ payment: TRANSFER, due_days: 30 });
  const { data } = await directCaller(shop).issue("a", type, lines, change);
  const { due_date, payment } = data;
  const isOpen =
    told.payment !== undefined && told.due_date === undefined && !("paid_on" in Object(told.payment));
  expect(payment).toEqual(told.payment);
  expect(due_date === undefined).toBe(told.due_date === undefined && !isOpen);
});

test("a preview shows what issuing would keep", async () => {
  await set({ payment: TRANSFER, due_days: 0 });
  const { data } = await directCaller(shop).preview("p", "F1", "1x100@21");
  expect(data).toMatchObject({ payment: TRANSFER });
  expect(data.due_date).toBe(data.issue_date);
});

test("an order takes the terms of its profile, and the company's for what the profile leaves open", async () => {
  shop = await openCommerce();
  owner = await ownerOf(shop);
  await set({ payment: TRANSFER, due_days: 30 });
  const base = `/api/accounts/${shop.accountId}/connections/${shop.connectionId}`;
  const web = { name: "Web", channel: "web", stem: "WEB", due_days: 7 };
  expect((await owner.post(`${base}/profiles`, web)).status).toBe(201);
  const other = { name: "Otra", channel: "otra", stem: "OTRA", payment: { means: "other" } };
  expect((await owner.post(`${base}/profiles`, other)).status).toBe(201);
  const { orders } = (await owner.get(`${base}/profiles`)).body.data;
  const [sales, refused] = await Promise.all([
    owner.call("PUT", `${base}/sales`, { payment: { means: "cash" }, version: orders.version }),
    owner.call("PUT", `${base}/sales`, { payment: { means: "transfer" }, version: orders.version }),
  ]);
  expect([sales.status, refused.status, refused.body.details[0].path]).toEqual([200, 422, "payment.iban"]);
  const { profiles } = (await owner.get(`${base}/profiles`)).body.data;
  const termsOf = (name: string) => {
    const { sales: own } = profiles.find((one: { readonly name: string }) => one.name === name);
    return [own.payment, own.dueDays];
  };
  expect(termsOf("Web")).toEqual([null, 7]);
  expect(termsOf("Otra")).toEqual([{ means: "other", iban: null, bic: null }, null]);
  const connector = orderConnector(shop);
  await connector.send(aSentOrder("w", { source_channel: "web" }));
  await connector.send(aSentOrder("o", { source_channel: "otra" }));
  const paid = aSentOrder("p", { source_channel: "web", paid_at: "2026-11-05T10:00:00Z" });
  await connector.send(paid);
  const kept = (await documents()).map(({ terms }) => terms);
  expect(kept).toMatchObject([{ payment: TRANSFER }, { payment: { means: "other" } }, undefined]);
  const dates = await env.LEDGER_000.prepare(
    "SELECT julianday(json_extract(document, '$.terms.dueDate')) - julianday(issue_date) AS days " +
      "FROM invoice JOIN invoice_document ON invoice_id = id WHERE account_id = ? ORDER BY invoice.rowid",
  )
    .bind(shop.accountId)
    .all<{ days: number | null }>();
  expect(dates.results.map(({ days }) => days)).toEqual([7, 30, null]);
});

test("an order without a profile takes the connection's terms", async () => {
  shop = await openCommerce();
  owner = await ownerOf(shop);
  const base = `/api/accounts/${shop.accountId}/connections/${shop.connectionId}`;
  const { orders } = (await owner.get(`${base}/profiles`)).body.data;
  const form = { payment: { means: "cash" }, due_days: 0, version: orders.version };
  expect((await owner.call("PUT", `${base}/sales`, form)).status).toBe(200);
  expect((await postOrder(shop, aSentOrder("a"))).status).toBeLessThan(300);
  expect(await documents()).toMatchObject([{ terms: { payment: { means: "cash" } } }]);
  const { items } = (await owner.get(`/api/accounts/${shop.accountId}/activity?area=profiles`)).body.data;
  expect(items[0]).toMatchObject({ verb: "declare_sales", facts: { payment: "cash", dueDays: "0" } });
});

test.each<[string, Body, readonly string[]]>([
  ["an address that is none", { email: "facturas" }, ["email"]],
  ["a telephone in words", { phone: "llámame" }, ["phone"]],
  ["a transfer without an account", { payment: { means: "transfer" } }, ["payment.iban"]],
  [
    "an IBAN with two digits exchanged",
    { payment: { ...TRANSFER, iban: "ES9121000418450200051323" } },
    ["payment.iban"],
  ],
  ["an account for cash", { payment: { means: "cash", iban: IBAN } }, ["payment.iban"]],
  ["a bank without account", { payment: { means: "card", bic: "CAIXESBB" } }, ["payment.bic"]],
  ["a debit, which needs each customer's mandate", { payment: { means: "direct_debit" } }, ["payment.means"]],
  ["a day too many", { due_days: 366 }, ["due_days"]],
  ["a day too few", { due_days: -1 }, ["due_days"]],
  ["half a day", { due_days: 1.5 }, ["due_days"]],
  ["a member of its own", { notes: "x" }, ["notes"]],
  ["two faults at once", { due_days: 400, email: "x" }, ["email", "due_days"]],
])("%s is refused at its field, and nothing is written", async (_, form, fields) => {
  const before = await contact();
  const { status, body } = await set(form);
  expect([status, body.error_code]).toEqual([422, "validation_failed"]);
  expect(body.details.map(({ path: field }: { path: string }) => field)).toEqual(fields);
  expect(await contact()).toEqual(before);
});

test("a person's name in parts is the company's name; a company has none", async () => {
  const parts = { first_name: "María José", surname_1: "García", surname_2: "de la Vega" };
  await env.LEDGER_000.prepare("UPDATE account SET nif = 'B12345674' WHERE id = ?")
    .bind(shop.accountId)
    .run();
  const entity = await set(parts);
  expect([entity.status, entity.body.error_code]).toEqual([422, "person_name_of_company"]);
  const nif = "12345678Z";
  await env.LEDGER_000.prepare("UPDATE account SET nif = ?1, legal_name = ?2 WHERE id = ?3")
    .bind(nif, "María José García de la Vega", shop.accountId)
    .run();
  const short = await set({ first_name: "María", surname_1: "García" });
  expect([short.status, short.body.error_code, short.body.details[0].path]).toEqual([
    422,
    "person_name_differs",
    "first_name",
  ]);
  expect((await set(parts)).status).toBe(200);
  const { issue } = directCaller(shop);
  await issue("a", "F1", "1x100@21");
  // Renamed, the company has no parts of its name until they are typed again.
  await env.LEDGER_000.prepare("UPDATE account SET legal_name = 'María García' WHERE id = ?")
    .bind(shop.accountId)
    .run();
  await issue("b", "F1", "1x100@21");
  const [first, second] = (await documents()).map(({ issuer }) => [issuer.name, issuer.firstName]);
  expect([first, second]).toEqual([
    ["María José García de la Vega", "María José"],
    ["María García", undefined],
  ]);
});

test("an accountant reads it and changes nothing; the activity names what changed, without its values", async () => {
  await set({ email: "facturas@sur.example", payment: TRANSFER, due_days: 30 });
  const accountant = await ownerOf(shop, "accountant");
  expect(await contact(accountant)).toMatchObject({ email: "facturas@sur.example", dueDays: 30 });
  expect((await set({ due_days: 1 }, accountant)).status).toBe(403);
  const { items } = (await owner.get(`/api/accounts/${shop.accountId}/activity?area=company`)).body.data;
  expect(items.map(({ verb, facts }: Body) => [verb, facts])).toEqual([
    ["change_contact", { changed: "email, payment, dueDays" }],
  ]);
});
