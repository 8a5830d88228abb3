import { QUERY, SOAP, SUBMISSION, XML_SIGNATURE } from "../xml/xml.ts";
import { either, type Item, optional, repeated, required } from "./particle.ts";
import {
  CHAIN,
  EXEMPTIONS,
  INVOICE_TYPES,
  party,
  QUALIFICATIONS,
  QUERIED_SYSTEM,
  REFERENCED_INVOICE,
  REGIMES,
  SOFTWARE_SYSTEM,
  SPANISH_PARTY,
  TAXES,
} from "./parts.ts";
import * as value from "./values.ts";

/** RegistroAnulacion. */

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

/** RegistroAlta. */

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

/** RegFactuSistemaFacturacion and the envelope around every message. */

export const ENVELOPE: readonly Item[] = [optional("Header", "any", SOAP), required("Body", "any", SOAP)];

const MOST_RECORDS = 1000;

export const SUBMISSION_HEADER: readonly Item[] = [
  required("ObligadoEmision", SPANISH_PARTY),
  optional("Representante", SPANISH_PARTY),
  optional("RemisionVoluntaria", [
    optional("FechaFinVeriFactu", value.date(4106)),
    optional("Incidencia", value.yesNo(4121)),
  ]),
  optional("RemisionRequerimiento", [
    required("RefRequerimiento", value.text(18, 4122)),
    optional("FinRequerimiento", value.yesNo(4131)),
  ]),
];

export const SUBMISSION_MESSAGE: readonly Item[] = [
  required("Cabecera", SUBMISSION_HEADER, SUBMISSION),
  repeated(
    "RegistroFactura",
    MOST_RECORDS,
    [either(required("RegistroAlta", REGISTRATION), required("RegistroAnulacion", ANNULMENT))],
    SUBMISSION,
  ),
];

/** ConsultaFactuSistemaFacturacion. */

const INVOICE_KEY: readonly Item[] = [
  required("IDEmisorFactura", value.anyText),
  required("NumSerieFactura", value.text(60, 1104)),
  required("FechaExpedicionFactura", value.date(1105)),
];

const RANGE: readonly Item[] = [optional("Desde", value.date(1145)), optional("Hasta", value.date(1145))];

const FILTER: readonly Item[] = [
  required(
    "PeriodoImputacion",
    [
      required("Ejercicio", value.matching(/^\d{4}$/)),
      required("Periodo", value.matching(/^(0[1-9]|1[0-2])$/, 1248)),
    ],
    QUERY,
  ),
  optional("NumSerieFactura", value.text(60, 1104), QUERY),
  optional("Contraparte", party(), QUERY),
  optional(
    "FechaExpedicionFactura",
    [
      either(
        optional("FechaExpedicionFactura", value.date(1145)),
        optional("RangoFechaExpedicion", RANGE),
        false,
      ),
    ],
    QUERY,
  ),
  optional("SistemaInformatico", QUERIED_SYSTEM, QUERY),
  optional("RefExterna", value.text(60, 1253), QUERY),
  optional("ClavePaginacion", INVOICE_KEY, QUERY),
];

export const QUERY_MESSAGE: readonly Item[] = [
  required(
    "Cabecera",
    [
      required("IDVersion", value.oneOf("1.0", 1251)),
      either(optional("ObligadoEmision", SPANISH_PARTY), optional("Destinatario", SPANISH_PARTY), false),
      optional("IndicadorRepresentante", value.oneOf("S", 1249)),
    ],
    QUERY,
  ),
  required("FiltroConsulta", FILTER, QUERY),
  optional(
    "DatosAdicionalesRespuesta",
    [
      optional("MostrarNombreRazonEmisor", value.yesNo(1270), QUERY),
      optional("MostrarSistemaInformatico", value.yesNo(1271), QUERY),
    ],
    QUERY,
  ),
];
