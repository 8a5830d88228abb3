import { createRequire } from "node:module";
import { inflateSync } from "node:zlib";
import { PDFiumLibrary } from "@hyzyla/pdfium";
import type decode from "jsqr";

/** PDFs read back by PDFium, which had no part in writing them. */

interface ReadPage {
  readonly text: string;
  /** Four bytes a pixel, at the scale asked for. */
  readonly pixels: (dotsPerMillimetre: number) => Promise<Pixels>;
}

interface Pixels {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
}

const MM = 72 / 25.4;

/** Instantiated once: every start takes as long as reading a short file. */
let started: Promise<PDFiumLibrary> | undefined;

export async function readPdf<T>(
  bytes: Uint8Array,
  read: (pages: readonly ReadPage[]) => T | Promise<T>,
): Promise<T> {
  started ??= PDFiumLibrary.init();
  const library = await started;
  const document = await library.loadDocument(bytes);
  try {
    const pages = [...document.pages()].map((page) => ({
      text: page.getText().replaceAll("\r\n", "\n").replaceAll("\u00a0", " "),
      pixels: async (dotsPerMillimetre: number) => {
        const { data, width, height } = await page.render({
          scale: dotsPerMillimetre / MM,
          render: "bitmap",
        });
        return { data: new Uint8ClampedArray(data), width, height };
      },
    }));
    return await read(pages);
  } finally {
    document.destroy();
  }
}

export function pagesOf(bytes: Uint8Array): Promise<string[]> {
  return readPdf(bytes, (pages) => pages.map(({ text }) => text));
}

/** The content of the file's streams, expanded: its objects and its drawing. */
export function expanded(bytes: Uint8Array): string[] {
  const file = Buffer.from(bytes);
  const streams: string[] = [];
  const start = /\/Length (\d+)>>\nstream\n/g;
  for (const { index, 0: head, 1: length } of file.toString("latin1").matchAll(start)) {
    const at = index + head.length;
    streams.push(inflateSync(file.subarray(at, at + Number(length))).toString("latin1"));
  }
  return streams;
}

/** QR codes as another program than their maker reads them. */

// The package is CommonJS with types for a default export that only bundlers see.
const jsQR: typeof decode = createRequire(import.meta.url)("jsqr");

type Found = NonNullable<ReturnType<typeof decode>>;

export function foundQr({ data, width, height }: Pixels): Found {
  const found = jsQR(data, width, height);
  if (!found) throw new Error("no QR code was found");
  return found;
}

/** The upper part of a page. */
export function topOf({ data, width, height }: Pixels, rows: number): Pixels {
  const shown = Math.min(rows, height);
  return { data: data.subarray(0, width * shown * 4), width, height: shown };
}

const DOTS_PER_MODULE = 4;

/** The symbol of a page, drawn from its path alone: `M0 0h7v1h-7z` is seven dark modules in a row. */
export function pixelsOfSvg(svg: string) {
  const [, x = "0", y = "0", modules = "0"] = /viewBox="(-?\d+) (-?\d+) (\d+) \d+"/.exec(svg) ?? [];
  const side = Number(modules) * DOTS_PER_MODULE;
  const data = new Uint8ClampedArray(side * side * 4).fill(255);
  for (const [, left, top, length] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    const from = (Number(left) - Number(x)) * DOTS_PER_MODULE;
    const row = (Number(top) - Number(y)) * DOTS_PER_MODULE;
    for (let line = row; line < row + DOTS_PER_MODULE; line++) {
      const start = (line * side + from) * 4;
      const end = start + Number(length) * DOTS_PER_MODULE * 4;
      for (let at = start; at < end; at += 4) data.fill(0, at, at + 3);
    }
  }
  return { data, width: side, height: side };
}
