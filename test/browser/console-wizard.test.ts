/** From no account to the first invoice: the whole setup, while a connector reports and sends. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchChromium } from "../support/browser/chromium.ts";
import { accountIn, clumsyOn, newVisitor, PHONE, SCREEN, signUp } from "../support/browser/console.ts";
import { callDemo } from "../support/browser/local-server.ts";
import { ownProduct } from "../support/browser/product.ts";

const { demo, mailFile } = ownProduct();
let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});

afterAll(() => browser?.close());

const PASSWORD = "cuatro lunas de marzo";

async function signedUp(page: Page, email: string, nif: string) {
  await signUp(page, mailFile, { name: "Rocío Santamaría", email, password: PASSWORD });
  await page.getByLabel("Nombre o razón social").fill("Cerámica del Turia SL");
  await page.getByLabel("NIF").fill(nif);
  await page.getByLabel("Domicilio fiscal").fill("Calle de los Alfareros 14");
  await page.getByLabel("Código postal").fill("46001");
  await page.getByLabel("Localidad").fill("Valencia");
  await page.getByLabel(/no lleva los libros de IVA/).check();
  await page.getByRole("button", { name: "Crear la empresa" }).click();
  await page.waitForURL(/\/conectar$/);
}

/** The connector's side of the story. */
function connector(key: string) {
  return (path: string, body: object) => callDemo(demo, key, path, body);
}

function order(id: string, day: string) {
  return {
    ...{ id_external: id, reference: id, order_date: `${day} 10:00:00`, currency: "EUR", total: 121 },
    ...{ total_tax: 21, status: "completed", fiscal_event: "invoice_candidate" },
    ...{ invoice_action: "create_invoice", client: { id_external: "c1", country: "ES" }, shop: { id: "1" } },
    breakdown: [{ name: "Vajilla", quantity: 1, base_amount: 100, tax_rate: 21, tax_amount: 21 }],
  };
}

test("sign-up to first invoice, while a shop connects and sends", async () => {
  const { page } = await newVisitor(browser, demo, SCREEN);
  await signedUp(page, "rocio@turia.example", "B23456783");
  expect(await clumsyOn(page)).toEqual([]);

  await page.getByLabel("Nombre de la conexión").fill("Tienda del Turia");
  await page.getByRole("button", { name: "Crear la conexión" }).click();
  await page.getByRole("radio", { name: "Con un módulo" }).click();
  await page.getByText("Esperando a tu tienda…").waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  const key = (await page.locator("code", { hasText: "ck_live_" }).first().textContent()) ?? "";
  const send = connector(key);
  expect((await send("/api/v1/order", order("T-0", "2026-11-20"))).status).toBe(423);
  const stores = [
    { id: "1", name: "Turia Centro", url: "https://turia.example", orders_count: 120 },
    { id: "2", name: "Turia Outlet", url: "https://outlet.turia.example", orders_count: 30 },
    { id: "3", name: "Pruebas", orders_count: 0 },
  ];
  expect((await send("/v1/inventory", { stores, orders_total: 150 })).status).toBe(200);
  await page.getByText("Conectada. Hemos recibido 3 tiendas.").waitFor();
  // A key that was not saved holds the person back.
  await page.getByRole("button", { name: "Continuar" }).click();
  await page.getByText("Marca que la has guardado para continuar.").waitFor();
  await page.getByRole("link", { name: "Salir y seguir luego" }).click();
  const question = page.getByRole("dialog", { name: "La clave no se volverá a mostrar." });
  expect(await clumsyOn(page)).toEqual([]);
  await question.getByRole("button", { name: "Seguir aquí" }).click();
  await page.getByLabel("He guardado la clave").check();
  await page.getByRole("link", { name: "Continuar" }).click();

  await page.getByRole("heading", { name: "Elige qué tiendas se facturan aquí" }).waitFor();
  await page.getByText("2 de 3 tiendas · 150 de 150 pedidos").waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  await page.getByLabel(/Turia Outlet/).uncheck();
  await page.getByRole("button", { name: "Guardar y continuar" }).click();

  await page.getByRole("heading", { name: "Revisa y activa la facturación" }).waitFor();
  for (const [id, day] of [
    ["T-1", "2026-11-02"],
    ["T-2", "2026-11-20"],
    ["T-3", "2026-11-21"],
  ] as const) {
    expect((await send("/api/v1/order", order(id, day))).status).toBe(201);
  }
  await page.getByLabel("Facturar los pedidos desde el").fill("10/11/2026");
  await page.keyboard.press("Tab");
  await page.getByText("Se empezará por 2 pedidos en espera.").waitFor();
  await page.getByText("10 de noviembre de 2026 o posterior").waitFor();
  await page.getByRole("button", { name: "Activar la facturación" }).click();
  await page.getByText("Marca la casilla para activar la facturación.").waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  // Said when the company was created: stated, and asked only of who wants to change it.
  await page.getByText(/no lleva los libros de IVA/).waitFor();
  await page.getByRole("button", { name: "Cambiar", description: /no lleva los libros de IVA/ }).click();
  await page.getByLabel(/no lleva los libros de IVA/).uncheck();
  await page.getByText(/^Marca la casilla si la empresa no lleva los libros por el SII/).waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  await page.getByLabel(/no lleva los libros de IVA/).check();
  await page.getByText("En el entorno de pruebas no hace falta firmar.").waitFor();
  expect(await page.getByRole("button", { name: "Leer y firmar la representación" }).count()).toBe(0);
  await page.getByLabel(/He leído el texto y acepto/).check();
  await page.getByRole("button", { name: "Activar la facturación" }).click();

  await page.getByText("Listo. 2 facturas emitidas y 0 pedidos por revisar.").waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  expect(await callDemo(demo, key, "/api/v1/order/T-2")).toMatchObject({ data: { state: "invoiced" } });

  // An earlier date includes orders left out before, and the page shows their progress in the same place.
  const ids = page.url().match(/\/e\/(\w+)\/conectar\/(\w+)\//);
  await page.goto(`/e/${ids?.[1]}/conexiones/${ids?.[2]}/facturacion`);
  await page.getByLabel("Facturar los pedidos desde el").fill("01/11/2026");
  await page.keyboard.press("Tab");
  await page.getByText(/entra 1 pedido más/).waitFor();
  await page.getByRole("button", { name: "Cambiar la fecha de inicio" }).click();
  await page.getByText("Listo. 1 factura emitida y 0 pedidos por revisar.").waitFor();
  expect(await clumsyOn(page)).toEqual([]);
});

test("a program of one's own, on a phone", async () => {
  const { page } = await newVisitor(browser, demo, PHONE);
  await signedUp(page, "programa@turia.example", "B34567891");
  const account = accountIn(page);
  await page.getByText("Un programa propio (API)").click();
  await page.getByLabel("Nombre de la conexión").fill("ERP");
  expect(await clumsyOn(page)).toEqual([]);
  await page.getByRole("button", { name: "Crear la conexión" }).click();
  await page.getByText("Conexión creada. Falta activar la facturación.").waitFor();
  const key = (await page.locator("code", { hasText: "ck_live_" }).first().textContent()) ?? "";
  // A reload forgets the key; another takes its place.
  page.once("dialog", (dialog) => void dialog.accept());
  await page.reload();
  await page.getByRole("button", { name: "Crear otra clave" }).click();
  const other = (await page.locator("code", { hasText: "ck_live_" }).first().textContent()) ?? "";
  expect(other).not.toBe(key);
  expect((await connector(key)("/api/v1/client", { id_external: "c1" })).status).toBe(401);
  await page.getByLabel("He guardado la clave").check();
  await page.getByRole("link", { name: "Continuar" }).click();
  await page.getByLabel(/He leído el texto y acepto/).check();
  expect(await clumsyOn(page)).toEqual([]);
  await page.getByRole("button", { name: "Activar la facturación" }).click();
  await page.getByText("Listo. Tu programa ya puede pedir facturas.").waitFor();
  const line = { description: "Vajilla", quantity: 1, price_unit: 100, tax_rate: 21 };
  const issued = await connector(other)("/api/v1/invoice", {
    ...{ external_id: "1", invoice_type: "F2", description: "Venta", currency: "EUR", lines: [line] },
  });
  expect(issued.status).toBe(201);
  expect(account).toMatch(/^ac/);
});
