/**
 * Packs the fonts of page and PDF from their packages into JSON, which every bundler and runtime reads alike:
 * `node test/support/builders/pack-fonts.ts`. A test compares the two. Those of the PDF are without the tables
 * that it does not use: more than half of their size is kerning (GPOS).
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { assembled, readTrueType } from "../../../src/viewer/pdf/truetype.ts";
import { REPOSITORY } from "../rules/sources.ts";

export interface PackedFont {
  /** In src/viewer/fonts. */
  readonly file: string;
  /** The font as its package has it. */
  readonly source: string;
  /** Its tables in use, compressed; all of it without. */
  readonly tables?: readonly string[];
}

const TTF = "node_modules/@expo-google-fonts/ibm-plex-sans";
const WOFF = "node_modules/@fontsource-variable/ibm-plex-sans/files/ibm-plex-sans";
/** Metrics, characters, outlines with their instructions, and the names with the copyright. */
const OF_PDF = "OS/2,cmap,cvt ,fpgm,glyf,head,hhea,hmtx,loca,maxp,name,prep".split(",");
const FOLDER = "src/viewer/fonts";

export const PACKED_FONTS: readonly PackedFont[] = [
  { file: "regular.json", source: `${TTF}/400Regular/IBMPlexSans_400Regular.ttf`, tables: OF_PDF },
  { file: "semibold.json", source: `${TTF}/600SemiBold/IBMPlexSans_600SemiBold.ttf`, tables: OF_PDF },
  { file: "web-latin.json", source: `${WOFF}-latin-wght-normal.woff2` },
  { file: "web-latin-ext.json", source: `${WOFF}-latin-ext-wght-normal.woff2` },
];

export function fontFile({ source }: PackedFont): Buffer {
  return readFileSync(join(REPOSITORY, source));
}

/** What is packed of it. */
export function packedBytes(font: PackedFont): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(fontFile(font));
  return font.tables ? withTables(bytes, font.tables) : bytes;
}

/** The sum of the whole file, a part of `head`, is made anew; every other byte of a table stays. */
function withTables(bytes: Uint8Array<ArrayBuffer>, tags: readonly string[]): Uint8Array<ArrayBuffer> {
  const { tables } = readTrueType(bytes);
  const kept = new Map([...tables].filter(([tag]) => tags.includes(tag)));
  kept.get("head")?.setUint32(8, 0);
  return assembled(kept);
}

if (import.meta.main) {
  for (const font of PACKED_FONTS) {
    const bytes = packedBytes(font);
    const base64 = Buffer.from(font.tables ? gzipSync(bytes, { level: 9 }) : bytes).toString("base64");
    writeFileSync(join(REPOSITORY, FOLDER, font.file), `${JSON.stringify({ base64 }, null, 2)}\n`);
  }
}
