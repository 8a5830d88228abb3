/** A logo as an owner uploads it: read pixel by pixel, bounded, and kept without what draws nothing. */
import { inflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { checkLogo } from "../../../src/console/company/logo.ts";
import { printedSize } from "../../../src/domain/brand/look.ts";
import { sha256OfBytes } from "../../../src/domain/shared/hash.ts";
import { type DrawnPng, drawPng } from "../../support/builders/png.ts";

const ACCOUNT = "ac0001";

/** Two by two: black, red, half-clear blue, clear. */
const COLOURED: DrawnPng = {
  ...{ width: 2, height: 2, depth: 8, colour: 6 },
  rows: [
    [0, 0, 0, 0, 255, 255, 0, 0, 255],
    [0, 0, 0, 255, 128, 9, 9, 9, 0],
  ],
};

/** A whole picture of that size, in one colour. */
function wide(width: number, height: number, depth: 8 | 16 = 8): Uint8Array {
  const row = [0, ...Array<number>(width * 4 * (depth / 8)).fill(200)];
  return drawPng({ width, height, depth, colour: 6, rows: Array(height).fill(row) });
}

async function refusalOf(sent: Uint8Array) {
  const checked = await checkLogo(ACCOUNT, sent);
  return checked.ok ? "taken" : checked.error.code;
}

test("a PNG is kept under the hash of its bytes, without its texts, and with its pixels on white", async () => {
  const plain = drawPng(COLOURED);
  const checked = await checkLogo(ACCOUNT, drawPng({ ...COLOURED, extras: [["tEXt", "Author\0María"]] }));
  if (!checked.ok) throw new Error(checked.error.code);
  const { logo, bytes } = checked.value;
  expect(logo).toEqual({ file: `${ACCOUNT}/${sha256OfBytes(plain)}`, width: 2, height: 2 });
  expect(bytes.png).toEqual(plain);
  expect([...inflateSync(bytes.picture)]).toEqual([0, 0, 0, 255, 0, 0, 127, 127, 255, 255, 255, 255]);
});

test("the largest logo is taken", async () => {
  expect(await refusalOf(wide(1_200, 420))).toBe("taken");
});

test.each<[string, Uint8Array, string]>([
  ["an SVG", new TextEncoder().encode("<svg onload='alert(1)'/>"), "logo_unreadable"],
  ["nothing", new Uint8Array(), "logo_unreadable"],
  ["an interlaced PNG", drawPng({ ...COLOURED, interlaced: true }), "logo_unreadable"],
  ["a PNG that is too wide", drawPng({ ...COLOURED, width: 1_201 }), "logo_too_large"],
  ["a PNG above 150 KB", drawPng({ ...COLOURED, extras: [["tEXt", "x".repeat(160_000)]] }), "logo_too_large"],
  ["pixels of sixteen bits above 2 MB", wide(1_200, 420, 16), "logo_too_large"],
  [
    "a bomb: a small file whose pixels expand to megabytes",
    drawPng({ ...COLOURED, rows: [Array<number>(8_000_000).fill(0)] }),
    "logo_unreadable",
  ],
  ["fewer pixels than it says", drawPng({ ...COLOURED, rows: COLOURED.rows.slice(1) }), "logo_unreadable"],
  [
    "a filter that does not exist",
    drawPng({ ...COLOURED, rows: [[9, ...Array(8).fill(0)], ...COLOURED.rows.slice(1)] }),
    "logo_unreadable",
  ],
])("%s is refused", async (_, sent, code) => {
  expect(await refusalOf(sent)).toBe(code);
});

describe("the printed size", () => {
  test.each([
    ["a wide logo is 40 mm wide", { width: 1_200, height: 120 }, { width: 40, height: 4 }],
    ["a high one is 14 mm high", { width: 420, height: 420 }, { width: 14, height: 14 }],
    ["a small one is no larger than its pixels", { width: 48, height: 24 }, { width: 12.7, height: 6.35 }],
  ])("%s", (_, pixels, printed) => {
    const { width, height } = printedSize(pixels);
    expect([width, height]).toEqual([expect.closeTo(printed.width, 5), expect.closeTo(printed.height, 5)]);
  });
});
