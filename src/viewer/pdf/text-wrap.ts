import { MM } from "./measures.ts";
import type { PdfFont } from "./pdf-font.ts";

/** Marks and joiners without a visible form, and variants that the font does not draw. */
const INVISIBLE = /\p{Cf}|\p{Variation_Selector}/gu;
const SPACES = /[\p{Zs}\p{Zl}\p{Zp}]/gu;
const NO_BREAK_SPACE = "\u00a0";

/** Text in drawable form: composed, without invisible characters, with spaces that the font has. */
export function drawable(text: string): string {
  return text
    .normalize("NFC")
    .replace(INVISIBLE, "")
    .replace(SPACES, (space) => (space === NO_BREAK_SPACE || space === "\u202f" ? NO_BREAK_SPACE : " "));
}

/** In millimetres; a space at the end takes none. */
export function widthOf(text: string, font: PdfFont, size: number): number {
  return (font.widthOf(text.trimEnd()) * size) / MM;
}

/**
 * Lines up to `width`. A wider word breaks, after a hyphen or slash if it has one. A line keeps its final
 * space, so that copied or spoken text has its words separated.
 */
export function wrapped(text: string, font: PdfFont, size: number, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of drawable(text).split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (widthOf(longer, font, size) <= width) {
      line = longer;
      continue;
    }
    if (line !== "") lines.push(`${line} `);
    const parts = brokenWord(word, font, size, width);
    lines.push(...parts.slice(0, -1));
    line = parts.at(-1) ?? "";
  }
  return [...lines, line];
}

const BREAKABLE = /(?<=[-/_.@])/u;

function brokenWord(word: string, font: PdfFont, size: number, width: number): string[] {
  if (widthOf(word, font, size) <= width) return [word];
  const lines: string[] = [];
  let line = "";
  const put = (piece: string) => {
    if (line !== "" && widthOf(line + piece, font, size) > width) {
      lines.push(line);
      line = "";
    }
    line += piece;
  };
  for (const part of word.split(BREAKABLE)) {
    const pieces = widthOf(part, font, size) <= width ? [part] : part;
    for (const piece of pieces) put(piece);
  }
  return [...lines, line];
}

/** Shortened to fit on one line. */
export function fitted(text: string, font: PdfFont, size: number, width: number): string {
  const whole = drawable(text);
  if (widthOf(whole, font, size) <= width) return whole;
  const characters = [...whole];
  while (characters.length > 0 && widthOf(`${characters.join("")}…`, font, size) > width) characters.pop();
  return `${characters.join("").trimEnd()}…`;
}
