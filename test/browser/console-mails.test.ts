/** Mails with invoices in the console: sent by hand, failed and corrected, and sent when invoices are issued. */
import { existsSync, readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchChromium } from "../support/browser/chromium.ts";
import { clumsyOn, openConsole, PHONE, type SignedIn } from "../support/browser/console.ts";
import { callDemo } from "../support/browser/local-server.ts";
import { ownProduct } from "../support/browser/product.ts";

const { demo, mailFile } = ownProduct();
const { api } = demo.connections;
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

interface Issued {
  readonly id: string;
  readonly number: string;
}

async function issue(externalId: string, email?: string, change: object = {}): Promise<Issued> {
  const address = { country: "ES", address1: "Calle Nueva 3", postcode: "46001", city: "Valencia" };
  const { data } = await callDemo(demo, api.key, "/api/v1/invoice", {
    ...{ external_id: externalId, invoice_type: "F1", description: "Restauración de un mueble" },
    currency: "EUR",
    recipient: { company: "Muebles Arce SL", vat_number: "B12345674", ...address, email },
    lines: [{ line_id: "1", description: "Restauración", quantity: 1, price_unit: 480, tax_rate: 21 }],
    ...change,
  });
  return { id: String(data.invoice_id), number: String(data.full_number) };
}

async function open(page: Page, { id, number }: Issued): Promise<void> {
  await page.goto(`/e/${signedIn.account}/facturas/${id}`);
  await page.getByRole("heading", { name: number, level: 1 }).waitFor();
}

/** The mails to an address so far, as text. */
function mailsTo(address: string): readonly string[] {
  const all = existsSync(mailFile) ? readFileSync(mailFile, "utf8").split(/^(?=From: )/m) : [];
  return all.filter((mail) => mail.includes(`To: ${address}\n`));
}

const course = (page: Page) => page.getByRole("region", { name: "Correo al cliente" });
const dialogOf = (page: Page) => page.getByRole("dialog", { name: /por correo$/ });
const send = (page: Page) => dialogOf(page).getByRole("button", { name: "Enviar", exact: true }).click();

test("an invoice is sent by hand, and its course says when; the same address again is announced", async () => {
  const { page } = signedIn;
  const invoice = await issue("consola-correo-1", "compras@arce.example");
  await open(page, invoice);
  await course(page).getByText("Sin enviar", { exact: true }).waitFor();
  const ask = page.getByRole("button", { name: "Enviar por correo…" });
  await ask.click();
  const dialog = dialogOf(page);
  const to = dialog.getByLabel("Correo del cliente");
  expect(await to.inputValue()).toBe("compras@arce.example");
  await to.fill("");
  await send(page);
  await dialog.getByText(/^Escribe el correo del cliente/).waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  await to.fill("compras@arce");
  await send(page);
  await dialog.getByText("Escribe una dirección de correo, como compras@empresa.es.").waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  await to.fill("Compras@arce.example");
  await dialog.getByRole("checkbox", { name: "Facturae" }).check();
  await send(page);
  await dialog.waitFor({ state: "detached" });
  await course(page)
    .getByText(/^Enviado el \d+ nov, \d+:\d\d$|^Enviado el /)
    .waitFor();
  await course(page).getByText("compras@arce.example").waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  const [mail, ...others] = mailsTo("compras@arce.example");
  expect(others).toEqual([]);
  expect(mail).toContain(`Subject: Factura ${invoice.number} de `);
  expect(mail).toContain(`Attached: ${invoice.number}.pdf application/pdf`);
  expect(mail).toContain(`Attached: ${invoice.number}.facturae.xml application/xml`);
  await ask.click();
  await dialog.getByText("A esta dirección ya se envió. Se enviará otra vez.").waitFor();
  await dialog.getByRole("radio", { name: "Inglés" }).check();
  await send(page);
  await dialog.waitFor({ state: "detached" });
  await expect
    .poll(() =>
      course(page)
        .getByText(/^Enviado el /)
        .count(),
    )
    .toBe(2);
  expect(mailsTo("compras@arce.example")[1]).toContain(`Subject: Invoice ${invoice.number} from `);
});

test("a mail that failed says why, and its address is corrected from there, on a phone", async () => {
  const { page } = await openConsole(browser, demo, PHONE);
  await open(page, await issue("consola-correo-2", "compras@arce.invalid"));
  await page.getByRole("button", { name: "Enviar por correo…" }).click();
  expect(await clumsyOn(page)).toEqual([]);
  await send(page);
  const why = "No se pudo enviar: el servicio de correo no admite la dirección";
  await course(page).getByText(why, { exact: true }).waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  await course(page).getByRole("button", { name: "Corregir la dirección" }).click();
  await dialogOf(page).getByLabel("Correo del cliente").fill("buena@arce.example");
  await send(page);
  await course(page)
    .getByText(/^Enviado el /)
    .waitFor();
  const states = await course(page).getByRole("listitem").allInnerTexts();
  expect(states.map((text) => text.split("\n").filter(Boolean)[0])).toEqual([
    expect.stringMatching(/^Enviado el /),
    why,
  ]);
  expect(mailsTo("buena@arce.example")).toHaveLength(1);
  expect(mailsTo("compras@arce.invalid")).toEqual([]);
});

test("the switch for mails at issue takes the declaration, and mails the next invoice alone", async () => {
  const { page, account } = signedIn;
  await issue("consola-correo-3", "antes@arce.example");
  await page.goto(`/e/${account}/conexiones/${api.id}/facturacion`);
  const whom = page.getByRole("radiogroup", { name: "A quién se envían" });
  await whom.getByRole("radio", { name: /^A todos los clientes/ }).check();
  const save = page.getByRole("button", { name: "Guardar", exact: true });
  await save.click();
  await page.getByText("Marca la declaración para enviar a todos los clientes.").waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  await page.getByRole("checkbox", { name: "Lo declaro" }).check();
  await save.click();
  await page.getByText(/^Declarado por María Ferrer el .* \(texto 1\)\.$/).waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  const mailed = await issue("consola-correo-4", "despues@arce.example");
  await open(page, mailed);
  await course(page)
    .getByText(/^Enviado el /)
    .waitFor();
  expect(mailsTo("despues@arce.example")).toHaveLength(1);
  expect(mailsTo("antes@arce.example")).toEqual([]);
  await page.goto(`/e/${account}/conexiones/${api.id}/facturacion`);
  await whom.getByRole("radio", { name: "No enviar" }).check();
  await save.click();
  await save.waitFor({ state: "detached" });
  await open(page, await issue("consola-correo-5", "despues@arce.example"));
  await course(page).getByText("Sin enviar", { exact: true }).waitFor();
  expect(mailsTo("despues@arce.example")).toHaveLength(1);
});

test("other formats are downloads, or say why there is none", async () => {
  const { page } = signedIn;
  const invoice = await issue("consola-correo-6");
  await open(page, invoice);
  const formats = page.getByRole("region", { name: "Otros formatos" });
  const downloading = page.waitForEvent("download");
  await formats.getByRole("link", { name: /^UBL/ }).click();
  expect((await downloading).suggestedFilename()).toBe(`${invoice.number}.ubl.xml`);
  const lines = [{ line_id: "1", description: "Taza", quantity: 1, price_unit: 20, tax_rate: 21 }];
  const ticket = { invoice_type: "F2", recipient: undefined, lines };
  await open(page, await issue("consola-correo-7", undefined, ticket));
  expect(await formats.getByRole("link").allInnerTexts()).toEqual(["Registro de facturación"]);
  const none =
    "No está disponible. Es una factura simplificada, y este fichero es para las completas. Si tu cliente lo " +
    "necesita, emite la factura completa que la sustituye.";
  expect(await formats.getByText(none, { exact: true }).count()).toBe(2);
  expect(await clumsyOn(page)).toEqual([]);
});

test.each(["es", "en"])("no tab of the company is cut on a screen (%s)", async (language) => {
  const { page, account } = await openConsole(browser, demo);
  await page.evaluate(`localStorage.setItem("cuadre.language", "${language}")`);
  for (const tab of ["datos", "cobro", "aspecto", "declaracion"]) {
    await page.goto(`/e/${account}/empresa/${tab}`);
    const list = page.getByRole("tablist");
    await list.waitFor();
    expect(await page.getByRole("tab").count()).toBe(8);
    expect(
      await page.evaluate(
        '(({ scrollWidth: all, clientWidth: seen }) => all <= seen)(document.querySelector("[role=tablist]"))',
      ),
    ).toBe(true);
    expect(await clumsyOn(page)).toEqual([]);
  }
});
