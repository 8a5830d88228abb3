/** An owner's changes to one invoice in the console: a duplicate settled, and a corrective invoice. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchChromium } from "../support/browser/chromium.ts";
import { clumsyOn, openConsole, type SignedIn } from "../support/browser/console.ts";
import { callDemo } from "../support/browser/local-server.ts";
import { fetchPatiently } from "../support/browser/patience.ts";
import { ownProduct } from "../support/browser/product.ts";

const { demo } = ownProduct();
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

async function issue(externalId: string, change: object = {}): Promise<string> {
  const address = { country: "ES", address1: "Calle Nueva 3", postcode: "46001", city: "Valencia" };
  const { data } = await callDemo(demo, demo.connections.api.key, "/api/v1/invoice", {
    ...{ external_id: externalId, invoice_type: "F1", description: "Restauración de un mueble" },
    ...{ currency: "EUR", recipient: { company: "Muebles Arce SL", vat_number: "B12345674", ...address } },
    lines: [{ line_id: "1", description: "Restauración", quantity: 1, price_unit: 480, tax_rate: 21 }],
    ...change,
  });
  return String(data.full_number);
}

async function open(page: Page, externalId: string): Promise<void> {
  await page.goto(`/e/${signedIn.account}/facturas?q=${externalId}`);
  await page
    .getByRole("row", { name: /Muebles Arce/ })
    .getByRole("link")
    .click();
  await page.getByRole("heading", { name: "Su registro en la AEAT" }).waitFor();
}

/** Another program sends its invoice under the number that comes next. */
async function takeNext(number: string): Promise<void> {
  const next = number.replace(/\d+$/, (digits) => String(Number(digits) + 1).padStart(6, "0"));
  const message = await messageWith(number);
  const body = message
    .replaceAll(number, next)
    .replace(/<sf:RefExterna>[^<]*<\/sf:RefExterna>/g, "")
    .replace(/(<sf:NumeroInstalacion>)[^<]*/g, "$1otra");
  const headers = { "Content-Type": "text/xml; charset=utf-8" };
  const path = "/wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP";
  const answer = await fetchPatiently(`${demo.authority_url}${path}`, { method: "POST", body, headers });
  expect(await answer.text()).toContain(next);
}

async function messageWith(number: string): Promise<string> {
  const response = await fetchPatiently(`${demo.authority_url}/messages`);
  const { messages } = (await response.json()) as { messages: readonly { readonly id: number }[] };
  for (const { id } of messages.toReversed()) {
    const text = await (await fetchPatiently(`${demo.authority_url}/messages/${id}/request`)).text();
    if (text.includes(number)) return text;
  }
  throw new Error(`no message has ${number}`);
}

test("an owner declares the AEAT's record another's, and gives the sale another number", async () => {
  const { page, account } = signedIn;
  const number = await issue("consola-actos-1");
  await open(page, "consola-actos-1");
  await page.getByText("Aceptada por la AEAT.").waitFor();
  await takeNext(number);
  await issue("consola-actos-2");
  await open(page, "consola-actos-2");
  await page.getByRole("heading", { name: /^La AEAT ya tiene un registro/ }).waitFor();
  expect(await clumsyOn(page)).toEqual([]);

  await page.getByRole("button", { name: "De otra factura…" }).click();
  const dialog = page.getByRole("dialog");
  const confirm = dialog.getByRole("button", { name: "Confirmar que es otra factura" });
  await confirm.click();
  await dialog.getByText("Escribe qué has visto y dónde.").waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  await dialog.getByLabel("Qué has visto y dónde").fill("En la sede consta otro importe");
  await confirm.click();
  await page.getByRole("heading", { name: /es de otra factura$/ }).waitFor();

  await page.getByRole("button", { name: "Emitir rectificativa…" }).click();
  await dialog.getByLabel("IVA 21 %").waitFor();
  expect(await dialog.getByLabel("IVA 21 %").inputValue()).toBe("480,00");
  await dialog.getByRole("button", { name: "Emitir rectificativa" }).click();
  await dialog.getByText("Escribe la causa.").waitFor();
  await dialog.getByLabel("Causa").fill("Número ocupado por otro programa");
  await dialog.getByRole("button", { name: "Emitir rectificativa" }).click();
  await page.getByRole("heading", { level: 1, name: /^API-1R-/ }).waitFor();
  await page.getByText("Número ocupado por otro programa").first().waitFor();
  await page.goto(`/e/${account}`);
  await page.getByRole("heading", { name: "Facturas por día" }).waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  expect(await page.getByRole("link", { name: "Aclarar" }).count()).toBe(0);
});

test("a part is refunded, and an amount too high is refused next to its rate", async () => {
  const { page } = signedIn;
  await issue("consola-actos-3");
  await open(page, "consola-actos-3");
  await page.getByRole("button", { name: "Más acciones" }).click();
  await page.getByRole("menuitem", { name: /^Emitir rectificativa/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Causa").fill("Devolución de una silla");
  await dialog.getByLabel("IVA 21 %").fill("1.480,00");
  const button = dialog.getByRole("button", { name: "Emitir rectificativa" });
  await button.click();
  await dialog.getByText(/solo quedan/).waitFor();
  await dialog.getByLabel("IVA 21 %").fill("100");
  await button.click();
  await page.getByRole("heading", { level: 1, name: /^API-1R-/ }).waitFor();
  await page.getByText("−121,00").first().waitFor();
});

test("no record names another customer than the invoice, which is issued again to the right one", async () => {
  const { page } = signedIn;
  const number = await issue("consola-actos-4");
  await open(page, "consola-actos-4");
  await page.getByRole("button", { name: "Más acciones" }).click();
  await page.getByRole("menuitem", { name: /^Corregir el registro/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Nombre o razón social del cliente").fill("Aguas de Barcelona SA");
  await dialog.getByLabel("NIF o identificador del cliente").fill("A28015865");
  await dialog.getByRole("button", { name: "Enviar la subsanación" }).click();
  await dialog.getByText(/nombra a otra persona/).waitFor();
  expect(await clumsyOn(page)).toEqual([]);

  await dialog.getByRole("button", { name: "Emitirla de nuevo al cliente correcto…" }).click();
  const customer = dialog.getByRole("group", { name: "Cliente correcto" });
  expect(await customer.getByLabel("NIF o identificador del cliente").inputValue()).toBe("A28015865");
  await dialog.getByLabel("Causa").fill("Se emitió a otro cliente");
  const button = dialog.getByRole("button", { name: "Emitir rectificativa" });
  await button.click();
  await dialog
    .getByRole("alert")
    .getByText(/del destinatario/)
    .waitFor();
  await customer.getByLabel("Dirección").fill("Gran Vía 28");
  await customer.getByLabel("Código postal").fill("28013");
  await customer.getByLabel("Población").fill("Madrid");
  expect(await clumsyOn(page)).toEqual([]);
  await button.click();
  await page.getByRole("heading", { level: 1, name: /^API-1R-/ }).waitFor();
  await page.getByText("Aguas de Barcelona SA").first().waitFor();
  await page.getByRole("link", { name: number, exact: true }).click();
  await page
    .getByText(/^Sustituida por/)
    .first()
    .waitFor();
});

/** The form of a rectification, in the language chosen there. */
async function rectifying(page: Page, externalId: string, language: "es" | "en" = "es") {
  await open(page, externalId);
  await page.evaluate(`localStorage.setItem("cuadre.language", "${language}")`);
  await page.reload();
  const words = WORDS[language];
  await page.getByRole("button", { name: words.more }).click();
  await page.getByRole("menuitem", { name: words.act }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(words.cause).fill("Corrección");
  const send = () => dialog.getByRole("button", { name: words.button }).click();
  return { dialog, send };
}

const WORDS = {
  es: { more: "Más acciones", act: /^Emitir rectificativa/, cause: "Causa", button: "Emitir rectificativa" },
  en: {
    ...{ more: "More actions", act: /^Issue a corrective invoice/, cause: "Cause" },
    button: "Issue corrective invoice",
  },
} as const;

test("by difference the customer keeps the tax ID, as the form says, and gets the right address", async () => {
  const { page } = signedIn;
  await issue("consola-actos-5");
  const { dialog, send } = await rectifying(page, "consola-actos-5");
  await dialog.getByLabel("IVA 21 %").fill("80");
  await dialog.getByLabel("Corregir el nombre o la dirección del cliente").check();
  const customer = dialog.getByRole("group", { name: "Datos del cliente" });
  const identifier = customer.getByLabel("NIF o identificador del cliente");
  expect(await identifier.inputValue()).toBe("B12345674");
  await identifier.fill("A28015865");
  await send();
  await customer.getByText(/se emitió a otro destinatario/).waitFor();
  expect(await identifier.getAttribute("aria-invalid")).toBe("true");
  expect(await clumsyOn(page)).toEqual([]);
  await identifier.fill("B12345674");
  await customer.getByLabel("Dirección").fill("Calle Mayor 8");
  await send();
  await page.getByRole("heading", { level: 1, name: /^API-1R-/ }).waitFor();
  await page.getByText("Calle Mayor 8").first().waitFor();
});

test("a substitution below zero is refused next to the rate, in English too", async () => {
  const { page } = signedIn;
  await issue("consola-actos-6");
  const { dialog, send } = await rectifying(page, "consola-actos-6", "en");
  await dialog.getByLabel("Issue it again with the right amounts").check();
  const amount = dialog.getByLabel("VAT 21 %");
  await amount.fill("-5");
  await send();
  await dialog.getByText(/By substitution the lines are what the invoice comes to now/).waitFor();
  expect(await amount.getAttribute("aria-invalid")).toBe("true");
  expect(await clumsyOn(page)).toEqual([]);
  await page.evaluate(`localStorage.setItem("cuadre.language", "es")`);
});

test("a simplified invoice is not lifted over its limit, which is said with the amounts", async () => {
  const { page } = signedIn;
  const simplified = { invoice_type: "F2", recipient: { company: "Muebles Arce" } };
  const lines = [{ line_id: "1", description: "Silla", quantity: 1, price_unit: 200, tax_rate: 21 }];
  await issue("consola-actos-7", { ...simplified, lines });
  const { dialog, send } = await rectifying(page, "consola-actos-7");
  await dialog.getByLabel("Emitirla de nuevo con los importes correctos").check();
  await dialog.getByLabel("IVA 21 %").fill("400");
  await send();
  const amounts = dialog.getByRole("group", { name: "Base correcta" });
  await amounts
    .getByRole("alert")
    .getByText(/sumaría 484,00/)
    .waitFor();
  expect(await clumsyOn(page)).toEqual([]);
});

test("a sale of used goods shows its margin, and a part of it goes back by price and margin", async () => {
  const { page } = signedIn;
  const used = { regime: "03", taxable_margin: 100, line_id: "1", description: "Cómoda", quantity: 1 };
  await issue("consola-actos-8", {
    ...{ prices_include_tax: true, lines: [{ ...used, price_unit: 500, tax_rate: 21 }] },
    disbursements: [{ description: "Transporte", amount: 30 }],
  });
  const { dialog, send } = await rectifying(page, "consola-actos-8");
  const amounts = page.getByRole("region", { name: "Importes" });
  await amounts.getByText("82,64").waitFor();
  await amounts.getByText("400,00 €").waitFor();
  await amounts.getByText("530,00 €").waitFor();
  const name = "IVA 21 %, bienes usados (REBU)";
  await dialog.getByLabel(name, { exact: true }).fill("50");
  await send();
  await dialog.getByText(/no dice su margen/).waitFor();
  const margin = dialog.getByLabel(`De él, margen: ${name}`);
  expect(await margin.getAttribute("aria-invalid")).toBe("true");
  await margin.fill("10");
  expect(await clumsyOn(page)).toEqual([]);
  await send();
  await page.getByRole("heading", { level: 1, name: /^API-1R-/ }).waitFor();
  await amounts.getByText("−8,26").waitFor();
  await amounts.getByText("−50,00 €").waitFor();
});
