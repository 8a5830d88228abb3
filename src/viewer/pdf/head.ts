import { printedSize } from "../../domain/brand/look.ts";
import { fill, WORDS, type Words } from "../presentation/words.ts";
import { qrCode } from "../qr-code.ts";
import {
  ACCENT,
  BAD,
  BLACK,
  BODY,
  colourOf,
  DOCUMENT,
  HEAD_RULE,
  INK,
  ISSUER,
  LARGE,
  LEFT,
  LINE,
  LINES_TOP,
  QR,
  RECIPIENT,
  SMALL,
  SOFT,
  SUBJECT,
  WIDTH,
} from "./measures.ts";
import { type Area, cornersOf, type Ink } from "./paper.ts";
import {
  type Column,
  contentBottom,
  heightOf,
  legalParagraph,
  paragraph,
  type Setting,
  turnSheet,
} from "./setting.ts";
import type { Element } from "./structure.ts";
import { widthOf, wrapped } from "./text-wrap.ts";

/** QR in the middle, issuer on its left, document on its right, and a rule; returns the end of the rule. */
export function drawHead(setting: Setting): number {
  const { paper, invoice } = setting;
  const bottoms = [drawQr(setting), drawDocument(setting), drawIssuer(setting)];
  const rule = Math.max(HEAD_RULE, ...bottoms.map((bottom) => bottom + 3));
  const colour = invoice.accent === undefined ? LINE : colourOf(invoice.accent);
  paper.ornament(() => paper.rule({ x: LEFT, top: rule, width: WIDTH }, 0.2, colour));
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
  const start = drawLogo(setting);
  const block = paper.root.child("Sect");
  const place = { x: ISSUER.left, top: start, width: ISSUER.width };
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

const BELOW_LOGO = 2;

/** An ornament, because the issuer's name stands below it; returns where the name begins. */
function drawLogo({ paper, invoice: { logo }, picture }: Setting): number {
  if (!logo || !picture) return ISSUER.top;
  const size = printedSize(logo);
  const { width, height } = logo;
  const area = { x: ISSUER.left, top: ISSUER.top, ...size };
  paper.ornament(() => paper.picture(area, { width, height, bytes: picture }));
  return ISSUER.top + size.height + BELOW_LOGO;
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
  const { accent } = invoice;
  const title: Ink = { ...ink, colour: accent === undefined ? ACCENT : colourOf(accent) };
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
  const narrowest = Math.min(...rows.map(({ label }) => roomBeside(label)));
  const column = Math.max(0, ...rows.map(({ width }) => width).filter((width) => width <= narrowest));
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

/** The recipient, with the subject of the invoice to its right; returns where the lines begin. */
export function drawParties(setting: Setting, rule: number): number {
  const { recipient, subject, statements } = setting.invoice;
  const top = rule + 3;
  const isEmpty = !recipient && !subject && statements.length === 0;
  if (isEmpty) return rule + 5;
  const left = recipient ? drawRecipient(setting, top) : top;
  const right = { x: recipient ? SUBJECT.left : LEFT, width: recipient ? SUBJECT.width : WIDTH };
  const isLong = top + subjectHeight(setting, right.width) > contentBottom(setting) - ROOM_FOR_ROWS;
  if (isLong) return flowSubject(setting, left + 4) + 5;
  const bottom = Math.max(left, drawSubject(setting, top, right));
  return recipient ? Math.max(LINES_TOP, bottom + 5) : bottom + 5;
}

/** The table starts only if its head and some rows fit. */
const ROOM_FOR_ROWS = 60;

function drawRecipient(setting: Setting, start: number): number {
  const { paper, invoice, regular, bold } = setting;
  if (!invoice.recipient) return start;
  const { label, party } = invoice.recipient;
  const block = paper.root.child("Sect");
  const place = { x: RECIPIENT.left, width: RECIPIENT.width };
  let top = paragraph(setting, block, {
    text: label,
    type: "H2",
    ink: { type: SMALL, font: regular, colour: SOFT },
    place: { ...place, top: start },
  });
  top += 0.6;
  if (party.name !== "") {
    const name: Ink = { type: BODY, font: bold };
    top = paragraph(setting, block, { text: party.name, ink: name, place: { ...place, top } });
  }
  for (const text of party.details) {
    const ink: Ink = { type: BODY, font: regular, colour: SOFT };
    top = paragraph(setting, block, { text, ink, place: { ...place, top } });
  }
  return top;
}

interface Piece {
  readonly text: string;
  readonly ink: Ink;
  readonly gap: number;
  readonly heading?: true;
  readonly language?: "es";
}

/** The texts next to the recipient, in reading order. */
function piecesOf({ invoice, regular, bold }: Setting): Piece[] {
  const small: Ink = { type: SMALL, font: regular, colour: SOFT };
  const body: Ink = { type: BODY, font: regular };
  const { subject, statements } = invoice;
  return [
    ...(subject
      ? [
          { text: subject.label, ink: small, gap: 0, heading: true } as const,
          { text: subject.value, ink: body, gap: 0.6 },
        ]
      : []),
    ...statements.flatMap(({ words, details }, index): Piece[] => [
      {
        text: words.text,
        ink: { ...body, font: details.length > 0 ? bold : regular },
        gap: index > 0 || subject ? 1.6 : 0,
        ...(invoice.language === "es" ? {} : { language: "es" }),
      },
      ...(words.gloss === undefined ? [] : [{ text: words.gloss, ink: small, gap: 0 }]),
      ...details.map((text) => ({ text, ink: body, gap: 0.4 })),
    ]),
  ];
}

function subjectHeight(setting: Setting, width: number): number {
  return piecesOf(setting).reduce((sum, { text, ink, gap }) => sum + gap + heightOf(text, ink, width), 0);
}

function drawSubject(setting: Setting, start: number, column: Column): number {
  const block = setting.paper.root.child("Sect");
  let top = start;
  for (const piece of piecesOf(setting)) {
    const place = { ...column, top: top + piece.gap };
    const { text, ink, language } = piece;
    const type = piece.heading ? "H2" : "P";
    top = language
      ? legalParagraph(setting, block, { words: { text, language }, type, ink, place })
      : paragraph(setting, block, { text, type, ink, place });
  }
  return top;
}

/** Across the whole width; a very long text continues over several sheets. */
function flowSubject(setting: Setting, start: number): number {
  const { paper } = setting;
  const block = paper.root.child("Sect");
  let top = start;
  for (const { text, ink, gap, heading } of piecesOf(setting)) {
    const lines = wrapped(text, ink.font, ink.type.size, WIDTH);
    const element = block.child(heading ? "H2" : "P");
    top += gap;
    while (lines.length > 0) {
      const room = Math.floor((contentBottom(setting) - top) / ink.type.leading);
      top =
        room > 0
          ? drawSome(setting, element, { lines: lines.splice(0, room), top, ink })
          : turnSheet(setting);
    }
  }
  const isLow = top > contentBottom(setting) - ROOM_FOR_ROWS;
  return isLow ? turnSheet(setting) : top;
}

function drawSome(
  { paper }: Setting,
  element: Element,
  { lines, top, ink }: { readonly lines: readonly string[]; readonly top: number; readonly ink: Ink },
): number {
  let bottom = top;
  paper.within(element, () => {
    bottom = paper.lines(lines, { x: LEFT, top, width: WIDTH }, ink);
  });
  return bottom;
}
