import { type Decimal, decimal } from "../shared/decimal.ts";

/** L2, TipoFactura: F2 is the simplified invoice, F3 replaces simplified ones, R5 corrects them. */
export const INVOICE_TYPES = ["F1", "F2", "F3", "R1", "R2", "R3", "R4", "R5"] as const;
export type InvoiceType = (typeof INVOICE_TYPES)[number];

/** L1, Impuesto: IVA, IPSI (Ceuta and Melilla), IGIC (Canary Islands), others. There is no 04. */
export const TAXES = ["01", "02", "03", "05"] as const;
export type Tax = (typeof TAXES)[number];

/** L9, CalificacionOperacion: subject, reverse charge, not subject, not subject by place of supply. */
export const QUALIFICATIONS = ["S1", "S2", "N1", "N2"] as const;
export type Qualification = (typeof QUALIFICATIONS)[number];

/** L10, OperacionExenta. */
export const EXEMPTIONS = ["E1", "E2", "E3", "E4", "E5", "E6", "E7", "E8"] as const;
export type Exemption = (typeof EXEMPTIONS)[number];

/** L7, IDType: NIF-IVA, passport, official id, residence certificate, other proof, not in the census. */
export const ID_TYPES = ["02", "03", "04", "05", "06", "07"] as const;
export type IdType = (typeof ID_TYPES)[number];

/**
 * L8, ClaveRegimen by tax. The XSD lists only the union, so a key of another tax passes it and comes back as
 * 1246. Tax 05 takes none (1260).
 */
export const REGIMES: Readonly<Record<Tax, readonly string[]>> = {
  "01": words("01 02 03 04 05 06 07 08 09 10 11 14 15 17 18 19 20"),
  "02": words("01 08 11 18 19 20"),
  "03": words("01 02 03 04 05 06 07 08 09 10 11 14 15 17 18 19 20 21"),
  "05": [],
};

/** E7 and E8 exist in IGIC only (1182). */
const IGIC_ONLY_EXEMPTIONS: readonly Exemption[] = ["E7", "E8"];

/**
 * CountryType2, the values of CodigoPais: not ISO 3166-1, of which it lacks AX, BL, EH, GF, GP, MF, MQ and
 * SJ; its XB, XG, XN, XU and QU are the AEAT's own.
 */
export const COUNTRY_CODES: ReadonlySet<string> = new Set(
  words(
    "AF AL DE AD AO AI AQ AG SA DZ AR AM AW AU AT AZ BS BH BD BB BE BZ BJ BM BY BO BA BW BV BR " +
      "BN BG BF BI BT CV KY KH CM CA CF CC CO KM CG CD CK KP KR CI CR HR CU TD CZ CL CN CY CW DK " +
      "DM DO EC EG AE ER SK SI ES US EE ET FO PH FI FJ FR GA GM GE GS GH GI GD GR GL GU GT GG GN " +
      "GQ GW GY HT HM HN HK HU IN ID IR IQ IE IM IS IL IT JM JP JE JO KZ KE KG KI KW LA LS LV LB " +
      "LR LY LI LT LU XG MO MK MG MY MW MV ML MT FK MP MA MH MU MR YT UM MX FM MD MC MN ME MS MZ " +
      "MM NA NR CX NP NI NE NG NU NF NO NC NZ IO OM NL BQ PK PW PA PG PY PE PN PF PL PT PR QA GB " +
      "RW RO RU RE SB SV WS AS KN SM SX PM VC SH LC ST SN RS SC SL SG SY SO LK SZ ZA SD SS SE CH " +
      "SR TH TW TZ TJ PS TF TL TG TK TO TT TN TC TM TR TV UA UG UY UZ VU VA VE VN VG VI WF YE DJ " +
      "ZM ZW QU XB XU XN",
  ),
);

/** VAT numbers of Greece start with EL, but its CodigoPais is GR. */
export const GREECE = { vatPrefix: "EL", countryCode: "GR" } as const;

/**
 * The body of a NIF-IVA (IDType 02) after its prefix. XI is valid from 01-01-2021, GB until 31-01-2021 (1254,
 * 1255). ES is missing because a Spanish number is never sent as 02.
 */
export const EU_VAT_BODIES: Readonly<Record<string, RegExp>> = {
  AT: /^[0-9A-Z]{9}$/,
  BE: /^\d{10}$/,
  BG: /^\d{9,10}$/,
  CY: /^[0-9A-Z]{9}$/,
  CZ: /^\d{8,10}$/,
  DE: /^\d{9}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  EL: /^\d{9}$/,
  FI: /^\d{8}$/,
  FR: /^[0-9A-Z]{11}$/,
  GB: /^([0-9A-Z]{5}|[0-9A-Z]{9}|[0-9A-Z]{12})$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^[0-9A-Z]{8,9}$/,
  IT: /^\d{11}$/,
  LT: /^(\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^[0-9A-Z]{12}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^[1-9]\d{1,9}$/,
  SE: /^\d{12}$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/,
  XI: /^([0-9A-Z]{5}|[0-9A-Z]{9}|[0-9A-Z]{12})$/,
};

/** Sizes that the XSD imposes: one record above any of them sinks the whole message (4102, 4113, 4114). */
export const LIMITS = {
  breakdownLines: 12,
  numberLength: 60,
  nameLength: 120,
  descriptionLength: 500,
  foreignIdLength: 20,
  agreementNumberLength: 15,
  referencedInvoices: 1000,
  recordsPerMessage: 1000,
} as const;

/** Macrodato must be S exactly when the total reaches this in absolute value (1138, 1139). */
export const MACRODATA_THRESHOLD: Decimal = decimal("100000000");

export function isExemption(text: string): text is Exemption {
  return isOneOf(EXEMPTIONS, text);
}

export function isExemptionOf(tax: Tax, exemption: Exemption): boolean {
  return tax === "03" || !IGIC_ONLY_EXEMPTIONS.includes(exemption);
}

export function isRegimeOf(tax: Tax, regime: string): boolean {
  return REGIMES[tax].includes(regime);
}

export function isCountryCode(text: string): boolean {
  return COUNTRY_CODES.has(text);
}

function isOneOf<Item extends string>(list: readonly Item[], text: string): text is Item {
  return list.some((item) => item === text);
}

function words(list: string): readonly string[] {
  return list.split(" ");
}
