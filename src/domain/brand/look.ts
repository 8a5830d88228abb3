import type { Accent } from "./accent.ts";

/** A stored logo. */
export interface LogoFile {
  /** `<account>/<SHA-256 of the PNG>`: the name of its files, without an ending. */
  readonly file: string;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

/**
 * The colour and logo that an owner chose for pages and PDFs. Invoices of any date are shown with the
 * present choice, as a look is no part of an issued invoice.
 */
export interface InvoiceLook {
  readonly accent?: Accent;
  readonly logo?: LogoFile;
}

/** A logo is printed inside these millimetres, and never larger than its pixels on a screen. */
export const LOGO_PRINT = { width: 40, height: 14 } as const;
const MILLIMETRES_PER_PIXEL = 25.4 / 96;

/** In millimetres. */
export function printedSize({ width, height }: Pick<LogoFile, "width" | "height">) {
  const scale = Math.min(LOGO_PRINT.width / width, LOGO_PRINT.height / height, MILLIMETRES_PER_PIXEL);
  return { width: width * scale, height: height * scale };
}

/** The most characters of the owner's text at the foot. */
export const LONGEST_FOOTER = 300;
