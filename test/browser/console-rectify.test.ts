/** Refund, reduce, issue again and annul by lines in Chromium: an order's invoice and a direct one. */
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

const CLIENT = {
  ...{ id_external: "c-nacar", company: "Estudio Nácar SL", vat_number: "B12345674", country: "ES" },
  ...{ address1: "Calle de la Paz 4", postcode: "46003", city: "Valencia" },
};

function line(id: string, name: string, quantity: number, [base, tax, rate]: [number, number, number]) {
  return { line_id: id, name, quantity, base_amount: base, tax_amount: tax, tax_rate: rate };
}

/** 2 for 96.80 and 4 for 48.40 at 21 %, a book for 26.00 at 4 %. */
async function sold(id: string): Promise<void> {
  const { ok, data } = await callDemo(demo, key, "/api/v1/order", {
    ...{ id_external: id, order_date: "2026-11-25T18:04:00+01:00", currency: "EUR", total: 171.2 },
    ...{ fiscal_event: "invoice_candidate", contract_version: "1.8", shop: { id: "1" }, client: CLIENT },
    breakdown: [
      line("l1", "Fuente ovalada de gres", 2, [80, 16.8, 21]),
      line("l2", "Taza esmaltada", 4, [40, 8.4, 21]),
      line("l3", "Libro de cerámica", 1, [25, 1, 4]),
    ],
  });
  expect([ok, data.state]).toEqual([true, "invoiced"]);
}

async function stateOf(id: string): Promise<unknown> {
  return (await callDemo(demo, key, `/api/v1/order/${id}`)).data.state;
}

/** From the page of the order by its menu. */
async function open(page: Page, account: string, id: string, entry = "Devolver o rectificar…") {
  await page.goto(`/e/${account}/pedidos/${connection}/${id}`);
  await page.getByRole("button", { name: "Más acciones" }).click();
  await page.getByRole("menuitem", { name: entry }).click();
  await page.getByRole("heading", { level: 1, name: "Devolver o rectificar" }).waitFor();
  await page.getByRole("region", { name: /^La (rectificativa|factura) que/ }).waitFor();
}

const pieces = (page: Page, name: string) =>
  page.getByRole("spinbutton", { name: `Cantidad que se devuelve: ${name}` });
const would = (page: Page) => page.getByRole("region", { name: "La rectificativa que saldría" });

test("an order's invoice is refunded by pieces, with the keyboard, and the result is seen before", async () => {
  await sold("rect-1");
  const { page, account } = await openConsole(browser, demo);
  await open(page, account, "rect-1");
  await would(page).getByText("Elige cuánto se devuelve de alguna línea.").waitFor();
  await page.getByText("Quedan 171,20 €.").waitFor();
  expect(await clumsyOn(page)).toEqual([]);

  const plate = pieces(page, "Fuente ovalada de gres");
  await plate.focus();
  await page.keyboard.press("ArrowUp");
  expect(await plate.getAttribute("aria-valuenow")).toBe("1");
  const cup = pieces(page, "Taza esmaltada");
  await cup.focus();
  await page.keyboard.press("End");
  expect(await cup.getAttribute("aria-valuenow")).toBe("4");
  expect(await cup.getAttribute("aria-valuemax")).toBe("4");
  await page.keyboard.press("ArrowUp");
  expect(await cup.inputValue()).toBe("4");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  const issue = page.getByRole("button", { name: "Emitir rectificativa de −72,60 €" });
  await issue.waitFor();
  await page.getByText("Después quedan 98,60 € de esta factura.").waitFor();
  await would(page).getByText("Rectificativa por diferencias (R1)").waitFor();
  await would(page)
    .getByText("Queda anotada en el pedido rect-1. Si la tienda la envía después, no se emitirá otra vez.")
    .waitFor();
  await would(page).locator("[aria-live=polite]", { hasText: "−72,60 €" }).waitFor({ state: "attached" });
  await would(page).getByRole("button", { name: "Ver la rectificativa entera" }).click();
  await page.getByRole("dialog").getByText("Taza esmaltada").waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  await page.getByRole("button", { name: "Cerrar" }).click();

  await issue.click();
  await page.getByText("Escribe la causa.").waitFor();
  const cause = page.getByLabel("Causa", { exact: true });
  await page.keyboard.type("Dos tazas y una fuente llegaron rotas");
  expect(await cause.inputValue()).toBe("Dos tazas y una fuente llegaron rotas");
  const promised =
    (
      await would(page)
        .getByText(/si se emite ahora/)
        .textContent()
    )?.split(",")[0] ?? "";
  await issue.click();
  await page.getByRole("heading", { level: 1, name: promised }).waitFor();
  await page.getByText(/^Consola · /).waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  expect(await stateOf("rect-1")).toBe("partially_rectified");
});

test("what cannot go back is said at its field, and leaving what is typed asks", async () => {
  await sold("rect-2");
  const { page, account } = await openConsole(browser, demo);
  await open(page, account, "rect-2");
  await pieces(page, "Fuente ovalada de gres").fill("3");
  await page.getByText("Escribe una cantidad de 0 a 2.").waitFor();
  expect(await pieces(page, "Fuente ovalada de gres").getAttribute("aria-invalid")).toBe("true");
  expect(await clumsyOn(page)).toEqual([]);
  await pieces(page, "Fuente ovalada de gres").fill("0");
  await page.getByText("Escribe una cantidad de 0 a 2.").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Emitir rectificativa", exact: true }).click();
  const lines = page.getByRole("group", { name: "Qué se devuelve" });
  await lines.getByText("Elige cuánto se devuelve de alguna línea.").waitFor();
  await page.getByText("Hay 2 datos que corregir").waitFor();
  expect(await clumsyOn(page)).toEqual([]);

  await page.getByRole("radio", { name: /Rebaja del precio/ }).click();
  const off = page.getByLabel("Importe, con IVA: Libro de cerámica");
  await off.fill("26,01");
  await page.getByRole("table").getByText("escribe un importe que no lo supere").waitFor();
  await off.fill("5");
  await page.getByRole("button", { name: "Emitir rectificativa de −5,00 €" }).waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  await page.getByRole("button", { name: "Cancelar" }).click();
  const asked = page.getByRole("dialog", { name: "Hay cambios sin guardar. ¿Salir sin guardarlos?" });
  await asked.getByRole("button", { name: "Seguir aquí" }).click();
  expect(await off.inputValue()).toBe("5");
  await page.getByRole("button", { name: "Cancelar" }).click();
  await asked.getByRole("button", { name: "Salir sin guardar" }).click();
  await page.getByRole("heading", { name: "Su registro en la AEAT" }).waitFor();
  expect(await stateOf("rect-2")).toBe("invoiced");
});

test("of two at once one acts and the other is told, also where both totals are the same", async () => {
  await sold("rect-3");
  const [one, other] = [await openConsole(browser, demo), await openConsole(browser, demo)];
  for (const { page, account } of [one, other]) {
    await open(page, account, "rect-3");
    await pieces(page, "Fuente ovalada de gres").fill("1");
    await page.getByLabel("Causa", { exact: true }).fill("Llegó rota");
    await page.getByRole("button", { name: "Emitir rectificativa de −48,40 €" }).waitFor();
  }
  await one.page.getByRole("button", { name: "Emitir rectificativa de −48,40 €" }).click();
  await one.page.getByRole("heading", { name: "Su registro en la AEAT" }).waitFor();
  await other.page.getByRole("button", { name: "Emitir rectificativa de −48,40 €" }).click();
  const told = other.page.getByRole("alert");
  await told.getByText("Algo ha cambiado desde la vista previa. Revisa el nuevo resultado.").waitFor();
  await other.page.getByText("Después quedan 74,40 € de esta factura.").waitFor();
  expect(await pieces(other.page, "Fuente ovalada de gres").getAttribute("aria-valuemax")).toBe("1");
  expect(await clumsyOn(other.page)).toEqual([]);
  await other.page.getByRole("button", { name: "Emitir rectificativa de −48,40 €" }).click();
  await other.page.getByRole("heading", { name: "Su registro en la AEAT" }).waitFor();
});

test("a lost response issues nothing twice", async () => {
  await sold("rect-4");
  const { page, account } = await openConsole(browser, demo);
  await open(page, account, "rect-4");
  await page.getByRole("button", { name: "Devolver todo" }).click();
  await page.getByLabel("Causa", { exact: true }).fill("Vuelve todo");
  let isLost = false;
  await page.route(/\/rectifications$/, async (route) => {
    if (isLost) return route.continue();
    isLost = true;
    await route.fetch();
    return route.abort();
  });
  const issue = page.getByRole("button", { name: "Emitir rectificativa de −171,20 €" });
  await issue.click();
  await page
    .getByRole("alert")
    .getByText(/^No hay conexión/)
    .waitFor();
  await page.getByRole("button", { name: /^Emitir rectificativa/ }).click();
  await page.getByRole("heading", { name: "Su registro en la AEAT" }).waitFor();
  expect(await stateOf("rect-4")).toBe("rectified");
});

test("on a phone the preview is below and the total stays in sight; a sale that never was is annulled", async () => {
  await sold("rect-5");
  const { page, account } = await openConsole(browser, demo, PHONE);
  await open(page, account, "rect-5");
  await page.getByRole("button", { name: "Uno más: Taza esmaltada" }).click();
  const issue = page.getByRole("button", { name: "Emitir rectificativa de −12,10 €" });
  await issue.waitFor();
  const seen = await issue.boundingBox();
  expect((seen?.y ?? 0) + (seen?.height ?? 0)).toBeLessThanOrEqual(PHONE.height - 60);
  const [table, preview] = [
    await page.getByRole("table").first().boundingBox(),
    await would(page).boundingBox(),
  ];
  expect(preview?.y ?? 0).toBeGreaterThan((table?.y ?? 0) + (table?.height ?? 0));
  expect(await clumsyOn(page)).toEqual([]);

  await page.getByRole("button", { name: "Cancelar" }).click();
  await page.getByRole("button", { name: "Salir sin guardar" }).click();
  await open(page, account, "rect-5", "Anular…");
  expect(await page.getByRole("radio", { name: /No hubo venta/ }).getAttribute("aria-checked")).toBe("true");
  const annulled = page.getByRole("region", { name: "La factura que se anularía" });
  await annulled.getByText(/^Se anulará /).waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  await page.getByLabel("Por qué no debió existir").fill("Era una prueba");
  await page.getByRole("button", { name: /^Anular / }).click();
  await page.getByRole("heading", { name: "Su registro en la AEAT" }).waitFor();
  expect(await stateOf("rect-5")).toBe("cancelled");
  await page.getByRole("button", { name: "Más acciones" }).click();
  expect(await page.getByRole("menuitem", { name: "Devolver o rectificar…" }).count()).toBe(0);
});

test("a direct invoice is issued again with the right amounts, and an accountant reads only", async () => {
  const { data } = await callDemo(demo, demo.connections.api.key, "/api/v1/invoice", {
    ...{ external_id: "rect-directa", invoice_type: "F2", description: "Café", currency: "EUR" },
    lines: [{ line_id: "1", description: "Café en grano", quantity: 2, price_unit: 20, tax_rate: 10 }],
  });
  const { page, account } = await openConsole(browser, demo, SCREEN);
  const path = `/e/${account}/facturas/${data.invoice_id}/rectificar`;
  await page.goto(path);
  await page.getByRole("radio", { name: /Emitirla de nuevo con los importes correctos/ }).click();
  await page.getByLabel("Importe, con IVA: Café en grano").fill("33");
  await page.getByRole("button", { name: "Emitir rectificativa de 33,00 €" }).waitFor();
  await would(page).getByText("Rectificativa por sustitución (R5)").waitFor();
  expect(await clumsyOn(page)).toEqual([]);

  const reading = await page.context().newPage();
  await reading.route("**/api/me", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replaceAll('"owner"', '"accountant"') });
  });
  await reading.goto(path);
  await reading.getByText("Solo lectura: puede cambiarlo un titular.").waitFor();
  await reading.getByRole("table", { name: "Qué se vendió" }).getByText("Café en grano").waitFor();
  expect(await reading.getByRole("button", { name: /^Emitir/ }).count()).toBe(0);
  expect(await clumsyOn(reading)).toEqual([]);
});
