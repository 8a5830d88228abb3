/** The frame of the console: what stays when a page fails, what is said to whom, and what is printed. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchChromium } from "../support/browser/chromium.ts";
import { clumsyOn, newVisitor, openConsole, PHONE, SCREEN } from "../support/browser/console.ts";
import { callDemo } from "../support/browser/local-server.ts";
import { ownProduct } from "../support/browser/product.ts";

const { demo } = ownProduct();
let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});

afterAll(() => browser?.close());

const OFFLINE = "No hay conexión. Comprueba la red y vuelve a intentarlo.";

test("a page whose files do not arrive fails alone, and comes by itself when the network is back", async () => {
  const { page, context, account } = await openConsole(browser, demo);
  await page.waitForLoadState("networkidle");
  await context.setOffline(true);
  await page.getByRole("link", { name: "Actividad" }).first().click();
  await page.getByRole("alert").getByText(OFFLINE).first().waitFor();
  await page.getByRole("button", { name: "Reintentar" }).waitFor();
  // The frame stays, with the place that was asked for.
  expect(await page.getByRole("navigation").getByRole("link", { name: "Facturas" }).count()).toBe(1);
  expect(page.url()).toContain(`/e/${account}/actividad`);
  expect(await page.getByText("dinos este código").count()).toBe(0);
  await context.setOffline(false);
  await page.getByRole("heading", { name: "Actividad", level: 1 }).waitFor();
});

test("a list that cannot be read says so in its place and reads itself again", async () => {
  const { page, context, account } = await openConsole(browser, demo);
  await page.goto(`/e/${account}/pedidos`);
  await page.getByRole("heading", { name: "Pedidos", level: 1 }).waitFor();
  await context.setOffline(true);
  await page.getByRole("searchbox").fill("nadie");
  await page.getByText(OFFLINE).first().waitFor();
  expect(await page.getByRole("heading", { name: "Pedidos", level: 1 }).count()).toBe(1);
  await context.setOffline(false);
  await page.getByText(OFFLINE).first().waitFor({ state: "detached" });
});

test("only a browser that was signed in is told that the session has ended", async () => {
  const { page, context, account } = await openConsole(browser, demo);
  const { page: first } = await newVisitor(browser, demo);
  await first.goto(`/e/${account}/facturas`);
  await first.waitForURL(/\/entrar\?volver=/);
  await first.getByRole("heading", { name: "Entrar" }).waitFor();
  expect(await first.getByText("La sesión ha caducado").count()).toBe(0);
  await page.waitForLoadState("networkidle");
  await context.clearCookies();
  await page.goto(`/e/${account}/facturas`);
  await page.getByText("La sesión ha caducado").waitFor();
});

test.each([
  ["a screen", SCREEN],
  ["a phone", PHONE],
] as const)(
  "an invitation without an account, on %s, offers both ways and keeps its link",
  async (_, size) => {
    const { page } = await newVisitor(browser, demo, size);
    await page.goto("/invitacion?token=abc");
    await page.getByRole("heading", { name: "Te han invitado a una empresa" }).waitFor();
    expect(await clumsyOn(page)).toEqual([]);
    const back = encodeURIComponent("/invitacion?token=abc");
    for (const name of ["Entrar", "Crear cuenta"]) {
      expect(await page.getByRole("link", { name }).getAttribute("href")).toContain(`volver=${back}`);
    }
    await page.getByRole("link", { name: "Entrar" }).click();
    await page.getByRole("heading", { name: "Entrar" }).waitFor();
    expect(await page.getByText("La sesión ha caducado").count()).toBe(0);
  },
);

test("the company's pages are marked in the navigation, also without the name of a tab", async () => {
  const { page, account } = await openConsole(browser, demo);
  await page.goto(`/e/${account}/empresa`);
  const current = page.getByRole("navigation").locator('[aria-current="page"]').first();
  await current.waitFor();
  expect(await current.textContent()).toBe("Empresa");
});

/** Whether the browser draws something there. */
async function isDrawn(page: Page, selector: string): Promise<boolean> {
  return page.locator(selector).first().isVisible();
}

test("the page of an invoice prints its sheet alone", async () => {
  const line = { description: "Vajilla", quantity: 1, price_unit: 100, tax_rate: 21 };
  const issued = await callDemo(demo, demo.connections.api.key, "/api/v1/invoice", {
    ...{ external_id: "print-1", invoice_type: "F2", description: "Venta", currency: "EUR", lines: [line] },
  });
  expect(issued.status).toBe(201);
  const { page, account } = await openConsole(browser, demo);
  await page.goto(`/e/${account}/facturas/${issued.data.invoice_id}`);
  await page.locator("[data-paper]").waitFor();
  await page.emulateMedia({ media: "print" });
  const seen = [
    await isDrawn(page, "[data-paper]"),
    await isDrawn(page, "nav"),
    await isDrawn(page, "main h1"),
    await isDrawn(page, "main button"),
  ];
  expect(seen).toEqual([true, false, false, false]);
});
