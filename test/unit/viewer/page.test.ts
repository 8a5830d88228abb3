/** The pages as text: nothing of a caller's becomes markup, and nothing in them asks for another host. */
import { describe, expect, test } from "vitest";
import type { InvoiceView } from "../../../src/domain/invoice/invoice-view.ts";
import {
  goneHtml,
  unavailableHtml,
  type ViewerOptions,
  viewerHtml,
  viewerLanguage,
  viewerPolicy,
} from "../../../src/viewer/viewer.tsx";
import {
  actedOn,
  cancelled,
  full,
  hostile,
  MARKUP,
  OVERRIDE,
  refund,
  SAMPLES,
  ticket,
} from "../../support/builders/issued-samples.ts";
import { foundQr, pixelsOfSvg } from "../../support/rules/pdf.ts";

const OPTIONS: ViewerOptions = {
  language: "es",
  presentation: "link",
  seller: "Loza y Esparto",
  orderReference: "10491",
};

function page(views: readonly InvoiceView[], options: Partial<ViewerOptions> = {}): string {
  const viewed = views.map((view) => ({ view, pdfUrl: `/v/token/${view.fullNumber}.pdf` }));
  return viewerHtml(viewed, { ...OPTIONS, ...options });
}

describe.each(Object.entries(SAMPLES))("%s", (_, sample) => {
  test("has the QR of its record, with four modules white around", () => {
    const view = sample();
    const svg = /<svg[^>]*role="img".*?<\/svg>/.exec(page([view]))?.[0] ?? "";
    const { content } = view.alta.record;
    const total = content.kind === "ALTA" ? content.total : "no registration";
    expect(foundQr(pixelsOfSvg(svg)).data).toMatch(
      new RegExp(`numserie=${view.fullNumber}.*importe=${total}$`),
    );
    expect(svg).toMatch(/viewBox="-4 -4 /);
  });

  test("loads its style sheet and nothing else, and runs nothing", () => {
    const html = page([sample()]);
    const loaded = [...html.matchAll(/<(link|script|img|iframe|object|style)\b[^>]*>/g)].map(([tag]) => tag);
    expect(loaded).toEqual(['<link rel="stylesheet" href="/viewer.css"/>']);
    expect(html).not.toMatch(/\s(style|on\w+)=/);
  });
});

test("markup of other people is text", () => {
  const html = page([hostile()], { seller: MARKUP, orderReference: MARKUP });
  expect(html).not.toContain("<script");
  expect(html).not.toContain("<b>");
  expect(html.split("&lt;script&gt;").length).toBeGreaterThan(5);
});

test("no mark that turns the direction of text is anywhere on the page", () => {
  const html = page([hostile()], { seller: OVERRIDE, orderReference: OVERRIDE });
  expect(html).toContain("<title>Factura del pedido atsenila x · atsenila x</title>");
  expect(html).not.toMatch(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/);
});

test("the QR's symbol is 35 mm wide, its white not counted", () => {
  const [, width = "", modules = ""] =
    /<svg width="([\d.]+)mm"[^>]*viewBox="-4 -4 (\d+)/.exec(page([full()])) ?? [];
  expect((Number(width) * (Number(modules) - 8)) / Number(modules)).toBeCloseTo(35, 6);
});

describe("several invoices", () => {
  const html = page([actedOn(ticket(), { fullNumber: "API-1RS-2026-000001" }), refund(), cancelled()]);

  test("are listed with their PDFs, and shown below in that order", () => {
    const links = [...html.matchAll(/href="(\/v\/token\/[^"]+)"/g)].map(([, href]) => href);
    expect(links).toEqual([
      "/v/token/API-1S-2026-000001.pdf",
      "/v/token/API-1RS-2026-000001.pdf",
      "/v/token/API-1-2026-000001.pdf",
    ]);
    expect([...html.matchAll(/<article[^>]* id="([^"]+)"/g)].map(([, id]) => id)).toEqual([
      "invoice-1",
      "invoice-2",
      "invoice-3",
    ]);
  });

  test("say what became of them above their sheets", () => {
    expect(html).toContain("Esta factura tiene rectificativas: ");
    expect(html).toContain("Esta factura está anulada desde el 27/11/2026");
    expect(html).toContain("<s>121,00\u00a0€</s>");
  });
});

test("other files of an invoice are linked after its PDF, by their format", () => {
  const formats = [{ format: "Facturae", url: "/v/token/1.facturae.xml" }];
  const html = viewerHtml([{ view: full(), pdfUrl: "/v/token/1.pdf", formats }], OPTIONS);
  const links = [...html.matchAll(/href="(\/v\/token\/[^"]+)"/g)].map(([, href]) => href);
  expect(links).toEqual(["/v/token/1.pdf", "/v/token/1.facturae.xml"]);
  expect(html).toContain(`aria-label="Descargar en Facturae la factura ${full().fullNumber}"`);
});

test("embedded, the frame around it names its owner", () => {
  const html = page([full()], { presentation: "embed", seller: "La tienda" });
  expect(html.replace(/<title>.*?<\/title>/, "")).not.toContain("La tienda");
  expect(html).toContain("Descargar PDF");
});

test("without an order the number is its title", () => {
  const html = viewerHtml([{ view: full(), pdfUrl: "/x.pdf" }], {
    language: "en",
    presentation: "link",
    seller: "Loza",
  });
  expect(html).toContain("<title>Invoice API-1-2026-000001 · Loza</title>");
  expect(html).toContain('<html lang="en">');
});

describe("a link that shows nothing", () => {
  test.each([
    ["es", "Este enlace ya no muestra ninguna factura"],
    ["en", "This link does not show an invoice any more"],
  ] as const)("says so in %s, without a link or a hint", (language, sentence) => {
    const html = goneHtml(language);
    expect(html).toContain(`<h1>${sentence}</h1>`);
    expect(html).not.toContain("<a ");
  });

  test("for a moment only, says that", () => {
    expect(unavailableHtml("es")).toContain("Vuelve a intentarlo dentro de un minuto.");
  });
});

test.each([
  ["en-GB,en;q=0.9", "en"],
  ["fr-FR,fr;q=0.9", "es"],
  ["ca,es;q=0.8,en;q=0.7", "es"],
  [undefined, "es"],
] as const)("who accepts %s reads %s", (acceptLanguage, expected) => {
  expect(viewerLanguage(acceptLanguage)).toBe(expected);
});

test.each([
  [undefined, "frame-ancestors 'none'"],
  ["https://tienda.example", "frame-ancestors https://tienda.example"],
])("framed by %s", (origin, expected) => {
  expect(viewerPolicy(origin)).toBe(
    `default-src 'none'; style-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; ${expected}`,
  );
});
