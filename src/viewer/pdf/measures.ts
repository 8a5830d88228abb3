/** Measures of the sheet in millimetres from its upper left corner, sizes of type in points. */
export const MM = 72 / 25.4;

export const SHEET = { width: 210, height: 297 } as const;
export const LEFT = 16;
export const RIGHT = 194;
export const WIDTH = RIGHT - LEFT;

/** Type sizes: no text is larger than the texts of the QR (AEAT, technical detail of the QR, 3). */
export const LARGE = { size: 11, leading: 5.2 } as const;
export const BODY = { size: 9, leading: 4.2 } as const;
export const SMALL = { size: 8, leading: 3.8 } as const;

export const QR = {
  left: 77,
  width: 56,
  above: 8.6,
  symbol: { left: 87.5, top: 17, size: 35 },
  below: { left: 80, top: 55, width: 50, leading: 4.8 },
  gloss: { left: 75, width: 60 },
} as const;

export const ISSUER = { left: LEFT, top: 17, width: 60 } as const;
export const DOCUMENT = { left: 130, top: 17, width: 64 } as const;
/** The rule under the head, unless the head is longer. */
export const HEAD_RULE = 69;
export const RECIPIENT = { left: LEFT, width: 88 } as const;
export const SUBJECT = { left: 110, width: 84 } as const;
export const LINES_TOP = 96;

export const LATER = { head: 11, top: 20 } as const;
export const ROWS_BOTTOM = 270;
/** Below the rows: the sum that is carried forward. */
export const CARRIED = 6;
export const FOOT = 281.5;

export const TOTALS = { left: 114, width: 80 } as const;
export const NOTES = { left: LEFT, width: 84 } as const;

export type Colour = readonly [red: number, green: number, blue: number];

/** The colour of `#RRGGBB`. */
export function colourOf(hex: string): Colour {
  const part = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16);
  return [part(1), part(3), part(5)];
}

export const INK: Colour = [0x1f, 0x1e, 0x1b];
export const SOFT: Colour = [0x5f, 0x5b, 0x55];
export const ACCENT: Colour = [0x27, 0x46, 0x84];
export const BAD: Colour = [0xa3, 0x23, 0x1f];
export const LINE: Colour = [0xd9, 0xd6, 0xd0];
export const BLACK: Colour = [0, 0, 0];
