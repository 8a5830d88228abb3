import { either, type Item, optional, required } from "./particle.ts";
import * as value from "./values.ts";

/** Lists of codes of the record design, as words in one text. */

export const INVOICE_TYPES = "F1 F2 F3 R1 R2 R3 R4 R5";
export const TAXES = "01 02 03 05";
export const REGIMES = "01 02 03 04 05 06 07 08 09 10 11 14 15 17 18 19 20 21";
const ID_TYPES = "02 03 04 05 06 07";
export const QUALIFICATIONS = "S1 S2 N1 N2";
export const EXEMPTIONS = "E1 E2 E3 E4 E5 E6 E7 E8";

/** ClaveRegimen of each tax that has any. */
export const REGIMES_OF: Readonly<Record<string, string>> = {
  "01": "01 02 03 04 05 06 07 08 09 10 11 14 15 17 18 19 20",
  "02": "01 08 11 18 19 20",
  "03": "01 02 03 04 05 06 07 08 09 10 11 14 15 17 18 19 20 21",
};

/** CodigoPais: the service's own list, which is not quite that of ISO 3166-1. */
const COUNTRIES =
  "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AZ BA BB BD BE BF BG BH BI BJ BM BN BO BQ BR BS BT BV " +
  "BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG ER " +
  "ES ET FI FJ FK FM FO FR GA GB GD GE GG GH GI GL GM GN GQ GR GS GT GU GW GY HK HM HN HR HT HU ID " +
  "IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT " +
  "LU LV LY MA MC MD ME MG MH MK ML MM MN MO MP MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO " +
  "NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA QU RE RO RS RU RW SA SB SC SD SE SG " +
  "SH SI SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG " +
  "UM US UY UZ VA VC VE VG VI VN VU WF WS XB XG XN XU YE YT ZA ZM ZW";

/** Blocks that several messages share. */

/** IDOtro. `typeCode` is the refusal of a wrong IDType in this block. */
function otherIdentifier(typeCode: number): readonly Item[] {
  return [
    optional("CodigoPais", value.oneOf(COUNTRIES, 1101)),
    required("IDType", value.oneOf(ID_TYPES, typeCode)),
    required("ID", value.text(20, 1222)),
  ];
}

/** A name with a NIF or another identifier. The rules check the NIF, because they know the block. */
export function party(typeCode = 1102): readonly Item[] {
  return [
    required("NombreRazon", value.text(120)),
    either(required("NIF", value.anyText), required("IDOtro", otherIdentifier(typeCode))),
  ];
}

/** A name with a NIF. */
export const SPANISH_PARTY: readonly Item[] = [
  required("NombreRazon", value.text(120)),
  required("NIF", value.anyText),
];

/** The key of an invoice that another one corrects or replaces. */
export const REFERENCED_INVOICE: readonly Item[] = [
  required("IDEmisorFactura", value.anyText),
  required("NumSerieFactura", value.invoiceNumber),
  required("FechaExpedicionFactura", value.date(1145)),
];

export const CHAIN: readonly Item[] = [
  either(
    required("PrimerRegistro", value.oneOf("S", 1274)),
    required("RegistroAnterior", [
      required("IDEmisorFactura", value.matching(/^.{9}$/, 1269)),
      required("NumSerieFactura", value.text(60, 1175)),
      required("FechaExpedicionFactura", value.date(1174)),
      required("Huella", value.previousHash),
    ]),
  ),
];

export const SOFTWARE_SYSTEM: readonly Item[] = [
  ...party(1221),
  required("NombreSistemaInformatico", value.text(30, 1220)),
  required("IdSistemaInformatico", value.matching(/^[0-9A-Z]{2}$/, 1177)),
  required("Version", value.text(50)),
  required("NumeroInstalacion", value.text(100)),
  required("TipoUsoPosibleSoloVerifactu", value.yesNo(1212)),
  required("TipoUsoPosibleMultiOT", value.yesNo(1213)),
  required("IndicadorMultiplesOT", value.yesNo(1226)),
];

/** The same block in a query, mostly optional. */
export const QUERIED_SYSTEM: readonly Item[] = [
  ...party(1221),
  optional("NombreSistemaInformatico", value.text(30, 1220)),
  required("IdSistemaInformatico", value.text(2, 1177)),
  optional("Version", value.text(50)),
  required("NumeroInstalacion", value.text(100)),
  optional("TipoUsoPosibleSoloVerifactu", value.yesNo(1212)),
  optional("TipoUsoPosibleMultiOT", value.yesNo(1213)),
  optional("IndicadorMultiplesOT", value.yesNo(1226)),
];
