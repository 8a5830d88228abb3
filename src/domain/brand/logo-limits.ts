/** A logo is printed at most 40 x 14 mm: at 300 dots an inch this is 2.5 times as fine. */
export const LOGO_LIMITS = { width: 1_200, height: 420, bytes: 153_600 } as const;
