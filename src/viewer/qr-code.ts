import { correction, generate } from "lean-qr";

/** Dark modules that touch, from left to right. */
export interface Run {
  readonly x: number;
  readonly y: number;
  readonly length: number;
}

export interface QrCode {
  /** Modules on each side, without the quiet zone. */
  readonly size: number;
  readonly runs: readonly Run[];
}

/** ISO 18004: the white margin around the symbol, in modules. */
export const QUIET_ZONE = 4;

/** A symbol takes two thirds of the time of a page, and a page is mostly followed by its PDF or by itself. */
const MOST_KEPT = 100;
const kept = new Map<string, QrCode>();

/** Article 21 Orden HAC/1177/2024: correction level M exactly. */
export function qrCode(url: string): QrCode {
  const known = kept.get(url) ?? drawn(url);
  // The newest comes last, so that the one that was asked for the longest ago goes.
  kept.delete(url);
  kept.set(url, known);
  for (const oldest of kept.keys()) {
    if (kept.size <= MOST_KEPT) break;
    kept.delete(oldest);
  }
  return known;
}

function drawn(url: string): QrCode {
  const code = generate(url, { minCorrectionLevel: correction.M, maxCorrectionLevel: correction.M });
  const runs: Run[] = [];
  for (let y = 0; y < code.size; y++) {
    for (let x = 0; x < code.size; x++) {
      if (!code.get(x, y)) continue;
      const start = x;
      while (x < code.size && code.get(x, y)) x++;
      runs.push({ x: start, y, length: x - start });
    }
  }
  return { size: code.size, runs };
}
