import type { LineRow } from "../presentation/lines.ts";
import { BODY, LEFT, SMALL, WIDTH } from "./measures.ts";
import type { Ink } from "./paper.ts";
import type { Column, Setting } from "./setting.ts";
import { widthOf, wrapped } from "./text-wrap.ts";

type Field = "description" | "quantity" | "price" | "discount" | "tax" | "amount";

export interface LineColumn extends Column {
  readonly field: Field;
  readonly head: readonly string[];
  readonly align: NonNullable<Ink["align"]>;
}

/** Space between two columns, on the left of each but the first. */
const GAP = 2;

/** Widths of the columns of figures; a longer figure widens its own, and the description gives way. */
const WIDTHS = { quantity: 16, price: 24, discount: 14, tax: 16, amount: 28 } as const;

export function lineColumns({ invoice, regular, bold }: Setting): readonly LineColumn[] {
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

export function cellText(row: LineRow, { field }: LineColumn): string {
  return row[field];
}
