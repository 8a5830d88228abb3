import { BODY, LEFT, LINES_TOP, RECIPIENT, SMALL, SOFT, SUBJECT, WIDTH } from "./measures.ts";
import type { Ink } from "./paper.ts";
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
import { wrapped } from "./text-wrap.ts";

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
