import { err, ok, type Result } from "../shared/result.ts";

/** An owner's colour for title and rule of the invoice, as `#RRGGBB`, and the colour that is printed. */
export interface Accent {
  readonly chosen: string;
  /** The same, or darker where the chosen one could not be read on white. */
  readonly printed: string;
}

/** WCAG 2.2, 1.4.3: text on white. */
const LEAST_CONTRAST = 4.5;
/** A step of lightness that no eye sees. */
const STEP = 0.005;

/**
 * The colour to print: its hue and chroma in OKLCH stay, its lightness falls until its contrast on white is
 * 4.5 to 1. `accent_invalid` is no colour of six hexadecimal digits.
 */
export function accentOf(chosen: string): Result<Accent, "accent_invalid"> {
  if (!/^#[0-9a-f]{6}$/i.test(chosen)) return err("accent_invalid");
  const asked = chosen.toUpperCase();
  const rgb = [1, 3, 5].map((at) => Number.parseInt(asked.slice(at, at + 2), 16));
  const { lightness, a, b } = toOklab(rgb.map(toLinear));
  let printed = asked;
  for (let step = 0; contrastOnWhite(printed) < LEAST_CONTRAST; step++) {
    printed = darkest({ lightness: lightness - step * STEP, a, b });
  }
  return ok({ chosen: asked, printed });
}

/** WCAG's ratio of the luminances. */
export function contrastOnWhite(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    toLinear(Number.parseInt(colour.slice(at, at + 2), 16)),
  );
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
}

interface Oklab {
  readonly lightness: number;
  readonly a: number;
  readonly b: number;
}

/** Where sRGB has no colour of this lightness and chroma, the chroma falls. */
function darkest({ lightness, a, b }: Oklab): string {
  for (let chroma = 1; chroma > 0; chroma -= 0.02) {
    const linear = fromOklab({ lightness, a: a * chroma, b: b * chroma });
    if (linear.every((value) => value > -0.0001 && value < 1.0001)) return hexOf(linear);
  }
  return hexOf(fromOklab({ lightness: Math.max(0, lightness), a: 0, b: 0 }));
}

function hexOf(linear: readonly number[]): string {
  const digits = linear.map((value) => toByte(value).toString(16).padStart(2, "0"));
  return `#${digits.join("")}`.toUpperCase();
}

/** The curve of sRGB (IEC 61966-2-1). */
function toLinear(byte: number): number {
  const value = byte / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function toByte(linear: number): number {
  const value = Math.min(1, Math.max(0, linear));
  const curved = value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055;
  return Math.round(curved * 255);
}

/** The matrices of Ottosson's Oklab (CSS Color 4, 9.2). */
function toOklab([red = 0, green = 0, blue = 0]: readonly number[]): Oklab {
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return {
    lightness: 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    a: 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short,
    b: 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short,
  };
}

function fromOklab({ lightness, a, b }: Oklab): readonly [number, number, number] {
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ];
}
