/** The files of an invoice over HTTP: what is served, under which name, and what is refused with the way out. */
import { expect, test } from "vitest";
import { issuedAnswer } from "../../../src/api/wire/issued-response.ts";
import type { InvoiceView } from "../../../src/domain/invoice/invoice-view.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import { issued } from "../../support/builders/direct-invoicing.ts";
import { aRequest } from "../../support/builders/requests.ts";
import { readXml } from "../../support/einvoice/read-xml.ts";
import { API_KEY, anEdge } from "../../support/worlds/http-edge.ts";

const PLAIN = issued(aRequest("plain"));
const WITHHELD = issued(aRequest("withheld", { withholdingRate: decimal("15") }));
const HOME = `/api/v1/invoices/${PLAIN.invoiceId}`;

async function ask(path: string, invoice: InvoiceView = PLAIN, headers: Record<string, string> = {}) {
  const { app, asked } = anEdge({ readIssued: { outcome: "found", invoice } });
  const response = await app.request(path, { headers: { "X-API-KEY": API_KEY, ...headers } });
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes, asked };
}

const textOf = ({ bytes }: { readonly bytes: Uint8Array }) => new TextDecoder().decode(bytes);

test.each([
  ["/pdf", "application/pdf", "API-1-2026-000001.pdf"],
  ["/ubl", "application/xml; charset=utf-8", "API-1-2026-000001.ubl.xml"],
  ["/record.xml", "application/xml; charset=utf-8", "API-1-2026-000001.record.xml"],
])("%s is a file of that type and name, kept by nobody", async (path, type, name) => {
  const file = await ask(`${HOME}${path}`);
  expect(file.status).toBe(200);
  expect(file.headers.get("Content-Type")).toBe(type);
  expect(file.headers.get("Content-Disposition")).toBe(`attachment; filename="${name}"`);
  expect(file.headers.get("Cache-Control")).toBe("no-store");
  expect(file.headers.get("ETag")).toMatch(/^"[0-9a-f]{64}"$/);
  expect(file.asked.map(({ invoiceId }) => invoiceId)).toEqual([PLAIN.invoiceId]);
});

test("the same invoice is the same bytes, and whoever has them gets none", async () => {
  const [one, other] = [await ask(`${HOME}/ubl`), await ask(`${HOME}/ubl`)];
  expect(other.bytes).toEqual(one.bytes);
  const tag = one.headers.get("ETag") ?? "";
  const again = await ask(`${HOME}/ubl`, PLAIN, { "If-None-Match": `"older", ${tag}` });
  expect([again.status, again.bytes.length, again.headers.get("ETag")]).toEqual([304, 0, tag]);
});

test("UBL names its profile, and has the PDF within if asked", async () => {
  const invoice = issued(aRequest("plain", { buyerReference: "REF" }));
  const plain = readXml(textOf(await ask(`${HOME}/ubl?profile=peppol`, invoice)));
  expect(plain.one("CustomizationID")).toContain("poacc:billing:3.0");
  const pdf = await ask(`${HOME}/pdf`, invoice);
  const attached = readXml(textOf(await ask(`${HOME}/ubl?attach=pdf`, invoice)));
  const [within = ""] = attached.all("EmbeddedDocumentBinaryObject");
  expect(Buffer.from(within, "base64").equals(Buffer.from(pdf.bytes))).toBe(true);
});

test("the record is that of the AEAT, with a declaration", async () => {
  const xml = textOf(await ask(`${HOME}/record.xml`));
  expect(xml).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n<sf:RegistroAlta xmlns:sf=/);
});

test.each([
  ["/ubl", ["ubl withholding"]],
  ["/ubl?profile=peppol", ["ubl_peppol withholding", "ubl_peppol buyer_reference_missing"]],
])("%s of what it cannot say is refused with each reason and its way out", async (path, expected) => {
  const refused = await ask(`${HOME}${path}`, WITHHELD);
  const { error_code, retryable, details } = JSON.parse(textOf(refused));
  expect([refused.status, error_code, retryable]).toEqual([422, "format_cannot_express", false]);
  const told: readonly { path: string; code: string; message: string }[] = details;
  expect(told.map((detail) => `${detail.path} ${detail.code}`)).toEqual(expected);
  expect(told[0]?.message).toBe("EN 16931 has no element for IRPF withheld; take Facturae.");
});

test.each(["?profile=xrechnung", "?attach=zip", "?pdf=true"])(
  "%s is refused before anything is read",
  async (query) => {
    const { status, asked } = await ask(`${HOME}/ubl${query}`);
    expect([status, asked]).toEqual([422, []]);
  },
);

test.each(["..%2f", "in-1", "%FF"])("no invoice has the id %s", async (id) => {
  const { status, asked } = await ask(`/api/v1/invoices/${id}/ubl`);
  expect([status, asked]).toEqual([404, []]);
});

test("the answer says its origin and every format, as the document states", async () => {
  const read = await ask(HOME, WITHHELD);
  const { data } = JSON.parse(textOf(read));
  expect(issuedAnswer.parse(data)).toEqual(data);
  expect([data.origin, data.order_id]).toEqual(["direct", null]);
  const formats: readonly { format: string; available: boolean; reasons: readonly { code: string }[] }[] =
    data.formats;
  expect(formats.map(({ format, available }) => `${format} ${available}`)).toEqual([
    ...["pdf true", "ubl false", "ubl_peppol false", "facturae true"],
  ]);
  expect(formats[1]?.reasons.map(({ code }) => code)).toEqual(["withholding"]);
});

test("an invoice of an order names it", async () => {
  const order = await ask(HOME, { ...PLAIN, origin: "order:PED/1", externalId: "" });
  const { data } = JSON.parse(textOf(order));
  expect([data.origin, data.order_id, data.external_id]).toEqual(["order", "PED/1", ""]);
});
