import type { TotalRow } from "../presentation/totals.ts";
import { BODY, INK, LARGE, LINE, TOTALS } from "./measures.ts";
import type { Ink, Type } from "./paper.ts";
import { heightOf, roomFor, type Setting } from "./setting.ts";
import type { Element } from "./structure.ts";
import { widthOf, wrapped } from "./text-wrap.ts";

interface TotalStyle {
  readonly type: Type;
  readonly isBold: boolean;
  readonly rule: number;
}

/** The total under a strong rule, what is left to pay under a hairline. */
const STYLES: Readonly<Record<TotalRow["kind"], TotalStyle>> = {
  part: { type: BODY, isBold: false, rule: 0 },
  total: { type: LARGE, isBold: true, rule: 0.35 },
  euros: { type: BODY, isBold: true, rule: 0 },
  beside: { type: BODY, isBold: false, rule: 0 },
  payable: { type: BODY, isBold: true, rule: 0.15 },
};

const TOTAL_PADDING = 0.7;

function labelOf({ label, included }: TotalRow): string {
  if (!included) return label;
  const gloss = included.gloss === undefined ? "" : ` (${included.gloss})`;
  return `${label}, ${included.text}${gloss}`;
}

function labelWidth({ regular, bold }: Setting, row: TotalRow): number {
  const { type, isBold } = STYLES[row.kind];
  return TOTALS.width - widthOf(row.value, isBold ? bold : regular, type.size) - 4;
}

const ABOVE_RULE = 0.8;
const BELOW_RULE = 1.1;

function totalRowHeight(setting: Setting, row: TotalRow): number {
  const { type, isBold, rule } = STYLES[row.kind];
  const ink: Ink = { type, font: isBold ? setting.bold : setting.regular };
  const ruled = rule > 0 ? ABOVE_RULE + rule + BELOW_RULE : 0;
  return ruled + heightOf(labelOf(row), ink, labelWidth(setting, row)) + 2 * TOTAL_PADDING;
}

export function totalsHeight(setting: Setting): number {
  return setting.invoice.totals.reduce((height, row) => height + totalRowHeight(setting, row), 0);
}

export function drawTotals(setting: Setting, block: Element, start: number): void {
  let top = start;
  for (const row of setting.invoice.totals) {
    const height = totalRowHeight(setting, row);
    top = roomFor(setting, top, height);
    drawTotal(setting, block, { row, top });
    top += height;
  }
}

function drawTotal(
  setting: Setting,
  block: Element,
  { row, top }: { readonly row: TotalRow; readonly top: number },
): void {
  const { paper, regular, bold } = setting;
  const { type, isBold, rule } = STYLES[row.kind];
  const column = { x: TOTALS.left, width: TOTALS.width };
  const ink: Ink = { type, font: isBold ? bold : regular };
  let at = top + TOTAL_PADDING;
  if (rule > 0) {
    const colour = row.kind === "total" ? INK : LINE;
    paper.ornament(() => paper.rule({ ...column, top: top + ABOVE_RULE }, rule, colour));
    at += ABOVE_RULE + rule + BELOW_RULE;
  }
  const label = wrapped(labelOf(row), ink.font, type.size, labelWidth(setting, row));
  paper.draw(block, "P", () => {
    paper.lines([...label.slice(0, -1), `${label.at(-1)} `], { ...column, top: at }, ink);
    paper.line(row.value, { ...column, top: at }, { ...ink, align: "right" });
  });
}
