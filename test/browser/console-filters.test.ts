/** Filters of the lists in the owner's console: days, kinds of document, the chips of what is set. */
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
  await issue("filtros-1", "Silvia Montero Gil");
  await issue("filtros-2", "Tomás Rubio Sanz");
  const { ok } = await callDemo(demo, demo.connections.api.key, "/api/v1/invoice/filtros-2/cancellation", {
    reason: "No hubo venta",
  });
  expect(ok).toBe(true);
});

afterAll(() => browser?.close());

async function issue(externalId: string, company: string): Promise<void> {
  const address = { country: "ES", address1: "Calle Nueva 3", postcode: "46001", city: "Valencia" };
  const { ok } = await callDemo(demo, demo.connections.api.key, "/api/v1/invoice", {
    ...{ external_id: externalId, invoice_type: "F1", description: "Restauración de un mueble" },
    ...{ currency: "EUR", recipient: { company, vat_number: "12345678Z", ...address } },
    lines: [{ line_id: "1", description: "Restauración", quantity: 1, price_unit: 100, tax_rate: 21 }],
  });
  expect(ok).toBe(true);
}

const rowOf = (page: Page, customer: string) => page.getByRole("row", { name: customer });
const chips = (page: Page) => page.getByRole("list", { name: "Filtros aplicados" });
const chip = (page: Page, text: string) =>
  chips(page).getByRole("button", { name: `Quitar el filtro ${text}` });
const day = (page: Page, name: "Desde" | "Hasta") => page.getByRole("textbox", { name });

async function choose(page: Page, field: string, option: string): Promise<void> {
  await page.getByRole("combobox", { name: field }).click();
  await page.getByRole("option", { name: option, exact: true }).click();
}

test("days and kinds of document are chosen, stay after a reload, and go one by one or all at once", async () => {
  const { page, account } = await openConsole(browser, demo);
  await page.goto(`/e/${account}/facturas`);
  await rowOf(page, "Silvia Montero Gil").waitFor();
  expect(await chips(page).count()).toBe(0);

  await choose(page, "Periodo", "Este año");
  await chip(page, "Este año").waitFor();
  const address = new URL(page.url()).searchParams;
  const year = address.get("desde")?.slice(0, 4);
  expect(address.get("desde")).toBe(`${year}-01-01`);
  expect(address.get("hasta")).toBe(`${year}-12-31`);
  expect(await day(page, "Desde").inputValue()).toBe(`01/01/${year}`);
  expect(await day(page, "Hasta").inputValue()).toBe(`31/12/${year}`);
  const cut =
    "[...document.querySelectorAll('[data-dates-input]')].filter((f) => f.scrollWidth > f.clientWidth)";
  expect(await page.evaluate(`${cut}.length`)).toBe(0);
  expect(await clumsyOn(page)).toEqual([]);

  await choose(page, "Documento", "Anuladas");
  await chip(page, "Documento: Anuladas").waitFor();
  await rowOf(page, "Silvia Montero Gil").waitFor({ state: "detached" });
  await rowOf(page, "Tomás Rubio Sanz").waitFor();
  await page.reload();
  await rowOf(page, "Tomás Rubio Sanz").waitFor();
  expect(await rowOf(page, "Silvia Montero Gil").count()).toBe(0);
  await chip(page, "Este año").waitFor();
  expect(await page.getByRole("combobox", { name: "Documento" }).inputValue()).toBe("Anuladas");

  await chip(page, "Documento: Anuladas").click();
  await rowOf(page, "Silvia Montero Gil").waitFor();
  expect(new URL(page.url()).searchParams.has("documento")).toBe(false);
  await choose(page, "Documento", "Emitidas");
  await rowOf(page, "Tomás Rubio Sanz").waitFor({ state: "detached" });
  await chips(page).getByRole("button", { name: "Quitar filtros" }).click();
  await chips(page).waitFor({ state: "detached" });
  await rowOf(page, "Tomás Rubio Sanz").waitFor();
  expect([...new URL(page.url()).searchParams.keys()]).toEqual([]);
  expect(await day(page, "Desde").inputValue()).toBe("");
});

test("of a range that would be empty, the later change wins", async () => {
  const { page, account } = await openConsole(browser, demo);
  await page.goto(`/e/${account}/facturas?desde=2024-03-01`);
  await chip(page, "Desde 01/03/2024").waitFor();
  await day(page, "Hasta").fill("31/01/2024");
  await chip(page, "Hasta 31/01/2024").waitFor();
  await chip(page, "Desde 01/03/2024").waitFor({ state: "detached" });
  expect(new URL(page.url()).search).toBe("?hasta=2024-01-31");
  await page.getByText("Ninguna coincide con estos filtros.").waitFor();
});

test("on a phone the drawer has the days, and its button counts what is set", async () => {
  const { page, account } = await openConsole(browser, demo, PHONE);
  await page.goto(`/e/${account}/facturas?desde=2024-01-01&documento=issued`);
  await page.getByRole("button", { name: "Filtros (2)" }).click();
  const drawer = page.getByRole("dialog", { name: "Filtros" });
  expect(await drawer.getByRole("textbox", { name: "Desde" }).inputValue()).toBe("01/01/2024");
  expect(await clumsyOn(page)).toEqual([]);
  await drawer.getByRole("button", { name: "Cerrar" }).last().click();
  await drawer.waitFor({ state: "detached" });
  expect(await clumsyOn(page)).toEqual([]);
});

/** The queries that a page asked its lists with, by the last part of their paths. */
function listedWith(page: Page): (list: string) => readonly URLSearchParams[] {
  const asked: URL[] = [];
  page.on("request", (request) => void asked.push(new URL(request.url())));
  return (list) =>
    asked.filter(({ pathname }) => pathname.endsWith(`/${list}`)).map(({ searchParams }) => searchParams);
}

/** A place of the right form that no list gave: only the API knows it to be none. */
const FORGED = Buffer.from('["after",{"a":1}]').toString("base64url");

test.each([
  ["facturas", "invoices", "documento=x&estado=x&mes=2026-13", "hasta=2024-01-31", "pagina"],
  ["pedidos", "orders", "state=x&month=enero&to=2024-02-30", "from=2024-01-31", "cursor"],
  ["por-revisar", "review", "reason=x", "by=one", "cursor"],
  // Which of both lists it opens on depends on what is asked: it asks for the questions first.
  ["por-revisar", "questions", "by=x&reason=x", "", ""],
  ["actividad", "activity", "area=x&from=ayer", "to=2024-01-31", ""],
  ["facturas/borradores", "drafts", "", "", "pagina"],
])("values of the address that do not exist are left out: %s, %s", async (path, list, bad, good, place) => {
  const { page, account } = await openConsole(browser, demo);
  const asked = listedWith(page);
  const cut = place === "" ? "" : `${place}=x`;
  const together = (...parts: readonly string[]) => parts.filter((part) => part !== "").join("&");
  const kept = good === "" ? "" : `?${good}`;
  await page.goto(`/e/${account}/${path}?${together(bad, good, cut)}`);
  await expect.poll(() => new URL(page.url()).search).toBe(kept);
  await expect.poll(() => asked(list).length).toBeGreaterThan(0);
  const sent = asked(list).flatMap((query) => [...query.keys()]);
  expect(sent.filter((name) => !["from", "to"].includes(name))).toEqual([]);
  expect(await clumsyOn(page)).toEqual([]);
  expect(await page.getByRole("alert").count()).toBe(0);
  if (place === "") return;
  // The API refuses it: the list is asked for again without it.
  await page.goto(`/e/${account}/${path}?${together(good, `${place}=${FORGED}`)}`);
  await expect.poll(() => new URL(page.url()).search).toBe(kept);
  expect(await clumsyOn(page)).toEqual([]);
  expect(await page.getByRole("alert").count()).toBe(0);
});

test("a connection and a series that the company does not have are left out once its own are known", async () => {
  const { page, account } = await openConsole(browser, demo);
  for (const path of [
    "facturas?serie=x&conexion=x",
    "pedidos?connection=x",
    "actividad?person=x",
    "?conexion=x",
  ]) {
    await page.goto(`/e/${account}/${path}`.replace("/?", "?"));
    await expect.poll(() => new URL(page.url()).search, { message: path }).toBe("");
    expect(await page.getByRole("alert").count()).toBe(0);
  }
});
