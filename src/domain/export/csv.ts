/** A cell: text is escaped against formulas, a number is not. */
export type Cell = { readonly text: string } | { readonly number: string } | undefined;

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
