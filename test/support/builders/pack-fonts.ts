/**
 * Packs the fonts of page and PDF from their packages into JSON, which every bundler and runtime reads alike:
 * `node test/support/builders/pack-fonts.ts`. A test compares the two.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { REPOSITORY } from "../rules/sources.ts";

export interface PackedFont {
  /** In src/viewer/fonts. */
  readonly file: string;
  /** The font as its package has it. */
  readonly source: string;
  readonly compressed: boolean;
}

const TTF = "node_modules/@expo-google-fonts/ibm-plex-sans";
const WOFF = "node_modules/@fontsource-variable/ibm-plex-sans/files/ibm-plex-sans";
const FOLDER = "src/viewer/fonts";

export const PACKED_FONTS: readonly PackedFont[] = [
  { file: "regular.json", source: `${TTF}/400Regular/IBMPlexSans_400Regular.ttf`, compressed: true },
  { file: "semibold.json", source: `${TTF}/600SemiBold/IBMPlexSans_600SemiBold.ttf`, compressed: true },
  { file: "web-latin.json", source: `${WOFF}-latin-wght-normal.woff2`, compressed: false },
  { file: "web-latin-ext.json", source: `${WOFF}-latin-ext-wght-normal.woff2`, compressed: false },
];

export function fontFile({ source }: PackedFont): Buffer {
  return readFileSync(join(REPOSITORY, source));
}

if (import.meta.main) {
  for (const font of PACKED_FONTS) {
    const bytes = fontFile(font);
    const base64 = (font.compressed ? gzipSync(bytes, { level: 9 }) : bytes).toString("base64");
    writeFileSync(join(REPOSITORY, FOLDER, font.file), `${JSON.stringify({ base64 }, null, 2)}\n`);
  }
}
