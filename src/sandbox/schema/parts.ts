/** Blocks that several messages share. */
import { COUNTRIES, ID_TYPES } from "./lists.ts";
import { either, type Item, optional, required } from "./particle.ts";
import * as value from "./values.ts";

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
