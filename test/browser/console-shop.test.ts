/** A shop of a connection, from its keys to its first invoice, at the stand-in shops of `npm start`. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchChromium } from "../support/browser/chromium.ts";
import { clumsyOn, openConsole, PHONE, SCREEN } from "../support/browser/console.ts";
import { fetchPatiently } from "../support/browser/patience.ts";
import { ownProduct } from "../support/browser/product.ts";

const { demo, mailFile } = ownProduct();
const shopUrl = demo.shops.woocommerce.fetching.sandbox_url;
/** What the stand-in shop accepts; its owner would copy them from its pages. */
const { woocommerce } = JSON.parse(readFileSync(join(dirname(mailFile), "sandbox-shops.json"), "utf8"));
const keys: { readonly consumer_key: string; readonly consumer_secret: string } = woocommerce.credentials;
let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});

afterAll(() => browser?.close());

interface Sold {
  readonly status?: string;
  /** Of its one line, without tax at 21 %. */
  readonly base?: string;
  readonly tax?: string;
  readonly day?: string;
  /** The shop says when in its own zone alone, and does not say which that is. */
  readonly isWithoutZone?: boolean;
  /** It was changed on its day and never since, so that no search for changes finds it. */
  readonly isOld?: boolean;
}

/** An order as the shop keeps it. */
async function sell(id: number, { isWithoutZone = false, isOld = false, ...sold }: Sold = {}): Promise<void> {
  const { status = "completed", base = "100.00", tax = "21.00", day = "2026-11-20" } = sold;
  const at = `${day}T10:00:00`;
  const dates = isWithoutZone
    ? { date_created: at, date_modified: at }
    : { date_created_gmt: at, date_modified_gmt: at, date_paid_gmt: at };
  const order = {
    ...{ id, number: `W-${id}`, status, currency: "EUR", prices_include_tax: false, ...dates },
    ...{ total: (Number(base) + Number(tax)).toFixed(2), total_tax: tax, customer_id: 0 },
    billing: {
      first_name: "Ana",
      last_name: "Gil",
      address_1: "Mayor 1",
      postcode: "28013",
      city: "Madrid",
      country: "ES",
    },
    shipping: { country: "ES", postcode: "28013", city: "Madrid" },
    customer_note: "<b>Sin prisa</b> https://tienda.example/nota",
    line_items: [
      {
        ...{ id: 71, name: "Cafetera italiana", quantity: 1, product_id: 5 },
        ...{ subtotal: base, subtotal_tax: tax, total: base, total_tax: tax },
        taxes: [{ id: 1, total: tax, subtotal: tax }],
      },
    ],
    tax_lines: [{ id: 9, rate_id: 1, rate_percent: 21, tax_total: tax, shipping_tax_total: "0.00" }],
    ...{ shipping_lines: [], fee_lines: [], coupon_lines: [], refunds: [], meta_data: [] },
  };
  const headers = { "Content-Type": "application/json" };
  const put = { method: "PUT", headers, body: JSON.stringify(order) };
  const address = `${shopUrl}/_sandbox/orders/${id}${isOld ? `?at=${at}Z` : ""}`;
  expect((await fetchPatiently(address, put)).status).toBe(200);
}

/** The shop tells every webhook that it has. */
async function deliver(id: number, topic = "order.updated"): Promise<void> {
  const headers = { "Content-Type": "application/json" };
  const sent = { method: "POST", headers, body: JSON.stringify({ topic, id: String(id) }) };
  expect((await fetchPatiently(`${shopUrl}/_sandbox/deliver`, sent)).status).toBe(200);
}

/** Counts what a person does, a field or a press each. */
function counted() {
  let steps = 0;
  return {
    steps: () => steps,
    press: async (place: Locator) => {
      steps += 1;
      await place.click();
    },
    fill: async (place: Locator, text: string) => {
      steps += 1;
      await place.fill(text);
    },
  };
}

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });

/** A field with its error; the answer sets it. */
const invalid = (field: Locator) => field.and(field.page().locator("[aria-invalid=true]"));

/** The address of the connection that the page is at. */
function connectionIn(page: Page): string {
  return /\/conectar\/(\w+)/.exec(page.url())?.[1] ?? "";
}

/** The connection has stored so many orders of its shop. */
async function ordersTaken(page: Page, count: number): Promise<void> {
  const { pathname } = new URL(page.url());
  const [, account = ""] = /^\/e\/(\w+)/.exec(pathname) ?? [];
  const address = `${demo.console_url}/api/accounts/${account}/connections/${connectionIn(page)}/shop`;
  const taken = async () => {
    const { data } = await (await page.request.get(address)).json();
    return data.shop.statuses.reduce((sum: number, { orders }: { orders: number }) => sum + orders, 0);
  };
  await expect.poll(taken, { timeout: 30_000 }).toBe(count);
}

/** A person needs some five seconds for a field or a press, so that two minutes are 24 of them. */
const STEPS_IN_TWO_MINUTES = 24;

/** The first test connects it, the others use it. */
let connection = "";

async function atShop(viewport = SCREEN): Promise<Page> {
  const { page, account } = await openConsole(browser, demo, viewport);
  await page.goto(`/e/${account}/conexiones/${connection}/tienda`);
  await page.getByRole("heading", { name: "Salud", exact: true }).waitFor();
  return page;
}

test("from connecting a shop to its first invoice is less than two minutes of a person", async () => {
  for (const id of [8101, 8102]) await sell(id);
  for (const id of [8103, 8104]) await sell(id, { isOld: true });
  await sell(8105, { status: "pending", isOld: true });
  const { page } = await openConsole(browser, demo);
  const { press, fill, steps } = counted();
  const begun = Date.now();
  await page.getByRole("link", { name: "Conexiones" }).click();
  await press(page.getByRole("link", { name: "Añadir conexión" }));
  await fill(page.getByLabel("Nombre de la conexión"), "Cafeteras");
  await press(button(page, "Crear la conexión"));
  await page.getByRole("heading", { name: "Conecta tu tienda", exact: true }).waitFor();
  await page.getByText("WooCommerce › Ajustes › Avanzado › API REST").waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  connection = connectionIn(page);

  await fill(page.getByLabel("Dirección de la tienda"), shopUrl);
  await fill(page.getByLabel("Clave del cliente", { exact: true }), keys.consumer_key);
  await fill(page.getByLabel("Clave secreta del cliente"), keys.consumer_secret);
  await press(button(page, "Conectar y probar"));
  await page.getByText("Conectada. WooCommerce responde").waitFor();
  await page.getByText("Europe/Madrid").waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  await press(page.getByRole("link", { name: "Continuar" }));

  await page.getByRole("heading", { name: "Revisa y activa la facturación" }).waitFor();
  // The changes of the last minutes are there before their owner has read the page.
  await ordersTaken(page, 2);
  await fill(page.getByLabel("Facturar los pedidos desde el"), "01/11/2026");
  await page.keyboard.press("Tab");
  await press(page.getByLabel(/He leído el texto y acepto/));
  await press(button(page, "Activar la facturación"));
  await page.getByText("Listo. 2 facturas emitidas y 0 pedidos por revisar.").waitFor();
  await press(page.getByRole("link", { name: "Ver los pedidos anteriores" }));

  await press(button(page, "Ver los pedidos desde el 1 de noviembre de 2026"));
  await page.getByText("Solo los que se facturarían (2 pedidos)").waitFor();
  await page.getByText("Se guardaría sin factura").first().waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  await press(button(page, "Decidirlos…"));
  const dialog = page.getByRole("dialog", { name: "Decidir 2 pedidos anteriores" });
  await dialog.getByText("2 pedidos, 2 con factura: 242,00 €").waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  await press(dialog.getByRole("button", { name: "Decidir 2 pedidos" }));
  await page.getByText("Listo: 2 pedidos decididos.").waitFor();
  const seconds = Math.round((Date.now() - begun) / 1_000);
  console.log(`connect to first invoice: ${steps()} steps of a person, ${seconds} s with the machine's`);
  expect(steps()).toBeLessThanOrEqual(STEPS_IN_TWO_MINUTES);

  await page.locator("main").getByRole("link", { name: "Facturas" }).click();
  await page.getByText("121,00 €").first().waitFor();
});

test("keys that the shop refuses are said at their field, and what is missing at each", async () => {
  const { page, account } = await openConsole(browser, demo, PHONE);
  await page.goto(`/e/${account}/conexiones/${demo.connections.commerce_new.id}/tienda`);
  await page.getByText("WooCommerce", { exact: true }).click();
  await button(page, "Conectar y probar").click();
  // Of so many wrong fields the list has the focus, and leads to each.
  const listed = page.locator("[role=alert]:focus").getByRole("link");
  await listed.filter({ hasText: "Escribe la clave secreta del cliente." }).waitFor();
  await invalid(page.getByLabel("Clave secreta del cliente")).waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  await listed.filter({ hasText: "Escribe la dirección de la tienda." }).click();
  await invalid(page.getByLabel("Dirección de la tienda")).and(page.locator(":focus")).waitFor();
  await page.getByLabel("Dirección de la tienda").fill(shopUrl);
  await page.getByLabel("Clave del cliente", { exact: true }).fill("ck_of_another_shop");
  await page.getByLabel("Clave secreta del cliente").fill("cs_of_another_shop");
  await button(page, "Conectar y probar").click();
  await page.getByText("La tienda no acepta estas claves.").first().waitFor();
  const wrong = invalid(page.getByLabel("Clave del cliente", { exact: true }));
  await wrong.waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  await page.getByLabel("Dirección de la tienda").fill("http://10.0.0.1");
  await button(page, /y probar$/).click();
  await wrong.waitFor({ state: "detached" });
  await invalid(page.getByLabel("Dirección de la tienda")).waitFor();
});

test("a status that nobody has decided is shown, decided, and its order is invoiced", async () => {
  await sell(8110, { status: "listo", base: "50.00", tax: "10.50" });
  const page = await atShop();
  await deliver(8110);
  await page.getByText("Hay un estado sin decidir.").waitFor();
  await page.getByText("listo: 1 pedido").waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  await page.getByRole("combobox", { name: "Qué hace el estado «listo»" }).click();
  await page.getByRole("option", { name: "Factura el pedido" }).click();
  await page.getByText("Un estado cambiado; afecta a 1 pedido guardado").waitFor();
  await page.getByRole("tab", { name: "Estado" }).click();
  await page.getByRole("dialog", { name: "Hay cambios sin guardar. ¿Salir sin guardarlos?" }).waitFor();
  await button(page, "Seguir aquí").click();
  await button(page, "Guardar los estados").click();
  await page.getByText("Hay un estado sin decidir.").waitFor({ state: "detached" });
  await page.getByRole("link", { name: "8110" }).first().click();
  await page.getByText("60,50 €").first().waitFor();
  await page.getByRole("link", { name: /^PED-/ }).first().waitFor();
});

test("an order shows its document as text, what is missing, and is fetched again", async () => {
  await sell(8120, { isWithoutZone: true });
  const page = await atShop();
  await deliver(8120, "order.created");
  await page.getByText("La zona horaria: 1 pedido").waitFor();
  await page.getByRole("link", { name: "8120" }).first().click();
  const document = page.getByRole("region", { name: "El documento de la tienda" });
  await document.getByText("Leído en WooCommerce").waitFor();
  await document.getByText("La zona horaria").waitFor();
  await document.getByText("Ver el documento entero").click();
  await document.getByText("<b>Sin prisa</b> https://tienda.example/nota").waitFor();
  expect(await document.getByRole("link").count()).toBe(0);
  expect(await clumsyOn(page)).toEqual([]);
  await page.setViewportSize(PHONE);
  expect(await clumsyOn(page)).toEqual([]);
  await sell(8120);
  await document.getByRole("button", { name: "Volver a pedirlo a la tienda" }).click();
  await document.getByText("La zona horaria").waitFor({ state: "detached" });
  await page.getByRole("link", { name: /^PED-/ }).first().waitFor();
});

test("the health tells of deliveries, and the shop is asked for changes", async () => {
  const page = await atShop();
  const health = page.getByRole("region", { name: "Salud" });
  await health.getByText("Firmas rechazadas").waitFor();
  await page.getByRole("region", { name: "Avisos recibidos" }).getByText("order.updated").first().waitFor();
  await page.getByText("La tienda avisa de cada cambio").waitFor();
  await sell(8130, { base: "10.00", tax: "2.10" });
  await health.getByRole("button", { name: "Buscar cambios ahora" }).click();
  await page.getByText("Leemos los cambios de la tienda enseguida.").waitFor();
  const rates = page.getByRole("region", { name: "Impuestos e importes de los últimos pedidos" });
  await rates.getByText("21 %").waitFor();
  await page.setViewportSize(PHONE);
  expect(await clumsyOn(page)).toEqual([]);
});

test("a shop that sends its orders gets an address and a secret, which is shown once", async () => {
  const { page, account } = await openConsole(browser, demo);
  const { id } = demo.shops.prestashop.connection;
  await page.goto(`/e/${account}/conexiones/${id}/tienda`);
  const notices = page.getByRole("region", { name: "Cómo llegan los cambios" });
  await notices.getByText("/v1/shops/prestashop/sa_").waitFor();
  await notices.getByText("X-Cuadre-Signature").waitFor();
  await notices.getByRole("button", { name: "Cambiar el secreto" }).click();
  const asked = page.getByRole("dialog", { name: "Cambiar el secreto de los avisos" });
  await asked.getByRole("button", { name: "Cambiar el secreto" }).click();
  const shown = page.getByRole("dialog", { name: "Secreto de firma" });
  expect(await shown.locator("[data-secret]").textContent()).toMatch(/^whsec_/);
  expect(await clumsyOn(page)).toEqual([]);
  await shown.getByRole("button", { name: "He guardado el secreto" }).click();
  await notices.getByText("Hay dos secretos activos").waitFor();
  await notices.getByRole("button", { name: "Retirar el secreto anterior" }).click();
  const ending = page.getByRole("dialog", { name: "Retirar el secreto anterior" });
  await ending.getByRole("button", { name: "Retirar el secreto anterior" }).click();
  await notices.getByText("Hay dos secretos activos").waitFor({ state: "detached" });
  await notices.getByRole("button", { name: "Cambiar la dirección" }).click();
  const renewing = page.getByRole("dialog", { name: "Cambiar la dirección de entrega" });
  await renewing.getByRole("button", { name: "Cambiar la dirección" }).click();
  await notices.getByText("La dirección anterior vale hasta el").waitFor();
  expect(await clumsyOn(page)).toEqual([]);
});

test.each([
  ["English", "en", "Health", "light"],
  ["English, in the dark", "en", "Health", "dark"],
  ["Spanish, in the dark", "es", "Salud", "dark"],
] as const)("all of a shop fits a phone and a screen: %s", async (_, language, title, colorScheme) => {
  const page = await atShop();
  await page.evaluate(`localStorage.setItem("cuadre.language", "${language}")`);
  await page.emulateMedia({ colorScheme });
  await page.reload();
  await page.getByRole("heading", { name: title, exact: true }).waitFor();
  for (const width of [PHONE.width, 390, SCREEN.width]) {
    await page.setViewportSize({ width, height: 844 });
    expect([width, await clumsyOn(page)]).toEqual([width, []]);
  }
});

test("an accountant reads all of it and changes nothing", async () => {
  const { page, account } = await openConsole(browser, demo);
  await page.route("**/api/me", async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    for (const company of body.data.accounts) company.role = "accountant";
    await route.fulfill({ response, json: body });
  });
  await page.goto(`/e/${account}/conexiones/${connection}/tienda`);
  await page.getByText("La tienda avisa de cada cambio").waitFor();
  await page.getByText("Factura el pedido").first().waitFor();
  const names = await page.locator("main").getByRole("button").allTextContents();
  expect(names.filter((name) => !/^(Copiar|Ver más|)/.test(name))).toEqual([]);
  expect(await page.locator("main").getByRole("combobox").count()).toBe(0);
  expect(await clumsyOn(page)).toEqual([]);
});

test("disconnecting says what goes and what stays, and the form is back", async () => {
  const page = await atShop();
  await button(page, "Desconectar la tienda…").click();
  const dialog = page.getByRole("dialog", { name: "Desconectar la tienda" });
  await dialog.getByText("Los pedidos, las facturas y sus documentos se quedan").waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Desconectar la tienda" }).click();
  await page.getByRole("heading", { name: "Conecta tu tienda", exact: true }).waitFor();
  const account = new URL(page.url()).pathname.split("/")[2];
  await page.goto(`/e/${account}/actividad?area=connections`);
  for (const line of ["Desconectó la tienda", "Cambió lo que significan los estados", "Conectó la tienda"]) {
    await page.getByText(line).first().waitFor();
  }
  await page.getByText("Estado «listo»").first().waitFor();
});
