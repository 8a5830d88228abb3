import { type Control, listsOf } from "../behaviour/control.ts";
import { firstRefusal, type Refusal, refuseIf } from "../rules/check.ts";
import { type ChainIdentity, type InvoiceKey, type Party, partyOf } from "../rules/record.ts";
import { comparable, isNif, shortened } from "../rules/written-values.ts";
import { structureProblem, valueProblem } from "../schema/checks.ts";
import { QUERY_MESSAGE } from "../schema/messages.ts";
import { type Database, numberOf, type Row, textOf } from "../store/database.ts";
import { listInvoices } from "../store/invoices.ts";
import { readXml } from "../xml/read.ts";
import {
  childOf,
  childrenOf,
  elementAt,
  INFORMATION,
  parentElement,
  QUERY_ANSWER,
  rewritten,
  textAt,
  textElement,
  type XmlElement,
} from "../xml/xml.ts";
import { type Answer, xmlAnswer } from "./answer.ts";
import { envelopeXml } from "./submission-answer.ts";

/** ConsultaFactuSistemaFacturacion: one snapshot an invoice, as the service keeps them. */

export function queryRefusal(message: XmlElement, control: Control): Refusal | undefined {
  const header = childOf(message, "Cabecera");
  const queried = partyOf(childOf(header, "ObligadoEmision") ?? childOf(header, "Destinatario"));
  const isByRecipient = childOf(header, "Destinatario") !== undefined;
  const range = elementAt(message, "FiltroConsulta", "FechaExpedicionFactura", "RangoFechaExpedicion");
  const from = comparable(textAt(range, "Desde"));
  const to = comparable(textAt(range, "Hasta"));
  const showsSystem = textAt(message, "DatosAdicionalesRespuesta", "MostrarSistemaInformatico") === "S";
  return firstRefusal(
    () => structureProblem(message, QUERY_MESSAGE),
    () => (queried === undefined ? { code: 4102, field: "ObligadoEmision" } : undefined),
    () => valueProblem(message, QUERY_MESSAGE),
    () => refuseIf(!isNif(queried?.nif ?? ""), 4115),
    () => unknownRefusal(queried, control),
    () => refuseIf(isByRecipient && childOf(header, "IndicadorRepresentante") !== undefined, 1261),
    () => refuseIf(isByRecipient && showsSystem, 1272),
    () => refuseIf(from !== undefined && to !== undefined && from > to, 1250),
  );
}

function unknownRefusal(queried: Party | undefined, control: Control): Refusal | undefined {
  const { nif = "", name = "" } = queried ?? {};
  return listsOf(control).notInCensus.has(nif) ? { code: 4104, party: { nif, name } } : undefined;
}

/** A query in good form. */
export function answerQuery(database: Database, control: Control, message: XmlElement): Answer {
  const nif = textAt(message, "Cabecera", "ObligadoEmision", "NIF");
  const number = textAt(message, "FiltroConsulta", "NumSerieFactura");
  const found = listInvoices(database, { nif, number })
    .flatMap((row) => snapshotOf(row) ?? [])
    .filter((invoice) => isAskedFor(invoice, message));
  const page = pageOf(
    found,
    elementAt(message, "FiltroConsulta", "ClavePaginacion"),
    control.query_page_size,
  );
  return xmlAnswer(queryAnswerXml(message, page.invoices, page.hasMore));
}

function isAskedFor(invoice: Snapshot, message: XmlElement): boolean {
  const filter = childOf(message, "FiltroConsulta");
  const recipient = textAt(message, "Cabecera", "Destinatario", "NIF");
  const other = partyOf(childOf(filter, "Contraparte"));
  const period = [
    textAt(filter, "PeriodoImputacion", "Ejercicio"),
    textAt(filter, "PeriodoImputacion", "Periodo"),
  ];
  const isWith = (queried: string | undefined, own: string | undefined) =>
    queried === undefined || queried === own;
  return (
    invoice.day.startsWith(period.join("-")) &&
    isWith(textAt(filter, "RefExterna"), invoice.reference) &&
    (recipient === undefined || invoice.recipients.includes(recipient)) &&
    isCounterparty(other, invoice, recipient !== undefined) &&
    isIssuedIn(childOf(filter, "FechaExpedicionFactura"), invoice.key) &&
    isOfSystem(childOf(filter, "SistemaInformatico"), invoice)
  );
}

/** An issuer filters by recipient, and a recipient by issuer. */
function isCounterparty(other: Party | undefined, invoice: Snapshot, asksAsRecipient: boolean): boolean {
  const id = other?.nif ?? other?.other?.id;
  if (id === undefined) return true;
  return asksAsRecipient ? invoice.key.nif === id : invoice.recipients.includes(id);
}

function isIssuedIn(filter: XmlElement | undefined, { date }: InvoiceKey): boolean {
  const day = comparable(date) ?? "";
  const exact = comparable(textAt(filter, "FechaExpedicionFactura"));
  const from = comparable(textAt(filter, "RangoFechaExpedicion", "Desde"));
  const to = comparable(textAt(filter, "RangoFechaExpedicion", "Hasta"));
  return (
    (exact === undefined || day === exact) &&
    (from === undefined || day >= from) &&
    (to === undefined || day <= to)
  );
}

function isOfSystem(filter: XmlElement | undefined, { chain }: Snapshot): boolean {
  const party = partyOf(filter);
  if (party === undefined) return true;
  return (
    chain.producer === (party.nif ?? party.other?.id) &&
    chain.system === textAt(filter, "IdSistemaInformatico") &&
    chain.installation === textAt(filter, "NumeroInstalacion")
  );
}

/** After the last key of the previous page. */
function pageOf(
  found: readonly Snapshot[],
  after: XmlElement | undefined,
  size: number,
): { readonly invoices: readonly Snapshot[]; readonly hasMore: boolean } {
  const last = found.findIndex(
    ({ key }) =>
      key.nif === textAt(after, "IDEmisorFactura") &&
      key.number === textAt(after, "NumSerieFactura") &&
      key.date === textAt(after, "FechaExpedicionFactura"),
  );
  const start = after === undefined ? 0 : last + 1;
  return { invoices: found.slice(start, start + size), hasMore: found.length > start + size };
}

/** An invoice as the service keeps it: the latest record of it that was accepted. */

interface Snapshot {
  readonly key: InvoiceKey;
  readonly chain: Omit<ChainIdentity, "nif">;
  readonly reference: string | undefined;
  /** The date of the operation, else of the issue: yyyy-mm-dd. It decides the period. */
  readonly day: string;
  /** NIF or other identifier of each. */
  readonly recipients: readonly string[];
  readonly record: XmlElement;
  readonly state: "Correcto" | "AceptadoConErrores" | "Anulado";
  readonly code: number | undefined;
  readonly description: string | undefined;
  readonly petition: string;
  readonly presentedAt: string;
}

const STATES: Readonly<Record<string, Snapshot["state"]>> = {
  Correcta: "Correcto",
  AceptadaConErrores: "AceptadoConErrores",
  Anulada: "Anulado",
};

function snapshotOf(row: Row): Snapshot | undefined {
  const text = (column: string) => textOf(row, column) ?? "";
  const reading = readXml(text("xml"));
  if ("problem" in reading) return undefined;
  const record = reading.root;
  const key = { nif: text("nif"), number: text("number"), date: text("date") };
  return {
    key,
    chain: { producer: text("producer"), system: text("system"), installation: text("installation") },
    reference: textOf(row, "reference"),
    day: comparable(textAt(record, "FechaOperacion")) ?? comparable(key.date) ?? "",
    recipients: childrenOf(elementAt(record, "Destinatarios"), "IDDestinatario").map(
      (recipient) => textAt(recipient, "NIF") ?? textAt(recipient, "IDOtro", "ID") ?? "",
    ),
    record,
    state: STATES[text("state")] ?? "Correcto",
    code: numberOf(row, "code"),
    description: textOf(row, "description"),
    petition: text("petition"),
    presentedAt: text("presented_at"),
  };
}

/** RespuestaConsultaFactuSistemaFacturacion. */

/**
 * The members of a record in a query's answer, in the order of its schema. It holds fewer than the record.
 */
const ANSWERED =
  "RefExterna Subsanacion RechazoPrevio SinRegistroPrevio GeneradoPor Generador TipoFactura " +
  "TipoRectificativa FacturasRectificadas FacturasSustituidas ImporteRectificacion FechaOperacion " +
  "DescripcionOperacion " +
  "FacturaSimplificadaArt7273 FacturaSinIdentifDestinatarioArt61d Macrodato EmitidaPorTerceroODestinatario " +
  "Tercero Destinatarios Cupon Desglose CuotaTotal ImporteTotal Encadenamiento SistemaInformatico " +
  "FechaHoraHusoGenRegistro NumRegistroAcuerdoFacturacion IdAcuerdoSistemaInformatico TipoHuella Huella";

/** Amounts and rates come back without zeros at the end: no hash can be made of them again. */
const SHORTENED = /^(Cuota|Importe(Total|$)|Base|Tipo(Impositivo|RecargoEquivalencia))/;

function queryAnswerXml(message: XmlElement, invoices: readonly Snapshot[], hasMore: boolean): string {
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
  const answered = ANSWERED.split(" ").filter((one) => one !== "SistemaInformatico" || system);
  return [
    textElement("tikC:NombreRazonEmisor", issuerName),
    ...answered.map((one) => answeredXml(record, one)),
  ];
}

/** Elements that the answer's schema defines itself, with their content. */
const SPELT_OUT = ["FacturasRectificadas", "FacturasSustituidas", "Destinatarios", "Encadenamiento"];

/** A record's elements are in the answer's namespace, their content in the record's. */
function answeredXml(record: XmlElement, name: string): string {
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
