/** Customers' browsers and the viewer of the running product: who may frame it, and what is fetched for it. */
import type { Browser, Frame, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { ORDER_EXAMPLE } from "../../src/http/openapi/order-examples.ts";
import { launchChromium } from "../support/chromium.ts";

const demo = inject("demo");
let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
  await call("/api/v1/order", { ...ORDER_EXAMPLE, id_external: "W-1", reference: "10491" });
});

afterAll(async () => {
  await browser?.close();
});

async function call(path: string, body: unknown): Promise<Record<string, unknown>> {
  const { key } = demo.connections.commerce;
  const response = await fetch(demo.api_url + path, {
    method: "POST",
    headers: { "X-API-KEY": key, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  return Object(Object(await response.json()).data);
}

const STRANGER = "https://otra.example";

async function urlFor(change: object): Promise<string> {
  const { viewer_url: url } = await call("/api/v1/order/invoice-access", { order_id: "W-1", ...change });
  return String(url);
}

/** A page of the shop's, at its https address, with the URL in a frame. */
async function framedAt(
  origin: string,
  url: string,
): Promise<{ page: Page; frame: Frame; complaints: string[] }> {
  // The product listens on this machine, which public pages may reach by leave only.
  const page = await browser.newPage({ locale: "es-ES", permissions: ["local-network-access"] });
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("requestfailed", (request) => complaints.push(request.failure()?.errorText ?? ""));
  const html = `<!DOCTYPE html><title>Tienda</title><iframe src="${url}"></iframe>`;
  await page.route(`${origin}/**`, (route) => route.fulfill({ contentType: "text/html", body: html }));
  await page.goto(`${origin}/pedido`);
  // By its element: a frame that was blocked has no name any more.
  const frame = await (await page.waitForSelector("iframe")).contentFrame();
  if (!frame) throw new Error("the page has no frame");
  return { page, frame, complaints };
}

/** Blocked, Chromium shows a page of its own, into which nobody sees. */
async function shownIn(frame: Frame): Promise<string> {
  return frame.url().startsWith("chrome-error:") ? "blocked" : ((await frame.textContent("body")) ?? "");
}

describe("in a frame", () => {
  test("the shop's own page shows it, whole and under its policy", async () => {
    const { origin } = demo.connections.commerce;
    const { page, frame, complaints } = await framedAt(
      origin,
      await urlFor({ presentation: "embed", origin }),
    );
    expect(complaints.filter((text) => !text.includes("favicon"))).toEqual([]);
    expect(await shownIn(frame)).toMatch(/Factura simplificada|Factura/);
    await frame.evaluate("document.fonts.ready");
    expect(await frame.evaluate("getComputedStyle(document.body).fontFamily")).toContain("IBM Plex Sans");
    expect(await frame.evaluate("document.fonts.size > 0")).toBe(true);
    expect(complaints.filter((text) => !text.includes("favicon"))).toEqual([]);
    await page.close();
  });

  test("another page does not", async () => {
    const { origin } = demo.connections.commerce;
    const { page, frame, complaints } = await framedAt(
      STRANGER,
      await urlFor({ presentation: "embed", origin }),
    );
    expect(await shownIn(frame)).toBe("blocked");
    expect(complaints.join(" ")).toContain("frame-ancestors");
    await page.close();
  });

  test("a link does not show in any, the shop's neither", async () => {
    const { origin } = demo.connections.commerce;
    for (const at of [origin, STRANGER]) {
      const { page, frame, complaints } = await framedAt(at, await urlFor({ presentation: "link" }));
      expect(await shownIn(frame)).toBe("blocked");
      expect(complaints.join(" ")).toContain("frame-ancestors 'none'");
      await page.close();
    }
  });
});

test("by a link, on a phone: the page fits, asks no other host, and its PDF is downloaded", async () => {
  const page = await browser.newPage({ viewport: { width: 360, height: 740 }, locale: "es-ES" });
  const outside: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(demo.api_url)) outside.push(request.url());
  });
  const response = await page.goto(await urlFor({ presentation: "link" }));
  expect(response?.status()).toBe(200);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  expect(await page.title()).toBe("Factura del pedido 10491 · Tostadero La Plaza");
  const downloading = page.waitForEvent("download");
  await page.click("a.download");
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^PED-\w+-2026-\d{6}\.pdf$/);
  expect(await download.failure()).toBeNull();
  expect(outside).toEqual([]);
  await page.close();
});

test("a URL that shows nothing says so", async () => {
  const page = await browser.newPage({ locale: "es-ES" });
  const response = await page.goto(`${await urlFor({ presentation: "link" })}x`);
  expect(response?.status()).toBe(404);
  expect(await page.textContent("h1")).toBe("Este enlace ya no muestra ninguna factura");
  await page.close();
});
