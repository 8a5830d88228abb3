import { invariant } from "../../domain/shared/result.ts";
import { joined } from "./file.ts";

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

function tableOf(tables: ReadonlyMap<string, DataView>, tag: string): DataView {
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

/** Instructions for small sizes, which the outlines refer to: kept whole. */
const KEPT_TABLES = ["cvt ", "fpgm", "prep"];

/** A font with some glyphs only, and their new numbers. */
interface FontSubset {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly placeOf: ReadonlyMap<number, number>;
}

/** Glyphs and the parts that they are made of, renumbered; the box for missing ones stays first. */
export function subsetOf(font: TrueType, glyphs: Iterable<number>): FontSubset {
  const placeOf = withParts(font, glyphs);
  const order = [...placeOf.keys()];
  const outlines = order.map((glyph) => renumbered(font.outlineOf(glyph), placeOf));
  const tables = new Map<string, DataView>([
    ...KEPT_TABLES.flatMap((tag) => {
      const table = font.tables.get(tag);
      return table ? [[tag, table] as const] : [];
    }),
    ["glyf", joinedViews(outlines)],
    ["head", headOf(font)],
    ["hhea", changed(tableOf(font.tables, "hhea"), (hhea) => hhea.setUint16(34, order.length))],
    ["hmtx", metricsOf(font, order)],
    ["loca", locationsOf(outlines)],
    ["maxp", changed(tableOf(font.tables, "maxp"), (maxp) => maxp.setUint16(4, order.length))],
  ]);
  return { bytes: assembled(tables), placeOf };
}

function withParts(font: TrueType, glyphs: Iterable<number>): ReadonlyMap<number, number> {
  const placeOf = new Map<number, number>();
  const waiting = [0, ...glyphs];
  for (const glyph of waiting) {
    if (placeOf.has(glyph)) continue;
    placeOf.set(glyph, placeOf.size);
    waiting.push(...partsOf(font.outlineOf(glyph)).map((at) => font.outlineOf(glyph).getUint16(at)));
  }
  return placeOf;
}

const WORDS = 0x1;
const ONE_SCALE = 0x8;
const MORE = 0x20;
const TWO_SCALES = 0x40;
const MATRIX = 0x80;

/** Where a composed outline names its parts; none in a simple one. */
function partsOf(outline: DataView): number[] {
  if (outline.byteLength === 0 || outline.getInt16(0) >= 0) return [];
  const places: number[] = [];
  let at = 10;
  for (let flags = MORE; flags & MORE; ) {
    flags = outline.getUint16(at);
    places.push(at + 2);
    at += 4 + (flags & WORDS ? 4 : 2);
    at += flags & ONE_SCALE ? 2 : flags & TWO_SCALES ? 4 : flags & MATRIX ? 8 : 0;
  }
  return places;
}

/** Outlines begin at even places. */
function renumbered(outline: DataView, placeOf: ReadonlyMap<number, number>): DataView {
  const copy = new DataView(new ArrayBuffer(outline.byteLength + (outline.byteLength % 2)));
  bytesIn(copy).set(bytesIn(outline));
  for (const at of partsOf(outline)) {
    const place = placeOf.get(outline.getUint16(at));
    invariant(place !== undefined, "parts of a glyph are in the subset");
    copy.setUint16(at, place);
  }
  return copy;
}

function headOf(font: TrueType): DataView {
  return changed(tableOf(font.tables, "head"), (head) => {
    head.setUint32(8, 0);
    head.setInt16(50, 1);
  });
}

function metricsOf(font: TrueType, order: readonly number[]): DataView {
  const metrics = new DataView(new ArrayBuffer(order.length * 4));
  order.forEach((glyph, index) => {
    metrics.setUint16(index * 4, font.advanceOf(glyph));
    metrics.setInt16(index * 4 + 2, font.sideBearingOf(glyph));
  });
  return metrics;
}

function locationsOf(outlines: readonly DataView[]): DataView {
  const locations = new DataView(new ArrayBuffer((outlines.length + 1) * 4));
  let end = 0;
  outlines.forEach((outline, index) => {
    end += outline.byteLength;
    locations.setUint32((index + 1) * 4, end);
  });
  return locations;
}

const TABLE_ENTRY = 16;
const HEADER = 12;
/** The constant of a font's checksum (OpenType, head.checksumAdjustment). */
const CHECKSUM_OF_FONT = 0xb1b0afba;

/** A font file of tables, in the order of their tags, each at a multiple of four. */
export function assembled(tables: ReadonlyMap<string, DataView>): Uint8Array<ArrayBuffer> {
  const sorted = [...tables].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const start = HEADER + sorted.length * TABLE_ENTRY;
  const size = sorted.reduce((sum, [, table]) => sum + padded(table.byteLength), start);
  const font = new DataView(new ArrayBuffer(size));
  writeHeader(font, sorted.length);
  let at = start;
  let headAt = 0;
  sorted.forEach(([tag, table], index) => {
    const place = new DataView(font.buffer, at, padded(table.byteLength));
    bytesIn(place).set(bytesIn(table));
    const entry = HEADER + index * TABLE_ENTRY;
    for (let letter = 0; letter < 4; letter++) font.setUint8(entry + letter, tag.charCodeAt(letter));
    font.setUint32(entry + 4, checksum(place));
    font.setUint32(entry + 8, at);
    font.setUint32(entry + 12, table.byteLength);
    if (tag === "head") headAt = at;
    at += place.byteLength;
  });
  font.setUint32(headAt + 8, (CHECKSUM_OF_FONT - checksum(font)) >>> 0);
  return bytesIn(font);
}

function writeHeader(font: DataView, count: number): void {
  const power = Math.floor(Math.log2(count));
  font.setUint32(0, 0x00010000);
  font.setUint16(4, count);
  font.setUint16(6, 2 ** power * TABLE_ENTRY);
  font.setUint16(8, power);
  font.setUint16(10, (count - 2 ** power) * TABLE_ENTRY);
}

function checksum(view: DataView): number {
  let sum = 0;
  for (let at = 0; at < view.byteLength; at += 4) sum = (sum + view.getUint32(at)) >>> 0;
  return sum;
}

function padded(length: number): number {
  return Math.ceil(length / 4) * 4;
}

function joinedViews(parts: readonly DataView[]): DataView {
  return new DataView(joined(parts.map(bytesIn)).buffer);
}

function changed(table: DataView, change: (copy: DataView) => void): DataView {
  const copy = joinedViews([table]);
  change(copy);
  return copy;
}

function bytesIn(view: DataView): Uint8Array<ArrayBuffer> {
  return new Uint8Array(ownBuffer(view), view.byteOffset, view.byteLength);
}

/** Fonts are read from plain buffers, never from shared ones. */
function ownBuffer({ buffer }: DataView): ArrayBuffer {
  invariant(buffer instanceof ArrayBuffer, "a font lies in a buffer of its own");
  return buffer;
}
