/** RegFactuSistemaFacturacion and the envelope around every message. */
import { SOAP, SUBMISSION } from "../xml/names.ts";
import { ANNULMENT } from "./annulment.ts";
import { either, type Item, optional, repeated, required } from "./particle.ts";
import { SPANISH_PARTY } from "./parts.ts";
import { REGISTRATION } from "./registration.ts";
import * as value from "./values.ts";

export const ENVELOPE: readonly Item[] = [optional("Header", "any", SOAP), required("Body", "any", SOAP)];

export const MOST_RECORDS = 1000;

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
