/** QR codes as another program than the one that makes them reads them. */
import { createRequire } from "node:module";
import type decode from "jsqr";

// The package is CommonJS whose types tell of a default export that only bundlers see.
const jsQR: typeof decode = createRequire(import.meta.url)("jsqr");

export type Found = NonNullable<ReturnType<typeof decode>>;

export function foundQr(pixels: {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
}): Found {
  const found = jsQR(pixels.data, pixels.width, pixels.height);
  if (!found) throw new Error("no QR code was found");
  return found;
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
