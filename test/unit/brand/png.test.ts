import { inflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { inflatedBytes, pixelsOnWhite, readPng, withoutExtras } from "../../../src/domain/brand/png.ts";
import { type DrawnPng, drawPng, pngChunk } from "../../support/builders/png.ts";

/** Two by two: black, red, half-clear blue, clear. */
const COLOURED: DrawnPng = {
  ...{ width: 2, height: 2, depth: 8, colour: 6 },
  rows: [
    [0, 0, 0, 0, 255, 255, 0, 0, 255],
    [0, 0, 0, 255, 128, 9, 9, 9, 0],
  ],
};

function pixelsOf(drawn: DrawnPng): number[] | undefined {
  const read = readPng(drawPng(drawn));
  if (!read.ok) throw new Error(read.error);
  const inflated = inflateSync(read.value.compressed);
  expect(inflated.length).toBe(inflatedBytes(read.value));
  const pixels = pixelsOnWhite(read.value, inflated);
  return pixels && [...pixels];
}

describe("pixels of a logo, on white paper", () => {
  test("an alpha mixes each colour with white", () => {
    expect(pixelsOf(COLOURED)).toEqual([0, 0, 0, 255, 0, 0, 127, 127, 255, 255, 255, 255]);
  });

  test.each<[string, Omit<DrawnPng, "width" | "height">, readonly number[]]>([
    ["grey of one bit", { depth: 1, colour: 0, rows: [[0, 0b1010_0000]] }, [255, 0, 255]],
    ["grey of two bits", { depth: 2, colour: 0, rows: [[0, 0b0001_1000]] }, [0, 85, 170]],
    ["grey of four bits", { depth: 4, colour: 0, rows: [[0, 0x0f, 0x80]] }, [0, 255, 136]],
    ["grey of eight bits", { depth: 8, colour: 0, rows: [[0, 0, 128, 255]] }, [0, 128, 255]],
    ["grey of sixteen bits", { depth: 16, colour: 0, rows: [[0, 0, 0, 128, 128, 255, 255]] }, [0, 128, 255]],
    [
      "grey with a clear shade",
      { depth: 8, colour: 0, transparency: [0, 128], rows: [[0, 0, 128, 255]] },
      [0, 255, 255],
    ],
    ["grey with alpha", { depth: 8, colour: 4, rows: [[0, 0, 255, 0, 0, 0, 51]] }, [0, 255, 204]],
    [
      "grey with alpha of sixteen bits",
      { depth: 16, colour: 4, rows: [[0, 0, 0, 255, 255, 0, 0, 0, 0, 0, 0, 51, 51]] },
      [0, 255, 204],
    ],
  ])("%s", (_, drawn, greys) => {
    expect(pixelsOf({ width: 3, height: 1, ...drawn })).toEqual(greys.flatMap((grey) => [grey, grey, grey]));
  });

  test("colours with one clear colour, and colours of sixteen bits", () => {
    const rows = [[0, 1, 2, 3, 4, 5, 6]];
    const clear = { depth: 8, colour: 2, transparency: [0, 1, 0, 2, 0, 3], rows };
    expect(pixelsOf({ width: 2, height: 1, ...clear })).toEqual([255, 255, 255, 4, 5, 6]);
    const fine = { depth: 16, colour: 2, rows: [[0, 255, 255, 0, 0, 128, 128]] };
    expect(pixelsOf({ width: 1, height: 1, ...fine })).toEqual([255, 0, 128]);
  });

  test("a palette with alphas; an entry that is not in it has no colour", () => {
    const drawn = { width: 3, height: 1, depth: 2, colour: 3, palette: [255, 0, 0, 0, 0, 255, 9, 9, 9] };
    const rows = [[0, 0b0001_1000]];
    expect(pixelsOf({ ...drawn, transparency: [255, 0], rows })).toEqual([255, 0, 0, 255, 255, 255, 9, 9, 9]);
    expect(pixelsOf({ ...drawn, rows: [[0, 0b1100_0000]] })).toBeUndefined();
  });

  test("every filter of rows is undone, and one that does not exist is no picture", () => {
    const plain = [
      [10, 20, 30, 40, 50, 60],
      [12, 25, 29, 44, 58, 61],
      [90, 80, 70, 60, 50, 40],
      [5, 10, 15, 20, 25, 30],
      [255, 0, 255, 0, 255, 0],
    ];
    const drawn = { width: 2, height: 5, depth: 8, colour: 2 };
    const filtered = plain.map((row, y) => [y, ...row.map((value, x) => filter(y, plain, x, y, value))]);
    expect(pixelsOf({ ...drawn, rows: filtered })).toEqual(plain.flat());
    expect(pixelsOf({ ...drawn, rows: plain.map((row) => [5, ...row]) })).toBeUndefined();
  });
});

/** As an encoder filters: the row's own number is its filter. */
function filter(kind: number, rows: readonly number[][], x: number, y: number, value: number): number {
  const left = rows[y]?.[x - 3] ?? 0;
  const up = rows[y - 1]?.[x] ?? 0;
  const upLeft = x < 3 ? 0 : (rows[y - 1]?.[x - 3] ?? 0);
  const estimate = left + up - upLeft;
  const nearest = [left, up, upLeft].reduce((best, each) =>
    Math.abs(estimate - each) < Math.abs(estimate - best) ? each : best,
  );
  const predicted = [0, left, up, (left + up) >> 1, nearest][kind] ?? 0;
  return (value - predicted) & 0xff;
}

describe("a file that is no logo", () => {
  const whole = drawPng(COLOURED);
  test.each<[string, Uint8Array, string]>([
    ["nothing", new Uint8Array(), "not_png"],
    ["another format", new TextEncoder().encode("<svg onload='alert(1)'/>"), "not_png"],
    ["an end within a chunk", whole.subarray(0, whole.length - 6), "damaged"],
    ["no end", whole.subarray(0, whole.length - 12), "damaged"],
    ["something behind its end", Uint8Array.from([...whole, 0]), "damaged"],
    ["a wrong checksum", whole.map((byte, index) => (index === 45 ? byte ^ 1 : byte)), "damaged"],
    ["an interlaced one", drawPng({ ...COLOURED, interlaced: true }), "interlaced"],
    ["too wide", drawPng({ ...COLOURED, width: 1_201 }), "too_large"],
    ["too high", drawPng({ ...COLOURED, height: 421 }), "too_large"],
    ["no width", drawPng({ ...COLOURED, width: 0 }), "damaged"],
    ["a colour of its own", drawPng({ ...COLOURED, colour: 5 }), "damaged"],
    ["a depth that its colour has not", drawPng({ ...COLOURED, depth: 4 }), "damaged"],
    ["entries without a palette", drawPng({ ...COLOURED, colour: 3 }), "damaged"],
    ["a palette of parts", drawPng({ ...COLOURED, colour: 3, palette: [1, 2] }), "damaged"],
    [
      "a palette above its depth",
      drawPng({ ...COLOURED, colour: 3, depth: 1, palette: Array(9).fill(1) }),
      "damaged",
    ],
    ["without pixels", withoutChunk(whole, "IDAT"), "damaged"],
    ["above 150 KB", drawPng({ ...COLOURED, extras: [["tEXt", "x".repeat(160_000)]] }), "too_many_bytes"],
  ])("%s", (_, bytes, fault) => {
    expect(readPng(bytes)).toEqual({ ok: false, error: fault });
  });

  test("no file of random bytes or damaged chunks is more than a fault", () => {
    for (let index = 8; index < whole.length; index++) {
      const damaged = whole.map((byte, at) => (at === index ? byte ^ 0xff : byte));
      expect(readPng(damaged).ok).toBe(false);
    }
  });
});

function withoutChunk(bytes: Uint8Array, name: string): Uint8Array {
  const at = Buffer.from(bytes).indexOf(name) - 4;
  const length = Buffer.from(bytes).readUInt32BE(at);
  return Uint8Array.from([...bytes.subarray(0, at), ...bytes.subarray(at + 12 + length)]);
}

test("a kept file has only what draws: no text, no place, no colour profile, no unknown chunk", () => {
  const extras = [
    ["tEXt", "Author\0María"],
    ["eXIf", "GPS"],
    ["iCCP", "profile"],
    ["prVt", "hidden"],
  ] as const;
  const kept = withoutExtras(drawPng({ ...COLOURED, extras }));
  expect(kept).toEqual(drawPng(COLOURED));
  expect(readPng(kept).ok).toBe(true);
});

test("several parts of pixels are one stream", () => {
  const whole = Buffer.from(drawPng(COLOURED));
  const at = whole.indexOf("IDAT") - 4;
  const length = whole.readUInt32BE(at);
  const data = whole.subarray(at + 8, at + 8 + length);
  const parts = [data.subarray(0, 3), data.subarray(3)].map((part) => pngChunk("IDAT", part));
  const split = Buffer.concat([whole.subarray(0, at), ...parts, whole.subarray(at + 12 + length)]);
  expect(readPng(Uint8Array.from(split))).toEqual(readPng(Uint8Array.from(whole)));
});
