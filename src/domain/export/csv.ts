/** What a cell holds: text is made harmless, a number stays one. */
export type Cell = { readonly text: string } | { readonly number: string } | undefined;

/** Spreadsheets read UTF-8 as what it is only behind this mark. */
export const BYTE_ORDER_MARK = "\ufeff";

/**
 * One record of RFC 4180, but for its separator: where the comma stands in numbers, as in Spain, spreadsheets
 * split at semicolons.
 */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(written).join(";")}\r\n`;
}

function written(cell: Cell): string {
  if (cell === undefined) return "";
  return "number" in cell ? cell.number.replace(".", ",") : quoted(harmless(cell.text));
}

/** A spreadsheet would compute it, also behind white space and in its full-width forms. */
const FORMULA = /^[\s\p{Cf}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/u;

/** The apostrophe says text: in front of a formula, it is one no more. */
function harmless(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

function quoted(text: string): string {
  // A comma or tab too: whoever splits there must not find the middle of a text at the start of a cell.
  return /[";,\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
