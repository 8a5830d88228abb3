/** The look of a company's invoices: colour and text at the foot, set in the console by its owner. */
import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { type Browser, ownerOf } from "../support/worlds/console.ts";
import { type Body, directCaller } from "../support/worlds/http-calls.ts";
import { settingsVersionOf } from "../support/worlds/owners.ts";
import { openShop, type Shop } from "../support/worlds/shop.ts";

let shop: Shop;
let owner: Browser;

beforeEach(async () => {
  shop = await openShop();
  owner = await ownerOf(shop);
});

const path = () => `/api/accounts/${shop.accountId}/company`;

async function look(of: Browser = owner) {
  return (await of.get(path())).body.data.appearance;
}

async function set(form: Body, by: Browser = owner) {
  const { version } = await look(by);
  return by.call("PUT", `${path()}/look`, { ...form, version });
}

async function footers(): Promise<unknown[]> {
  const { results } = await env.LEDGER_000.prepare(
    `SELECT json_extract(document, '$.footer') AS footer FROM invoice_document
     JOIN invoice ON invoice.id = invoice_id WHERE account_id = ? ORDER BY invoice.rowid`,
  )
    .bind(shop.accountId)
    .all<{ footer: string | null }>();
  return results.map(({ footer }) => footer);
}

test("an invoice keeps the text at the foot of its day, and earlier ones do not change", async () => {
  const { issue } = directCaller(shop);
  await issue("a", "F1", "1x100@21");
  expect((await set({ footer: " Gracias por tu compra. " })).status).toBe(200);
  await issue("b", "F1", "1x100@21");
  await set({});
  await issue("c", "F1", "1x100@21");
  expect(await footers()).toEqual([null, "Gracias por tu compra.", null]);
});

test("a colour is of every invoice: it raises no version of the settings, and a text does", async () => {
  const before = await settingsVersionOf(shop);
  expect((await set({ accent: "#ff9900" })).status).toBe(200);
  expect(await settingsVersionOf(shop)).toBe(before);
  expect(await look()).toMatchObject({
    accent: { chosen: "#FF9900", printed: expect.stringMatching(/^#[0-9A-F]{6}$/) },
    footer: null,
    logo: null,
  });
  await set({ accent: "#ff9900", footer: "Hola" });
  expect(await settingsVersionOf(shop)).toBe(before + 1);
});

test("the page of an invoice in the console has the colour of the day", async () => {
  await directCaller(shop).issue("a", "F1", "1x100@21");
  const id = await env.LEDGER_000.prepare("SELECT id FROM invoice WHERE account_id = ?")
    .bind(shop.accountId)
    .first<string>("id");
  const css = async () =>
    (await owner.get(`/api/accounts/${shop.accountId}/invoices/${id}`)).body.data.sheet.css as string;
  expect(await css()).not.toContain("--brand:");
  await set({ accent: "#7A4A00" });
  expect(await css()).toContain(".sheet { --brand: #7A4A00; }");
});

test("a preview is a draft with what is typed and the terms that are set, and changes nothing", async () => {
  const { version } = (await owner.get(path())).body.data.contact;
  await owner.call("PUT", `${path()}/contact`, { payment: { means: "card" }, due_days: 30, version });
  const before = await look();
  const preview = await owner.post(`${path()}/look/preview`, { accent: "#FFEE00", footer: "Hasta pronto" });
  const { sheet, accent } = preview.body.data;
  expect(accent.printed).not.toBe("#FFEE00");
  expect(sheet.css).toContain(`--brand: ${accent.printed}`);
  for (const text of ["BORRADOR: aún no emitida", "Hasta pronto", "Forma de pago: tarjeta.", "Vencimiento"]) {
    expect(sheet.html).toContain(text);
  }
  expect(sheet.html).not.toContain("<svg");
  expect(await look()).toEqual(before);
  const invoices = await env.LEDGER_000.prepare("SELECT count(*) AS n FROM invoice WHERE account_id = ?")
    .bind(shop.accountId)
    .first("n");
  expect(invoices).toBe(0);
});

test.each([["canarias"], ["ceuta_melilla"]])("a company of %s has a preview too", async (territory) => {
  await env.LEDGER_000.prepare("UPDATE account SET territory = ? WHERE id = ?")
    .bind(territory, shop.accountId)
    .run();
  expect((await owner.post(`${path()}/look/preview`, {})).status).toBe(200);
});

test.each<[string, Body, readonly [string, string]]>([
  ["a colour by its name", { accent: "red" }, ["accent_invalid", "accent"]],
  ["a colour with a style in it", { accent: "#12;}a" }, ["accent_invalid", "accent"]],
  ["a text of 301 characters", { footer: "x".repeat(301) }, ["validation_failed", "footer"]],
  ["a text with a control character", { footer: "a\u0007b" }, ["validation_failed", "footer"]],
])("%s is refused at its field, and nothing is written", async (_, form, [code, field]) => {
  const before = await look();
  const { status, body } = await set(form);
  expect([status, body.error_code, body.details[0].path]).toEqual([422, code, field]);
  expect(await look()).toEqual(before);
});

test("over a newer version nothing is saved; an accountant looks and changes nothing; the activity tells", async () => {
  const { version } = await look();
  await set({ accent: "#7A4A00", footer: "Uno" });
  const late = await owner.call("PUT", `${path()}/look`, { footer: "Dos", version });
  expect([late.status, late.body.error_code]).toEqual([409, "changed_meanwhile"]);
  const accountant = await ownerOf(shop, "accountant");
  expect(await look(accountant)).toMatchObject({ footer: "Uno" });
  expect((await set({ footer: "Tres" }, accountant)).status).toBe(403);
  expect((await accountant.post(`${path()}/look/preview`, { footer: "Tres" })).status).toBe(200);
  expect((await accountant.call("DELETE", `${path()}/look/logo`)).status).toBe(403);
  const { items } = (await owner.get(`/api/accounts/${shop.accountId}/activity?area=company`)).body.data;
  expect(items.map(({ verb, facts }: Body) => [verb, facts])).toEqual([
    ["change_look", { changed: "accent, footer" }],
  ]);
});
