/** Answers to holds of an order, one panel each: from the question to the resulting invoice. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchChromium } from "../support/browser/chromium.ts";
import { clumsyOn, openConsole, PHONE, SCREEN } from "../support/browser/console.ts";
import { callDemo } from "../support/browser/local-server.ts";
import { ownProduct } from "../support/browser/product.ts";

const { demo } = ownProduct();
const { id: connection, key } = demo.connections.commerce;
let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});

afterAll(() => browser?.close());

function line(base: number, tax: number, rate = 21) {
  return { name: "Fuente de gres", quantity: 1, base_amount: base, tax_rate: rate, tax_amount: tax };
}

async function sendOrder(id: string, change: object): Promise<void> {
  const { ok } = await callDemo(demo, key, "/api/v1/order", {
    ...{ id_external: id, order_date: "2026-11-25T18:04:00+01:00", currency: "EUR" },
    ...{ fiscal_event: "invoice_candidate", contract_version: "1.9", shop: { id: "1" } },
    client: { first_name: "Rocío", last_name: "Santamaría Vidal", country: "ES" },
    ...change,
  });
  expect(ok).toBe(true);
}

async function stateOf(id: string): Promise<string> {
  const { data } = await callDemo(demo, key, `/api/v1/order/${id}`);
  return String(data.state);
}

async function review(id: string): Promise<Page> {
  const { page, account } = await openConsole(browser, demo);
  await page.goto(`/e/${account}/por-revisar/${connection}/${id}`);
  await page.getByText("Falta 1 de 1").waitFor();
  return page;
}

/** Neither on a screen nor on a phone. */
async function expectWellMade(page: Page): Promise<void> {
  expect(await clumsyOn(page)).toEqual([]);
  await page.setViewportSize(PHONE);
  expect(await clumsyOn(page)).toEqual([]);
}

async function choose(page: Page, field: string, option: string): Promise<void> {
  await page.getByRole("combobox", { name: field }).click();
  await page.getByRole("option", { name: option, exact: true }).click();
}

async function expectIssued(page: Page, id: string, total: string): Promise<void> {
  await page.getByRole("button", { name: "Emitir factura" }).click();
  await page.getByText(new RegExp(`^Emitida .* por ${total}.€\\.$`)).waitFor();
  expect(await stateOf(id)).toBe("invoiced");
}

test("the cent of a rounding goes into the tax of the rate that the owner chooses", async () => {
  await sendOrder("answer-cent", { total: 17.61, breakdown: [line(10, 2.1), line(5, 0.5, 10)] });
  const page = await review("answer-cent");
  await page.getByRole("heading", { name: /no cuadran por un redondeo/ }).waitFor();
  await choose(page, "Qué tipo absorbe la diferencia", "10 %");
  await page.getByText("Todo resuelto").waitFor();
  const all = page.getByLabel(/^Usarlo para todos los pedidos que no cuadren por un redondeo/);
  expect(await all.isChecked()).toBe(false);
  await page.getByRole("region", { name: "La factura que saldría" }).getByText("0,51").waitFor();
  await expectWellMade(page);
  await expectIssued(page, "answer-cent", "17,61");
});

test("a shop that contradicts itself about its tax is shown with both, and its lines may count", async () => {
  const taxTotals = [{ tax_rate: 21, base_amount: 100, tax_amount: 19.5 }];
  await sendOrder("answer-totals", { total: 121, breakdown: [line(100, 21)], tax_totals: taxTotals });
  const page = await review("answer-totals");
  const told = page.getByRole("table", { name: "Impuesto por tipo, según los totales de la tienda" });
  await told.getByRole("cell", { name: "19,50" }).waitFor();
  await page.getByLabel("Valen las líneas, no los totales por tipo que envía la tienda").check();
  await page.getByText("Todo resuelto").waitFor();
  await expectWellMade(page);
  await expectIssued(page, "answer-totals", "121,00");
});

test("a sale to a consumer in Germany is invoiced under the one stop shop, and may not be an export", async () => {
  const client = { first_name: "Anna", last_name: "Schmidt", country: "DE", postcode: "10115" };
  await sendOrder("answer-abroad", { total: 119, client, breakdown: [line(100, 19, 19)] });
  const page = await review("answer-abroad");
  await page.getByText("A un particular de la Unión Europea").waitFor();
  await page.getByRole("combobox", { name: "Cómo se factura" }).click();
  const offered = await page.getByRole("option").allTextContents();
  expect(offered).toEqual(["Por la ventanilla única (OSS)", "Como una venta nacional"]);
  await page.getByRole("option", { name: "Por la ventanilla única (OSS)" }).click();
  await page.getByText(/Con el IVA del país de destino/).waitFor();
  await page.getByText("Todo resuelto").waitFor();
  await expectWellMade(page);
  await expectIssued(page, "answer-abroad", "119,00");
});

test("an order of a test is not invoiced until its owner says that it is a real sale", async () => {
  await sendOrder("answer-test", { total: 121, breakdown: [line(100, 21)], test: true });
  expect(await stateOf("answer-test")).toBe("stored");
  const { page, account } = await openConsole(browser, demo);
  await page.goto(`/e/${account}/pedidos/${connection}/answer-test`);
  await page.getByText(/La tienda dice que es un pedido de prueba/).waitFor();
  await expectWellMade(page);
  await page.getByRole("button", { name: "Es una venta real: facturarla" }).click();
  await expect.poll(() => stateOf("answer-test")).toBe("invoiced");
});

test("a rate that France is not known to have is kept from a day on, listed, and withdrawn", async () => {
  const client = { first_name: "Chloé", last_name: "Martin", country: "FR", postcode: "75001" };
  await sendOrder("answer-rate", { total: 113.37, client, breakdown: [line(100, 13.37, 13.37)] });
  const page = await review("answer-rate");
  await choose(page, "Cómo se factura", "Por la ventanilla única (OSS)");
  await page.getByText("Falta 1 de 2").waitFor();
  await page.getByRole("heading", { name: /El 13,37.% no es un tipo de Francia/ }).waitFor();
  await page.getByLabel("El tipo estaba en vigor desde").fill("26/11/2026");
  await page.getByLabel("El tipo estaba en vigor desde").blur();
  await page.getByText(/La venta es del/).waitFor();
  await page.getByLabel("El tipo estaba en vigor desde").fill("01/07/2026");
  await page.getByLabel("El tipo estaba en vigor desde").blur();
  await page.getByText("Todo resuelto").waitFor();
  await expectWellMade(page);
  await expectIssued(page, "answer-rate", "113,37");
  await page.setViewportSize(SCREEN);
  await page.goto(page.url().replace(/por-revisar.*/, "perfiles"));
  const kept = page.getByRole("region", { name: "Tipos de la ventanilla única dados por buenos" });
  await kept.getByText("Francia, 13,37").waitFor();
  await expectWellMade(page);
  await kept.getByRole("button", { name: /^Retirar el 13,37.% de Francia$/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Retirar", exact: true }).click();
  await kept.waitFor({ state: "detached" });
});

test("who turns out to be a business of the Union is entered, and its purchase is exempt", async () => {
  const client = { company: "Kunde GmbH", country: "DE", postcode: "10115" };
  await sendOrder("answer-business", { total: 100, client, breakdown: [line(100, 0, 0)] });
  const page = await review("answer-business");
  await page.getByLabel("Compra una empresa con NIF-IVA de otro país de la UE").check();
  await page.getByLabel("NIF del cliente").fill("DE282741168");
  await page.getByLabel("Dirección").fill("Weg 1");
  await page.getByLabel("Localidad").fill("Berlin");
  await page.getByText("A una empresa de la Unión Europea con NIF-IVA").waitFor();
  await choose(page, "Cómo se factura", "Entrega intracomunitaria");
  await page.getByText("Todo resuelto").waitFor();
  await page
    .getByRole("region", { name: "La factura que saldría" })
    .getByText("Factura completa (F1)")
    .waitFor();
  await expectWellMade(page);
  await expectIssued(page, "answer-business", "100,00");
});

test("a business is asked anew about an answer given for a consumer, and nothing is declared for all", async () => {
  const client = { company: "Kunde GmbH", country: "DE", postcode: "10115" };
  await sendOrder("answer-turned", { total: 100, client, breakdown: [line(100, 0, 0)] });
  const page = await review("answer-turned");
  const course = page.getByRole("combobox", { name: "Cómo se factura" }).first();
  await choose(page, "Cómo se factura", "Como una venta nacional");
  await page.getByLabel(/^Usarlo para todos los pedidos con este destino/).check();
  await page.getByLabel("Compra una empresa con NIF-IVA de otro país de la UE").check();
  await page.getByLabel("NIF del cliente").fill("DE282741168");
  await page.getByLabel("Dirección").fill("Weg 1");
  await page.getByLabel("Localidad").fill("Berlin");
  await page.getByText("A una empresa de la Unión Europea con NIF-IVA").waitFor();
  await expect.poll(() => course.inputValue()).toBe("");
  await choose(page, "Cómo se factura", "Entrega intracomunitaria");
  await page.getByText("Todo resuelto").waitFor();
  expect(await page.getByLabel(/^Usarlo para todos los pedidos con este destino/).isChecked()).toBe(false);
  await expectWellMade(page);
  await expectIssued(page, "answer-turned", "100,00");
  const consumer = { first_name: "Anna", last_name: "Schmidt", country: "DE", postcode: "10115" };
  await sendOrder("answer-consumer", { total: 121, client: consumer, breakdown: [line(100, 21)] });
  expect(await stateOf("answer-consumer")).toBe("held");
});

test("an order that the shop takes up again after its cancellation has a new invoice", async () => {
  const sold = { total: 121, breakdown: [line(100, 21)] };
  await sendOrder("answer-again", { ...sold, updated_at: "2026-11-26T10:00:00+01:00" });
  const cancelled = { fiscal_event: "cancelled", updated_at: "2026-11-26T11:00:00+01:00" };
  await sendOrder("answer-again", { ...sold, ...cancelled });
  expect(await stateOf("answer-again")).toBe("rectified");
  await sendOrder("answer-again", { ...sold, updated_at: "2026-11-26T12:00:00+01:00" });
  const page = await review("answer-again");
  await page.getByLabel("Sigue adelante: emitir una factura nueva del pedido tal como está").check();
  await page.getByText("Todo resuelto").waitFor();
  await expectWellMade(page);
  await expectIssued(page, "answer-again", "121,00");
});
