import type { InvoiceDocument, TaxGroup } from "../invoice/document.ts";
import { externalIdOf } from "../invoice/origin.ts";
import { scaleOf } from "../invoice/prepare.ts";
import { specialRegimeOf } from "../invoice/regimes.ts";
import type { RectificationMethod, Tax } from "../invoice/request.ts";
import { isOfMargin } from "../invoice/tax-groups.ts";
import { totalDisbursed } from "../invoice/totals.ts";
import { type Decimal, toFixed } from "../shared/decimal.ts";

/** A cell: text is escaped against formulas, a number is not. */
type Cell = { readonly text: string } | { readonly number: string } | undefined;

/** Spreadsheets recognise UTF-8 only after this mark. */
export const BYTE_ORDER_MARK = "\ufeff";

/**
 * One record of RFC 4180 with semicolons: where numbers have a decimal comma, as in Spain, spreadsheets split
 * at semicolons.
 */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(written).join(";")}\r\n`;
}

function written(cell: Cell): string {
  if (cell === undefined) return "";
  return "number" in cell ? cell.number.replace(".", ",") : quoted(harmless(cell.text));
}

/** A spreadsheet would evaluate it, also after white space and in full-width forms. */
const FORMULA = /^[\s\p{Cf}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/u;

/** A leading apostrophe marks text: spreadsheets then evaluate no formula. */
function harmless(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

function quoted(text: string): string {
  // Quoted for a comma or tab too: a parser that splits there must not start a cell inside a text.
  return /[";,\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** An issued invoice with the authority's answer. */
export interface ExportedInvoice {
  readonly series: string;
  readonly number: number;
  readonly fullNumber: string;
  readonly issueDate: string;
  readonly origin: string;
  /** Undefined when it is lost or cannot be read: the invoice must not be missing for that. */
  readonly document: InvoiceDocument | undefined;
  readonly registered: AuthorityResponse;
  readonly annulled?: AuthorityResponse;
}

interface AuthorityResponse {
  readonly state: string;
  readonly code?: number;
}

const COLUMNS = [
  ...["Serie", "Número", "Número completo", "Identificador externo"],
  ...["Fecha de expedición", "Fecha de operación", "Tipo de factura"],
  ...["NIF del destinatario", "Tipo de identificador", "País", "Destinatario", "Descripción"],
  ...["Moneda", "Tipo de cambio"],
  ...["Impuesto", "Régimen", "Calificación", "Tipo impositivo (%)", "Base imponible", "Cuota"],
  ...["Recargo (%)", "Cuota de recargo", "Base imponible (EUR)", "Cuota (EUR)", "Cuota de recargo (EUR)"],
  ...["Retención (%)", "Retención", "Total", "Total (EUR)"],
  ...["Rectifica o sustituye a", "Forma de rectificación"],
  ...[
    "Estado en la AEAT",
    "Código de la AEAT",
    "Anulada",
    "Estado de la anulación",
    "Código de la anulación",
  ],
  ...["Suplidos", "Régimen especial", "Prueba"],
];

export const INVOICE_HEADINGS = csvLine(COLUMNS.map(text));

/**
 * One line per tax group. Amounts of the whole invoice are in its first line only, so that columns add up.
 * Other members are repeated, so that lines can be filtered and sorted.
 */
export function invoiceLines(invoice: ExportedInvoice): string {
  const { document } = invoice;
  const before = identityCells(invoice);
  const after = stateCells(invoice);
  if (!document) return csvLine([...before, ...UNREADABLE, ...after, undefined, undefined, undefined]);
  const shared = { document, partyCells: partyCells(document), citedCells: citedCells(document) };
  return document.groups
    .map((group, index) =>
      csvLine([
        ...before,
        ...shared.partyCells,
        ...groupCells(group, document),
        ...(index === 0 ? totalCells(document) : [undefined, undefined, undefined, undefined]),
        ...shared.citedCells,
        ...after,
        index === 0 ? disbursedCell(document) : undefined,
        regimeCell(group),
        text(document.test ? "Sí" : "No"),
      ]),
    )
    .join("");
}

function identityCells({ series, number, fullNumber, issueDate, origin, document }: ExportedInvoice): Cell[] {
  return [
    text(series),
    { number: String(number) },
    text(fullNumber),
    text(externalIdOf(origin)),
    text(issueDate),
    text(document?.operationDate ?? issueDate),
  ];
}

function partyCells({ request }: InvoiceDocument): Cell[] {
  const { invoiceType, recipient, description, currency, exchangeRate } = request;
  return [
    text(invoiceType),
    text(recipient?.vatNumber),
    text(recipient?.idType),
    text(recipient?.country),
    text(recipient?.company),
    text(description),
    text(currency),
    exchangeRate === undefined ? undefined : { number: exchangeRate },
  ];
}

const TAXES: Readonly<Record<Tax, string>> = { "01": "IVA", "02": "IPSI", "03": "IGIC", "05": "Otros" };

function groupCells(group: TaxGroup, { request }: InvoiceDocument): Cell[] {
  const { tax, regime, qualification, rate, surchargeRate, amounts, eur } = group;
  const inCurrency = (value: Decimal) => amount(value, scaleOf(request.currency));
  const hasSurcharge = surchargeRate !== undefined;
  const isTold = !isOfMargin(amounts);
  return [
    text(TAXES[tax]),
    text(regime),
    text(qualification),
    isTold ? { number: rate } : undefined,
    isTold ? inCurrency(amounts.base) : undefined,
    isTold ? inCurrency(amounts.tax) : undefined,
    hasSurcharge ? { number: surchargeRate } : undefined,
    hasSurcharge ? inCurrency(amounts.surcharge) : undefined,
    isTold ? amount(eur.base, 2) : undefined,
    isTold ? amount(eur.tax, 2) : undefined,
    hasSurcharge ? amount(eur.surcharge, 2) : undefined,
  ];
}

function totalCells({ request, withholding, totals, totalsEur }: InvoiceDocument): Cell[] {
  const scale = scaleOf(request.currency);
  return [
    request.withholdingRate === undefined ? undefined : { number: request.withholdingRate },
    withholding === undefined ? undefined : amount(withholding, scale),
    amount(totals.total, scale),
    amount(totalsEur.total, 2),
  ];
}

function disbursedCell({ request }: InvoiceDocument): Cell {
  if (request.disbursements === undefined) return undefined;
  return amount(totalDisbursed(request), scaleOf(request.currency));
}

/** The margin scheme shows its name instead of rate, base and tax (article 138 LIVA). */
function regimeCell(group: TaxGroup): Cell {
  return text(specialRegimeOf(group)?.es);
}

const METHODS: Readonly<Record<RectificationMethod, string>> = {
  difference: "Por diferencias",
  substitution: "Por sustitución",
};

function citedCells({ request, cited }: InvoiceDocument): Cell[] {
  const { rectificationMethod: method, rectifiedPeriod: period } = request;
  const invoices = cited.map(({ number }) => number).join(", ");
  return [
    text(period ? `Periodo de ${period.from} a ${period.to}` : invoices),
    text(method === undefined ? undefined : METHODS[method]),
  ];
}

/** The empty cells of party, group, totals and citations, for an unreadable document. */
const UNREADABLE: readonly Cell[] = [
  ...Array.from({ length: 5 }, () => undefined),
  text("Documento no disponible: comprueba la cadena"),
  ...Array.from({ length: 19 }, () => undefined),
];

const STATES: Readonly<Record<string, string>> = {
  pending_submission: "Pendiente de envío",
  submitted: "Enviada",
  accepted: "Aceptada",
  accepted_with_errors: "Aceptada con errores",
  rejected: "Rechazada",
  withheld: "No enviada",
  not_submitted: "No se envía: prueba",
};

function stateCells({ registered, annulled }: ExportedInvoice): Cell[] {
  return [...authorityCells(registered), text(annulled ? "Sí" : "No"), ...authorityCells(annulled)];
}

function authorityCells(said: AuthorityResponse | undefined): [Cell, Cell] {
  const { state, code } = said ?? {};
  return [
    text(state === undefined ? undefined : STATES[state]),
    code === undefined ? undefined : { number: String(code) },
  ];
}

function text(value: string | undefined): Cell {
  return value === undefined ? undefined : { text: value };
}

function amount(value: Decimal, scale: number): Cell {
  return { number: toFixed(value, scale) };
}
