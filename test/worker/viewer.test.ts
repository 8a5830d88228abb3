/** The viewer in the runtime that it is for: fonts unpacked, PDF compressed, all of it loaded when asked for. */
import { expect, test } from "vitest";
import { VIEWER_ASSETS } from "../../src/viewer/assets.ts";
import { viewerHtml, viewerPdf } from "../../src/viewer/viewer.tsx";
import { full, manyLines, sterling } from "../support/builders/issued-samples.ts";

test("a PDF is made, and made the same again", async () => {
  const options = { language: "es", creator: "Cuadre 1.0.0" } as const;
  const [one, other] = [await viewerPdf(full(), options), await viewerPdf(full(), options)];
  const text = new TextDecoder("latin1").decode(one);
  expect(text.slice(0, 8)).toBe("%PDF-1.7");
  expect(text.trimEnd().slice(-5)).toBe("%%EOF");
  expect(one.length).toBeGreaterThan(10_000);
  expect(other).toEqual(one);
});

test("of three hundred lines too", async () => {
  const bytes = await viewerPdf(manyLines(300), { language: "en", creator: "Cuadre 1.0.0" });
  expect(bytes.length).toBeLessThan(120_000);
});

test("a page is written, with the names of countries and currencies", () => {
  const html = viewerHtml([{ view: sterling(), pdfUrl: "/x.pdf" }], {
    language: "es",
    presentation: "link",
    seller: "Loza",
  });
  expect(html).toContain("Reino Unido");
  expect(html).toContain("GBP, libra esterlina");
});

test.each(Object.keys(VIEWER_ASSETS))("%s has its content", async (path) => {
  expect((await VIEWER_ASSETS[path]?.body())?.length).toBeGreaterThan(5_000);
});
