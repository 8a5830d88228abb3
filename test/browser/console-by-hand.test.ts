/** Invoices by hand in the console: empty, refused, ready, issued, on a phone, and by two people at once. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchChromium } from "../support/browser/chromium.ts";
import { clumsyOn, openConsole, type SignedIn } from "../support/browser/console.ts";
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
