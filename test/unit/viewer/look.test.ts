/** The owner's look on page and PDF: logo, colour, text at the foot. QR and legal words stay as they are. */
import { deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { InvoiceLook } from "../../../src/domain/brand/look.ts";
import { accentPath, accentStylesheet } from "../../../src/viewer/stylesheet.ts";
import { sheetHtml, viewerHtml, viewerPdf, viewerPolicy } from "../../../src/viewer/viewer.tsx";
import { full, withDocument } from "../../support/builders/issued-samples.ts";
import { foundQr, pagesOf, readPdf, topOf } from "../../support/rules/pdf.ts";

const FILE = `ac0001/${"a".repeat(64)}`;
const LOOK: InvoiceLook = {
  accent: { chosen: "#FF9900", printed: "#A65F00" },
  logo: { file: FILE, width: 400, height: 140 },
};
const URL = `/brand/${FILE}.png`;

function page(look?: InvoiceLook): string {
  return viewerHtml([{ view: full(), pdfUrl: "/x.pdf" }], {
    ...{ language: "es", presentation: "link", seller: "Loza" },
    ...(look ? { look, logoUrl: URL } : {}),
  });
}

const tagsOf = (html: string) => [...html.matchAll(/<(link|script|img|style)\b[^>]*>/g)].map(([tag]) => tag);

describe("the page", () => {
  test("loads the stylesheet of the readable colour, and the logo from its own host", () => {
    expect(tagsOf(page(LOOK))).toEqual([
      '<link rel="stylesheet" href="/viewer.css"/>',
      '<link rel="stylesheet" href="/accent/a65f00.css"/>',
      `<img class="logo" src="${URL}" width="400" height="140" alt=""/>`,
    ]);
    expect(page(LOOK)).not.toMatch(/\s(style|on\w+)=/);
  });

  test("differs by its look in nothing else", () => {
    const without = page(LOOK)
      .replace('<link rel="stylesheet" href="/accent/a65f00.css"/>', "")
      .replace(/<img class="logo"[^>]*>/, "");
    expect(without).toBe(page());
  });

  test("is allowed a picture only if it has one", () => {
    expect(viewerPolicy(undefined, true)).toContain("; img-src 'self'; ");
    expect(viewerPolicy(undefined)).not.toContain("img-src");
    expect(viewerPolicy(undefined, true)).toContain("style-src 'self';");
  });
});

test.each<[string, string | undefined]>([
  ["a65f00.css", ".sheet { --brand: #A65F00; }"],
  ["274684.css", ".sheet { --brand: #274684; }"],
  ["ff9900.css", undefined],
  ["A65F00.css", undefined],
  ["a65f00", undefined],
  ["a65f0.css", undefined],
  ["a65f00;}.css", undefined],
])("the stylesheet %s", (file, style) => {
  expect(accentStylesheet(file)).toBe(style);
});

test("a colour has one address", () => {
  expect(accentPath("#A65F00")).toBe("/accent/a65f00.css");
});

test("a text at the foot is printed, and its markup is text", async () => {
  const view = withDocument(full(), { footer: "Gracias <b>por</b> tu compra & vuelve" });
  expect(sheetHtml(view, { language: "es" })).toContain(
    "Gracias &lt;b&gt;por&lt;/b&gt; tu compra &amp; vuelve",
  );
  const [first] = await pagesOf(await viewerPdf(view, OPTIONS));
  expect(first).toContain("Gracias <b>por</b> tu compra & vuelve");
});

const OPTIONS = { language: "es", creator: "Cuadre 1.0.0" } as const;
/** 400 by 140: red above, green below. */
const PIXELS = Buffer.alloc(400 * 140 * 3);
for (let at = 0; at < PIXELS.length; at += 3) PIXELS[at + (at < PIXELS.length / 2 ? 0 : 1)] = 255;
const PICTURE = Uint8Array.from(deflateSync(PIXELS));

const SCALE = 5;

async function pixelsOf(bytes: Uint8Array) {
  const read = await readPdf(bytes, ([first]) => first?.pixels(SCALE));
  if (!read) throw new Error("the file has no page");
  return read;
}

describe("the PDF", () => {
  test("shows the logo 40 mm wide, the right way up, and the colour on the rule", async () => {
    const pixels = await pixelsOf(await viewerPdf(full(), { ...OPTIONS, look: LOOK, picture: PICTURE }));
    const { width, data } = pixels;
    const at = (x: number, y: number) => {
      const place = (Math.round(y * SCALE) * width + Math.round(x * SCALE)) * 4;
      return [data[place], data[place + 1], data[place + 2]];
    };
    expect([at(18, 19), at(54, 19)]).toEqual([
      [255, 0, 0],
      [255, 0, 0],
    ]);
    expect([at(18, 29), at(54, 29), at(18, 32)]).toEqual([
      [0, 255, 0],
      [0, 255, 0],
      [255, 255, 255],
    ]);
    expect(at(57, 24)).toEqual([255, 255, 255]);
  });

  test("has the same text and QR as without a look, and the same bytes each time", async () => {
    const [plain, one, other] = await Promise.all([
      viewerPdf(full(), OPTIONS),
      viewerPdf(full(), { ...OPTIONS, look: LOOK, picture: PICTURE }),
      viewerPdf(full(), { ...OPTIONS, look: LOOK, picture: PICTURE }),
    ]);
    expect(other).toEqual(one);
    expect(await pagesOf(one)).toEqual(await pagesOf(plain));
    const qrOf = async (bytes: Uint8Array) => foundQr(topOf(await pixelsOf(bytes), 70 * SCALE)).data;
    expect(await qrOf(one)).toBe(await qrOf(plain));
  });

  test("without the pixels has no logo and is whole", async () => {
    const { logo: _, ...coloured } = LOOK;
    const [without] = await pagesOf(await viewerPdf(full(), { ...OPTIONS, look: coloured }));
    expect(without).toContain(full().fullNumber);
  });
});
