/** Invoices by hand in the console: empty, refused, ready, issued, on a phone, and by two people at once. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchChromium } from "../support/browser/chromium.ts";
import { clumsyOn, openConsole, type SignedIn } from "../support/browser/console.ts";
import { callDemo } from "../support/browser/local-server.ts";
import { ownProduct } from "../support/browser/product.ts";

const { demo } = ownProduct();
const PHONE = { width: 390, height: 844 };
let browser: Browser;
let signedIn: SignedIn;

beforeAll(async () => {
  browser = await launchChromium();
  signedIn = await openConsole(browser, demo);
});

afterAll(async () => {
  await signedIn?.context.close();
  await browser?.close();
});

async function ask(method: "GET" | "POST", path: string, data?: object) {
  const { page, account } = signedIn;
  const headers = { Origin: demo.console_url };
  const sent = await page.request.fetch(`/api/accounts/${account}${path}`, {
    ...{ method, headers },
    ...(data ? { data } : {}),
  });
  expect([path, sent.status()]).toEqual([path, expect.toSatisfy((status: number) => status < 300)]);
  return (await sent.json()).data;
}

/** The owner's consent for invoices by hand. */
async function agree(): Promise<void> {
  const { connectionId } = await ask("POST", "/drafts/connection", {});
  const { consent, today } = await ask("GET", `/connections/${connectionId}/setup`);
  if (consent) return;
  const text = await ask("GET", `/connections/${connectionId}/consent-text?cutoff_date=${today}`);
  await ask("POST", `/connections/${connectionId}/consent`, {
    ...{ consent_id: text.consentId, text_version: text.version, text_sha256: text.sha256 },
    ...{ cutoff_date: today, common_rules_apply: false, keeps_books_in_sii: false },
  });
}

async function write(page: Page): Promise<void> {
  await page.getByLabel("Nombre o razón social").fill("Estudio Nácar SL");
  await page.getByLabel("NIF", { exact: true }).fill("B12345674");
  await page.getByLabel("Dirección").fill("Calle de Cirilo Amorós 14");
  await page.getByLabel("Código postal").fill("46004");
  await page.getByLabel("Localidad").fill("Valencia");
  await page.getByLabel("Concepto").fill("Diseño de vajilla a medida");
  await page.getByLabel("Precio", { exact: true }).fill("1.240,50");
}

test("an empty form tells all that is missing once somebody wants to issue it", async () => {
  const { page, account } = signedIn;
  await page.goto(`/e/${account}/facturas`);
  await page.getByRole("link", { name: "Nueva factura" }).click();
  await page.getByRole("heading", { name: "La factura que saldría" }).waitFor();
  await page.getByText("Cuando los datos estén completos, la verás aquí.").waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  await page.getByRole("button", { name: "Emitir factura" }).click();
  await page.getByText("Escribe el concepto.").first().waitFor();
  expect(await clumsyOn(page)).toEqual([]);
});

test("a draft is saved while it is written, refused at its field, issued once confirmed", async () => {
  await agree();
  const { page, account } = signedIn;
  await page.goto(`/e/${account}/facturas/nueva`);
  await write(page);
  await page.getByText(/Guardado a las \d{2}:\d{2}/).waitFor();
  await page.getByRole("combobox", { name: "Forma de pago" }).click();
  await page.getByRole("option", { name: "Transferencia" }).click();
  await page.getByLabel("IBAN").fill("ES91 2100 0418 4502 0005 1333");
  await page.getByText("Queda 1 dato por corregir").waitFor();
  await page.getByRole("button", { name: "Emitir factura" }).click();
  await page.getByText("El IBAN no es correcto: comprueba los dígitos.").first().waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  await page.getByLabel("IBAN").fill("ES91 2100 0418 4502 0005 1332");
  await page.getByRole("button", { name: "Ver entera" }).waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  await page.getByRole("button", { name: "Emitir factura" }).click();
  const dialog = page.getByRole("dialog");
  await dialog
    .getByText(/^Se emitirá MAN-\d+-\d{4}-\d{6} por 1\.501,01\s€\. No se puede deshacer\.$/)
    .waitFor();
  await dialog.getByRole("button", { name: "Emitir factura" }).click();
  await page.getByRole("heading", { name: /^MAN-\d+-\d{4}-\d{6}$/ }).waitFor();
});

test("of two pages with one draft one goes on; the other is told and reloads it", async () => {
  await agree();
  const { page, account, context } = signedIn;
  await page.goto(`/e/${account}/facturas/nueva`);
  await write(page);
  await page.waitForURL(/\/facturas\/nueva\/dr/);
  await page.getByText(/Guardado a las/).waitFor();
  const other = await context.newPage();
  await other.goto(page.url());
  await other.getByLabel("Localidad").fill("Alboraya");
  await other.getByText(/Guardado a las/).waitFor();
  await other.getByRole("button", { name: "Ver entera" }).waitFor();
  const saved = page.waitForResponse((response) => response.status() === 409);
  await other.getByLabel("Localidad").fill("Alboraia");
  await other.waitForResponse((response) => response.request().method() === "PUT" && response.ok());
  await page.getByLabel("Localidad").fill("Paterna");
  await saved;
  await page
    .getByText(/ha cambiado este borrador mientras tanto/)
    .first()
    .waitFor();
  await page.getByRole("button", { name: "Recargar el borrador" }).click();
  await page.getByRole("button", { name: "Recargar el borrador" }).waitFor({ state: "detached" });
  expect(await page.getByLabel("Localidad").inputValue()).toBe("Alboraia");
  await other.close();
});

test("drafts are listed, duplicated and written on a phone", async () => {
  await agree();
  const { page, account } = await openConsole(browser, demo, PHONE);
  await page.goto(`/e/${account}/facturas/borradores`);
  await page.getByRole("link", { name: "Estudio Nácar SL" }).first().waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  await page.getByRole("button", { name: "Duplicar" }).first().click();
  await page.waitForURL(/\/facturas\/nueva\/dr/);
  await page.getByRole("button", { name: "Ver entera" }).waitFor();
  expect(await page.getByLabel("Precio", { exact: true }).inputValue()).toBe("1240,50");
  expect(await clumsyOn(page)).toEqual([]);
});

async function choose(page: Page, label: string, option: string | RegExp): Promise<void> {
  await page.getByRole("combobox", { name: label }).click();
  await page.getByRole("option", { name: option }).first().click();
}

test("a sale of the one stop shop takes the rates of its state, used goods their margin", async () => {
  await agree();
  const { page, account } = signedIn;
  await page.goto(`/e/${account}/facturas/nueva`);
  await write(page);
  await choose(page, "Tipo", "Factura sin destinatario (art. 6.1.d)");
  await page.getByLabel("NIF", { exact: true }).fill("");
  await choose(page, "Ventanilla única (OSS)", "Francia");
  expect(await page.getByRole("combobox", { name: "Impuesto" }).inputValue()).toBe(
    "IVA de Francia 20\u00a0%",
  );
  await page
    .getByText(/1\.488,60\s€/)
    .first()
    .waitFor();
  await choose(page, "Impuesto", /^IVA de Francia 5,5/);
  await page
    .getByText(/1\.308,73\s€/)
    .first()
    .waitFor();
  expect(await clumsyOn(page)).toEqual([]);

  await choose(page, "Ventanilla única (OSS)", "No");
  await choose(page, "Tipo", "Factura completa");
  await page.getByLabel("NIF", { exact: true }).fill("B12345674");
  await choose(page, "Impuesto", /^Bienes usados: IVA 21/);
  expect(await page.getByRole("combobox", { name: "Precios" }).inputValue()).toBe("Con IVA");
  await page.getByLabel("Margen, con IVA").fill("2.000");
  await page.getByText("Queda 1 dato por corregir").waitFor();
  await page.getByRole("button", { name: "Emitir factura" }).click();
  await page.locator("[id$=taxable_margin][aria-invalid=true]").waitFor();
  await page.getByLabel("Margen, con IVA").fill("121");
  await page.getByRole("button", { name: "Emitir factura" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText(/por 1\.240,50\s€\. No se puede deshacer\.$/).waitFor();
  await dialog.getByRole("button", { name: "Emitir factura" }).click();
  await page.getByRole("heading", { name: /^MAN-\d+-\d{4}-\d{6}$/ }).waitFor();

  await page.getByRole("button", { name: "Más acciones" }).click();
  await page.getByRole("menuitem", { name: /^Duplicar/ }).click();
  await page.waitForURL(/\/facturas\/nueva\/dr/);
  await page.getByRole("button", { name: "Ver entera" }).waitFor();
  expect(await page.getByLabel("Margen, con IVA").inputValue()).toBe("121");
  expect(await page.getByLabel("Concepto").inputValue()).toBe("Diseño de vajilla a medida");
});

test("the menu of a corrective invoice says why it is not duplicated", async () => {
  const { page, account } = signedIn;
  const line = { description: "Taza", quantity: 1, price_unit: 10, tax_rate: 21 };
  const sale = { invoice_type: "F2", description: "Venta", currency: "EUR", lines: [line] };
  await callDemo(demo, demo.connections.api.key, "/api/v1/invoice", { external_id: "mano-1", ...sale });
  const { data } = await callDemo(demo, demo.connections.api.key, "/api/v1/invoice", {
    ...{ ...sale, external_id: "mano-2", invoice_type: "R5", lines: [{ ...line, quantity: -1 }] },
    ...{ rectifies: [{ external_id: "mano-1" }], rectification_method: "difference" },
  });
  await page.goto(`/e/${account}/facturas/${data.invoice_id}`);
  await page.getByRole("button", { name: "Más acciones" }).click();
  const copy = page.getByRole("menuitem", { name: /^Duplicar/ });
  await copy.getByText("Una rectificativa, o una factura que sustituye a otra").waitFor();
  await copy.click({ force: true });
  expect(page.url()).toContain(String(data.invoice_id));
  expect(await clumsyOn(page)).toEqual([]);
});

test("an accountant reads drafts, orders that wait and invoices, and sees no button that acts", async () => {
  const { page, account, context } = signedIn;
  const { items } = await ask("GET", "/drafts");
  await context.route("**/api/me", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replaceAll('"owner"', '"accountant"') });
  });
  const acts = (name: RegExp) => page.getByRole("button", { name });
  await page.goto(`/e/${account}/facturas/nueva/${items[0].id}`);
  await page.getByText("Solo lectura: puede cambiarlo un titular.").first().waitFor();
  expect(await acts(/Emitir|Duplicar|Descartar|Añadir|Quitar/).count()).toBe(0);
  await page.goto(`/e/${account}/facturas/borradores`);
  await page.getByRole("link", { name: "Estudio Nácar SL" }).first().waitFor();
  expect(await acts(/Duplicar|Nueva/).count()).toBe(0);
  expect(await page.getByRole("link", { name: "Nueva factura" }).count()).toBe(0);
  await page.goto(`/e/${account}/por-revisar?by=question`);
  await page.getByRole("heading", { name: "Por revisar", level: 1 }).waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  expect(await acts(/^Responder|^Descartar|Olvidar/).count()).toBe(0);
  const { items: issued } = await ask("GET", "/invoices");
  await page.goto(`/e/${account}/facturas/${issued[0].id}`);
  await page.locator("[data-paper]").waitFor();
  expect(await acts(/Más acciones/).count()).toBe(0);
  await page.goto(`/e/${account}/facturas/${issued[0].id}/rectificar`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  expect(await acts(/^Emitir|^Anular|Devolver todo/).count()).toBe(0);
  await context.unroute("**/api/me");
});
