/** The palette and the help: opened by keys and by buttons, walked by keys, and the focus goes back. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchChromium } from "../support/browser/chromium.ts";
import { clumsyOn, openConsole, PHONE } from "../support/browser/console.ts";
import { callDemo } from "../support/browser/local-server.ts";
import { ownProduct } from "../support/browser/product.ts";

const { demo } = ownProduct();
let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});

afterAll(() => browser?.close());

const field = (page: Page) => page.getByRole("combobox", { name: "Buscar o ir a…" });
const marked = (page: Page) => page.getByRole("option", { selected: true });
const focused = (page: Page): Promise<string> => page.evaluate("document.activeElement.textContent.trim()");

/** Once what opens and unfolds has come to rest. */
const isWellMade = (page: Page) => expect.poll(() => clumsyOn(page), { timeout: 20_000 }).toEqual([]);

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press("Control+k");
  await field(page).waitFor();
}

test("the palette goes to a page by keys alone, and Esc gives the focus back", async () => {
  const { page, account } = await openConsole(browser, demo);
  await page.getByRole("link", { name: "Pedidos" }).first().focus();
  await openPalette(page);
  expect(await marked(page).textContent()).toContain("Resumen");
  await page.keyboard.press("ArrowDown");
  expect(await marked(page).textContent()).toContain("Por revisar");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  expect(await marked(page).textContent()).toContain("Cerrar sesión");
  await isWellMade(page);
  await page.keyboard.press("Escape");
  await field(page).waitFor({ state: "detached" });
  await expect.poll(() => focused(page)).toContain("Pedidos");
  await openPalette(page);
  await field(page).fill("perfi");
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/e/${account}/perfiles`);
  await page.getByRole("heading", { name: "Perfiles y series", level: 1 }).waitFor();
});

/** The script of the palette arrives when it is let through. */
async function heldPalette(
  page: Page,
): Promise<{ readonly asked: Promise<void>; readonly letThrough: () => void }> {
  const { promise: released, resolve: letThrough } = Promise.withResolvers<void>();
  const { promise: asked, resolve: wasAsked } = Promise.withResolvers<void>();
  await page.route(/\/assets\/palette-[^/]*\.js$/, async (route) => {
    wasAsked();
    await released;
    await route.continue();
  });
  return { asked, letThrough };
}

test("keys typed before the palette's first load are in its field, and not on the page", async () => {
  const { page, account } = await openConsole(browser, demo);
  const { asked, letThrough } = await heldPalette(page);
  await page.getByRole("link", { name: "Pedidos" }).first().focus();
  await page.keyboard.press("Control+k");
  await asked;
  await page.keyboard.type("pe rx");
  await page.keyboard.press("Backspace");
  letThrough();
  await field(page).waitFor();
  await expect.poll(() => field(page).inputValue()).toBe("pe r");
  await page.keyboard.type("x");
  expect(await field(page).inputValue()).toBe("pe rx");
  expect(new URL(page.url()).pathname).toBe(`/e/${account}`);
});

test("Enter and Escape typed before the palette's first load choose and close", async () => {
  const first = await openConsole(browser, demo);
  const chosen = await heldPalette(first.page);
  await first.page.getByRole("link", { name: "Pedidos" }).first().focus();
  await first.page.keyboard.press("Control+k");
  await chosen.asked;
  await first.page.keyboard.type("perfi");
  await first.page.keyboard.press("Enter");
  chosen.letThrough();
  await first.page.waitForURL(`**/e/${first.account}/perfiles`);

  const { page, account } = await openConsole(browser, demo);
  const left = await heldPalette(page);
  await page.getByRole("link", { name: "Pedidos" }).first().focus();
  await page.keyboard.press("Control+k");
  await left.asked;
  await page.keyboard.press("Escape");
  await page.evaluate(`window.opened = 0; new MutationObserver(() => {
    if (document.querySelector("[role=dialog]")) window.opened = 1;
  }).observe(document.body, { childList: true, subtree: true })`);
  left.letThrough();
  const isShut = "window.opened === 1 && document.querySelector('[role=dialog]') === null";
  await expect.poll(() => page.evaluate(isShut)).toBe(true);
  await expect.poll(() => focused(page)).toContain("Pedidos");
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/e/${account}/pedidos`);
});

test("the palette finds an order by its customer and its invoice by part of a number", async () => {
  const sent = await callDemo(demo, demo.connections.commerce.key, "/api/v1/order", {
    ...{ id_external: "8830041", order_date: "2026-11-25T18:04:00+01:00", currency: "EUR", total: 121 },
    ...{ fiscal_event: "invoice_candidate", contract_version: "1.9", shop: { id: "1" } },
    client: { first_name: "Aurora", last_name: "Quintanilla Sáez", country: "ES" },
    breakdown: [{ name: "Fuente", quantity: 1, base_amount: 100, tax_rate: 21, tax_amount: 21 }],
  });
  expect(sent.ok).toBe(true);
  const { page } = await openConsole(browser, demo);
  await page.getByRole("button", { name: "Buscar o ir a…" }).first().click();
  await field(page).fill("quintanilla saez");
  await page.getByRole("group", { name: "Pedidos" }).getByText("8830041").waitFor();
  await page.getByRole("group", { name: "Clientes" }).getByText("Aurora Quintanilla Sáez").waitFor();
  await isWellMade(page);
  await field(page).fill("30041");
  await page.getByRole("group", { name: "Clientes" }).waitFor({ state: "detached" });
  await page.getByRole("group", { name: "Facturas" }).getByText("Aurora Quintanilla Sáez").waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/facturas\/./);
  await openPalette(page);
  await field(page).fill("xyzzy");
  await page.getByText("Nada con «xyzzy».").waitFor();
});

test("on a phone the palette is behind Más, fits, and the focus goes back to Más", async () => {
  const { page } = await openConsole(browser, demo, PHONE);
  await page.getByRole("button", { name: "Más" }).click();
  await page.getByRole("button", { name: "Buscar o ir a…" }).last().click();
  await field(page).waitFor();
  await isWellMade(page);
  await page.keyboard.press("Escape");
  await field(page).waitFor({ state: "detached" });
  await expect.poll(() => focused(page)).toBe("Más");
});

test("the help has the answers of the page, searches all of them, and gives the focus back", async () => {
  const { page, account } = await openConsole(browser, demo);
  await page.goto(`/e/${account}/facturas`);
  const opener = page.getByRole("navigation").getByRole("button", { name: "Ayuda" });
  await opener.click();
  const panel = page.getByRole("dialog", { name: "Ayuda" });
  await panel.getByRole("button", { name: "¿Puedo borrar una factura?" }).click();
  await panel.getByText("No: la ley no lo permite.").waitFor();
  expect(await panel.getByRole("button", { name: /^¿/ }).count()).toBe(4);
  expect((await panel.boundingBox())?.width).toBe(400);
  const write = panel.getByRole("link", { name: "Escríbenos" });
  expect(await write.getAttribute("href")).toMatch(/^mailto:.+@/);
  await isWellMade(page);
  await panel.getByRole("searchbox", { name: "Buscar en la ayuda" }).fill("cadena");
  await panel.getByRole("button", { name: "¿Qué comprueba «Comprobar la cadena»?" }).waitFor();
  await panel.getByRole("searchbox").fill("xyzzy");
  await panel.getByText("Nada con «xyzzy».").waitFor();
  await page.keyboard.press("Escape");
  await panel.waitFor({ state: "detached" });
  await expect.poll(() => focused(page)).toBe("Ayuda");
});

test("on a phone the help fills the window", async () => {
  const { page } = await openConsole(browser, demo, PHONE);
  await page.getByRole("button", { name: "Más" }).click();
  await page.getByRole("button", { name: "Ayuda" }).last().click();
  const panel = page.getByRole("dialog", { name: "Ayuda" });
  await panel.getByText("Sobre esta página").waitFor();
  expect((await panel.boundingBox())?.width).toBe(PHONE.width);
  await isWellMade(page);
});
