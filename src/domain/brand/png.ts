import { err, ok, type Result } from "../shared/result.ts";
import { LOGO_LIMITS } from "./logo-limits.ts";

/** A PNG file as far as its chunks say: its pixels are still compressed. */
export interface PngImage {
  readonly width: number;
  readonly height: number;
  /** Bits of each sample: 1, 2, 4, 8 or 16. */
  readonly depth: number;
  readonly colour: PngColour;
  /** Red, green, blue of each entry. */
  readonly palette?: Uint8Array;
  /** The alphas of palette entries, or the one grey or colour that is transparent. */
  readonly transparency?: Uint8Array;
  /** The stream of zlib that holds the filtered rows. */
  readonly compressed: Uint8Array;
}

/** Grey, colour, palette, grey with alpha, colour with alpha (ISO/IEC 15948, 11.2.1). */
export type PngColour = 0 | 2 | 3 | 4 | 6;

export type PngFault = "not_png" | "damaged" | "interlaced" | "too_large" | "too_many_bytes";

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const KEPT = new Set(["IHDR", "PLTE", "tRNS", "IDAT", "IEND"]);
const DEPTHS: Readonly<Record<PngColour, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};
const SAMPLES: Readonly<Record<PngColour, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
/** The length of the data, the name and the checksum of a chunk. */
const AROUND_DATA = 12;

interface Chunk {
  readonly name: string;
  readonly data: Uint8Array;
  /** With length, name and checksum. */
  readonly whole: Uint8Array;
}

/**
 * Reads the chunks of a PNG and checks their checksums, their order and the limits of a logo. Pixels are not
 * read: `inflatedBytes` says how many bytes they must expand to.
 */
export function readPng(bytes: Uint8Array): Result<PngImage, PngFault> {
  if (bytes.length > LOGO_LIMITS.bytes) return err("too_many_bytes");
  if (!SIGNATURE.every((byte, index) => bytes[index] === byte)) return err("not_png");
  const chunks = chunksOf(bytes);
  const [head] = chunks ?? [];
  if (!chunks || head?.name !== "IHDR" || head.data.length !== 13) return err("damaged");
  const view = viewOf(head.data);
  const [width, height] = [view.getUint32(0), view.getUint32(4)];
  const [depth, colour] = [view.getUint8(8), view.getUint8(9)];
  if (!isColour(colour) || !DEPTHS[colour].includes(depth) || width === 0 || height === 0) {
    return err("damaged");
  }
  if (view.getUint8(10) !== 0 || view.getUint8(11) !== 0) return err("damaged");
  if (view.getUint8(12) !== 0) return err("interlaced");
  if (width > LOGO_LIMITS.width || height > LOGO_LIMITS.height) return err("too_large");
  const palette = chunks.find(({ name }) => name === "PLTE")?.data;
  const transparency = chunks.find(({ name }) => name === "tRNS")?.data;
  const data = chunks.filter(({ name }) => name === "IDAT").map((chunk) => chunk.data);
  if (data.length === 0 || (colour === 3 && !isPalette(palette, depth))) return err("damaged");
  return ok({
    ...{ width, height, depth, colour, compressed: joined(data) },
    ...(colour === 3 && palette ? { palette } : {}),
    ...(transparency && isTransparency(transparency, colour) ? { transparency } : {}),
  });
}

/** The file without everything that draws nothing: comments, places, colour profiles, hidden data. */
export function withoutExtras(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const kept = (chunksOf(bytes) ?? []).filter(({ name }) => KEPT.has(name));
  return joined([Uint8Array.from(SIGNATURE), ...kept.map(({ whole }) => whole)]);
}

/**
 * A stream that expands to more is refused before it fills the memory. The largest logo, 1,200 × 420
 * pixels with four samples of eight bits, expands to 2,016,420 bytes.
 */
export const MOST_INFLATED_BYTES = 2_097_152;

/** Bytes of the rows with their filters. A stream that expands to more, or to less, is not this image. */
export function inflatedBytes(image: PngImage): number {
  return image.height * (1 + rowBytes(image));
}

/**
 * Red, green and blue of each pixel, a byte each, on white paper. `inflated` has exactly `inflatedBytes`.
 * Undefined if a row names a filter, or a pixel a colour, that does not exist.
 */
export function pixelsOnWhite(image: PngImage, inflated: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
  const rows = unfiltered(image, inflated);
  if (!rows) return undefined;
  const { width, height } = image;
  const pixels = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    const row = rows.subarray(y * rowBytes(image), (y + 1) * rowBytes(image));
    for (let x = 0; x < width; x++) {
      const pixel = pixelAt(image, row, x);
      if (!pixel) return undefined;
      const [red, green, blue, alpha] = pixel;
      const at = (y * width + x) * 3;
      pixels[at] = onWhite(red, alpha);
      pixels[at + 1] = onWhite(green, alpha);
      pixels[at + 2] = onWhite(blue, alpha);
    }
  }
  return pixels;
}

/** Undefined if the file ends within a chunk, goes on after its end, or a checksum is wrong. */
function chunksOf(bytes: Uint8Array): Chunk[] | undefined {
  const view = viewOf(bytes);
  const chunks: Chunk[] = [];
  let at = SIGNATURE.length;
  while (at + AROUND_DATA <= bytes.length) {
    const length = view.getUint32(at);
    const end = at + AROUND_DATA + length;
    if (end > bytes.length) return undefined;
    const named = bytes.subarray(at + 4, end - 4);
    if (crc32(named) !== view.getUint32(end - 4)) return undefined;
    const name = String.fromCharCode(...named.subarray(0, 4));
    chunks.push({ name, data: named.subarray(4), whole: bytes.subarray(at, end) });
    at = end;
    if (name === "IEND") return at === bytes.length ? chunks : undefined;
  }
  return undefined;
}

function isColour(colour: number): colour is PngColour {
  return Object.hasOwn(SAMPLES, colour);
}

function isPalette(palette: Uint8Array | undefined, depth: number): boolean {
  if (!palette || palette.length === 0 || palette.length % 3 !== 0) return false;
  return palette.length / 3 <= 2 ** depth;
}

const TRANSPARENT_BYTES: Readonly<Partial<Record<PngColour, number>>> = { 0: 2, 2: 6 };

function isTransparency(bytes: Uint8Array, colour: PngColour): boolean {
  return colour === 3 ? bytes.length <= 256 : bytes.length === TRANSPARENT_BYTES[colour];
}

function bitsOf({ depth, colour }: PngImage): number {
  return depth * SAMPLES[colour];
}

function rowBytes(image: PngImage): number {
  return Math.ceil((image.width * bitsOf(image)) / 8);
}

/** The rows without their filters (ISO/IEC 15948, clause 9). */
function unfiltered(image: PngImage, inflated: Uint8Array): Uint8Array | undefined {
  const length = rowBytes(image);
  const pixelBytes = Math.max(1, bitsOf(image) >> 3);
  const rows = new Uint8Array(image.height * length);
  for (let y = 0; y < image.height; y++) {
    const filter = inflated[y * (length + 1)] ?? 0;
    const from = y * (length + 1) + 1;
    const to = y * length;
    for (let x = 0; x < length; x++) {
      const left = x < pixelBytes ? 0 : (rows[to + x - pixelBytes] ?? 0);
      const up = y === 0 ? 0 : (rows[to + x - length] ?? 0);
      const upLeft = y === 0 || x < pixelBytes ? 0 : (rows[to + x - length - pixelBytes] ?? 0);
      const predicted = predictedBy(filter, { left, up, upLeft });
      if (predicted === undefined) return undefined;
      rows[to + x] = (inflated[from + x] ?? 0) + predicted;
    }
  }
  return rows;
}

interface Neighbours {
  readonly left: number;
  readonly up: number;
  readonly upLeft: number;
}

function predictedBy(filter: number, { left, up, upLeft }: Neighbours): number | undefined {
  switch (filter) {
    case 0:
      return 0;
    case 1:
      return left;
    case 2:
      return up;
    case 3:
      return (left + up) >> 1;
    case 4:
      return paeth({ left, up, upLeft });
    default:
      return undefined;
  }
}

function paeth({ left, up, upLeft }: Neighbours): number {
  const estimate = left + up - upLeft;
  const [toLeft, toUp] = [Math.abs(estimate - left), Math.abs(estimate - up)];
  const toUpLeft = Math.abs(estimate - upLeft);
  if (toLeft <= toUp && toLeft <= toUpLeft) return left;
  return toUp <= toUpLeft ? up : upLeft;
}

type Pixel = readonly [red: number, green: number, blue: number, alpha: number];

function pixelAt(image: PngImage, row: Uint8Array, x: number): Pixel | undefined {
  const { depth, colour, palette, transparency } = image;
  const samples = SAMPLES[colour];
  const sample = (index: number) => sampleAt(row, x * samples + index, depth);
  const shade = (index: number) => toByte(sample(index), depth);
  const isClear = (count: number) =>
    transparency !== undefined &&
    Array.from({ length: count }, (_, index) => sample(index) === sampleAt(transparency, index, 16)).every(
      Boolean,
    );
  switch (colour) {
    case 0:
      return [shade(0), shade(0), shade(0), isClear(1) ? 0 : 255];
    case 2:
      return [shade(0), shade(1), shade(2), isClear(3) ? 0 : 255];
    case 3: {
      const entry = sample(0);
      const [red, green, blue] = palette?.subarray(entry * 3, entry * 3 + 3) ?? [];
      if (red === undefined || green === undefined || blue === undefined) return undefined;
      return [red, green, blue, transparency?.[entry] ?? 255];
    }
    case 4:
      return [shade(0), shade(0), shade(0), shade(1)];
    case 6:
      return [shade(0), shade(1), shade(2), shade(3)];
  }
}

/** Samples of fewer than eight bits are packed from the left of a byte. */
function sampleAt(bytes: Uint8Array, index: number, depth: number): number {
  if (depth === 16) return ((bytes[index * 2] ?? 0) << 8) | (bytes[index * 2 + 1] ?? 0);
  const bit = index * depth;
  return ((bytes[bit >> 3] ?? 0) >> (8 - depth - (bit & 7))) & (2 ** depth - 1);
}

function toByte(sample: number, depth: number): number {
  return Math.round((sample * 255) / (2 ** depth - 1));
}

function onWhite(shade: number, alpha: number): number {
  return Math.round((shade * alpha + 255 * (255 - alpha)) / 255);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** The checksum of ISO/IEC 15948, annex D. */
function crc32(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  return (sum ^ 0xffffffff) >>> 0;
}
