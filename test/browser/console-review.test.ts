/** Por revisar in Chromium: from an order that waits to its invoice, and what one answer does for others. */
import type { Browser, Page } from "playwright-core";
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

function line(name: string, base: number, tax: number, rate = 21) {
  return { name, quantity: 1, base_amount: base, tax_rate: rate, tax_amount: tax };
}

/** An order with an undeclared fee; the code is the test's own. */
function withFee(id: string, code: string, change: object = {}) {
  return {
    ...{ id_external: id, order_date: "2026-11-25T18:04:00+01:00", currency: "EUR", total: 124.63 },
    ...{ fiscal_event: "invoice_candidate", contract_version: "1.8", shop: { id: "1" } },
    client: { first_name: "Rocío", last_name: "Santamaría Vidal", country: "ES" },
    breakdown: [line("Fuente de gres", 100, 21)],
    unmapped_totals: [{ code, title: "Recargo contra reembolso", value: 3.63 }],
    ...change,
  };
}

async function send(order: object): Promise<void> {
  const { ok } = await callDemo(demo, key, "/api/v1/order", order);
  expect(ok).toBe(true);
}

async function stateOf(id: string): Promise<string> {
  const { data } = await callDemo(demo, key, `/api/v1/order/${id}`);
  return String(data.state);
}

function big(id: string, code: string) {
  return withFee(id, code, { total: 415.11, breakdown: [line("Vajilla", 340.07, 71.41)] });
}

async function chooseFee(page: Page): Promise<void> {
  await page.getByRole("combobox", { name: "Qué es" }).click();
  await page.getByRole("option", { name: /Recargo con impuesto/ }).click();
}

test("an order with two reasons is issued, and so are orders with one of them", async () => {
  await send(big("review-1", "review_fee"));
  await send(withFee("review-2", "review_fee"));
  const { page, account, context } = await openConsole(browser, demo);
  await page
    .getByRole("link", { name: /Por revisar/ })
    .first()
    .click();
  await page.getByRole("heading", { name: "Por revisar" }).waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  await page.goto(`/e/${account}/por-revisar?reason=untreated_total&connection=${connection}`);
  await page.getByRole("link", { name: "review-1", exact: true }).first().click();
  await page.getByText("Falta 1 de 1").waitFor();
  expect(await clumsyOn(page)).toEqual([]);

  // Never dead: with something left to do it leads there.
  await page.getByRole("button", { name: "Emitir factura" }).click();
  await page.locator("li:focus-within", { hasText: "Recargo" }).waitFor();
  await chooseFee(page);
  await page.getByLabel("Aplicarlo también a otro pedido que espera por lo mismo.").waitFor();
  await page.getByText("Falta 1 de 2").waitFor();
  const would = page.getByRole("region", { name: "La factura que saldría" });
  await would.getByText("415,11 €").waitFor();

  await page.getByLabel("NIF del cliente").fill("12345678A");
  await page.getByText("La letra no corresponde a ese número.").waitFor();
  await page.getByLabel("NIF del cliente").fill("12345678Z");
  await page.getByText("Todo resuelto").waitFor();
  const promised = (await would.getByText(/si se emite ahora/).textContent())?.split(",")[0] ?? "";
  await would.getByRole("button", { name: "Ver la factura entera antes de emitirla" }).click();
  await page.getByRole("dialog").getByText("Recargo contra reembolso").waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  await page.getByRole("button", { name: "Cerrar" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });

  await page.getByRole("button", { name: "Emitir factura" }).click();
  await page.getByText(`Emitida ${promised} por 415,11 €.`).waitFor();
  expect(await stateOf("review-1")).toBe("invoiced");
  await expect.poll(() => stateOf("review-2"), { timeout: 20_000 }).toBe("invoiced");

  await page.getByRole("link", { name: "Pedido review-1" }).click();
  await page.getByRole("link", { name: promised, exact: true }).waitFor();
  await page.getByText(/Datos del cliente escritos/).waitFor();
  await page.getByRole("button", { name: "Ver los datos tal como llegaron" }).click();
  await page.getByText('"id_external": "review-1"').waitFor();
  await context.close();
});

test("ticked orders of one reason are dismissed together, on a phone", async () => {
  await send(withFee("review-3", "review_points"));
  await send(withFee("review-4", "review_points"));
  const { page, account, context } = await openConsole(browser, demo, PHONE);
  await page.goto(`/e/${account}/por-revisar?reason=untreated_total&connection=${connection}`);
  for (const id of ["review-3", "review-4"]) {
    await page
      .getByRole("checkbox", { name: `Marcar el pedido ${id}` })
      .last()
      .check();
  }
  expect(await clumsyOn(page)).toEqual([]);
  await page.getByRole("button", { name: "Descartar 2 pedidos…" }).click();
  await page.getByLabel("Está repetido").check();
  await page.getByRole("button", { name: "Descartar", exact: true }).click();
  await page.getByText("2 resueltos; no queda ninguno.").waitFor();
  expect(await Promise.all(["review-3", "review-4"].map(stateOf))).toEqual(["stored", "stored"]);
  await context.close();
});

test("typed answers that settle one reason are kept, and the order still waits", async () => {
  await send(big("review-5", "review_deposit"));
  const { page, account, context } = await openConsole(browser, demo);
  await page.goto(`/e/${account}/por-revisar/${connection}/review-5`);
  await chooseFee(page);
  await page.getByText("Falta 1 de 2").waitFor();
  await page.getByLabel("Usarlo también para los próximos pedidos.").uncheck();
  await page.getByRole("button", { name: "Guardar lo resuelto" }).click();
  await page.getByText("Guardado. El pedido sigue en espera por lo que falta.").waitFor();
  await page.reload();
  await page.getByText("Falta 1 de 1").waitFor();
  await page.getByRole("heading", { name: /Falta el NIF del cliente/ }).waitFor();
  expect(await stateOf("review-5")).toBe("held");
  await context.close();
});

test("typed answers stay when reading and saving fail, and are issued once afterwards", async () => {
  await send(big("review-kept", "kept_fee"));
  const { page, account, context } = await openConsole(browser, demo);
  await page.goto(`/e/${account}/por-revisar/${connection}/review-kept`);
  await page.getByText("Falta 1 de 1").waitFor();
  await chooseFee(page);
  const identifier = page.getByLabel("NIF del cliente");
  await identifier.waitFor();
  await context.route("**/api/**", (route) => route.abort());
  await identifier.fill("12345678Z");
  await page.getByText("No hay conexión").waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  await page.getByRole("button", { name: "Guardar lo resuelto" }).click();
  await page.getByText("No hay conexión").nth(1).waitFor();
  expect(await identifier.inputValue()).toBe("12345678Z");
  await context.unroute("**/api/**");
  await page.getByRole("button", { name: "Reintentar" }).click();
  await page.getByText("Todo resuelto").waitFor();

  let sent = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/order/answers")) sent += 1;
  });
  const issue = page.getByRole("button", { name: "Emitir factura" });
  await issue.evaluate((element) => {
    const button = element as unknown as { click(): void };
    button.click();
    button.click();
  });
  await page.getByText(/^Emitida /).waitFor();
  expect(sent).toBe(1);
  expect(await stateOf("review-kept")).toBe("invoiced");
  await context.close();
});
