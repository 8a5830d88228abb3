/** RegistroAlta. */
import { XML_SIGNATURE } from "../xml/names.ts";
import { EXEMPTIONS, INVOICE_TYPES, QUALIFICATIONS, REGIMES, TAXES } from "./lists.ts";
import { either, type Item, optional, repeated, required } from "./particle.ts";
import { CHAIN, party, REFERENCED_INVOICE, SOFTWARE_SYSTEM } from "./parts.ts";
import * as value from "./values.ts";

const BREAKDOWN_LINE: readonly Item[] = [
  optional("Impuesto", value.oneOf(TAXES, 1218)),
  optional("ClaveRegimen", value.oneOf(REGIMES, 1246)),
  either(
    required("CalificacionOperacion", value.oneOf(QUALIFICATIONS, 1181)),
    required("OperacionExenta", value.oneOf(EXEMPTIONS, 1182)),
    false,
  ),
  optional("TipoImpositivo", value.rate),
  required("BaseImponibleOimporteNoSujeto", value.amount),
  optional("BaseImponibleACoste", value.amount),
  optional("CuotaRepercutida", value.amount),
  optional("TipoRecargoEquivalencia", value.rate),
  optional("CuotaRecargoEquivalencia", value.amount),
];

const RECTIFIED_AMOUNTS: readonly Item[] = [
  required("BaseRectificada", value.amount),
  required("CuotaRectificada", value.amount),
  optional("CuotaRecargoRectificado", value.amount),
];

const REFERENCES: readonly Item[] = [
  optional("TipoRectificativa", value.oneOf("S I", 1107)),
  optional("FacturasRectificadas", [repeated("IDFacturaRectificada", 1000, REFERENCED_INVOICE)]),
  optional("FacturasSustituidas", [repeated("IDFacturaSustituida", 1000, REFERENCED_INVOICE)]),
  optional("ImporteRectificacion", RECTIFIED_AMOUNTS),
];

export const REGISTRATION: readonly Item[] = [
  required("IDVersion", value.oneOf("1.0", 1251)),
  required("IDFactura", [
    required("IDEmisorFactura", value.matching(/^.{9}$/, 1120)),
    required("NumSerieFactura", value.invoiceNumber),
    required("FechaExpedicionFactura", value.date(1105)),
  ]),
  optional("RefExterna", value.text(60, 1253)),
  required("NombreRazonEmisor", value.text(120)),
  optional("Subsanacion", value.yesNo(1171)),
  optional("RechazoPrevio", value.oneOf("N S X", 1171)),
  required("TipoFactura", value.oneOf(INVOICE_TYPES, 1106)),
  ...REFERENCES,
  optional("FechaOperacion", value.date(1145)),
  required("DescripcionOperacion", value.text(500)),
  optional("FacturaSimplificadaArt7273", value.yesNo(1136)),
  optional("FacturaSinIdentifDestinatarioArt61d", value.yesNo(1184)),
  optional("Macrodato", value.yesNo(1137)),
  optional("EmitidaPorTerceroODestinatario", value.oneOf("D T", 1151)),
  optional("Tercero", party()),
  optional("Destinatarios", [repeated("IDDestinatario", 1000, party())]),
  optional("Cupon", value.yesNo(1157)),
  required("Desglose", [repeated("DetalleDesglose", 12, BREAKDOWN_LINE)]),
  required("CuotaTotal", value.amount),
  required("ImporteTotal", value.amount),
  required("Encadenamiento", CHAIN),
  required("SistemaInformatico", SOFTWARE_SYSTEM),
  required("FechaHoraHusoGenRegistro", value.timestamp),
  optional("NumRegistroAcuerdoFacturacion", value.text(15)),
  optional("IdAcuerdoSistemaInformatico", value.text(16)),
  required("TipoHuella", value.oneOf("01", 1247)),
  required("Huella", value.hash),
  optional("Signature", "any", XML_SIGNATURE),
];
