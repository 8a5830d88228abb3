import { describe, expect, test } from "vitest";
import { BYTE_ORDER_MARK, INVOICE_HEADINGS, invoiceLines } from "../../../src/domain/export/invoice-csv.ts";
import type { InvoiceView } from "../../../src/domain/invoice/invoice-view.ts";
import { grossOf, isOfMargin, sumAmounts } from "../../../src/domain/invoice/tax-groups.ts";
import { totalDisbursed } from "../../../src/domain/invoice/totals.ts";
import { add, decimal, sum, ZERO } from "../../../src/domain/shared/decimal.ts";
import * as samples from "../../support/builders/issued-samples.ts";
import { exportedOf } from "../../support/builders/issued-samples.ts";
import { parseCsv } from "../../support/rules/csv.ts";

const [HEADINGS = []] = parseCsv(INVOICE_HEADINGS);

type Line = Readonly<Record<string, string>>;

/** Cells by the name of their column. */
function linesOf(csv: string): readonly Line[] {
  return parseCsv(csv).map((cells) => {
    expect(cells).toHaveLength(HEADINGS.length);
    return Object.fromEntries(HEADINGS.map((name, index) => [name, cells[index] ?? ""]));
  });
}

const figures = (lines: readonly Line[], column: string) =>
  lines
    .map((line) => line[column] ?? "")
    .flatMap((cell) => (cell === "" ? [] : [decimal(cell.replace(",", "."))]));

test("the export of every kind of invoice, as it is", async () => {
  const all = Object.values(samples.SAMPLES).map((sample) => invoiceLines(exportedOf(sample())));
  const csv = BYTE_ORDER_MARK + INVOICE_HEADINGS + all.join("");
  await expect(csv).toMatchFileSnapshot("../../golden/exports/invoices.csv");
});

describe.each(Object.entries(samples.SAMPLES))("%s", (_, sample) => {
  const view: InvoiceView = sample();
  const { document } = view;
  const lines = linesOf(invoiceLines(exportedOf(view)));

  test("has a line for each tax group, each with the number of the invoice", () => {
    expect(lines.map((line) => line["Número completo"])).toEqual(document.groups.map(() => view.fullNumber));
    expect(lines.map((line) => line["Fecha de expedición"])).toEqual(
      document.groups.map(() => view.issueDate),
    );
  });

  test("adds up in every column to what the invoice says", () => {
    const told = sumAmounts(
      document.groups.filter(({ amounts }) => !isOfMargin(amounts)).map((group) => group.amounts),
    );
    const untold = sum(document.groups.map((group) => (isOfMargin(group.eur) ? grossOf(group.eur) : ZERO)));
    expect(sum(figures(lines, "Base imponible"))).toBe(told.base);
    expect(sum(figures(lines, "Cuota"))).toBe(told.tax);
    expect(sum(figures(lines, "Cuota de recargo"))).toBe(document.totals.surcharge);
    expect(sum(figures(lines, "Total"))).toBe(document.totals.total);
    expect(sum(figures(lines, "Total (EUR)"))).toBe(document.totalsEur.total);
    const eur = ["Base imponible (EUR)", "Cuota (EUR)", "Cuota de recargo (EUR)"];
    expect(add(eur.map((column) => sum(figures(lines, column))).reduce(add), untold)).toBe(
      document.totalsEur.total,
    );
    expect(sum(figures(lines, "Retención"))).toBe(document.withholding ?? "0");
    expect(sum(figures(lines, "Suplidos"))).toBe(totalDisbursed(document.request));
  });
});

test("under the margin scheme the name of the regime replaces rate, base and tax", () => {
  const lines = linesOf(invoiceLines(exportedOf(samples.tripAndGuide())));
  const columns = [
    "Régimen",
    "Tipo impositivo (%)",
    "Base imponible",
    "Cuota",
    "Base imponible (EUR)",
    "Cuota (EUR)",
    "Total",
  ];
  expect(lines.map((line) => [...columns, "Régimen especial"].map((column) => line[column]))).toEqual([
    ["05", "", "", "", "", "", "202,00", "Régimen especial de las agencias de viajes"],
    ["01", "4", "11,54", "0,46", "11,54", "0,46", "", ""],
  ]);
});

test.each([
  ["an invoice is no test", {}, "No"],
  ["a test says so in every line", { test: true as const }, "Sí"],
])("%s, in the last column", (_, change, expected) => {
  const lines = linesOf(invoiceLines(exportedOf(samples.withDocument(samples.fourRates(), change))));
  expect(HEADINGS.at(-1)).toBe("Prueba");
  expect(new Set(lines.map((line) => line.Prueba))).toEqual(new Set([expected]));
});

test("a recipient's name that is a formula is text in every line", () => {
  const view = samples.fourRates();
  const { request } = view.document;
  const recipient = { ...request.recipient, company: '=1+1;"x"', vatNumber: "@B12345674" };
  const hostile = samples.withDocument(view, { request: { ...request, recipient } });
  const lines = linesOf(invoiceLines(exportedOf(hostile)));
  expect(new Set(lines.map((line) => line.Destinatario))).toEqual(new Set([`'=1+1;"x"`]));
  expect(new Set(lines.map((line) => line["NIF del destinatario"]))).toEqual(new Set(["'@B12345674"]));
});

test.each([
  ["pending_submission", undefined, "Pendiente de envío", ""],
  ["submitted", undefined, "Enviada", ""],
  ["accepted", undefined, "Aceptada", ""],
  ["accepted_with_errors", 2001, "Aceptada con errores", "2001"],
  ["rejected", 1239, "Rechazada", "1239"],
  ["not_submitted", undefined, "No se envía: prueba", ""],
])("the state %s", (state, code, words, shown) => {
  const says = { state, ...(code === undefined ? {} : { code }) };
  const [line] = linesOf(invoiceLines(exportedOf(samples.full(), { registered: says, annulled: says })));
  expect(line).toMatchObject({
    "Estado en la AEAT": words,
    "Código de la AEAT": shown,
    Anulada: "Sí",
    "Estado de la anulación": words,
    "Código de la anulación": shown,
  });
});

test("an invoice with a lost document is listed without figures", () => {
  const [line, ...more] = linesOf(invoiceLines(exportedOf(samples.full(), { document: undefined })));
  expect(more).toEqual([]);
  expect(line).toMatchObject({
    "Número completo": "API-1-2026-000001",
    Descripción: "Documento no disponible: comprueba la cadena",
    Total: "",
    "Estado en la AEAT": "Aceptada",
    Anulada: "No",
  });
});
