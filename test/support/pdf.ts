/** PDFs read back by PDFium, which had no part in writing them. */
import { inflateSync } from "node:zlib";
import { PDFiumLibrary } from "@hyzyla/pdfium";

export interface ReadPage {
  readonly text: string;
  /** Four bytes a pixel, at the scale asked for. */
  readonly pixels: (dotsPerMillimetre: number) => Promise<Pixels>;
}

export interface Pixels {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
}

const MM = 72 / 25.4;

export async function readPdf<T>(
  bytes: Uint8Array,
  read: (pages: readonly ReadPage[]) => T | Promise<T>,
): Promise<T> {
  const library = await PDFiumLibrary.init();
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
    library.destroy();
  }
}

export function pagesOf(bytes: Uint8Array): Promise<string[]> {
  return readPdf(bytes, (pages) => pages.map(({ text }) => text));
}

/** What the streams of the file hold, expanded: its objects and what is drawn. */
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
