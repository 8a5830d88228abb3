/** RegistroAnulacion. */
import { XML_SIGNATURE } from "../xml/names.ts";
import { type Item, optional, required } from "./particle.ts";
import { CHAIN, party, SOFTWARE_SYSTEM } from "./parts.ts";
import * as value from "./values.ts";

export const ANNULMENT: readonly Item[] = [
  required("IDVersion", value.oneOf("1.0", 1251)),
  required("IDFactura", [
    required("IDEmisorFacturaAnulada", value.matching(/^.{9}$/, 1120)),
    required("NumSerieFacturaAnulada", value.invoiceNumber),
    required("FechaExpedicionFacturaAnulada", value.date(1105)),
  ]),
  optional("RefExterna", value.text(60, 1253)),
  optional("SinRegistroPrevio", value.yesNo(1276)),
  optional("RechazoPrevio", value.yesNo(1275)),
  optional("GeneradoPor", value.oneOf("E D T", 1225)),
  optional("Generador", party(1231)),
  required("Encadenamiento", CHAIN),
  required("SistemaInformatico", SOFTWARE_SYSTEM),
  required("FechaHoraHusoGenRegistro", value.timestamp),
  required("TipoHuella", value.oneOf("01", 1247)),
  required("Huella", value.hash),
  optional("Signature", "any", XML_SIGNATURE),
];
