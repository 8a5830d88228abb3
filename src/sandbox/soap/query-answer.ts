/** RespuestaConsultaFactuSistemaFacturacion. */
import { shortened } from "../rules/amounts.ts";
import { INFORMATION, QUERY_ANSWER } from "../xml/names.ts";
import { childOf, textAt, type XmlElement } from "../xml/tree.ts";
import { parentElement, rewritten, textElement } from "../xml/write.ts";
import type { Snapshot } from "./snapshot.ts";
import { envelopeXml } from "./submission-answer.ts";

/**
 * The members of a record in a query's answer, in the order of its schema. It holds fewer than the record.
 */
const TOLD =
  "RefExterna Subsanacion RechazoPrevio SinRegistroPrevio GeneradoPor Generador TipoFactura " +
  "TipoRectificativa FacturasRectificadas FacturasSustituidas ImporteRectificacion FechaOperacion " +
  "DescripcionOperacion " +
  "FacturaSimplificadaArt7273 FacturaSinIdentifDestinatarioArt61d Macrodato EmitidaPorTerceroODestinatario " +
  "Tercero Destinatarios Cupon Desglose CuotaTotal ImporteTotal Encadenamiento SistemaInformatico " +
  "FechaHoraHusoGenRegistro NumRegistroAcuerdoFacturacion IdAcuerdoSistemaInformatico TipoHuella Huella";

/** Amounts and rates come back without zeros at the end: no hash can be made of them again. */
const SHORTENED = /^(Cuota|Importe(Total|$)|Base|Tipo(Impositivo|RecargoEquivalencia))/;

export function queryAnswerXml(message: XmlElement, invoices: readonly Snapshot[], hasMore: boolean): string {
  const header = childOf(message, "Cabecera")?.children ?? [];
  const period = childOf(childOf(message, "FiltroConsulta"), "PeriodoImputacion")?.children ?? [];
  const isShown = (name: string) => textAt(message, "DatosAdicionalesRespuesta", name) === "S";
  const shows = {
    name: isShown("MostrarNombreRazonEmisor"),
    system: isShown("MostrarSistemaInformatico"),
  };
  const last = invoices.at(-1);
  const content = [
    parentElement(
      "tikC:Cabecera",
      header.map((child) => rewritten(child, "tik")),
    ),
    parentElement(
      "tikC:PeriodoImputacion",
      period.map((child) => textElement(`tikC:${child.name}`, child.text)),
    ),
    textElement("tikC:IndicadorPaginacion", hasMore ? "S" : "N"),
    textElement("tikC:ResultadoConsulta", invoices.length > 0 ? "ConDatos" : "SinDatos"),
    ...invoices.map((invoice) => invoiceXml(invoice, shows)),
    hasMore && last !== undefined ? parentElement("tikC:ClavePaginacion", keyXml(last)) : "",
  ];
  const namespaces = ` xmlns:tikC="${QUERY_ANSWER}" xmlns:tik="${INFORMATION}"`;
  return envelopeXml(parentElement("tikC:RespuestaConsultaFactuSistemaFacturacion", content, namespaces));
}

interface Shows {
  readonly name: boolean;
  readonly system: boolean;
}

function invoiceXml(invoice: Snapshot, shows: Shows): string {
  const { key, petition, presentedAt, state, code, description } = invoice;
  return parentElement("tikC:RegistroRespuestaConsultaFactuSistemaFacturacion", [
    parentElement("tikC:IDFactura", keyXml(invoice)),
    parentElement("tikC:DatosRegistroFacturacion", recordXml(invoice.record, shows)),
    parentElement("tikC:DatosPresentacion", [
      textElement("tik:NIFPresentador", key.nif),
      textElement("tik:TimestampPresentacion", presentedAt),
      textElement("tik:IdPeticion", petition),
    ]),
    parentElement("tikC:EstadoRegistro", [
      textElement("tikC:TimestampUltimaModificacion", presentedAt),
      textElement("tikC:EstadoRegistro", state),
      textElement("tikC:CodigoErrorRegistro", code?.toString()),
      textElement("tikC:DescripcionErrorRegistro", description?.slice(0, 500)),
    ]),
  ]);
}

function keyXml({ key }: Snapshot): string[] {
  return [
    textElement("tik:IDEmisorFactura", key.nif),
    textElement("tik:NumSerieFactura", key.number),
    textElement("tik:FechaExpedicionFactura", key.date),
  ];
}

function recordXml(record: XmlElement, { name, system }: Shows): string[] {
  const issuerName = name ? textAt(record, "NombreRazonEmisor") : undefined;
  const told = TOLD.split(" ").filter((one) => one !== "SistemaInformatico" || system);
  return [textElement("tikC:NombreRazonEmisor", issuerName), ...told.map((one) => toldXml(record, one))];
}

/** Elements that the answer's schema defines itself, with their content. */
const SPELT_OUT = ["FacturasRectificadas", "FacturasSustituidas", "Destinatarios", "Encadenamiento"];

/** A record's elements are in the answer's namespace, their content in the record's. */
function toldXml(record: XmlElement, name: string): string {
  const element = childOf(record, name);
  if (element === undefined) return "";
  const { text, children } = shortenedTree(element);
  if (children.length === 0) return textElement(`tikC:${name}`, text);
  const inner = SPELT_OUT.includes(name) ? reframed : (child: XmlElement) => rewritten(child, "tik");
  return parentElement(`tikC:${name}`, children.map(inner));
}

function reframed({ name, text, children }: XmlElement): string {
  if (children.length === 0) return textElement(`tikC:${name}`, text);
  return parentElement(
    `tikC:${name}`,
    children.map((child) => rewritten(child, "tik")),
  );
}

function shortenedTree(element: XmlElement): XmlElement {
  if (element.children.length > 0) return { ...element, children: element.children.map(shortenedTree) };
  return SHORTENED.test(element.name) ? { ...element, text: shortened(element.text) } : element;
}
