/** The fonts that page and PDF carry: unchanged in all that is used, and able to write every name of Europe. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { VIEWER_ASSETS } from "../../../src/viewer/assets.ts";
import { theFonts } from "../../../src/viewer/pdf/invoice-pdf.ts";
import { readTrueType } from "../../../src/viewer/pdf/truetype.ts";
import { WEB_FONTS } from "../../../src/viewer/stylesheet.ts";
import { fontFile, PACKED_FONTS, packedBytes } from "../../support/builders/pack-fonts.ts";
import { REPOSITORY } from "../../support/rules/sources.ts";

const FOLDER = join(REPOSITORY, "src/viewer/fonts");

test.each(PACKED_FONTS)("$file equals what the package has of it", (font) => {
  const { base64 } = JSON.parse(readFileSync(join(FOLDER, font.file), "utf8"));
  const bytes = Buffer.from(base64, "base64");
  expect((font.tables ? gunzipSync(bytes) : bytes).equals(packedBytes(font))).toBe(true);
});

test.each(PACKED_FONTS)("$file: every table in use is the package's, but for the sum of the file", (font) => {
  const [whole, packed] = [new Uint8Array(fontFile(font)), packedBytes(font)];
  if (!font.tables) return expect(Buffer.from(packed).equals(whole)).toBe(true);
  const [tables, kept] = [readTrueType(whole).tables, readTrueType(packed).tables];
  expect([...kept.keys()].toSorted()).toEqual(font.tables.toSorted());
  for (const [tag, table] of kept) {
    expect({ tag, bytes: bytesOfTable(tag, table) }).toEqual({
      tag,
      bytes: bytesOfTable(tag, tables.get(tag)),
    });
  }
});

/** The checksum of the whole file is a part of its table `head`. */
function bytesOfTable(tag: string, table: DataView | undefined): string {
  const bytes = Buffer.from(
    new Uint8Array(table?.buffer ?? new ArrayBuffer(0), table?.byteOffset, table?.byteLength),
  );
  if (tag === "head") bytes.fill(0, 8, 12);
  return bytes.toString("base64");
}

test("their licence goes with them", () => {
  expect(readFileSync(join(FOLDER, "OFL.txt"), "utf8")).toContain("SIL OPEN FONT LICENSE Version 1.1");
});

test.each(Object.values(WEB_FONTS))("%s is served as the font that it is", async (path) => {
  const body = await VIEWER_ASSETS[path]?.body();
  expect(
    Buffer.from(body ?? "")
      .subarray(0, 4)
      .toString(),
  ).toBe("wOF2");
});

describe("every character has its glyph", () => {
  test.each([
    ["Spanish", "ñÑçÇáéíóúüÁÉÍÓÚÜªº¿¡«»€–—…·×−"],
    ["Polish", "ąćęłńóśźżĄĆĘŁŃÓŚŹŻ"],
    ["Czech and Slovak", "áčďéěíňóřšťúůýžľĺŕôäÁČĎÉĚÍŇÓŘŠŤÚŮÝŽ"],
    ["Hungarian, Romanian and Turkish", "őűŐŰăâîșțĂÂÎȘȚğışİĞŞ"],
    ["the North and the Baltic", "åäöæøðþßÅÄÖÆØÐÞẞāčēģīķļņšūž"],
    ["French, Portuguese and Catalan", "œŒâêîôûëïÿãõàèìòùŀ"],
    ["Greek and Cyrillic", "αβγδεζηθΩΨЖжЩщЪъЯяїєґ"],
  ])("of %s", async (_, characters) => {
    const fonts = await theFonts();
    for (const font of [fonts.regular, fonts.semibold]) {
      const missing = [...characters].filter(
        (character) => font.glyphOf(character.codePointAt(0) ?? 0) === 0,
      );
      expect(missing).toEqual([]);
    }
  });

  test("and a missing glyph is a box", async () => {
    const { regular } = await theFonts();
    expect(
      [..."😀שˆ"].slice(0, 2).map((character) => regular.glyphOf(character.codePointAt(0) ?? 0)),
    ).toEqual([0, 0]);
    expect(regular.advanceOf(0)).toBeGreaterThan(0);
  });

  test("digits of both weights have one width: sums align with their columns", async () => {
    const { regular, semibold } = await theFonts();
    const widths = [regular, semibold].flatMap((font) =>
      [..."0123456789"].map((digit) => font.advanceOf(font.glyphOf(digit.codePointAt(0) ?? 0))),
    );
    expect(new Set(widths)).toEqual(new Set([600]));
  });
});
