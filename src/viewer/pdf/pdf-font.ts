import { array, dictionary, hex, name, type PdfFile, type Ref, reference } from "./file.ts";
import { subsetOf, type TrueType } from "./truetype.ts";

interface Character {
  readonly codePoint: number;
  readonly glyph: number;
  /** In thousandths of the size. */
  readonly width: number;
}

/**
 * A font as one document uses it: every character gets its own code. So even characters without a glyph can
 * be selected, copied and read aloud.
 */
export class PdfFont {
  readonly resource: string;
  readonly #font: TrueType;
  readonly #postScriptName: string;
  readonly #weight: number;
  readonly #codes = new Map<number, number>();
  readonly #characters: Character[] = [];

  constructor(font: TrueType, options: { resource: string; postScriptName: string; weight: number }) {
    this.#font = font;
    this.resource = options.resource;
    this.#postScriptName = options.postScriptName;
    this.#weight = options.weight;
  }

  /** Width in units of the size. */
  widthOf(text: string): number {
    let width = 0;
    for (const character of text) width += this.#characterOf(character).width;
    return width / 1000;
  }

  encoded(text: string): string {
    let codes = "";
    for (const character of text) codes += hex(this.#codeOf(character), 4);
    return `<${codes}>`;
  }

  #characterOf(character: string): Character {
    return this.#characters[this.#codeOf(character) - 1] ?? { codePoint: 0, glyph: 0, width: 0 };
  }

  /** Codes begin with 1 and follow the first use. */
  #codeOf(character: string): number {
    const codePoint = character.codePointAt(0) ?? 0;
    const known = this.#codes.get(codePoint);
    if (known !== undefined) return known;
    const glyph = this.#font.glyphOf(codePoint);
    const width = (this.#font.advanceOf(glyph) * 1000) / this.#font.unitsPerEm;
    this.#characters.push({ codePoint, glyph, width });
    this.#codes.set(codePoint, this.#characters.length);
    return this.#characters.length;
  }

  addTo(file: PdfFile): Ref {
    const subset = subsetOf(
      this.#font,
      this.#characters.map(({ glyph }) => glyph),
    );
    const places = this.#characters.map(({ glyph }) => subset.placeOf.get(glyph) ?? 0);
    const fontName = name(`${subsetTag(this.#characters)}+${this.#postScriptName}`);
    const glyphsByCode = file.addStream(bigEndian([0, ...places]));
    const descendant = dictionary({
      Type: name("Font"),
      Subtype: name("CIDFontType2"),
      BaseFont: fontName,
      CIDSystemInfo: "<</Registry (Adobe) /Ordering (Identity) /Supplement 0>>",
      FontDescriptor: reference(this.#addDescriptor(file, fontName, subset.bytes)),
      W: array(["1", array(this.#characters.map(({ width }) => width))]),
      CIDToGIDMap: reference(glyphsByCode),
    });
    return file.add(
      dictionary({
        Type: name("Font"),
        Subtype: name("Type0"),
        BaseFont: fontName,
        Encoding: name("Identity-H"),
        DescendantFonts: array([reference(file.add(descendant))]),
        ToUnicode: reference(file.addStream(unicodeMap(this.#characters))),
      }),
    );
  }

  #addDescriptor(file: PdfFile, fontName: string, program: Uint8Array<ArrayBuffer>): Ref {
    const { ascent, descent, capHeight, box, unitsPerEm } = this.#font;
    const scaled = (value: number) => (value * 1000) / unitsPerEm;
    return file.add(
      dictionary({
        Type: name("FontDescriptor"),
        FontName: fontName,
        Flags: String(NONSYMBOLIC),
        FontBBox: array(box.map(scaled)),
        ItalicAngle: "0",
        Ascent: String(scaled(ascent)),
        Descent: String(scaled(descent)),
        CapHeight: String(scaled(capHeight)),
        StemV: String(this.#weight / 5),
        FontFile2: reference(file.addStream(program, { Length1: String(program.length) })),
      }),
    );
  }
}

const NONSYMBOLIC = 32;

/** Six letters that differ if the characters differ (ISO 32000-1, 9.6.4). */
function subsetTag(characters: readonly Character[]): string {
  let sum = 0;
  for (const { codePoint } of characters) sum = (sum * 31 + codePoint) % 26 ** 6;
  return Array.from({ length: 6 }, (_, place) =>
    String.fromCharCode(65 + (Math.floor(sum / 26 ** place) % 26)),
  ).join("");
}

function bigEndian(values: readonly number[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(values.flatMap((value) => [value >> 8, value & 0xff]));
}

/** Mappings that one block of a map may have. */
const BLOCK = 100;

/** From code to character, for search, copy and reading aloud (ISO 32000-1, 9.10.3). */
function unicodeMap(characters: readonly Character[]): string {
  const rows = characters.map(
    ({ codePoint }, index) => `<${hex(index + 1, 4)}> <${utf16(String.fromCodePoint(codePoint))}>`,
  );
  const blocks: string[] = [];
  for (let start = 0; start < rows.length; start += BLOCK) {
    const block = rows.slice(start, start + BLOCK);
    blocks.push(`${block.length} beginbfchar\n${block.join("\n")}\nendbfchar`);
  }
  return [
    "/CIDInit /ProcSet findresource begin 12 dict begin begincmap",
    "/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def",
    "/CMapName /Adobe-Identity-UCS def /CMapType 2 def",
    "1 begincodespacerange <0000> <FFFF> endcodespacerange",
    ...blocks,
    "endcmap CMapName currentdict /CMap defineresource pop end end",
  ].join("\n");
}

function utf16(text: string): string {
  return [...Array(text.length).keys()].map((index) => hex(text.charCodeAt(index), 4)).join("");
}
