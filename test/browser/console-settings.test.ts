/** Settings of an owner in the console, and their effect outside: the demo's second company. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ORDER_EXAMPLE } from "../../src/api/wire/order-examples.ts";
import { launchChromium } from "../support/browser/chromium.ts";
import { clumsyOn, openConsole, PHONE } from "../support/browser/console.ts";
import { callDemo } from "../support/browser/local-server.ts";
import { ownProduct } from "../support/browser/product.ts";

const { demo } = ownProduct();
const { id: connection, key } = demo.connections.profiled;
let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});

afterAll(() => browser?.close());

/** A call of the shop's server. */
function call(path: string, body: object, withKey = key) {
  return callDemo(demo, withKey, path, body);
}

/** The owner at a page of the company that the connection is of. */
async function openAt(page: string, viewport?: typeof PHONE): Promise<Page> {
  const opened = await openConsole(browser, demo, viewport);
  const { data } = await (await opened.page.request.get("/api/me")).json();
  for (const { id } of data.accounts) {
    const found = await opened.page.request.get(`/api/accounts/${id}/connections/${connection}`);
    if (!found.ok()) continue;
    await opened.page.goto(`/e/${id}/${page}`);
    return opened.page;
  }
  throw new Error("the demo's owner has no such connection");
}

test("switching customer access off ends a viewer URL that is open, and on again does not revive it", async () => {
  const order = { ...ORDER_EXAMPLE, id_external: "settings-1", shop: { id: "1" } };
  expect((await call("/api/v1/order", order)).status).toBeLessThan(300);
  const asked = { order_id: "settings-1", presentation: "link" };
  const { data } = await call("/api/v1/order/invoice-access", asked);
  const customer = await browser.newPage();
  expect((await customer.goto(String(data.viewer_url)))?.status()).toBe(200);
  const page = await openAt(`conexiones/${connection}/acceso`);
  const access = page.getByRole("switch", { name: "Mis clientes pueden ver sus facturas desde la tienda" });
  await access.click();
  const dialog = page.getByRole("dialog", { name: "Desactivar el acceso de tus clientes" });
  await dialog.getByText("Volver a activarlo no los recupera").waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Desactivar y cortar los enlaces" }).click();
  await page.getByText("ningún cliente puede ver sus facturas").waitFor();
  expect((await customer.reload())?.status()).toBe(404);
  await access.click();
  await page.getByText("Activado desde el").waitFor();
  expect((await customer.reload())?.status()).toBe(404);
});

test("in the test environment nothing is to be signed, and the page says only that", async () => {
  const page = await openAt("empresa/representacion");
  await page.getByText("En el entorno de pruebas no hace falta firmar.").waitFor();
  expect(await page.getByRole("button", { name: "Leer y firmar la representación" }).count()).toBe(0);
});

test("in production the representation is read whole, signed and then shown as signed", async () => {
  const page = await openAt("empresa/representacion");
  await page.route("**/api/me", async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    await route.fulfill({ response, json: { ...body, data: { ...body.data, environment: "production" } } });
  });
  await page.reload();
  await page.getByLabel("NIF de quien firma").fill("12345678Z");
  await page.getByRole("button", { name: "Leer y firmar la representación" }).click();
  await page.getByLabel(/Declaro que los datos son ciertos/).check();
  expect(await clumsyOn(page)).toEqual([]);
  await page.getByRole("button", { name: "Firmar", exact: true }).click();
  await page.getByText(/Firmada el \d{2}\/\d{2}\/\d{4} por/).waitFor();
});

test("a page that the shop reports is refused for good, on a phone", async () => {
  const origin = "https://pagina-nueva.example";
  const embed = { order_id: "settings-1", presentation: "embed", origin };
  const page = await openAt(`conexiones/${connection}/acceso`, PHONE);
  const account = new URL(page.url()).pathname.split("/")[2];
  const setup = await page.request.get(`/api/accounts/${account}/connections/${connection}/setup`);
  const [{ ordersCount: orders_count, ...store }] = (await setup.json()).data.stores;
  const report = (url: string) =>
    call("/v1/inventory", { stores: [{ ...store, orders_count, url }] }).then(({ status }) => status);
  expect(await report(`${origin}/es`)).toBe(200);
  expect((await call("/api/v1/order/invoice-access", embed)).status).toBe(200);
  await page.reload();
  const refuse = page.getByRole("button", { name: `No permitir: ${origin}` });
  await refuse.waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  await refuse.click();
  const dialog = page.getByRole("dialog", { name: "No permitir esta página" });
  await dialog.getByText("aunque la tienda vuelva a comunicarla").waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  await dialog.getByRole("button", { name: "No permitir", exact: true }).click();
  const told = page.getByText("no vale aunque la tienda vuelva a comunicarla");
  await told.waitFor();
  expect(await report(`${origin}/otra`)).toBe(200);
  expect((await call("/api/v1/order/invoice-access", embed)).status).toBe(422);
  await page.reload();
  await told.waitFor();
  expect(await refuse.count()).toBe(0);
  const activity = await openAt("actividad?area=access");
  await activity.getByText("No permitió una página").first().waitFor();
  await activity.getByText("Tu tienda, con su clave").first().waitFor();
  expect(await report(store.url)).toBe(200);
});

test("an address that is added twice shows its secret once, and says how to get another", async () => {
  const page = await openAt(`conexiones/${connection}/avisos`);
  const add = async () => {
    await page.getByLabel("Dirección a la que avisar").fill("https://receptor.example/dos-veces");
    await page.getByRole("button", { name: "Añadir webhook" }).click();
  };
  const dialog = page.getByRole("dialog", { name: "Secreto de firma" });
  await add();
  await dialog.locator("[data-secret]").waitFor();
  await dialog.getByRole("button", { name: "He guardado el secreto" }).click();
  await add();
  await dialog.getByText("Este aviso ya estaba añadido y su secreto solo se muestra una vez").waitFor();
  expect(await dialog.locator("[data-secret]").count()).toBe(0);
  expect(await clumsyOn(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
});

test("what is wrong in payment and contact is said at its field; what is set is on the next invoice", async () => {
  const page = await openAt("empresa/cobro");
  await page.getByRole("combobox", { name: "Forma de pago" }).click();
  await page.getByRole("option", { name: "Transferencia" }).click();
  await page.getByLabel("IBAN de la cuenta en la que cobras").fill("ES91 2100 0418 4502 0005 1323");
  await page.getByLabel("Días para pagar (opcional)").fill("366");
  await page.getByLabel("Correo electrónico (opcional)").fill("facturas");
  await page.getByRole("button", { name: "Guardar", exact: true }).click();
  await page.getByText("El IBAN no es correcto: comprueba los dígitos.").first().waitFor();
  await page.getByText("Escribe un número de días, de 0 a 365.").first().waitFor();
  await page.getByText("Escribe un correo completo, como facturas@empresa.es.").first().waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  await page.getByLabel("IBAN de la cuenta en la que cobras").fill("es91 2100 0418 4502 0005 1332");
  await page.getByLabel("Días para pagar (opcional)").fill("30");
  await page.getByLabel("Correo electrónico (opcional)").fill("facturas@ribera.example");
  await page.getByRole("button", { name: "Guardar", exact: true }).click();
  await page.getByText("Guardado. Vale desde este momento").waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "Facturas a la Administración: códigos DIR3" }).waitFor();
  expect(await page.getByLabel("IBAN de la cuenta en la que cobras").inputValue()).toBe(
    "ES91 2100 0418 4502 0005 1332",
  );
  const order = { ...ORDER_EXAMPLE, id_external: "settings-terms", shop: { id: "1" }, paid_at: undefined };
  expect((await call("/api/v1/order", order)).status).toBeLessThan(300);
  const asked = { order_id: "settings-terms", presentation: "link" };
  const { data } = await call("/api/v1/order/invoice-access", asked);
  const customer = await browser.newPage({ locale: "es-ES" });
  await customer.goto(String(data.viewer_url));
  await customer.getByText("facturas@ribera.example").waitFor();
  await customer.getByText("Vencimiento").waitFor();
  await customer.getByText("transferencia a ES91 2100 0418 4502 0005 1332").waitFor();
});

test("the look of the invoices is chosen beside a sheet, and customers see it", async () => {
  const page = await openAt("empresa/aspecto");
  await page.getByText("BORRADOR: aún no emitida").waitFor();
  const file = page.locator("input[type=file]");
  const svg = (body: string) => ({ name: "logo.svg", mimeType: "image/svg+xml", buffer: Buffer.from(body) });
  await file.setInputFiles(svg("<svg"));
  await page.getByText("No hemos podido leer esa imagen. Usa un PNG o un SVG.").waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  const drawing =
    '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="90"><rect width="300" height="90" ' +
    'fill="#7a4a00"/><circle cx="150" cy="45" r="30" fill="#fff"/></svg>';
  await file.setInputFiles(svg(drawing));
  await page.getByRole("img", { name: "Logotipo actual" }).waitFor();
  await page.getByLabel("Color", { exact: true }).fill("#ffb000");
  await page.getByText(/^Usaremos #[0-9A-F]{6}, algo más oscuro, para que se lea\.$/).waitFor();
  await page.getByLabel("Texto al pie").fill("Gracias por tu compra.");
  await page.getByText("Gracias por tu compra.").last().waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  await page.getByRole("button", { name: "Guardar", exact: true }).click();
  await page.getByRole("button", { name: "Guardar", exact: true }).waitFor({ state: "detached" });
  const order = { ...ORDER_EXAMPLE, id_external: "settings-look", shop: { id: "1" } };
  expect((await call("/api/v1/order", order)).status).toBeLessThan(300);
  const { data } = await call("/api/v1/order/invoice-access", {
    order_id: "settings-look",
    presentation: "link",
  });
  const customer = await browser.newPage();
  await customer.goto(String(data.viewer_url));
  await customer.getByText("Gracias por tu compra.").waitFor();
  expect(await customer.evaluate("document.querySelector('img.logo').naturalWidth")).toBe(1_200);
  const colour = "getComputedStyle(document.querySelector('.document h2')).color";
  expect(await customer.evaluate(colour)).not.toBe("rgb(39, 70, 132)");
  await page.getByRole("button", { name: "Quitar el logotipo" }).click();
  await page.getByRole("img", { name: "Logotipo actual" }).waitFor({ state: "detached" });
});

test("a key is shown once and works together with the old one, which ends when it is retired", async () => {
  const page = await openAt(`conexiones/${connection}/claves`);
  await page.getByRole("button", { name: "Crear otra clave" }).click();
  const dialog = page.getByRole("dialog", { name: "Clave nueva" });
  const made = (await dialog.locator("[data-secret]").textContent()) ?? "";
  await page.keyboard.press("Escape");
  expect(await clumsyOn(page)).toEqual([]);
  await dialog.getByRole("button", { name: "He guardado la clave" }).click();
  await page.getByText(`Terminada en ${made.slice(-4)}`, { exact: true }).waitFor();
  const works = async (withKey: string) =>
    (await call("/api/v1/client", { id_external: "c1", first_name: "Ana" }, withKey)).status;
  expect([await works(key), await works(made)]).toEqual([200, 200]);
  await page.getByRole("button", { name: `Retirar la clave terminada en ${key.slice(-4)}` }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Retirar la clave" }).click();
  await page.getByText(`Terminada en ${key.slice(-4)}`, { exact: true }).waitFor({ state: "detached" });
  expect([await works(key), await works(made)]).toEqual([401, 200]);
  await page.reload();
  await page.getByText(`Terminada en ${made.slice(-4)}`, { exact: true }).waitFor();
  expect(await page.getByText(made).count()).toBe(0);
});

test("a profile is made on a phone, tried while it is typed, and listed with its rules", async () => {
  const page = await openAt(`perfiles/${connection}/nuevo`, PHONE);
  await page.getByRole("button", { name: "Crear perfil" }).click();
  await page.getByText("Hay 2 datos que corregir").waitFor();
  await page.getByLabel("Nombre", { exact: true }).fill("Profesionales");
  await page.getByLabel("Canal (opcional)").fill("B2B");
  await page.getByLabel("Raíz de la serie").fill("as");
  await page.getByText(/La serie AS ya la usa «/).waitFor();
  await page.getByLabel("Raíz de la serie").fill("pro");
  await page.getByText(/^PRORS-\d{4}-000001$/).waitFor();
  await page.getByLabel("De qué canal").fill("b2b");
  await page.getByRole("button", { name: "Probar", exact: true }).click();
  await page.getByText("Iría a este perfil.").waitFor();
  await page.getByLabel("De qué canal").fill("web");
  await page.getByRole("button", { name: "Probar", exact: true }).click();
  await page.getByText("Iría a ninguno: quedaría en espera.").waitFor();
  await page.getByLabel("Con mi visto bueno").check();
  expect(await clumsyOn(page)).toEqual([]);
  await page.getByRole("button", { name: "Crear perfil" }).click();
  await page.getByText("recoge el canal «b2b»").waitFor();
  await page.getByRole("link", { name: "Profesionales" }).click();
  await page.getByLabel("Automáticamente").check();
  await page.getByText("Con mi visto bueno → Automáticamente").waitFor();
  await page.getByRole("button", { name: "Guardar", exact: true }).click();
  await page.getByText("recoge el canal «b2b»").waitFor();
  await page.getByRole("link", { name: "Profesionales" }).click();
  expect(await page.getByLabel("Automáticamente").isChecked()).toBe(true);
});

test("rules by tag are added and taken away with the keys, beside connections in one line each", async () => {
  const { page, account } = await openConsole(browser, demo);
  await page.goto(`/e/${account}/perfiles`);
  const without = page.locator("section", { has: page.getByRole("heading", { name: "Sin perfiles" }) });
  const shop = without.getByRole("listitem").filter({ hasText: "Tienda nueva" });
  await shop.getByRole("link", { name: "Configurar los pedidos de «Tienda nueva»" }).waitFor();
  await shop.getByRole("link", { name: "Añadir perfil a «Tienda nueva»" }).waitFor();
  // A program without orders has no line, and its profiles are made from the settings of its orders.
  expect(await without.getByRole("link", { name: /^Añadir perfil a «ERP/ }).count()).toBe(0);
  await without.getByRole("link", { name: "ERP sin consentimiento" }).click();
  await page.getByRole("link", { name: "Añadir perfil", exact: true }).click();
  await page.getByRole("heading", { name: "Perfil nuevo" }).waitFor();
  await page.goto(`/e/${account}/perfiles`);

  const focused = () => page.evaluate("document.activeElement?.textContent ?? ''");
  await page.getByRole("button", { name: "Añadir regla" }).press("Enter");
  const tag = page.getByRole("textbox", { name: "Etiqueta" });
  await expect.poll(() => page.evaluate("document.activeElement?.labels?.[0]?.textContent")).toBe("Etiqueta");
  await tag.press("Enter");
  await page.getByText("Escribe la etiqueta.").waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  await tag.fill("mayorista");
  await tag.press("Enter");
  await page.getByText("«mayorista»: Dejar en espera").waitFor();
  await expect.poll(focused).toContain("etiquetas a los pedidos");
  await page.getByRole("button", { name: /^Quitar: mayorista, / }).press("Enter");
  await page.getByText("«mayorista»").waitFor({ state: "detached" });
  await expect.poll(focused).toContain("etiquetas a los pedidos");
});

test("saving a profile that another person has saved shows what changed and loses nothing", async () => {
  const [ana, luis] = [await openAt("perfiles"), await openAt("perfiles")];
  for (const page of [ana, luis]) {
    await page.getByRole("link", { name: "Outlet", exact: true }).click();
    await page.getByLabel("Con mi visto bueno").waitFor();
  }
  await ana.getByLabel("Nombre", { exact: true }).fill("Outlet y saldos");
  await ana.getByRole("button", { name: "Guardar", exact: true }).click();
  await ana.getByRole("link", { name: "Outlet y saldos" }).waitFor();
  await luis.getByLabel("Con mi visto bueno").check();
  await luis.getByRole("button", { name: "Guardar", exact: true }).click();
  await luis.getByText("Otra persona ha cambiado estos datos mientras los editabas.").waitFor();
  expect(await luis.getByLabel("Con mi visto bueno").isChecked()).toBe(true);
  expect(await clumsyOn(luis)).toEqual([]);
  await luis.getByRole("button", { name: "Ver los valores nuevos" }).click();
  await luis.getByText("Nombre: Outlet → Outlet y saldos").waitFor();
  expect(await luis.getByLabel("Nombre", { exact: true }).inputValue()).toBe("Outlet y saldos");
  expect(await luis.getByLabel("Con mi visto bueno").isChecked()).toBe(true);
  await luis.getByRole("button", { name: "Guardar", exact: true }).click();
  await luis.getByRole("link", { name: "Outlet y saldos" }).click();
  expect(await luis.getByLabel("Con mi visto bueno").isChecked()).toBe(true);
});

test("a connection is renamed, and a missing value is asked for next to its field", async () => {
  const page = await openAt(`conexiones/${connection}/estado`);
  await page.getByRole("button", { name: "Cambiar el nombre" }).click();
  const dialog = page.getByRole("dialog", { name: "Cambiar el nombre" });
  await dialog.getByLabel("Nombre de la conexión").fill(" ");
  await dialog.getByRole("button", { name: "Guardar" }).click();
  await dialog.getByText("Escribe el nombre de la conexión.").waitFor();
  await dialog.getByLabel("Nombre de la conexión").fill("Tiendas Ribera del Duero");
  await dialog.getByRole("button", { name: "Guardar" }).click();
  await page.getByRole("heading", { name: "Tiendas Ribera del Duero", level: 1 }).waitFor();
});

test.each([
  ...["conexiones", "perfiles", "actividad", "empresa/datos", "empresa/representacion"],
  ...["empresa/cobro", "empresa/aspecto"],
  ...["empresa/autorizaciones", "empresa/personas", "empresa/declaracion"],
  ...["estado", "tiendas", "facturacion", "avisos"].map((tab) => `conexiones/${connection}/${tab}`),
])("nothing is clumsy at %s, on screen and phone", async (path) => {
  const page = await openAt(path);
  expect(await clumsyOn(page)).toEqual([]);
  await page.setViewportSize(PHONE);
  expect(await clumsyOn(page)).toEqual([]);
});
