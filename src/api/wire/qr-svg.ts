import { correction, generate } from "lean-qr";
import { toSvgSource } from "lean-qr/extras/svg";

/**
 * Art. 21 Orden HAC/1177/2024: correction level M, neither less nor more; ISO 18004: four modules of quiet
 * zone.
 */
const QUIET_ZONE_MODULES = 4;

export function qrSvg(url: string): string {
  const code = generate(url, { minCorrectionLevel: correction.M, maxCorrectionLevel: correction.M });
  return toSvgSource(code, { on: "#000", off: "#fff", pad: QUIET_ZONE_MODULES });
}
