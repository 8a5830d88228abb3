import { fill, type Words } from "../presentation/texts.ts";
import { WORDS } from "../presentation/words.ts";
import { qrCode } from "../qr-code.ts";
import {
  ACCENT,
  BAD,
  BLACK,
  BODY,
  DOCUMENT,
  HEAD_RULE,
  INK,
  ISSUER,
  LARGE,
  LEFT,
  LINE,
  QR,
  SMALL,
  SOFT,
  WIDTH,
} from "./measures.ts";
import { type Area, cornersOf, type Ink } from "./paper.ts";
import { legalParagraph, paragraph, type Setting } from "./setting.ts";
import type { Element } from "./structure.ts";
import { widthOf, wrapped } from "./text-wrap.ts";

/** QR in the middle, issuer on its left, document on its right, and a rule; returns the end of the rule. */
export function drawHead(setting: Setting): number {
  const { paper } = setting;
  const bottoms = [drawQr(setting), drawDocument(setting), drawIssuer(setting)];
  const rule = Math.max(HEAD_RULE, ...bottoms.map((bottom) => bottom + 3));
  paper.ornament(() => paper.rule({ x: LEFT, top: rule, width: WIDTH }, 0.2, LINE));
  return rule;
}

/** Article 21 Orden HAC/1177/2024: at the very start, once, its texts no smaller than any other. */
function drawQr(setting: Setting): number {
  const { paper, invoice, regular } = setting;
  const { qr } = invoice;
  if (!qr) return 0;
  const block = paper.root.child("Sect");
  const ink: Ink = { type: LARGE, font: regular, align: "centre" };
  const above = { x: QR.left, top: QR.above, width: QR.width };
  // The English explanation is below, so that nothing separates the words from the symbol.
  legalParagraph(setting, block, { words: withoutGloss(qr.above), ink, place: above });
  drawSymbol(setting, block, qr.url);
  const below = { x: QR.below.left, top: QR.below.top, width: QR.below.width };
  const gloss = { x: QR.gloss.left, width: QR.gloss.width };
  const type = { ...LARGE, leading: QR.below.leading };
  const small: Ink = { ...ink, type: SMALL, colour: SOFT };
  let top = legalParagraph(setting, block, {
    words: withoutGloss(qr.below),
    ink: { ...ink, type },
    place: below,
  });
  for (const text of [qr.below.gloss, qr.amount]) {
    if (text !== undefined) top = paragraph(setting, block, { text, ink: small, place: { ...gloss, top } });
  }
  return top;
}

function withoutGloss({ text, language }: Words): Words {
  return { text, language };
}

function drawSymbol({ paper, invoice }: Setting, block: Element, url: string): void {
  const code = qrCode(url);
  const { left, top, size } = QR.symbol;
  const module = size / code.size;
  const areas: Area[] = code.runs.map(({ x, y, length }) => ({
    x: left + x * module,
    top: top + y * module,
    width: length * module,
    height: module,
  }));
  const text = fill(WORDS.check, invoice.language);
  const link = block.child("Link");
  const area = { x: left, top, width: size, height: size };
  paper.draw(link, "Figure", () => paper.boxes(areas, BLACK), { alternative: url, box: cornersOf(area) });
  paper.link(link, area, { url, text });
}

function drawIssuer(setting: Setting): number {
  const { paper, invoice, regular, bold } = setting;
  const block = paper.root.child("Sect");
  const place = { x: ISSUER.left, top: ISSUER.top, width: ISSUER.width };
  const { name, details } = invoice.issuer;
  let top = paragraph(setting, block, { text: name, ink: { type: LARGE, font: bold }, place });
  top += 0.6;
  for (const text of details) {
    top = paragraph(setting, block, {
      text,
      ink: { type: BODY, font: regular, colour: SOFT },
      place: { ...place, top },
    });
  }
  return top;
}

function drawDocument(setting: Setting): number {
  const { paper, invoice, bold } = setting;
  const block = paper.root.child("Sect");
  const column = { x: DOCUMENT.left, width: DOCUMENT.width };
  const ink: Ink = { type: LARGE, font: bold, align: "right" };
  let top: number = DOCUMENT.top;
  if (invoice.testMark) {
    const place = { ...column, top };
    top = legalParagraph(setting, block, { words: invoice.testMark, ink: { ...ink, colour: BAD }, place });
  }
  const title: Ink = { ...ink, colour: ACCENT };
  top = legalParagraph(setting, block, {
    words: invoice.title,
    type: "H1",
    ink: title,
    place: { ...column, top },
  });
  top = paragraph(setting, block, { text: invoice.number, ink, place: { ...column, top } });
  if (invoice.cancelled) {
    const place = { ...column, top };
    top = legalParagraph(setting, block, { words: invoice.cancelled, ink: { ...ink, colour: BAD }, place });
  }
  return drawDetails(setting, block, top + 1.6);
}

const LABEL_GAP = 3;

/** Labels and values right-aligned, in two columns; a value too wide for its own moves its label aside. */
function drawDetails({ paper, invoice, regular }: Setting, block: Element, top: number): number {
  const ink: Ink = { type: BODY, font: regular, align: "right" };
  const measure = (text: string) => widthOf(text, regular, BODY.size);
  const roomBeside = (label: string) => DOCUMENT.width - LABEL_GAP - measure(label);
  const rows = invoice.details.map(({ label, value }) => {
    const values = wrapped(value, regular, BODY.size, roomBeside(label));
    return { label, values, width: Math.max(...values.map(measure)) };
  });
  const beside = Math.min(...rows.map(({ label }) => roomBeside(label)));
  const column = Math.max(0, ...rows.map(({ width }) => width).filter((width) => width <= beside));
  const right = DOCUMENT.left + DOCUMENT.width;
  let bottom = top;
  for (const { label, values, width: own } of rows) {
    const width = Math.max(column, own);
    const place = { x: DOCUMENT.left, top: bottom, width: DOCUMENT.width - width - LABEL_GAP };
    paper.draw(block, "P", () => {
      paper.line(`${label} `, place, { ...ink, colour: SOFT });
      bottom = paper.lines(values, { x: right - width, top: place.top, width }, { ...ink, colour: INK });
    });
  }
  return bottom;
}
