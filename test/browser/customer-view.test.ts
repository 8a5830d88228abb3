/**
 * Customers' browsers and the viewer of the running product: the allowed frames, and the requests of a
 * page.
 */
import type { Browser, Frame, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ORDER_EXAMPLE } from "../../src/api/wire/order-examples.ts";
import { launchChromium, qrInPicture, seriousFindings } from "../support/browser/chromium.ts";
import { callDemo } from "../support/browser/local-server.ts";
import { fetchPatiently } from "../support/browser/patience.ts";
import { ownProduct } from "../support/browser/product.ts";
import { foundQr, pagesOf, readPdf } from "../support/rules/pdf.ts";

const { demo } = ownProduct();
let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
  const order = { ...ORDER_EXAMPLE, id_external: "W-1", reference: "10491" };
  await call("/api/v1/order", order);
  await call("/api/v1/order", { ...order, id_external: "W-2", correction_events: [] });
  await call("/api/v1/order", { ...order, id_external: "W-2", correction_events: [REFUND] });
  await call("/api/v1/order", { ...order, id_external: HOSTILE, ...HOSTILE_WORDS });
});

const REFUND = {
  id_external_event: "r",
  event_type: "refund",
  lines: [{ name: "Envío", quantity_delta: -1, base_delta: -5, tax_rate: 21, tax_delta: -1.05 }],
};

const HOSTILE = "W-3";
const LONG_WORD = "Donaudampfschiff".repeat(8).slice(0, 120);
const SCRIPT = `"><script>document.title = "taken"</script><img src="https://otra.example/x">`;
const HOSTILE_WORDS = {
  reference: `${SCRIPT} \u202e${LONG_WORD}`,
  client: {
    company: `${SCRIPT} ${LONG_WORD}`,
    vat_number: "B12345674",
    country: "ES",
    address1: `\u2067${LONG_WORD} שלום`,
    postcode: "37004",
    city: "Žluťoučký",
  },
  breakdown: [SCRIPT, LONG_WORD, `\u202e${LONG_WORD}`].map((name, index) => ({
    line_id: String(index),
    name,
    base_amount: 15,
    tax_rate: 21,
    tax_amount: 3.15,
  })),
  discounts: [],
  total: 54.45,
};

afterAll(async () => {
  await browser?.close();
});

async function call(path: string, body: unknown): Promise<Record<string, unknown>> {
  const { data } = await callDemo(demo, demo.connections.commerce.key, path, body);
  return data;
}

const STRANGER = "https://otra.example";

async function urlFor(change: object): Promise<string> {
  const asked = { order_id: "W-1", presentation: "link", ...change };
  const { viewer_url: url } = await call("/api/v1/order/invoice-access", asked);
  return String(url);
}

interface Framed {
  readonly page: Page;
  readonly frame: Frame;
  readonly complaints: string[];
}

/** A page of the shop's, at its https address, with the URL in a frame. */
async function framedAt(origin: string, url: string): Promise<Framed> {
  // The product listens on this machine, which public pages may reach by leave only.
  const page = await browser.newPage({ locale: "es-ES", permissions: ["local-network-access"] });
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("requestfailed", (request) => complaints.push(request.failure()?.errorText ?? ""));
  const html = `<!DOCTYPE html><title>Tienda</title><iframe src="${url}"></iframe>`;
  await page.route(`${origin}/**`, (route) => route.fulfill({ contentType: "text/html", body: html }));
  await page.goto(`${origin}/pedido`);
  // By its element: a blocked frame has no name.
  const frame = await (await page.waitForSelector("iframe")).contentFrame();
  if (!frame) throw new Error("the page has no frame");
  return { page, frame, complaints };
}

/** For a blocked frame Chromium shows an opaque page of its own, and logs why once it has loaded. */
async function expectBlocked({ frame, complaints }: Framed, why: string): Promise<void> {
  await expect.poll(() => frame.url()).toMatch(/^chrome-error:/);
  await expect.poll(() => complaints.join(" ")).toContain(why);
}

describe("in a frame", () => {
  test("the shop's own page shows it, whole and under its policy", async () => {
    const { origin } = demo.connections.commerce;
    const { page, frame, complaints } = await framedAt(
      origin,
      await urlFor({ presentation: "embed", origin }),
    );
    expect(complaints.filter((text) => !text.includes("favicon"))).toEqual([]);
    expect(await frame.textContent("h1")).toMatch(/Factura/);
    await frame.evaluate("document.fonts.ready");
    expect(await frame.evaluate("getComputedStyle(document.body).fontFamily")).toContain("IBM Plex Sans");
    expect(await frame.evaluate("document.fonts.size > 0")).toBe(true);
    expect(complaints.filter((text) => !text.includes("favicon"))).toEqual([]);
    await page.close();
  });

  test("its PDF is downloaded from there", async () => {
    const { origin } = demo.connections.commerce;
    const { page, frame } = await framedAt(origin, await urlFor({ presentation: "embed", origin }));
    const downloading = page.waitForEvent("download");
    await frame.click("a.download");
    expect(await (await downloading).failure()).toBeNull();
    await page.close();
  });

  test("another page does not", async () => {
    const { origin } = demo.connections.commerce;
    const framed = await framedAt(STRANGER, await urlFor({ presentation: "embed", origin }));
    await expectBlocked(framed, "frame-ancestors");
    await framed.page.close();
  });

  test("a link does not show in any, the shop's neither", async () => {
    const { origin } = demo.connections.commerce;
    for (const at of [origin, STRANGER]) {
      const framed = await framedAt(at, await urlFor({}));
      await expectBlocked(framed, "frame-ancestors 'none'");
      await framed.page.close();
    }
  });
});

test("by a link, on a phone: the page fits, asks no other host, and its PDF is downloaded", async () => {
  const page = await browser.newPage({ viewport: { width: 360, height: 740 }, locale: "es-ES" });
  const outside: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(demo.api_url)) outside.push(request.url());
  });
  const response = await page.goto(await urlFor({}));
  expect(response?.status()).toBe(200);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  expect(await page.title()).toBe("Factura del pedido 10491 · Tostadero La Plaza");
  const downloading = page.waitForEvent("download");
  await page.click("a.download");
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^PED-\w+-\d{4}-\d{6}\.pdf$/);
  expect(await download.failure()).toBeNull();
  expect(outside).toEqual([]);
  await page.close();
});

describe.each([
  ["an order with its correction", async () => urlFor({ order_id: "W-2" })],
  ["a page that shows nothing", async () => `${await urlFor({})}x`],
])("%s", (_, url) => {
  test.each([
    [360, "light"],
    [1280, "dark"],
  ] as const)("axe finds nothing serious at %i px in the %s", async (width, colorScheme) => {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
    await page.goto(await url());
    expect(await seriousFindings(page)).toEqual([]);
    await page.close();
  });
});

test.each([360, 1280])("at %i px the words of strangers stay words, and in their places", async (width) => {
  const page = await browser.newPage({ viewport: { width, height: 900 }, locale: "es-ES" });
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("request", (request) => {
    if (!request.url().startsWith(demo.api_url)) complaints.push(request.url());
  });
  await page.goto(await urlFor({ order_id: HOSTILE }));
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
  expect(await page.title()).toContain(SCRIPT);
  expect(await page.locator("script, img").count()).toBe(0);
  expect(await page.textContent("body")).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  expect(complaints.filter((text) => !text.includes("favicon"))).toEqual([]);
  await page.close();
});

describe("the QR of an order's invoices", () => {
  test("the QR code is read from the page and from the PDF, and equals the link next to it", async () => {
    const page = await browser.newPage({ viewport: { width: 360, height: 900 }, colorScheme: "dark" });
    await page.goto(await urlFor({ order_id: "W-2" }));
    const links = await page.locator(".qr a").evaluateAll((all) => all.map((link) => String(link)));
    expect(links.map((link) => new URL(link).searchParams.get("importe"))).toEqual(["49.00", "-6.05"]);
    const files = await page.locator("a.pdf").evaluateAll((all) => all.map((link) => String(link)));
    for (const [index, link] of links.entries()) {
      const picture = await page.locator(".sheet").nth(index).screenshot();
      expect(await qrInPicture(browser, picture)).toBe(link);
      const response = await fetchPatiently(files[index] ?? "");
      expect(response.status).toBe(200);
      const bytes = new Uint8Array(await response.arrayBuffer());
      const read = await readPdf(bytes, async ([sheet]) => sheet && foundQr(await sheet.pixels(8)).data);
      expect(read).toBe(link);
    }
    await page.close();
  });
});

test("the PDF is Spanish, unless its reader prefers English", async () => {
  const url = await urlFor({});
  const [, path = ""] = /href="(\/v\/[^"]+\.pdf)"/.exec(await (await fetchPatiently(url)).text()) ?? [];
  const textFor = async (language: string) => {
    const response = await fetchPatiently(demo.api_url + path, { headers: { "Accept-Language": language } });
    return (await pagesOf(new Uint8Array(await response.arrayBuffer()))).join();
  };
  expect(await textFor("fr")).toContain("Fecha de expedición");
  const english = await textFor("en-GB,en;q=0.9");
  expect(english).toContain("Issue date");
  expect(english).toContain("Factura verificable en la");
});

test("a URL that shows nothing says so", async () => {
  const page = await browser.newPage({ locale: "es-ES" });
  const response = await page.goto(`${await urlFor({})}x`);
  expect(response?.status()).toBe(404);
  expect(await page.textContent("h1")).toBe("Este enlace ya no muestra ninguna factura");
  await page.close();
});
