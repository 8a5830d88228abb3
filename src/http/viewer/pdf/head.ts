import { fill, type Words } from "../presentation/texts.ts";
import { WORDS } from "../presentation/words.ts";
import { type QrCode, qrCode } from "../qr-code.ts";
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

/** QR in the middle, issuer on its left, document on its right, and a rule; returns where that ends. */
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
  const block = paper.root.child("Sect");
  const ink: Ink = { type: LARGE, font: regular, align: "centre" };
  const above = { x: QR.left, top: QR.above, width: QR.width };
  // What explains it in English stands below, so that nothing comes between the words and the symbol.
  legalParagraph(setting, block, { words: withoutGloss(qr.above), ink, place: above });
  drawSymbol(setting, block, qrCode(qr.url));
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

function drawSymbol({ paper, invoice }: Setting, block: Element, code: QrCode): void {
  const { left, top, size } = QR.symbol;
  const module = size / code.size;
  const areas: Area[] = code.runs.map(({ x, y, length }) => ({
    x: left + x * module,
    top: top + y * module,
    width: length * module,
    height: module,
  }));
  const url = invoice.qr.url;
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

/** Labels and values right-aligned, each in a column of its own. */
function drawDetails({ paper, invoice, regular }: Setting, block: Element, top: number): number {
  const right = DOCUMENT.left + DOCUMENT.width;
  const ink: Ink = { type: BODY, font: regular, align: "right" };
  const longest =
    DOCUMENT.width - Math.max(...invoice.details.map(({ label }) => widthOf(label, regular, BODY.size))) - 3;
  const rows = invoice.details.map(({ label, value }) => ({
    label,
    values: wrapped(value, regular, BODY.size, longest),
  }));
  const width = Math.max(
    ...rows.flatMap(({ values }) => values.map((value) => widthOf(value, regular, BODY.size))),
  );
  let bottom = top;
  for (const { label, values } of rows) {
    const at = bottom;
    paper.draw(block, "P", () => {
      paper.line(
        `${label} `,
        { x: DOCUMENT.left, top: at, width: DOCUMENT.width - width - 3 },
        { ...ink, colour: SOFT },
      );
      bottom = paper.lines(values, { x: right - width, top: at, width }, { ...ink, colour: INK });
    });
  }
  return bottom;
}
