/** Equal questions of held orders: seen together, answered once, and remembered. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchChromium } from "../support/browser/chromium.ts";
import { clumsyOn, openConsole, PHONE, SCREEN } from "../support/browser/console.ts";
import { callDemo } from "../support/browser/local-server.ts";
import { ownProduct } from "../support/browser/product.ts";

const { demo } = ownProduct();
const { key } = demo.connections.commerce;
let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});

afterAll(() => browser?.close());

async function sendOrder(id: string, code = "gift_wrap_fee", title = "Papel de regalo"): Promise<void> {
  const { ok } = await callDemo(demo, key, "/api/v1/order", {
    ...{ id_external: id, order_date: "2026-11-25T18:04:00+01:00", currency: "EUR" },
    ...{ fiscal_event: "invoice_candidate", contract_version: "1.9", shop: { id: "1" } },
    client: { first_name: "Rocío", last_name: "Santamaría Vidal", country: "ES" },
    total: 125.0,
    breakdown: [{ name: "Fuente de gres", quantity: 1, base_amount: 100, tax_rate: 21, tax_amount: 21 }],
    unmapped_totals: [{ code, title, value: 4 }],
  });
  expect(ok).toBe(true);
}

async function stateOf(id: string): Promise<string> {
  const { data } = await callDemo(demo, key, `/api/v1/order/${id}`);
  return String(data.state);
}

test("an owner answers three orders at once, leaves one out, and the next order needs no answer", async () => {
  for (const id of ["wrap-1", "wrap-2", "wrap-3"]) await sendOrder(id);
  const { page, account } = await openConsole(browser, demo);
  await page.goto(`/e/${account}/por-revisar`);
  // Three orders ask the same, so the page opens on the questions.
  const byQuestion = page.getByRole("button", { name: "Por pregunta" });
  await byQuestion.and(page.locator("[aria-pressed=true]")).waitFor();
  const card = page.getByRole("region", { name: "¿Qué es «Papel de regalo»?" });
  const folded = page.getByRole("listitem").filter({ hasText: "¿Qué es «Papel de regalo»?" });
  await card.or(folded).first().waitFor();
  if (await folded.isVisible()) await folded.getByRole("button", { name: "Responder" }).click();
  await card.getByRole("combobox", { name: "Qué es" }).click();
  await page.getByRole("option", { name: "Recargo con impuesto (se suma a la base)" }).click();
  await card.getByText(/^Saldrán 3 facturas por 375,00.€; ninguno seguirá en espera\.$/).waitFor();
  await card.getByRole("checkbox", { name: "Incluir el pedido wrap-2" }).uncheck();
  await card.getByText(/^Saldrán 2 facturas por 250,00.€; ninguno seguirá en espera\.$/).waitFor();
  await card.getByText("No se responde").first().waitFor();
  expect(await card.getByLabel("Recordar la respuesta para los próximos pedidos.").isChecked()).toBe(true);
  expect(await clumsyOn(page)).toEqual([]);
  await page.setViewportSize(PHONE);
  expect(await clumsyOn(page)).toEqual([]);
  await card.getByRole("button", { name: "Responder a los 2" }).click();
  await page.getByText("Respondidos 2: han salido 2 facturas.").waitFor();
  expect(await Promise.all(["wrap-1", "wrap-2", "wrap-3"].map(stateOf))).toEqual([
    "invoiced",
    "held",
    "invoiced",
  ]);
  await sendOrder("wrap-4");
  expect(await stateOf("wrap-4")).toBe("invoiced");

  await page.setViewportSize(SCREEN);
  await page.goto(`/e/${account}/perfiles`);
  const remembered = page.getByRole("region", { name: "Respuestas recordadas" });
  await remembered.getByText("Recargo con impuesto (se suma a la base), 21 %").first().waitFor();
  await remembered.getByText("en 3 pedidos").first().waitFor();
  expect(await clumsyOn(page)).toEqual([]);
  await page.setViewportSize(PHONE);
  expect(await clumsyOn(page)).toEqual([]);
  await page.setViewportSize(SCREEN);
  const forget = remembered.getByRole("button", { name: "Olvidar: ¿Qué es «Papel de regalo»?" });
  await forget.click();
  const dialog = page.getByRole("dialog", { name: "Olvidar la respuesta" });
  await dialog.getByText("Los próximos pedidos volverán a preguntar. Lo ya decidido no cambia.").waitFor();
  await dialog.getByRole("button", { name: "Olvidar" }).click();
  // Another file may have an answer remembered in the same product.
  await forget.waitFor({ state: "detached" });
  await sendOrder("wrap-5");
  expect(await stateOf("wrap-5")).toBe("held");
  expect(await stateOf("wrap-4")).toBe("invoiced");
});

test("in one order the answer goes to the others that ask the same, as its preview says", async () => {
  for (const id of ["box-1", "box-2", "box-3"]) await sendOrder(id, "box_fee", "Caja de regalo");
  const { page, account } = await openConsole(browser, demo);
  await page.goto(`/e/${account}/por-revisar/${demo.connections.commerce.id}/box-2`);
  await page.getByRole("combobox", { name: "Qué es" }).click();
  await page.getByRole("option", { name: "Recargo con impuesto (se suma a la base)" }).click();
  const others = page.getByRole("checkbox", {
    name: "Aplicarlo también a los otros 2 pedidos que esperan por lo mismo.",
  });
  await others.and(page.locator(":checked")).waitFor();
  await page.getByText(/^Saldrán 2 facturas por 250,00.€; ninguno seguirá en espera\.$/).waitFor();
  const remember = page.getByRole("checkbox", { name: "Recordar la respuesta para los próximos pedidos." });
  await remember.uncheck();
  expect(await clumsyOn(page)).toEqual([]);
  await page.getByRole("button", { name: "Emitir factura" }).click();
  await page.getByText("Respondidos 2: han salido 2 facturas.").waitFor();
  expect(await Promise.all(["box-1", "box-2", "box-3"].map(stateOf))).toEqual([
    ...["invoiced", "invoiced", "invoiced"],
  ]);
  await sendOrder("box-4", "box_fee", "Caja de regalo");
  expect(await stateOf("box-4")).toBe("held");
});
