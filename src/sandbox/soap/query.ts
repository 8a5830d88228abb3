/** ConsultaFactuSistemaFacturacion: one snapshot an invoice, as the service keeps them. */
import type { Control } from "../behaviour/control.ts";
import { listsOf } from "../behaviour/state.ts";
import { comparable } from "../rules/dates.ts";
import { isNif } from "../rules/nif.ts";
import { type InvoiceKey, type Party, partyOf } from "../rules/record.ts";
import { firstRefusal, type Refusal, refuseIf } from "../rules/refusal.ts";
import { QUERY_MESSAGE } from "../schema/query.ts";
import { structureProblem } from "../schema/structure.ts";
import { valueProblem } from "../schema/value-problem.ts";
import type { Database } from "../store/database.ts";
import { listInvoices } from "../store/invoices.ts";
import { childOf, elementAt, textAt, type XmlElement } from "../xml/tree.ts";
import { type Answer, xmlAnswer } from "./answer.ts";
import { queryAnswerXml } from "./query-answer.ts";
import { type Snapshot, snapshotOf } from "./snapshot.ts";

export function queryRefusal(message: XmlElement, control: Control): Refusal | undefined {
  const header = childOf(message, "Cabecera");
  const asked = partyOf(childOf(header, "ObligadoEmision") ?? childOf(header, "Destinatario"));
  const isByRecipient = childOf(header, "Destinatario") !== undefined;
  const range = elementAt(message, "FiltroConsulta", "FechaExpedicionFactura", "RangoFechaExpedicion");
  const from = comparable(textAt(range, "Desde"));
  const to = comparable(textAt(range, "Hasta"));
  const showsSystem = textAt(message, "DatosAdicionalesRespuesta", "MostrarSistemaInformatico") === "S";
  return firstRefusal(
    () => structureProblem(message, QUERY_MESSAGE),
    () => (asked === undefined ? { code: 4102, field: "ObligadoEmision" } : undefined),
    () => valueProblem(message, QUERY_MESSAGE),
    () => refuseIf(!isNif(asked?.nif ?? ""), 4115),
    () => unknownRefusal(asked, control),
    () => refuseIf(isByRecipient && childOf(header, "IndicadorRepresentante") !== undefined, 1261),
    () => refuseIf(isByRecipient && showsSystem, 1272),
    () => refuseIf(from !== undefined && to !== undefined && from > to, 1250),
  );
}

function unknownRefusal(asked: Party | undefined, control: Control): Refusal | undefined {
  const { nif = "", name = "" } = asked ?? {};
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
  const isWith = (asked: string | undefined, own: string | undefined) => asked === undefined || asked === own;
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
