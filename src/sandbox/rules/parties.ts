import { type Circumstances, firstRefusal, type Refusal, refuseIf } from "./check.ts";
import type { Party } from "./record.ts";
import { isNif, isPersonNif } from "./written-values.ts";

/** The rules of every block that identifies a person or company, with the codes of each block. */

/** "El formato del NIF es incorrecto" and "no está identificado", reported inside a block's own error. */
const WRONG_FORMAT = 1123;
const NOT_IN_CENSUS = 1109;

interface PartyCodes {
  /** Neither or both identifiers. */
  readonly block: number;
  /** A NIF with a wrong control character. */
  readonly format: number;
  readonly notInCensus: number;
  /** IDType 07; undefined where it is allowed. */
  readonly uncensused: number | undefined;
  /** CodigoPais ES with another IDType than 03, or 07 where that is allowed. */
  readonly spanish: number;
}

export const RECIPIENT: PartyCodes = {
  ...{ block: 1239, format: 1239, notInCensus: 1239 },
  ...{ uncensused: undefined, spanish: 1126 },
};
export const THIRD_PARTY: PartyCodes = {
  ...{ block: 1178, format: 1178, notInCensus: 1178 },
  ...{ uncensused: 1211, spanish: 1232 },
};
export const PRODUCER: PartyCodes = {
  ...{ block: 1223, format: 1176, notInCensus: 1110 },
  ...{ uncensused: 1221, spanish: 1232 },
};
export const GENERATING_THIRD_PARTY: PartyCodes = {
  ...{ block: 1228, format: 1258, notInCensus: 1259 },
  ...{ uncensused: 1229, spanish: 1232 },
};
export const GENERATING_RECIPIENT: PartyCodes = {
  ...GENERATING_THIRD_PARTY,
  ...{ uncensused: undefined, spanish: 1234 },
};

/** `rateDay` decides between the NIF-IVA of GB and of XI. */
export function partyRefusal(
  party: Party,
  codes: PartyCodes,
  { lists }: Circumstances,
  rateDay: string,
): Refusal | undefined {
  const { nif, other, name } = party;
  if (nif !== undefined && other !== undefined) return { code: codes.block };
  if (nif !== undefined) {
    if (!isNif(nif)) return nifRefusal(codes.format, codes.block, WRONG_FORMAT, { nif, name });
    if (!lists.notInCensus.has(nif)) return undefined;
    return nifRefusal(codes.notInCensus, codes.block, NOT_IN_CENSUS, { nif, name });
  }
  if (other === undefined) return { code: codes.block };
  return firstRefusal(
    () => typeRefusal(other, codes),
    () => (other.type === "02" ? nifIvaRefusal(other, lists.notInVies, rateDay) : undefined),
    () => (other.type === "07" ? uncensusedRefusal(other.id) : undefined),
  );
}

/** If the block has no specific code, its error includes the inner one. */
function nifRefusal(
  code: number,
  block: number,
  because: number,
  party: { nif: string; name: string },
): Refusal {
  return code === block ? { code, because, party } : { code, party };
}

type Other = NonNullable<Party["other"]>;

function typeRefusal({ country, type }: Other, codes: PartyCodes): Refusal | undefined {
  const isUncensused = type === "07";
  if (isUncensused && codes.uncensused !== undefined) return { code: codes.uncensused };
  return firstRefusal(
    () => refuseIf(country === undefined && type !== "02", 1111),
    () => refuseIf(isUncensused && country !== "ES", codes.spanish),
    () => refuseIf(country === "ES" && type !== "03" && !isUncensused, codes.spanish),
  );
}

function nifIvaRefusal(
  { country, id }: Other,
  notInVies: ReadonlySet<string>,
  rateDay: string,
): Refusal | undefined {
  return firstRefusal(
    () => refuseIf(!isNifIva(id), 1103),
    () => refuseIf(country !== undefined && country !== countryOfNifIva(id), 1122),
    () => refuseIf(id.startsWith("XI") && rateDay < "2021-01-01", 1254),
    () => refuseIf(id.startsWith("GB") && rateDay >= "2021-02-01", 1255),
    () => refuseIf(notInVies.has(id), 1103),
  );
}

function uncensusedRefusal(id: string): Refusal | undefined {
  return firstRefusal(
    () => refuseIf(!isNif(id), 1290),
    () => refuseIf(!isPersonNif(id), 1131),
  );
}

/** NIF-IVA: the part after the prefix, for each member state, Northern Ireland and the former GB. */

const NUMBERS: Readonly<Record<string, RegExp>> = {
  DE: /^\d{9}$/,
  AT: /^[0-9A-Z]{9}$/,
  BE: /^\d{10}$/,
  CY: /^[0-9A-Z]{9}$/,
  CZ: /^\d{8,10}$/,
  HR: /^\d{11}$/,
  DK: /^\d{8}$/,
  SK: /^\d{10}$/,
  SI: /^\d{8}$/,
  EE: /^\d{9}$/,
  FI: /^\d{8}$/,
  FR: /^[0-9A-Z]{11}$/,
  EL: /^\d{9}$/,
  GB: /^(?:[0-9A-Z]{5}|[0-9A-Z]{9}|[0-9A-Z]{12})$/,
  XI: /^(?:[0-9A-Z]{5}|[0-9A-Z]{9}|[0-9A-Z]{12})$/,
  NL: /^[0-9A-Z]{12}$/,
  HU: /^\d{8}$/,
  IT: /^\d{11}$/,
  IE: /^[0-9A-Z]{8,9}$/,
  LV: /^\d{11}$/,
  LT: /^(?:\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  MT: /^\d{8}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  SE: /^\d{12}$/,
  BG: /^\d{9,10}$/,
  RO: /^[1-9]\d{1,9}$/,
};

function isNifIva(text: string): boolean {
  return NUMBERS[text.slice(0, 2)]?.test(text.slice(2)) ?? false;
}

/** CodigoPais of a NIF-IVA: the prefix, but for Greece. */
function countryOfNifIva(text: string): string {
  const prefix = text.slice(0, 2);
  return prefix === "EL" ? "GR" : prefix;
}
