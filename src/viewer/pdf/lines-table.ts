import type { LineRow } from "../presentation/lines.ts";
import { fill, WORDS } from "../presentation/words.ts";
import { BODY, INK, LATER, LEFT, LINE, SMALL, SOFT, WIDTH } from "./measures.ts";
import type { Ink } from "./paper.ts";
import { type Column, rowsBottom, type Setting, turnSheet } from "./setting.ts";
import type { Element } from "./structure.ts";
import { widthOf, wrapped } from "./text-wrap.ts";

const PADDING = 0.95;
const HAIRLINE = 0.15;
const HEAD_LINE = 0.35;
const BELOW_HEAD = 1.6;

/** Lines over as many sheets as they need. */
export interface DrawnLines {
  readonly bottom: number;
  /** Ends the sheet with the sum so far and begins another with it; returns where the table continues. */
  readonly carryOver: () => number;
}

export function drawLines(setting: Setting, start: number): DrawnLines {
  const { paper, invoice } = setting;
  const columns = lineColumns(setting);
  const table = paper.root.child("Table", { summary: invoice.lines.caption });
  const header = table.child("TR");
  const rows = invoice.lines.rows.map((row) => ({ row, pieces: layRow(setting, columns, row) }));
  const first = headsHeight(columns) + (rows[0]?.pieces[0]?.height ?? 0);
  const hasRoom = start + first <= rowsBottom(setting);
  let top = drawHeads(setting, columns, { top: hasRoom ? start : turnSheet(setting), row: header });
  let running = "";
  const carryOver = () => {
    drawCarried(setting, { top, label: WORDS.carriedForward, sum: running });
    const next = drawHeads(setting, columns, { top: turnSheet(setting) });
    return drawCarried(setting, { top: next, label: WORDS.broughtForward, sum: running, ruled: true });
  };
  for (const { row, pieces } of rows) {
    const element = table.child("TR");
    for (const laid of pieces) {
      if (top + laid.height > rowsBottom(setting)) top = carryOver();
      top = drawRow(setting, { columns, laid, top, row: element });
      running = row.running;
    }
  }
  return { bottom: top, carryOver };
}

interface HeadPlace {
  readonly top: number;
  /** Absent on later sheets, where the heads only repeat. */
  readonly row?: Element;
}

function drawHeads(setting: Setting, columns: readonly LineColumn[], { top, row }: HeadPlace): number {
  const { paper, regular } = setting;
  const rule = top + headsHeight(columns) - HEAD_LINE;
  const bottom = rule - BELOW_HEAD;
  for (const column of columns) {
    const { head, align } = column;
    const ink: Ink = { type: SMALL, font: regular, colour: SOFT, align };
    const draw = () => {
      paper.lines(head, { ...column, top: bottom - head.length * SMALL.leading }, ink);
    };
    if (row) paper.draw(row, "TH", draw, { scope: "Column" });
    else paper.ornament(draw);
  }
  paper.ornament(() => paper.rule({ x: LEFT, top: rule, width: WIDTH }, HEAD_LINE, INK));
  return rule + HEAD_LINE;
}

function headsHeight(columns: readonly LineColumn[]): number {
  return Math.max(...columns.map(({ head }) => head.length)) * SMALL.leading + BELOW_HEAD + HEAD_LINE;
}

interface LaidRow {
  readonly cells: readonly (readonly string[])[];
  readonly height: number;
}

/** One piece, unless the row is taller than a sheet: then it continues below its carried sum. */
function layRow(setting: Setting, columns: readonly LineColumn[], row: LineRow): LaidRow[] {
  const most = Math.floor((rowsBottom(setting) - LATER.top - HEADS_AND_SUM) / BODY.leading);
  const cells = columns.map((column) =>
    wrapped(cellText(row, column), setting.regular, BODY.size, column.width),
  );
  const deepest = Math.max(...cells.map((lines) => lines.length));
  return Array.from({ length: Math.ceil(deepest / most) }, (_, piece) => {
    const shown = cells.map((lines) => lines.slice(piece * most, (piece + 1) * most));
    const height = Math.max(...shown.map((lines) => lines.length)) * BODY.leading + 2 * PADDING;
    return { cells: shown, height };
  });
}

/** The height above the rows of a later sheet. */
const HEADS_AND_SUM = 24;

interface RowPlace {
  readonly columns: readonly LineColumn[];
  readonly laid: LaidRow;
  readonly top: number;
  readonly row: Element;
}

function drawRow({ paper, regular }: Setting, { columns, laid, top, row }: RowPlace): number {
  columns.forEach((column, index) => {
    const ink: Ink = { type: BODY, font: regular, align: column.align };
    paper.draw(row, "TD", () => {
      paper.lines(laid.cells[index] ?? [], { ...column, top: top + PADDING }, ink);
    });
  });
  const bottom = top + laid.height;
  paper.ornament(() => paper.rule({ x: LEFT, top: bottom, width: WIDTH }, HAIRLINE, LINE));
  return bottom + HAIRLINE;
}

interface Carried {
  readonly top: number;
  readonly label: (typeof WORDS)["carriedForward" | "broughtForward"];
  readonly sum: string;
  readonly ruled?: true;
}

/** A sum at the end of one sheet and again at the beginning of the next. */
function drawCarried(
  { paper, invoice, regular, bold }: Setting,
  { top, label, sum, ruled }: Carried,
): number {
  const place = { x: LEFT, top: top + (ruled ? PADDING : BELOW_HEAD), width: WIDTH };
  paper.ornament(() => {
    paper.line(fill(label, invoice.language), place, { type: BODY, font: regular, colour: SOFT });
    const bottom = paper.line(sum, place, { type: BODY, font: bold, align: "right" });
    if (ruled) paper.rule({ x: LEFT, top: bottom + PADDING, width: WIDTH }, HAIRLINE, LINE);
  });
  return place.top + BODY.leading + PADDING + HAIRLINE;
}

type Field = "description" | "quantity" | "price" | "discount" | "tax" | "amount";

interface LineColumn extends Column {
  readonly field: Field;
  readonly head: readonly string[];
  readonly align: NonNullable<Ink["align"]>;
}

/** Space between two columns, on the left of each but the first. */
const GAP = 2;

/** Widths of the columns of figures; a longer figure widens its own, and the description gives way. */
const WIDTHS = { quantity: 16, price: 24, discount: 14, tax: 16, amount: 28 } as const;

function lineColumns({ invoice, regular, bold }: Setting): readonly LineColumn[] {
  const { heads, included, hasDiscounts, rows } = invoice.lines;
  const fields = (["quantity", "price", "discount", "tax", "amount"] as const).filter(
    (field) => field !== "discount" || hasDiscounts,
  );
  const widest = (field: Exclude<Field, "description">) => {
    const figures = rows.map((row) => widthOf(row[field], regular, BODY.size));
    const sums = field === "amount" ? rows.map(({ running }) => widthOf(running, bold, BODY.size)) : [];
    return [...figures, ...sums].reduce((most, width) => Math.max(most, width), 0);
  };
  const widths = fields.map((field) => Math.max(WIDTHS[field], Math.ceil(widest(field) + 2 * GAP)));
  const description = WIDTH - widths.reduce((sum, width) => sum + width, 0);
  const head = (field: Field, width: number) => wrapped(heads[field], regular, SMALL.size, width - GAP);
  let x = LEFT + description;
  const figures = fields.map((field, index): LineColumn => {
    const width = widths[index] ?? 0;
    const column = { field, x: x + GAP, width: width - GAP, align: "right" } as const;
    x += width;
    const below = field === "amount" && included ? includedLines(included, width - GAP) : [];
    return { ...column, head: [...head(field, width), ...below] };
  });
  const first = { field: "description", x: LEFT, width: description - 1, align: "left" } as const;
  return [{ ...first, head: head("description", description) }, ...figures];

  function includedLines({ text, gloss }: NonNullable<typeof included>, width: number): string[] {
    const said = gloss === undefined ? [text] : [text, gloss];
    return said.flatMap((words) => wrapped(words, regular, SMALL.size, width));
  }
}

function cellText(row: LineRow, { field }: LineColumn): string {
  return row[field];
}
