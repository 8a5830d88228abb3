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

/** Article 21 Orden HAC/1177/2024: correction level M exactly. */
export function qrCode(url: string): QrCode {
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
