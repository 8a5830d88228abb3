/** What every form of the console does: one look of errors, one way to submit, one question before leaving. */
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchChromium } from "../support/browser/chromium.ts";
import { clumsyOn, newVisitor, openConsole, PHONE, SCREEN, signUp } from "../support/browser/console.ts";
import { ownProduct } from "../support/browser/product.ts";

const { demo, mailFile } = ownProduct();
const { id: connection } = demo.connections.profiled;
const PASSWORD = "cuatro lunas de marzo";
let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});

afterAll(() => browser?.close());

/** The owner at a page of the company that the connection is of. */
async function openAt(path: string, viewport = SCREEN): Promise<Page> {
  const { page } = await openConsole(browser, demo, viewport);
  const { data } = await (await page.request.get("/api/me")).json();
  for (const { id } of data.accounts) {
    const found = await page.request.get(`/api/accounts/${id}/connections/${connection}`);
    if (!found.ok()) continue;
    await page.goto(`/e/${id}/${path}`);
    return page;
  }
  throw new Error("the demo's owner has no such connection");
}

async function atNewCompany(email: string, viewport: { width: number; height: number } = SCREEN) {
  const { page } = await newVisitor(browser, demo, viewport);
  await signUp(page, mailFile, { name: "Rocío Santamaría", email, password: PASSWORD });
  await page.getByRole("button", { name: "Crear la empresa" }).waitFor();
  return page;
}

/** Where a field stands and how wide its border is. */
async function boxOf(field: Locator) {
  return field.evaluate(
    // biome-ignore lint/suspicious/noExplicitAny: the element is the browser's
    (element: any) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      const style = element.ownerDocument.defaultView.getComputedStyle(element);
      return { box: [x, y, width, height], border: style.borderTopWidth, colour: style.borderTopColor };
    },
  );
}

/** What a screen reader says besides the name of a field. */
async function describedOf(page: Page, field: Locator): Promise<string> {
  const ids = ((await field.getAttribute("aria-describedby")) ?? "").split(" ").filter(Boolean);
  const texts = await Promise.all(ids.map((id) => page.locator(`[id="${id}"]`).textContent()));
  return texts.join(" ").trim();
}

const BAD = "rgb(163, 35, 31)";

test("a wrong field has a wider border without moving, and its error stands where the hint stood", async () => {
  const page = await openAt(`perfiles/${connection}/nuevo`);
  const channel = page.getByLabel("Raíz de la serie");
  await channel.waitFor();
  const before = await boxOf(channel);
  const hint = await describedOf(page, channel);
  expect([before.border, hint.length > 0]).toEqual(["1px", true]);
  await page.getByLabel("Nombre", { exact: true }).fill("Sin raíz");
  await page.getByRole("button", { name: "Crear perfil" }).click();
  const error = "Escribe la raíz de la serie.";
  await page.getByText(error).first().waitFor();
  const after = await boxOf(channel);
  expect([after.border, after.colour]).toEqual(["2px", BAD]);
  expect(after.box.slice(2)).toEqual(before.box.slice(2));
  expect(await describedOf(page, channel)).toBe(error);
  expect(await page.getByText(hint).count()).toBe(0);
});

test.each([
  ["a screen", SCREEN, "pantalla"],
  ["a phone", PHONE, "telefono"],
] as const)(
  "an empty company, on %s, shows all its errors at once and leads to their list",
  async (_, viewport, name) => {
    const page = await atNewCompany(`${name}@formularios.example`, viewport);
    await page.getByRole("button", { name: "Crear la empresa" }).click();
    await page.getByText(/Hay \d datos que corregir/).waitFor();
    const summary = page.getByRole("alert").filter({ hasText: "datos que corregir" });
    await summary.and(page.locator(":focus")).waitFor();
    const listed = await summary.getByRole("link").allTextContents();
    expect(listed).toHaveLength(6);
    expect(await clumsyOn(page)).toEqual([]);
    // The box that has to be ticked looks and speaks like a field.
    const box = page.getByLabel(/no lleva los libros de IVA/);
    expect((await boxOf(box)).border).toBe("2px");
    expect(await describedOf(page, box)).toContain("Con los libros de IVA en el SII");
    await summary.getByRole("link").last().click();
    await box.and(page.locator(":focus")).waitFor();
  },
);

test("the control letter of a NIF is among the errors of the first submit, and one error takes the focus", async () => {
  const page = await atNewCompany("letra@formularios.example");
  await page.getByLabel("Nombre o razón social").fill("Casa Letra SL");
  await page.getByLabel("NIF").fill("B12345678");
  await page.getByLabel("Domicilio fiscal").fill("Calle Mayor 1");
  await page.getByLabel("Código postal").fill("28013");
  await page.getByLabel("Localidad").fill("Madrid");
  await page.getByLabel(/no lleva los libros de IVA/).check();
  await page.getByRole("button", { name: "Crear la empresa" }).click();
  await page.getByText("La letra no corresponde a ese número.").waitFor();
  await page.getByLabel("NIF").and(page.locator(":focus")).waitFor();
  expect(await page.getByText(/datos que corregir/).count()).toBe(0);
});

test("an answer of the server takes the focus to its field as the page's own check does", async () => {
  const page = await openAt("empresa/datos");
  await page.getByLabel("Nombre o razón social").fill("www.engano.example");
  await page.getByRole("button", { name: "Guardar", exact: true }).click();
  const name = page.getByLabel("Nombre o razón social");
  await name.and(page.locator("[aria-invalid=true]")).and(page.locator(":focus")).waitFor();
  expect((await describedOf(page, name)).length).toBeGreaterThan(0);
});

const QUESTION = "Hay cambios sin guardar. ¿Salir sin guardarlos?";

/** Edits a form of the console; the way out is pressed after it. */
const EDITS: readonly (readonly [string, string, (page: Page) => Promise<void>])[] = [
  ["the company's details", "empresa/datos", (page) => page.getByLabel("Localidad").fill("Otra")],
  [
    "a new profile",
    `perfiles/${connection}/nuevo`,
    (page) => page.getByLabel("Nombre", { exact: true }).fill("Nuevo"),
  ],
  [
    "a webhook's address",
    `conexiones/${connection}/avisos`,
    (page) => page.getByLabel("Dirección a la que avisar").first().fill("https://uno.example"),
  ],
  [
    "a page that may frame invoices",
    `conexiones/${connection}/acceso`,
    (page) => page.getByLabel("Otra página").fill("https://uno.example"),
  ],
  [
    "the start date",
    `conexiones/${connection}/facturacion`,
    async (page) => {
      await page.getByLabel("Facturar los pedidos desde el").fill("02/01/2026");
      await page.keyboard.press("Tab");
    },
  ],
];

test.each(EDITS)("leaving %s edited asks first, and staying keeps what was typed", async (_, path, edit) => {
  const page = await openAt(path);
  const at = page.url();
  // The browser's own ways lead to another page of the console, not out of it.
  await page.getByRole("link", { name: "Actividad" }).first().click();
  await page.waitForURL("**/actividad");
  await page.goBack();
  await page.waitForURL(at);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await edit(page);
  await page.getByRole("link", { name: "Actividad" }).first().click();
  const dialog = page.getByRole("dialog", { name: QUESTION });
  // Staying is what Enter does.
  await dialog.getByRole("button", { name: "Seguir aquí" }).and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  expect(page.url()).toBe(at);
  await page.goForward();
  await dialog.waitFor();
  await dialog.getByRole("button", { name: "Seguir aquí" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Actividad" }).first().click();
  await dialog.getByRole("button", { name: "Salir sin guardar" }).click();
  await page.waitForURL("**/actividad");
});

test("closing an edited dialog asks, closing an untouched one does not", async () => {
  const page = await openAt("empresa/personas");
  await page.getByRole("button", { name: "Invitar" }).click();
  const form = page.getByRole("dialog", { name: "Invitar a una persona" });
  await form.waitFor();
  await page.keyboard.press("Escape");
  await form.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Invitar" }).click();
  await form.getByLabel("Correo electrónico").fill("ana@");
  await form.getByRole("button", { name: "Cerrar" }).click();
  const question = page.getByRole("dialog", { name: QUESTION });
  await question.getByRole("button", { name: "Seguir aquí" }).click();
  expect(await form.getByLabel("Correo electrónico").inputValue()).toBe("ana@");
  await form.getByRole("button", { name: "Cerrar" }).click();
  await question.getByRole("button", { name: "Salir sin guardar" }).click();
  await form.waitFor({ state: "detached" });
});

test("closing the window asks while a form is edited, and not after it is saved", async () => {
  const page = await openAt("empresa/datos");
  const asked: string[] = [];
  page.on("dialog", (dialog) => {
    asked.push(dialog.type());
    void dialog.accept();
  });
  await page.getByLabel("Localidad").fill("Sagunto");
  await page.reload();
  expect(asked).toEqual(["beforeunload"]);
  const city = await page.getByLabel("Localidad").inputValue();
  await page.getByLabel("Localidad").fill(`${city} `);
  await page.getByLabel("Domicilio fiscal").fill("Calle Nueva 7");
  await page.getByRole("button", { name: "Guardar", exact: true }).click();
  await page.getByRole("button", { name: "Guardar", exact: true }).waitFor({ state: "detached" });
  await page.reload();
  expect(asked).toEqual(["beforeunload"]);
});
