/** Invoices in the owner's console: found, viewed, corrected; the overview and submission next to them. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchChromium } from "../support/browser/chromium.ts";
import { clumsyOn, openConsole, PHONE, type SignedIn } from "../support/browser/console.ts";
import { callDemo } from "../support/browser/local-server.ts";
import { fetchPatiently } from "../support/browser/patience.ts";
import { ownProduct } from "../support/browser/product.ts";

const { demo } = ownProduct();
let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});

afterAll(() => browser?.close());

/** A person's NIF with its letter. */
function nifOf(number: number): string {
  return `${number}${"TRWAGMYFPDXBNJZSQVHLCKE".charAt(number % 23)}`;
}

const UNKNOWN_NIF = nifOf(53_211_234);
const KNOWN_NIF = nifOf(53_211_235);
/** The census now has the NIF. */
const LATE_NIF = nifOf(53_211_236);

async function issue(externalId: string, company: string, vatNumber: string): Promise<void> {
  const address = { country: "ES", address1: "Calle Nueva 3", postcode: "46001", city: "Valencia" };
  const { ok } = await callDemo(demo, demo.connections.api.key, "/api/v1/invoice", {
    ...{ external_id: externalId, invoice_type: "F1", description: "Restauración de un mueble" },
    ...{ currency: "EUR", recipient: { company, vat_number: vatNumber, ...address } },
    lines: [{ line_id: "1", description: "Restauración", quantity: 1, price_unit: 480, tax_rate: 21 }],
  });
  expect(ok).toBe(true);
}

/** Whom the sandbox authority has not in its census. */
async function declineWhoIs(nifs: readonly string[]): Promise<void> {
  const { ok } = await fetchPatiently(`${demo.authority_url}/control`, {
    method: "PATCH",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ not_in_census: nifs }),
  });
  expect(ok).toBe(true);
}

describe("an owner", () => {
  let signedIn: SignedIn;

  beforeAll(async () => {
    await declineWhoIs([UNKNOWN_NIF]);
    await issue("consola-facturas-1", "Marta Ibáñez Solé", UNKNOWN_NIF);
    signedIn = await openConsole(browser, demo);
  });

  afterAll(() => signedIn?.context.close());

  test("finds an invoice by its customer, and amends the record that was declined", async () => {
    const { page, account } = signedIn;
    await page.goto(`/e/${account}/facturas`);
    await page.getByRole("searchbox").fill("ibanez sole");
    const row = page.getByRole("row", { name: /Marta Ibáñez Solé/ });
    await row.getByText("Rechazada").waitFor();
    await page.waitForURL(/q=ibanez/);
    await page.getByText(/^1 factura/).waitFor();
    expect(await clumsyOn(page)).toEqual([]);
    await row.getByRole("link").click();

    await page.getByRole("heading", { name: /Código 1239/ }).waitFor();
    await page.getByText("Rechazada: 1239").waitFor();
    await page.getByText("Restauración de un mueble").waitFor();
    expect(await clumsyOn(page)).toEqual([]);
    await page.getByRole("button", { name: "Corregir el registro", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("NIF o identificador del cliente").fill("53211235X");
    await dialog.getByRole("button", { name: "Enviar la subsanación" }).click();
    await dialog.getByText(/no es un identificador válido/).waitFor();
    expect(await clumsyOn(page)).toEqual([]);
    await dialog.getByLabel("NIF o identificador del cliente").fill(KNOWN_NIF);
    await dialog.getByRole("button", { name: "Enviar la subsanación" }).click();
    await dialog.getByText(/nombra a otra persona/).waitFor();
    await declineWhoIs([]);
    await dialog.getByLabel("NIF o identificador del cliente").fill(UNKNOWN_NIF);
    await dialog.getByLabel("Nombre o razón social del cliente").fill("Marta Ibáñez Solé Vidal");
    await dialog.getByRole("button", { name: "Enviar la subsanación" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByText(/^Subsanada por María Ferrer/).waitFor();
    await page.getByText("Aceptada por la AEAT.").waitFor();
    await page.getByRole("heading", { name: /Código/ }).waitFor({ state: "detached" });
  });

  test("sends a record again as it was, once the census knows the customer", async () => {
    const { page, account } = signedIn;
    await declineWhoIs([LATE_NIF]);
    await issue("consola-facturas-3", "Nerea Costa Ruiz", LATE_NIF);
    await page.goto(`/e/${account}/facturas?q=consola-facturas-3`);
    await page.getByRole("row", { name: /Nerea/ }).getByRole("link").click();
    await page.getByRole("heading", { name: /Código 1239/ }).waitFor();
    await declineWhoIs([]);
    await page.getByRole("button", { name: "Corregir el registro", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Enviarlo como «no censado»" }).waitFor();
    expect(await clumsyOn(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Volver a enviarlo como estaba" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByText("Aceptada por la AEAT.").waitFor();
    await page.getByRole("heading", { name: /Código/ }).waitFor({ state: "detached" });
  });

  test("names a customer as outside the census, and by the NIF when the census has it", async () => {
    const { page, account } = signedIn;
    await declineWhoIs([LATE_NIF]);
    await issue("consola-facturas-4", "Nerea Costa Ruiz", LATE_NIF);
    await page.goto(`/e/${account}/facturas?q=consola-facturas-4`);
    await page.getByRole("row", { name: /Nerea/ }).getByRole("link").click();
    await page.getByRole("heading", { name: /Código 1239/ }).waitFor();
    await page.getByRole("button", { name: "Corregir el registro", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Enviarlo como «no censado»" }).click();
    await page.getByRole("heading", { name: /Código 2001/ }).waitFor();
    await declineWhoIs([]);
    await page.getByRole("button", { name: "Corregir el registro", exact: true }).click();
    await dialog.getByText(/el aviso 2001 desaparecerá/).waitFor();
    expect(await dialog.getByRole("button", { name: "Volver a enviarlo como estaba" }).count()).toBe(0);
    await dialog.getByRole("button", { name: "Ya consta: enviarlo con su NIF" }).click();
    await page.getByText("Aceptada por la AEAT.").waitFor();
    await page.getByRole("heading", { name: /Código/ }).waitFor({ state: "detached" });
  });

  test("an invoice without a sale is cancelled after its reason is given", async () => {
    const { page, account } = signedIn;
    await issue("consola-facturas-2", "Prueba de la consola", KNOWN_NIF);
    await page.goto(`/e/${account}/facturas?q=consola-facturas-2`);
    await page
      .getByRole("row", { name: /Prueba de la consola/ })
      .getByRole("link")
      .click();
    await page.getByRole("button", { name: "Más acciones" }).click();
    await page.getByRole("menuitem", { name: /^Anular/ }).click();
    const dialog = page.getByRole("dialog");
    const button = dialog.getByRole("button", { name: /^Anular API-/ });
    await button.click();
    await dialog.getByText("Escribe Por qué no debió existir.").waitFor();
    await dialog.getByLabel("Por qué no debió existir").fill("Era una prueba");
    await button.click();
    await dialog.waitFor({ state: "detached" });
    await page.getByText("Motivo: Era una prueba").waitFor();
    await page.getByText("FACTURA ANULADA").waitFor();
  });

  test("has PDF and XML of an invoice", async () => {
    const { page, account } = signedIn;
    await page.goto(`/e/${account}/facturas?q=consola-facturas-1`);
    await page.getByRole("row", { name: /Marta/ }).getByRole("link").click();
    for (const [name, ending] of [
      ["PDF", "pdf"],
      ["XML", "xml"],
    ] as const) {
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("link", { name, exact: true }).click(),
      ]);
      expect(download.suggestedFilename()).toMatch(new RegExp(`^API-1-\\d{4}-\\d{6}\\.${ending}$`));
    }
  });

  test("sees the day on the overview, and the way to what needs a decision", async () => {
    const { page, account } = signedIn;
    await page.goto(`/e/${account}`);
    await page.getByRole("heading", { name: "Facturas por día" }).waitFor();
    await page.getByRole("img", { name: /^Facturas emitidas cada día/ }).waitFor();
    expect(await clumsyOn(page)).toEqual([]);
    await page.getByRole("link", { name: "Ver todas" }).click();
    await page.waitForURL(/\/facturas$/);
  });

  test("checks the chain where records are sent from", async () => {
    const { page, account } = signedIn;
    await page.goto(`/e/${account}/envios`);
    await page.getByRole("heading", { name: "Últimos lotes" }).waitFor();
    expect(await clumsyOn(page)).toEqual([]);
    await page.getByRole("button", { name: "Comprobar la cadena" }).click();
    await page.getByText(/registros? comprobados?: huellas, enlaces/).waitFor();
  });

  test("reads on every page that records are unsent, since when and how many", async () => {
    const { page, account } = signedIn;
    const notice = { notice: "unsent", unsent: 3, since: "2024-11-26T10:36:00.000Z" };
    await page.route("**/notice", (route) => route.fulfill({ json: { success: true, data: { notice } } }));
    for (const path of ["", "/facturas", "/envios"]) {
      await page.goto(`/e/${account}${path}`);
      await page
        .getByText("Una incidencia impide enviar a la AEAT desde el 26 de noviembre a las 11:36.")
        .waitFor();
      await page.getByText("Faltan 3 registros por enviar.").waitFor();
    }
    await page.unroute("**/notice");
  });
});

test("on a phone nothing overflows, and filters are a drawer", async () => {
  const { page, context, account } = await openConsole(browser, demo, PHONE);
  for (const path of ["", "/facturas", "/envios"]) {
    await page.goto(`/e/${account}${path}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect([path, await clumsyOn(page)]).toEqual([path, []]);
  }
  await page.goto(`/e/${account}/facturas`);
  await page.getByRole("button", { name: "Filtros" }).click();
  const drawer = page.getByRole("dialog", { name: "Filtros" });
  await drawer.getByLabel("Estado").click();
  await page.getByRole("option", { name: "Rechazada", exact: true }).click();
  await drawer.getByRole("button", { name: "Cerrar" }).last().click();
  await page.waitForURL(/estado=rejected/);
  await page.goto(`/e/${account}/facturas`);
  await page.getByRole("list").getByRole("link").first().click();
  await page.getByRole("heading", { name: "Su registro en la AEAT" }).waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  await context.close();
});
