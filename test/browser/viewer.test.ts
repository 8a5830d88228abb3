/** Invoices in a real browser: on phones and screens, in the dark, on paper, and read by a scanner. */
import { createServer, type Server } from "node:http";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { InvoiceView } from "../../src/domain/invoice/invoice-view.ts";
import { civilDate } from "../../src/domain/shared/civil-date.ts";
import { decimal } from "../../src/domain/shared/decimal.ts";
import { VIEWER_ASSETS } from "../../src/viewer/assets.ts";
import { goneHtml, viewerHtml, viewerPolicy } from "../../src/viewer/viewer.tsx";
import { launchChromium, qrInPicture, seriousFindings } from "../support/browser/chromium.ts";
import { issued } from "../support/builders/direct-invoicing.ts";
import {
  actedOn,
  cancelled,
  manyLines,
  named,
  refund,
  SAMPLES,
  ticket,
} from "../support/builders/issued-samples.ts";
import { aRequest } from "../support/builders/requests.ts";
import { pagesOf } from "../support/rules/pdf.ts";

let server: Server;
let browser: Browser;
let origin: string;

beforeAll(async () => {
  server = createServer(async ({ url = "/" }, response) => {
    const asset = VIEWER_ASSETS[url];
    response.setHeader("Content-Security-Policy", viewerPolicy(undefined));
    response.setHeader("Content-Type", asset?.contentType ?? "text/html; charset=utf-8");
    response.end(asset ? await asset.body() : (PAGES[url]?.() ?? ""));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  if (typeof address !== "object" || !address) throw new Error("the server listens on no port");
  origin = `http://127.0.0.1:${address.port}`;
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
  server?.close();
});

function shown(views: readonly InvoiceView[], language: "en" | "es" = "es"): string {
  return viewerHtml(
    views.map((view) => ({ view, pdfUrl: `/${view.fullNumber}.pdf` })),
    { language, presentation: "link", seller: "Loza y Esparto", orderReference: "10491" },
  );
}

const LARGEST = named("Obra", "999999999999.123456", "0.7", "21");

const DOLLARS = aRequest("dollars", {
  currency: "USD",
  exchangeRate: decimal("1.0871"),
  exchangeRateDate: civilDate("2026-11-26"),
});

const PAGES: Readonly<Record<string, () => string>> = {
  ...Object.fromEntries(
    Object.entries(SAMPLES).map(([name, sample]) => [`/${name}`, () => shown([sample()])] as const),
  ),
  "/english": () => shown([refund()], "en"),
  "/several": () => shown([actedOn(ticket(), {}), refund(), cancelled()]),
  "/large": () => shown([issued(aRequest("large", { lines: [LARGEST] }))]),
  "/dollars": () => shown([issued(DOLLARS)]),
  "/many": () => shown([manyLines(300)]),
  "/gone": () => goneHtml("es"),
};

interface OpenOptions {
  readonly width?: number;
  readonly colorScheme?: "dark" | "light";
}

interface Opened {
  readonly page: Page;
  /** Requests to other hosts, and what the policy refused. */
  readonly complaints: readonly string[];
}

async function open(
  path: string,
  { width = 1280, colorScheme = "light" }: OpenOptions = {},
): Promise<Opened> {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
  const complaints: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(origin)) complaints.push(request.url());
  });
  page.on("console", (message) => {
    if (!message.text().includes("favicon")) complaints.push(message.text());
  });
  await page.goto(origin + path);
  await page.evaluate("document.fonts.ready");
  return { page, complaints };
}

const WIDTHS = [320, 360, 768, 1280];

test.each(Object.keys(PAGES))("%s fits every screen and keeps to its policy", async (path) => {
  const { page, complaints } = await open(path);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
  }
  expect(complaints).toEqual([]);
  await page.close();
});

describe.each(["/fourRates", "/sterling", "/english", "/several", "/gone"])("%s", (path) => {
  test.each([
    [360, "light"],
    [1280, "dark"],
  ] as const)("axe finds nothing serious at %i px in the %s", async (width, colorScheme) => {
    const { page } = await open(path, { width, colorScheme });
    expect(await seriousFindings(page)).toEqual([]);
    await page.close();
  });
});

describe("the QR on the screen", () => {
  test.each([360, 1280])("is read at %i px, in the dark as in the light", async (width) => {
    const { page } = await open("/refund", { width, colorScheme: "dark" });
    const picture = await page.locator(".sheet").screenshot();
    expect(await qrInPicture(browser, picture)).toMatch(/numserie=API-1RS-2026-000001.*importe=-14\.95$/);
    await page.close();
  });

  test("has texts as large as anything on the sheet", async () => {
    const { page } = await open("/several");
    const sizes: number[] = await page.evaluate(
      `[...document.querySelectorAll(".sheet *")].map((one) => parseFloat(getComputedStyle(one).fontSize))`,
    );
    expect(Math.max(...sizes)).toBe(16);
    await page.close();
  });
});

test("a phone shows each line in words: its description, then the calculation of its amount", async () => {
  const { page } = await open("/sterling", { width: 360 });
  const row: string = await page.evaluate(`document.querySelectorAll(".lines tbody tr")[2].innerText`);
  expect(row.replace(/\s+/g, " ")).toBe("Plato llano de loza, 26 cm 48 × 9,25 · dto. 10 % · IGIC 7 % 399,60");
  await page.close();
});

test("the amount of a line is next to its description", async () => {
  const { page } = await open("/large", { width: 360 });
  const [description, amount] = await Promise.all(
    ["td:first-child", "td.amount"].map((cell) => page.locator(`.lines tbody ${cell}`).boundingBox()),
  );
  expect(amount?.y).toBe(description?.y);
  expect(amount?.x ?? 0).toBeGreaterThanOrEqual((description?.x ?? 0) + (description?.width ?? 0));
  await page.close();
});

interface Row {
  readonly children: Iterable<{ getBoundingClientRect(): { readonly bottom: number } }>;
}

test("dates, order and currency are next to their labels", async () => {
  const { page } = await open("/dollars");
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    const tops = await page
      .locator(".details div")
      .evaluateAll((rows) =>
        (rows as unknown as readonly Row[]).map((row) =>
          [...row.children].map((cell) => cell.getBoundingClientRect().bottom),
        ),
      );
    expect(tops).toHaveLength(3);
    for (const [label, value] of tops) expect([width, value]).toEqual([width, label]);
  }
  await page.close();
});

describe("on paper", () => {
  test("every invoice begins a sheet, and nothing of the frame is printed", async () => {
    const { page } = await open("/several");
    const pages = await pagesOf(await page.pdf({ preferCSSPageSize: true }));
    expect(pages).toHaveLength(3);
    for (const text of pages) expect(text).toMatch(/^QR tributario:/);
    expect(pages.join(" ")).not.toMatch(/Este enlace caduca|documentos|Esta factura tiene/);
    await page.close();
  });

  test("a long table repeats its heads", async () => {
    const { page } = await open("/many");
    const pages = await pagesOf(await page.pdf({ preferCSSPageSize: true }));
    expect(pages.length).toBeGreaterThan(5);
    for (const text of pages.slice(0, -1)) expect(text).toContain("Precio sin IVA");
    await page.close();
  });
});
