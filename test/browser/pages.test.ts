/** The pages of the API in a real browser: they need no outside host, no script, and no apology to a reader. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchChromium, seriousFindings } from "../support/browser/chromium.ts";
import { fetchPatiently } from "../support/browser/patience.ts";
import { ownProduct } from "../support/browser/product.ts";

const { demo } = ownProduct();
let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
});

describe.each(["/docs", "/declaracion-responsable"])("%s", (path) => {
  test.each([360, 1280])("fits a screen of %i px and asks no outside host", async (width) => {
    const page = await open(path, width);
    expect(page.outside).toEqual([]);
    expect(await page.page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    await page.page.close();
  });

  test("axe finds nothing serious", async () => {
    const { page } = await open(path, 1280);
    expect(await seriousFindings(page)).toEqual([]);
    await page.close();
  });
});

test("the curl of /docs names this server, and every error of the table is on the page", async () => {
  const { page } = await open("/docs", 1280);
  const text = await page.textContent("body");
  expect(text).toContain(`curl -X POST ${demo.api_url}/api/v1/invoice`);
  expect(text).toContain("rectification_exceeds");
  await page.close();
});

test("the declaration says the producer that every record says", async () => {
  const { page } = await open("/declaracion-responsable", 1280);
  const { key } = demo.connections.api;
  const answer = await fetchPatiently(`${demo.api_url}/api/v1/invoice/demo-1?include=xml`, {
    headers: { "X-API-KEY": key },
  });
  const xml = await answer.text();
  const nif = /<sf:SistemaInformatico>.*?<sf:NIF>(\w+)<\/sf:NIF>/.exec(xml)?.[1] ?? "none in the record";
  expect(await page.textContent("body")).toContain(nif);
  await page.close();
});

async function open(path: string, width: number): Promise<{ page: Page; outside: string[] }> {
  const page = await browser.newPage({ viewport: { width, height: 900 } });
  const outside: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(demo.api_url)) outside.push(request.url());
  });
  await page.goto(demo.api_url + path);
  return { page, outside };
}
