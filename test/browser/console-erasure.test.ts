/** Datos personales in Chromium: what would go and stay is shown, and it goes once its id is typed. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchChromium } from "../support/browser/chromium.ts";
import { clumsyOn, openConsole, PHONE } from "../support/browser/console.ts";
import { callDemo } from "../support/browser/local-server.ts";
import { ownProduct } from "../support/browser/product.ts";

const { demo } = ownProduct();
const { id: connection, key } = demo.connections.commerce;
let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});

afterAll(() => browser?.close());

async function send(id: string, fiscalEvent: string): Promise<number> {
  const { status } = await callDemo(demo, key, "/api/v1/order", {
    ...{ id_external: id, order_date: "2026-11-25T18:04:00+01:00", currency: "EUR", total: 121 },
    ...{ fiscal_event: fiscalEvent, contract_version: "1.8", shop: { id: "1" } },
    client: { id_external: "erase-client", first_name: "Rocío", last_name: "Vidal", country: "ES" },
    breakdown: [{ name: "Fuente", quantity: 1, base_amount: 100, tax_rate: 21, tax_amount: 21 }],
  });
  return status;
}

test("an invoiced order stays and says until when; a customer's others go, and the page says so", async () => {
  expect(await send("erase-invoiced", "invoice_candidate")).toBe(201);
  expect(await send("erase-stored", "none")).toBe(201);
  const { page, account } = await openConsole(browser, demo);
  await page.goto(`/e/${account}/conexiones/${connection}/datos`);

  await page.getByLabel("Identificador del pedido").fill("erase-invoiced");
  await page.getByRole("button", { name: "Buscar", exact: true }).click();
  await page.getByText("Nada: este pedido se facturó.").waitFor();
  await page.getByText(/^Pedido erase-invoiced: PED-.*, hasta el 31\/12\/20\d\d$/).waitFor();
  expect(await clumsyOn(page)).toEqual([]);

  await page.getByLabel("Un cliente, con todos sus pedidos").check();
  await page.getByLabel("Identificador del cliente").fill("erase-client");
  await page.getByRole("button", { name: "Buscar", exact: true }).click();
  await page.getByText("1 pedido sin factura, con todo lo que envió la tienda:").waitFor();
  await page.getByRole("button", { name: "Suprimir…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").fill("erase-clien");
  await dialog.getByRole("button", { name: "Suprimir", exact: true }).click();
  await dialog.getByText("Ese no es el identificador; escribe «erase-client» tal cual.").waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  await dialog.getByRole("textbox").fill("erase-client");
  await dialog.getByRole("button", { name: "Suprimir", exact: true }).click();
  await page.getByText("Datos suprimidos.").waitFor();
  expect(await send("erase-stored", "none")).toBe(410);
  expect(await send("erase-invoiced", "invoice_candidate")).toBe(200);

  await page.setViewportSize(PHONE);
  await page.reload();
  await page.getByLabel("Identificador del pedido").fill("erase-stored");
  await page.getByRole("button", { name: "Buscar", exact: true }).click();
  await page.getByText(/^Este pedido se suprimió el /).waitFor();
  expect(await clumsyOn(page)).toEqual([]);
}, 120_000);
