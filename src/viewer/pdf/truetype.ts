import { invariant } from "../../domain/shared/result.ts";

/** The parts of a TrueType font in use (OpenType 1.9): metrics, the glyph of a character, and its tables. */
export interface TrueType {
  readonly tables: ReadonlyMap<string, DataView>;
  readonly unitsPerEm: number;
  readonly ascent: number;
  readonly descent: number;
  readonly capHeight: number;
  readonly box: readonly [xMin: number, yMin: number, xMax: number, yMax: number];
  /** 0 if the font has none: the box for a missing glyph. */
  readonly glyphOf: (codePoint: number) => number;
  readonly advanceOf: (glyph: number) => number;
  readonly sideBearingOf: (glyph: number) => number;
  readonly outlineOf: (glyph: number) => DataView;
}

export function readTrueType(bytes: Uint8Array<ArrayBuffer>): TrueType {
  const tables = readTables(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const table = (tag: string) => tableOf(tables, tag);
  const [head, os2] = [table("head"), table("OS/2")];
  return {
    tables,
    unitsPerEm: head.getUint16(18),
    ascent: table("hhea").getInt16(4),
    descent: table("hhea").getInt16(6),
    capHeight: os2.getInt16(88),
    box: [head.getInt16(36), head.getInt16(38), head.getInt16(40), head.getInt16(42)],
    glyphOf: readCharacterMap(table("cmap")),
    ...readMetrics(table("hmtx"), table("hhea").getUint16(34)),
    outlineOf: readOutlines(table("glyf"), table("loca"), head.getInt16(50) === 0),
  };
}

export function tableOf(tables: ReadonlyMap<string, DataView>, tag: string): DataView {
  const found = tables.get(tag);
  invariant(found, `the font has a table ${tag}`);
  return found;
}

function readTables(font: DataView): Map<string, DataView> {
  const tables = new Map<string, DataView>();
  for (let index = 0; index < font.getUint16(4); index++) {
    const entry = 12 + index * 16;
    const tag = String.fromCharCode(...[0, 1, 2, 3].map((place) => font.getUint8(entry + place)));
    const [offset, length] = [font.getUint32(entry + 8), font.getUint32(entry + 12)];
    tables.set(tag, new DataView(font.buffer, font.byteOffset + offset, length));
  }
  return tables;
}

/** The tail of glyphs without a metric of their own has the last advance. */
function readMetrics(hmtx: DataView, count: number) {
  return {
    advanceOf: (glyph: number) => hmtx.getUint16(Math.min(glyph, count - 1) * 4),
    sideBearingOf: (glyph: number) =>
      glyph < count ? hmtx.getInt16(glyph * 4 + 2) : hmtx.getInt16(count * 4 + (glyph - count) * 2),
  };
}

function readOutlines(glyf: DataView, loca: DataView, isShort: boolean) {
  const offset = (glyph: number) => (isShort ? loca.getUint16(glyph * 2) * 2 : loca.getUint32(glyph * 4));
  return (glyph: number) => {
    const start = offset(glyph);
    return new DataView(glyf.buffer, glyf.byteOffset + start, offset(glyph + 1) - start);
  };
}

const SEGMENTS = 4;

/** The Unicode map of the Basic Multilingual Plane, in segments: it has all that the font draws. */
function readCharacterMap(cmap: DataView): (codePoint: number) => number {
  const offset = subtableOffset(cmap);
  const map = new DataView(cmap.buffer, cmap.byteOffset + offset);
  const size = map.getUint16(6);
  const segments = Array.from({ length: size / 2 }, (_, index) => {
    const at = 14 + index * 2;
    return {
      end: map.getUint16(at),
      start: map.getUint16(at + size + 2),
      delta: map.getUint16(at + size * 2 + 2),
      rangeAt: at + size * 3 + 2,
    };
  });
  return (codePoint) => {
    const segment = segments.find(({ end }) => codePoint <= end);
    if (!segment || codePoint < segment.start) return 0;
    const range = map.getUint16(segment.rangeAt);
    if (range === 0) return (codePoint + segment.delta) & 0xffff;
    const glyph = map.getUint16(segment.rangeAt + range + (codePoint - segment.start) * 2);
    return glyph === 0 ? 0 : (glyph + segment.delta) & 0xffff;
  };
}

function subtableOffset(cmap: DataView): number {
  for (let index = 0; index < cmap.getUint16(2); index++) {
    const at = 4 + index * 8;
    const isUnicode = cmap.getUint16(at) === 3 && cmap.getUint16(at + 2) === 1;
    const offset = cmap.getUint32(at + 4);
    if (isUnicode && cmap.getUint16(offset) === SEGMENTS) return offset;
  }
  throw new Error("the font has no map of Unicode in segments");
}
