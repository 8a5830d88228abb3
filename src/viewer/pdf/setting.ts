import type { InvoicePresentation } from "../presentation/invoice-presentation.ts";
import { fill, WORDS, type Words } from "../presentation/words.ts";
import {
  BODY,
  CARRIED,
  FOOT,
  LATER,
  LEFT,
  LINE,
  RIGHT,
  ROWS_BOTTOM,
  SMALL,
  SOFT,
  WIDTH,
} from "./measures.ts";
import type { Ink, Paper, Place } from "./paper.ts";
import type { PdfFont } from "./pdf-font.ts";
import type { Element, ElementType } from "./structure.ts";
import { fitted, widthOf, wrapped } from "./text-wrap.ts";

/** The tools and data for setting every block of an invoice. */
export interface Setting {
  readonly paper: Paper;
  readonly invoice: InvoicePresentation;
  readonly regular: PdfFont;
  readonly bold: PdfFont;
  readonly foot: Foot;
  readonly picture?: Uint8Array<ArrayBuffer>;
}

export interface Foot {
  /** The owner's text, and then the register details. */
  readonly texts: readonly string[];
  readonly top: number;
}

export interface Column {
  readonly x: number;
  readonly width: number;
}

/** A paragraph of one element; returns the top of the next block. */
export function paragraph(
  { paper }: Setting,
  parent: Element,
  { text, type = "P", ink, place }: { text: string; type?: ElementType; ink: Ink; place: Place },
): number {
  const lines = wrapped(text, ink.font, ink.type.size, place.width);
  let bottom = place.top;
  paper.draw(parent, type, () => {
    bottom = paper.lines(lines, place, ink);
  });
  return bottom;
}

/** Words that the law requires in Spanish, with the reader's language in small type below. */
export function legalParagraph(
  setting: Setting,
  parent: Element,
  { words, type = "P", ink, place }: { words: Words; type?: ElementType; ink: Ink; place: Place },
): number {
  const { paper, invoice, regular } = setting;
  const lines = wrapped(words.text, ink.font, ink.type.size, place.width);
  let bottom = place.top;
  const options = words.language === invoice.language ? {} : { language: words.language };
  paper.draw(
    parent,
    type,
    () => {
      bottom = paper.lines(lines, place, ink);
    },
    options,
  );
  if (words.gloss === undefined) return bottom;
  const gloss: Ink = { ...ink, type: SMALL, font: regular, colour: SOFT };
  return paragraph(setting, parent, { text: words.gloss, ink: gloss, place: { ...place, top: bottom } });
}

export function heightOf(text: string, ink: Ink, width: number): number {
  return wrapped(text, ink.font, ink.type.size, width).length * ink.type.leading;
}

/** Starts a further sheet with its head; returns where its content begins. */
export function turnSheet(setting: Setting): number {
  const { paper, invoice, regular } = setting;
  const { issuer, number, issueDate, language } = invoice;
  const ink: Ink = { type: BODY, font: regular, colour: SOFT };
  const right = `${fill(WORDS.invoiceNumber, language, { number })} · ${issueDate}`;
  const rightText = fitted(right, regular, BODY.size, WIDTH * 0.6);
  const free = WIDTH - widthOf(rightText, regular, BODY.size) - 6;
  const nif = ` · ${issuer.details[0] ?? ""}`;
  const left = fitted(issuer.name, regular, BODY.size, free - widthOf(nif, regular, BODY.size)) + nif;
  paper.nextSheet();
  paper.ornament(() => {
    paper.line(left, { x: LEFT, top: LATER.head, width: free }, ink);
    paper.line(rightText, { x: LEFT, top: LATER.head, width: WIDTH }, { ...ink, align: "right" });
  });
  return LATER.top;
}

/** Register details use the line above the number; longer texts push the foot up. */
export function footOf(
  { footer, registry }: Pick<InvoicePresentation, "footer" | "registry">,
  font: PdfFont,
): Foot {
  const lines = [footer, registry].flatMap((text) =>
    text === undefined ? [] : wrapped(text, font, SMALL.size, WIDTH),
  );
  return { texts: lines, top: FOOT - Math.max(0, lines.length - 1) * SMALL.leading };
}

/** The end of the rows, so that a carried sum still fits above the foot. */
export function rowsBottom({ foot }: Setting): number {
  return ROWS_BOTTOM - (FOOT - foot.top);
}

/** The end of all other content. */
export function contentBottom(setting: Setting): number {
  return rowsBottom(setting) + CARRIED;
}

/** The foot of every sheet, once the number of sheets is known. */
export function drawFeet(setting: Setting): void {
  const { paper, invoice, regular } = setting;
  const { number, language } = invoice;
  const { texts, top } = setting.foot;
  const ink: Ink = { type: SMALL, font: regular, colour: SOFT };
  const pages = String(paper.sheetCount);
  for (let sheet = 0; sheet < paper.sheetCount; sheet++) {
    const page = String(sheet + 1);
    paper.turnTo(sheet);
    paper.ornament(() => {
      paper.rule({ x: LEFT, top, width: WIDTH }, 0.2, LINE);
      const below = paper.lines(texts, { x: LEFT, top: top + 1.6, width: WIDTH }, ink);
      const counted = fill(WORDS.pageOf, language, { page, pages });
      const free = WIDTH - widthOf(counted, regular, SMALL.size) - 4;
      const named = fitted(fill(WORDS.invoiceNumber, language, { number }), regular, SMALL.size, free);
      paper.line(named, { x: LEFT, top: below, width: free }, ink);
      paper.line(counted, { x: LEFT, top: below, width: RIGHT - LEFT }, { ...ink, align: "right" });
    });
  }
}

/** The place for a block of that height: here, or at the top of another sheet. */
export function roomFor(setting: Setting, top: number, height: number): number {
  const isRoom = top + height <= contentBottom(setting) || top <= LATER.top + 1;
  return isRoom ? top : turnSheet(setting);
}
