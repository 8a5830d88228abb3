import { bytesOf } from "../../domain/shared/base64.ts";
import regular from "../fonts/regular.json" with { type: "json" };
import semibold from "../fonts/semibold.json" with { type: "json" };
import type { InvoicePresentation } from "../presentation/invoice-presentation.ts";
import type { TotalRow } from "../presentation/totals.ts";
import { fill, WORDS } from "../presentation/words.ts";
import { documentBytes, type Properties } from "./document.ts";
import { through } from "./file.ts";
import { drawHead, drawParties } from "./head.ts";
import { type DrawnLines, drawLines } from "./lines-table.ts";
import { BODY, INK, LARGE, LINE, NOTES, SMALL, SOFT, TOTALS } from "./measures.ts";
import { type Ink, Paper, type Type } from "./paper.ts";
import { PdfFont } from "./pdf-font.ts";
import {
  contentBottom,
  drawFeet,
  footOf,
  heightOf,
  legalParagraph,
  roomFor,
  type Setting,
} from "./setting.ts";
import type { Element } from "./structure.ts";
import { drawTaxes, taxesHeight } from "./taxes-table.ts";
import { widthOf, wrapped } from "./text-wrap.ts";
import { readTrueType, type TrueType } from "./truetype.ts";

/** A4, as many sheets as needed; the same invoice gives the same bytes. */
export async function invoicePdf(
  invoice: InvoicePresentation,
  creator: string,
  picture?: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  const fonts = await theFonts();
  const regular = new PdfFont(fonts.regular, { resource: "R", postScriptName: "IBMPlexSans", weight: 400 });
  const bold = new PdfFont(fonts.semibold, {
    resource: "B",
    postScriptName: "IBMPlexSans-SemiBold",
    weight: 600,
  });
  const paper = new Paper([regular, bold]);
  const setting: Setting = {
    ...{ paper, invoice, regular, bold, foot: footOf(invoice, regular) },
    ...(picture ? { picture } : {}),
  };
  const linesTop = drawParties(setting, drawHead(setting));
  drawClosing(setting, drawLines(setting, linesTop));
  drawFeet(setting);
  return documentBytes(paper.drawn, propertiesOf(invoice, creator));
}

function propertiesOf(invoice: InvoicePresentation, creator: string): Properties {
  const { language, number, issuer, record } = invoice;
  return {
    title: fill(WORDS.invoiceNumber, language, { number }),
    author: issuer.name,
    language: language === "es" ? "es-ES" : "en-GB",
    creator,
    createdAt: record.generatedAt,
    changedAt: record.changedAt,
    id: record.hash.slice(0, 32),
  };
}

const ABOVE_TAXES = 10;
const ABOVE_TOTALS = 7;
const ABOVE_NOTES = 0.8;
const BELOW_NOTE = 3;

/** Taxes, totals and notes: together on one sheet if they fit on one. */
export function drawClosing(setting: Setting, lines: DrawnLines): void {
  const tallest = Math.max(totalsHeight(setting), notesHeight(setting));
  const height = taxesHeight(setting) + ABOVE_TOTALS + tallest;
  const fits = lines.bottom + ABOVE_TAXES + height <= contentBottom(setting);
  const taxes = drawTaxes(setting, (fits ? lines.bottom : lines.carryOver()) + ABOVE_TAXES);
  const top = roomFor(setting, taxes + ABOVE_TOTALS, notesHeight(setting));
  // Notes are read after the totals, but drawn from the same height.
  const totals = setting.paper.root.child("Sect");
  drawNotes(setting, setting.paper.root.child("Sect"), top);
  drawTotals(setting, totals, top);
}

function notesHeight({ invoice, regular }: Setting): number {
  const ink: Ink = { type: SMALL, font: regular };
  return invoice.notes.reduce((sum, { text, gloss }) => {
    const below = gloss === undefined ? 0 : heightOf(gloss, ink, NOTES.width);
    return sum + heightOf(text, ink, NOTES.width) + below + BELOW_NOTE;
  }, 0);
}

function drawNotes(setting: Setting, block: Element, start: number): void {
  const ink: Ink = { type: SMALL, font: setting.regular, colour: SOFT };
  let top = start + ABOVE_NOTES;
  for (const words of setting.invoice.notes) {
    const place = { x: NOTES.left, width: NOTES.width, top };
    top = legalParagraph(setting, block, { words, ink, place }) + BELOW_NOTE;
  }
}

export interface Fonts {
  readonly regular: TrueType;
  readonly semibold: TrueType;
}

let known: Fonts | undefined;

/** Read once per isolate. Requests share the result but not the promise, which belongs to one request. */
export async function theFonts(): Promise<Fonts> {
  known ??= { regular: await readFont(regular), semibold: await readFont(semibold) };
  return known;
}

async function readFont({ base64 }: { readonly base64: string }): Promise<TrueType> {
  return readTrueType(await through(new DecompressionStream("gzip"), bytesOf(base64)));
}

interface TotalStyle {
  readonly type: Type;
  readonly isBold: boolean;
  readonly rule: number;
}

/** The total has a strong rule, the amount due a hairline. */
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
