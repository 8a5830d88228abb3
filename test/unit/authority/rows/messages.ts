/** Faults that refuse a whole message. */
import * as make from "../../../support/authority/messages.ts";
import type { MessageRow } from "./row.ts";

const { alta, element, envelope, ISSUER, message } = make;

const GOOD = message([alta()]);
const ON_DEMAND = { endpoint: "RequerimientoSOAP" } as const;
const headed = (header: make.Change) => message([alta()], header);
const lastDay = (FechaFinVeriFactu: string) => headed({ RemisionVoluntaria: { FechaFinVeriFactu } });
const required = (reference: make.Change) => headed({ RemisionRequerimiento: reference });
const without = (pattern: RegExp) => GOOD.replace(pattern, "");
const thirteen = alta(make.breakdown(...Array.from({ length: 13 }, () => ({}))));
const latin = Buffer.from(GOOD, "latin1");
const query = (change: make.Change = {}, header: make.Change = {}, shown: make.Change = {}) =>
  envelope(
    element("q:ConsultaFactuSistemaFacturacion", {
      "q:Cabecera": { IDVersion: "1.0", ObligadoEmision: ISSUER, ...header },
      "q:FiltroConsulta": { "q:PeriodoImputacion": { Ejercicio: "2026", Periodo: "11" }, ...change },
      "q:DatosAdicionalesRespuesta": shown,
    }),
  );
const BY_RECIPIENT = { ObligadoEmision: undefined, Destinatario: ISSUER };

export const MESSAGES: readonly MessageRow[] = [
  [102, "a second XML declaration", `<?xml version="1.0"?>${GOOD}`],
  [1100, "a header without name", headed({ ObligadoEmision: { ...ISSUER, NombreRazon: " " } })],
  [4102, "no envelope", "<a/>"],
  [
    4102,
    "an envelope of SOAP 1.2",
    GOOD.replace("schemas.xmlsoap.org/soap/envelope", "www.w3.org/2003/05/soap-envelope"),
  ],
  [4102, "another operation", envelope(element("lr:Baja", {}))],
  [4102, "an element too many", GOOD.replace("<sf:TipoFactura>", "<sf:Otro>1</sf:Otro><sf:TipoFactura>")],
  [
    4102,
    "an element twice",
    GOOD.replace("<sf:TipoFactura>", "<sf:TipoFactura>F1</sf:TipoFactura><sf:TipoFactura>"),
  ],
  [4102, "no totals", without(/<sf:CuotaTotal>.*?<\/sf:CuotaTotal>/)],
  [4102, "nobody's identifier", without(/<sf:NIF>89890002E<\/sf:NIF>/)],
  [4102, "no place in the chain", without(/<sf:PrimerRegistro>S<\/sf:PrimerRegistro>/)],
  [4102, "no records", without(/<lr:RegistroFactura>.*<\/lr:RegistroFactura>/)],
  [
    4102,
    "an empty RegistroFactura",
    GOOD.replace(/(<lr:RegistroFactura>).*(<\/lr:RegistroFactura>)/, "$1$2"),
  ],
  [4102, "two records in one", GOOD.replace(/(<\/sf:RegistroAlta>)/, `$1${annulment()}`)],
  [4102, "text between elements", GOOD.replace("<sf:IDFactura>", "x<sf:IDFactura>")],
  [4102, "elements in a text", GOOD.replace("<sf:IDVersion>1.0", "<sf:IDVersion><sf:a/>1.0")],
  [4102, "an attribute", GOOD.replace("<sf:IDVersion>", '<sf:IDVersion a="1">')],
  [4103, "XML that is not closed", GOOD.slice(0, -20)],
  [4103, "a document type", GOOD.replace("?>", '?><!DOCTYPE a [<!ENTITY b "c">]>')],
  [4103, "an entity of its own", GOOD.replace("EMPRESA", "&empresa;")],
  [4103, "an undefined prefix", GOOD.replaceAll("sf:", "sg:")],
  [4104, "an issuer who is not in the census", GOOD, { control: { not_in_census: [ISSUER.NIF] } }],
  [
    4105,
    "a representative who is not in the census",
    headed({ Representante: make.CUSTOMER }),
    { control: { not_in_census: [make.CUSTOMER.NIF] } },
  ],
  [4106, "a last day that is none", lastDay("31-11-2026")],
  [4113, "13 lines of a breakdown", message([thirteen])],
  [4114, "1001 records", message(Array.from({ length: 1001 }, () => alta()))],
  [
    4115,
    "an issuer with a wrong control character",
    headed({ ObligadoEmision: { ...ISSUER, NIF: "89890001A" } }),
  ],
  [4116, "an issuer of 8 characters", headed({ ObligadoEmision: { ...ISSUER, NIF: "8989000K" } })],
  [4117, "a representative with no NIF", headed({ Representante: { NombreRazon: "R", NIF: "X" } })],
  [4118, "a query where records are asked for", query(), ON_DEMAND],
  [4119, "bytes that are not UTF-8", latin],
  [4120, "a last day in another year", lastDay("31-12-2024")],
  [4121, "Incidencia X", headed({ RemisionVoluntaria: { Incidencia: "X" } })],
  [4122, "a blank reference", required({ RefRequerimiento: " " }), ON_DEMAND],
  [4125, "no reference where it was asked for", GOOD, ON_DEMAND],
  [4126, "a reference where nothing was asked for", required({ RefRequerimiento: "R1" })],
  [
    4127,
    "of one's own accord where it was asked for",
    headed({ RemisionVoluntaria: { Incidencia: "N" }, RemisionRequerimiento: { RefRequerimiento: "R1" } }),
    ON_DEMAND,
  ],
  [4129, "not whether it is the last", required({ RefRequerimiento: "R1" }), ON_DEMAND],
  [4131, "FinRequerimiento X", required({ RefRequerimiento: "R1", FinRequerimiento: "X" }), ON_DEMAND],
  [4133, "a reference with a dash", required({ RefRequerimiento: "R-1", FinRequerimiento: "S" }), ON_DEMAND],
  [4135, "GET", "", { method: "GET" }],
  [4136, "a record outside of RegistroFactura", GOOD.replace(/<\/?lr:RegistroFactura>/g, "")],
  [
    4137,
    "an annulment outside of RegistroFactura",
    message([make.anulacion()]).replace(/<\/?lr:RegistroFactura>/g, ""),
  ],
  [4138, "nothing", ""],
  [4138, "blanks", " \n"],
  [4138, "another encoding by its declaration", GOOD.replace("UTF-8", "ISO-8859-1")],
  [4138, "another encoding by its type", GOOD, { contentType: "text/xml; charset=iso-8859-1" }],
  [1248, "a query for month 13", query({ "q:PeriodoImputacion": { Ejercicio: "2026", Periodo: "13" } })],
  [1249, "IndicadorRepresentante N", query({}, { IndicadorRepresentante: "N" })],
  [
    1250,
    "a range that ends before it begins",
    query({
      "q:FechaExpedicionFactura": { RangoFechaExpedicion: { Desde: "02-11-2026", Hasta: "01-11-2026" } },
    }),
  ],
  [1261, "a representative of a recipient", query({}, { ...BY_RECIPIENT, IndicadorRepresentante: "S" })],
  [1270, "MostrarNombreRazonEmisor X", query({}, {}, { "q:MostrarNombreRazonEmisor": "X" })],
  [1271, "MostrarSistemaInformatico X", query({}, {}, { "q:MostrarSistemaInformatico": "X" })],
  [1272, "the system of another issuer", query({}, BY_RECIPIENT, { "q:MostrarSistemaInformatico": "S" })],
];

function annulment(): string {
  return element("sf:RegistroAnulacion", make.anulacion().fields);
}
