/** ConsultaFactuSistemaFacturacion. */
import { QUERY } from "../xml/names.ts";
import { either, type Item, optional, required } from "./particle.ts";
import { party, QUERIED_SYSTEM, SPANISH_PARTY } from "./parts.ts";
import * as value from "./values.ts";

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
