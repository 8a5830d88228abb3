/** How much script the first page takes: what Chromium loads, gzipped as a server would. */
import { gzipSync } from "node:zlib";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchChromium } from "../support/browser/chromium.ts";
import { newVisitor, openConsole } from "../support/browser/console.ts";
import { ownProduct } from "../support/browser/product.ts";

const BUDGET_KIB = 250;

const { demo } = ownProduct();
let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});

afterAll(() => browser?.close());

/** KiB of every script that a page loads until it is idle; a preloaded one counts once. */
async function scriptKib(page: Page, address: string): Promise<number> {
  const bodies = new Map<string, Promise<Buffer>>();
  page.on("response", (response) => {
    if (response.request().resourceType() === "script") bodies.set(response.url(), response.body());
  });
  await page.goto(address);
  await page.waitForLoadState("networkidle");
  const loaded = await Promise.all(bodies.values());
  const sizes = loaded.map((body) => gzipSync(body, { level: 9 }).length);
  return sizes.reduce((sum, size) => sum + size, 0) / 1024;
}

test("signing in takes less than the budget", async () => {
  const { page } = await newVisitor(browser, demo);
  const kib = await scriptKib(page, "/entrar");
  console.log(`script before signing in: ${kib.toFixed(1)} KiB gzipped`);
  expect(kib).toBeLessThan(BUDGET_KIB);
});

test("the overview takes less than the budget", async () => {
  const { context, account } = await openConsole(browser, demo);
  const kib = await scriptKib(await context.newPage(), `/e/${account}`);
  console.log(`script of the first page: ${kib.toFixed(1)} KiB gzipped`);
  expect(kib).toBeLessThan(BUDGET_KIB);
});
