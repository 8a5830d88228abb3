import type { TaxRow } from "../presentation/taxes.ts";
import { BODY, LEFT, LINE, SMALL, SOFT, WIDTH } from "./measures.ts";
import type { Ink } from "./paper.ts";
import { type Column, heightOf, roomFor, type Setting } from "./setting.ts";
import type { Element } from "./structure.ts";
import { widthOf, wrapped } from "./text-wrap.ts";

const PADDING = 0.8;
const GAP = 2;

export function taxesHeight(setting: Setting): number {
  const { rows, sum } = setting.invoice.taxes;
  if (rows.length === 0) return 0;
  const columns = taxColumns(setting);
  const all = [...rows, ...(sum ? [sum] : [])];
  return all.reduce((height, row) => height + taxRowHeight(setting, columns, row), headHeight());
}

interface TaxColumns {
  readonly name: Column;
  readonly figures: readonly Column[];
}

/** Columns of 40 mm, or 30 if euros appear next to another currency; longer figures widen them. */
function taxColumns({ invoice, bold }: Setting): TaxColumns {
  const { rows, sum, heads } = invoice.taxes;
  const usual = heads.length > 3 ? 30 : 40;
  const all = [...rows, ...(sum ? [sum] : [])];
  const widths = heads.slice(1).map((_, index) => {
    const figures = all.map(({ cells }) => widthOf(cells[index] ?? "", bold, BODY.size));
    return Math.max(usual, Math.ceil(Math.max(...figures) + GAP));
  });
  const name = WIDTH - widths.reduce((total, width) => total + width, 0);
  let x = LEFT + name;
  const figures = widths.map((width) => {
    const column = { x: x + GAP, width: width - GAP };
    x += width;
    return column;
  });
  return { name: { x: LEFT, width: name - 1 }, figures };
}

function headHeight(): number {
  return SMALL.leading + 1.6 + 0.2;
}

function taxRowHeight(setting: Setting, { name }: TaxColumns, row: TaxRow): number {
  const small: Ink = { type: SMALL, font: setting.regular };
  const named = heightOf(row.name.text, { type: BODY, font: setting.bold }, name.width);
  const below = [row.name.gloss, row.law].filter((text) => text !== undefined);
  return below.reduce((sum, text) => sum + heightOf(text, small, name.width), named + 2 * PADDING);
}

export function drawTaxes(setting: Setting, start: number): number {
  const { paper, invoice, regular, bold } = setting;
  const { heads, rows, sum, caption } = invoice.taxes;
  if (rows.length === 0) return start;
  const columns = taxColumns(setting);
  const table = paper.root.child("Table", { summary: caption });
  const header = table.child("TR");
  const all = [columns.name, ...columns.figures];
  let top = roomFor(setting, start, headHeight() + BODY.leading);
  all.forEach((column, index) => {
    const align = index === 0 ? "left" : "right";
    paper.draw(
      header,
      "TH",
      () =>
        paper.line(
          heads[index] ?? "",
          { ...column, top },
          { type: SMALL, font: regular, colour: SOFT, align },
        ),
      { scope: "Column" },
    );
  });
  top += headHeight();
  drawRule(setting, top - 0.2, 0.2);
  for (const row of rows) top = drawTaxRow(setting, columns, { row, top, table, font: regular });
  return sum ? drawTaxRow(setting, columns, { row: sum, top, table, font: bold, unruled: true }) : top;
}

interface TaxRowPlace {
  readonly row: TaxRow;
  readonly top: number;
  readonly table: Element;
  readonly font: Setting["regular"];
  readonly unruled?: true;
}

function drawTaxRow(setting: Setting, columns: TaxColumns, place: TaxRowPlace): number {
  const { paper, invoice } = setting;
  const { row, table, font } = place;
  const height = taxRowHeight(setting, columns, row);
  const top = roomFor(setting, place.top, height) + PADDING;
  const element = table.child("TR");
  const body: Ink = { type: BODY, font };
  const options = row.name.language === invoice.language ? {} : { language: row.name.language };
  paper.draw(
    element,
    "TH",
    () => {
      const small: Ink = { type: SMALL, font: setting.regular, colour: SOFT };
      let below = paper.lines(
        wrapped(row.name.text, font, BODY.size, columns.name.width),
        { ...columns.name, top },
        body,
      );
      for (const text of [row.law, row.name.gloss].filter((one) => one !== undefined)) {
        const lines = wrapped(text, setting.regular, SMALL.size, columns.name.width);
        below = paper.lines(lines, { ...columns.name, top: below }, small);
      }
    },
    { scope: "Row", ...options },
  );
  columns.figures.forEach((column, index) => {
    paper.draw(element, "TD", () =>
      paper.line(row.cells[index] ?? "", { ...column, top }, { ...body, align: "right" }),
    );
  });
  const bottom = top - PADDING + height;
  if (!place.unruled) drawRule(setting, bottom, 0.15);
  return bottom;
}

function drawRule({ paper }: Setting, top: number, thickness: number): void {
  paper.ornament(() => paper.rule({ x: LEFT, top, width: WIDTH }, thickness, LINE));
}
