/** PDFs as another program reads them: the text, the place of the QR, the order of the sheets. */
import { describe, expect, test } from "vitest";
import type { InvoiceView } from "../../../src/domain/invoice/invoice-view.ts";
import type { RequestLine } from "../../../src/domain/invoice/request.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import { viewerPdf } from "../../../src/viewer/viewer.tsx";
import type { Language } from "../../../src/words/words.ts";
import { issued } from "../../support/builders/direct-invoicing.ts";
import {
  cancelled,
  full,
  hostile,
  LONG_WORD,
  MARKUP,
  manyLines,
  named,
  oneStopShop,
  SAMPLES,
  sterling,
  ticket,
  withDocument,
} from "../../support/builders/issued-samples.ts";
import { aRequest, aTicket } from "../../support/builders/requests.ts";
import { expanded, foundQr, pagesOf, readPdf, topOf } from "../../support/rules/pdf.ts";

function pdf(view: InvoiceView, language: Language = "es") {
  return viewerPdf(view, { language, orderReference: "10491", creator: "Cuadre 1.0.0" });
}

async function textOf(view: InvoiceView, language: Language = "es"): Promise<string> {
  const pages = await pagesOf(await pdf(view, language));
  return pages.join("\n");
}

describe.each(Object.entries(SAMPLES))("%s", (_, sample) => {
  test("can be read on one sheet, with its total to the cent", async () => {
    const view = sample();
    const pages = await pagesOf(await pdf(view));
    expect(pages).toHaveLength(1);
    expect(pages[0]).toContain(view.fullNumber);
    expect(pages[0]).toContain("Página 1 de 1");
  });

  test("has the QR of its record", async () => {
    const view = sample();
    const bytes = await pdf(view);
    const scale = 5;
    const pixels = await readPdf(bytes, ([page]) => page?.pixels(scale));
    const { key, total } = registration(view);
    const query = `nif=${key.issuerNif}&numserie=${key.number}&fecha=${key.date}&importe=${total}`;
    const found = foundQr(topOf(pixels ?? NOTHING, QR_ENDS_MM * scale));
    expect(found.data).toBe(`https://prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQR?${query}`);
  });
});

/** A search of the whole sheet takes four times as long. */
const QR_ENDS_MM = 70;
const NOTHING = { data: new Uint8ClampedArray(4), width: 1, height: 1 };

function registration({ alta }: InvoiceView) {
  if (alta.record.content.kind !== "ALTA") throw new Error("no registration");
  return alta.record.content;
}

describe("the QR (article 21 Orden HAC/1177/2024)", () => {
  test("is a square of 35 mm in the middle of the top, four modules white around", async () => {
    const scale = 10;
    const pixels = await readPdf(await pdf(full()), ([page]) => page?.pixels(scale));
    if (!pixels) throw new Error("no page");
    const { location, version } = foundQr(pixels);
    const { topLeftCorner: first, bottomRightCorner: last } = location;
    const inMm = [first.x, first.y, last.x, last.y].map((value) => value / scale);
    expect(inMm.map((value) => Math.round(value * 2) / 2)).toEqual([87.5, 17, 122.5, 52]);
    const quiet = (4 * 35) / (17 + 4 * version);
    expect(inkWithin(pixels, frame([87.5, 17, 122.5, 52], quiet), scale)).toBe(false);
  });

  test("has its texts above and below, as large as anything on the sheet", async () => {
    const bytes = await pdf(full());
    const [page = ""] = await pagesOf(bytes);
    expect(page.indexOf("QR tributario:")).toBe(0);
    expect(page).toMatch(/Factura verificable en la\s+sede electrónica de la AEAT/);
    const sizes = expanded(bytes).flatMap((stream) =>
      [...stream.matchAll(/ ([\d.]+) Tf /g)].map(([, size]) => Number(size)),
    );
    expect(Math.max(...sizes)).toBe(11);
    expect(sizes[0]).toBe(11);
  });

  test("is on the first sheet only", async () => {
    await readPdf(await pdf(manyLines(60)), async (pages) => {
      expect(pages.length).toBeGreaterThan(1);
      const second = await pages[1]?.pixels(8);
      expect(() => foundQr(second ?? NOTHING)).toThrow();
    });
  });
});

type Box = readonly [left: number, top: number, right: number, bottom: number];

/** Four strips around a box. */
function frame([left, top, right, bottom]: Box, width: number): Box[] {
  // Anti-aliasing greys the first half tenth of a millimetre.
  const gap = 0.1;
  const [outer, inner] = [width - gap, gap];
  return [
    [left - outer, top - outer, right + outer, top - inner],
    [left - outer, bottom + inner, right + outer, bottom + outer],
    [left - outer, top - outer, left - inner, bottom + outer],
    [right + inner, top - outer, right + outer, bottom + outer],
  ];
}

function inkWithin(
  { data, width }: { data: Uint8ClampedArray; width: number },
  boxes: readonly Box[],
  scale: number,
): boolean {
  return boxes.some(([left, top, right, bottom]) => {
    for (let y = Math.ceil(top * scale); y < Math.floor(bottom * scale); y++) {
      for (let x = Math.ceil(left * scale); x < Math.floor(right * scale); x++) {
        if ((data[(y * width + x) * 4] ?? 255) < 200) return true;
      }
    }
    return false;
  });
}

test("a date, a number, a currency are next to their labels, whole", async () => {
  const [rate, day] = [decimal("1.0871"), civilDate("2026-11-26")];
  const dollars = aRequest("usd", { currency: "USD", exchangeRate: rate, exchangeRateDate: day });
  const text = await textOf(issued(dollars));
  for (const line of ["Pedido 10491", "Moneda USD, dólar estadounidense"]) expect(text).toContain(line);
});

describe("sheets", () => {
  test("carry their sums from one to the next", async () => {
    const pages = await pagesOf(await pdf(manyLines(300)));
    expect(pages.length).toBe(9);
    pages.slice(0, -1).forEach((page, index) => {
      const forward = /Suma y sigue ?\n?([\d.,]+)/.exec(page)?.[1] ?? "none carried forward";
      const brought = /Suma anterior ?\n?([\d.,]+)/.exec(pages[index + 1] ?? "")?.[1];
      expect(brought).toBe(forward);
      expect(page).toContain(`Página ${index + 1} de 9`);
    });
    expect(pages.at(-1)).toContain("215.537,80 €");
  });

  test("hold every line once, and never begin without a row or a total", async () => {
    for (const count of [1, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 61, 62, 63]) {
      const pages = await pagesOf(await pdf(manyLines(count)));
      const text = pages.join("\n");
      for (let index = 0; index < count; index++) {
        expect(text.split(new RegExp(`(?:número|n\\.º) ${index}\\b`)).length, `${count}: ${index}`).toBe(2);
      }
      for (const page of pages) expect(page).toMatch(/Plato|Cesta|Base imponible/);
      expect(text.match(/Base imponible/g)).toHaveLength(1);
    }
  });

  test("are enough for any text", async () => {
    const long = "Prestación de servicios de restauración y catálogo. ".repeat(19).trim();
    const lines: RequestLine[] = Array.from({ length: 12 }, (_, index) =>
      named(`${index} ${long}`, "999999999.123456", "0.000001", "21"),
    );
    const payments = Array.from({ length: 70 }, (_, index) => ({
      name: `Vale ${index}`,
      amount: decimal("0.01"),
    }));
    const view = withDocument(issued(aRequest("long", { description: long, lines })), { payments });
    const pages = await pagesOf(await pdf(view));
    const text = pages.join("\n");
    for (const index of lines.keys()) expect(text).toContain(`${index} Prestación`);
    for (const { name } of payments) expect(text).toContain(`Pagado: ${name}`);
    expect(pages.at(-1)).toContain("Total a pagar");
  });

  test("show what is left to pay of an order that is collected in part", async () => {
    const collected = { paid: decimal("60.5"), payable: decimal("121") };
    const text = await textOf(withDocument(issued(aRequest("part")), { collected }));
    expect(text).toContain("Cobrado del pedido");
    expect(text).toContain("Pendiente de pago");
  });

  test("cite a thousand invoices", async () => {
    const sale = full();
    const cited = Array.from({ length: 1000 }, (_, index) => ({
      number: `TICKET/${index}`,
      issueDate: sale.document.request.operationDate ?? fail(),
      invoiceType: "F2",
    }));
    const pages = await pagesOf(await pdf(withDocument(sale, { cited })));
    const text = pages.join("\n");
    expect(text).toContain("TICKET/0,");
    expect(text).toContain("TICKET/999,");
    expect(text).toContain("1.130,90 €");
    expect(pages.length).toBe(5);
  });

  test("show the largest figures without overlap", async () => {
    const lines = [named("Obra", "999999999999.123456", "0.7", "21")];
    const text = await textOf(issued(aRequest("large", { lines })));
    expect(text).toContain("999.999.999.999,123456");
    expect(text).toContain("846.999.999.999,26 €");
  });
});

function fail(): never {
  throw new Error("the sample has an operation date");
}

describe("the file", () => {
  test("is the same for the same invoice", async () => {
    const [one, other] = [await pdf(sterling()), await pdf(sterling())];
    expect(Buffer.from(one).equals(other)).toBe(true);
  });

  test("embeds a subset of each font, with the characters of its glyphs", async () => {
    const bytes = await pdf(full());
    const objects = expanded(bytes).join("\n");
    const names = new Set([...objects.matchAll(/\/BaseFont \/(\S+)/g)].map(([, name]) => name));
    expect([...names].map((name) => name?.replace(/^[A-Z]{6}\+/, ""))).toEqual([
      "IBMPlexSans",
      "IBMPlexSans-SemiBold",
    ]);
    expect(objects.match(/\/FontFile2 /g)).toHaveLength(2);
    expect(objects.match(/\/ToUnicode /g)).toHaveLength(2);
    expect(bytes.length).toBeLessThan(40_000);
  });

  test.each([
    ["es", "Factura API-1-2026-000001", "es-ES"],
    ["en", "Invoice API-1-2026-000001", "en-GB"],
  ] as const)("says in %s its title, its author, its language, its date", async (language, title, tag) => {
    const objects = expanded(await pdf(full(), language)).join("\n");
    expect(objects).toContain(`/Title <FEFF${utf16(title)}>`);
    expect(objects).toContain(`/Author <FEFF${utf16("Loza y Esparto, S.L.")}>`);
    expect(objects).toContain(`/Lang <FEFF${utf16(tag)}>`);
    expect(objects).toContain("/CreationDate (D:20261127120000+01'00')");
    expect(objects).toContain("/DisplayDocTitle true");
  });

  test("is tagged: headings, tables with their heads, the QR with its address, a link", async () => {
    const objects = expanded(await pdf(full())).join("\n");
    expect(objects).toContain("/MarkInfo <</Marked true>>");
    for (const type of ["Document", "H1", "H2", "Figure", "Link", "Table", "TH", "TD"]) {
      expect(objects).toContain(`/Type /StructElem /S /${type} `);
    }
    expect(objects).toContain(`/Alt <FEFF${utf16("https://prewww2.aeat.es/")}`);
    expect(objects).toContain("/URI (https://prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQR?nif=B12345674&");
  });

  test("marks its Spanish words where the rest is English", async () => {
    const objects = expanded(await pdf(ticket(), "en")).join("\n");
    expect(objects).toContain(`/S /H1 /P`);
    expect(objects.match(new RegExp(`/Lang <FEFF${utf16("es")}>`, "g"))?.length).toBeGreaterThan(2);
  });
});

function utf16(text: string): string {
  return Buffer.from(text, "utf16le").swap16().toString("hex").toUpperCase();
}

describe("text", () => {
  test("of any kind is kept, on its own place, and can be copied", async () => {
    const text = (await textOf(hostile())).replaceAll("\n", "");
    expect(text).toContain(MARKUP);
    expect(text).toContain("Žluťoučký kůň 😀");
    expect(text.replaceAll(" ", "")).toContain(LONG_WORD);
    expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    expect(text).toContain("1.234.567,123456");
  });

  test("of a cancelled invoice says so, and since when", async () => {
    expect(await textOf(cancelled())).toContain("FACTURA ANULADA el 27/11/2026");
  });

  test("of one-stop-shop sales shows the QR's figure next to it", async () => {
    expect(await textOf(oneStopShop())).toContain("Importe en el código QR: 111,98 €");
  });

  test("of an order's ticket leaves out what the order's number says", async () => {
    const view = issued(aTicket("t", { description: "Pedido 10491" }));
    expect(await textOf(view)).not.toContain("Concepto");
  });
});
