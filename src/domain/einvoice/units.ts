/**
 * Units of measure that a line may have, by UN/ECE code (Recommendation 20, and 21 after X), each with
 * UnitOfMeasure of Facturae 3.2.2. As of 2026-11-30. Units that Facturae lacks are 05, "other".
 */
const FACTURAE_CODES = {
  C62: "01",
  H87: "01",
  EA: "01",
  NAR: "01",
  HUR: "02",
  KGM: "03",
  LTR: "04",
  XBX: "06",
  XDS: "07",
  XBA: "08",
  XJY: "09",
  XBG: "10",
  XBO: "12",
  XCI: "13",
  CLT: "15",
  CMT: "16",
  XBJ: "17",
  DZN: "18",
  XCS: "19",
  XDJ: "20",
  GRM: "21",
  KMT: "22",
  XCA: "23",
  XBH: "24",
  MTR: "25",
  MMT: "26",
  XPK: "28",
  PR: "05",
  XRO: "30",
  XEN: "31",
  XTB: "32",
  MTQ: "33",
  SEC: "34",
  WTT: "35",
  KWH: "36",
  MIN: "05",
  DAY: "05",
  WEE: "05",
  MON: "05",
  ANN: "05",
  MLT: "05",
  TNE: "05",
  MTK: "05",
  MWH: "05",
  E34: "05",
  E48: "05",
  LS: "05",
  SET: "05",
  XPX: "05",
  XCT: "05",
} as const;

export type UnitCode = keyof typeof FACTURAE_CODES;

/** The codes that a line may name, in the order of the table. */
export const UNIT_CODES: readonly UnitCode[] = codesOf(FACTURAE_CODES);

/** The unit of a line that names none: one, as EN 16931 counts pieces and services. */
export const DEFAULT_UNIT: UnitCode = "C62";

export function isUnitCode(text: string): text is UnitCode {
  return Object.hasOwn(FACTURAE_CODES, text);
}

/** UnitOfMeasure of Facturae 3.2.2, two digits. */
export function facturaeUnit(unit: UnitCode): string {
  return FACTURAE_CODES[unit];
}

function codesOf<Code extends string>(table: Readonly<Record<Code, string>>): readonly Code[] {
  // Object.keys types the codes as strings.
  return Object.keys(table) as Code[];
}
