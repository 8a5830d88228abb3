/** RespuestaRegFactuSistemaFacturacion. */

import type { RecordIdentity } from "../rules/record.ts";
import type { InvoiceState } from "../rules/record-refusals.ts";
import type { StoredInvoice } from "../store/invoices.ts";
import type { RecordState, RecordVerdict } from "../store/records.ts";
import {
  childOf,
  INFORMATION,
  parentElement,
  rewritten,
  SOAP,
  SUBMISSION_ANSWER,
  textElement,
  type XmlElement,
} from "../xml/xml.ts";

export interface AnsweredRecord extends RecordVerdict {
  readonly record: RecordIdentity;
  /** The invoice that a 3000 is a duplicate of. */
  readonly duplicateOf: StoredInvoice | undefined;
}

export interface SubmissionAnswer {
  readonly header: XmlElement;
  readonly csv: string | undefined;
  readonly presenterNif: string;
  readonly presentedAt: string;
  readonly waitSeconds: number | null;
  readonly records: readonly AnsweredRecord[];
}

export type MessageState = "Correcto" | "ParcialmenteCorrecto" | "Incorrecto";

/** One record accepted with errors makes the message partly correct. */
export function messageState(states: readonly RecordState[]): MessageState {
  if (states.every((state) => state === "Correcto")) return "Correcto";
  return states.every((state) => state === "Incorrecto") ? "Incorrecto" : "ParcialmenteCorrecto";
}

const LONGEST_DUPLICATE_TEXT = 500;

export function submissionAnswerXml(answer: SubmissionAnswer): string {
  const { csv, header, presenterNif, presentedAt, waitSeconds, records } = answer;
  const presentation = [
    textElement("tik:NIFPresentador", presenterNif),
    textElement("tik:TimestampPresentacion", presentedAt),
  ];
  const content = [
    textElement("tikR:CSV", csv),
    csv === undefined ? "" : parentElement("tikR:DatosPresentacion", presentation),
    parentElement(
      "tikR:Cabecera",
      header.children.map((child) => rewritten(child, "tik")),
    ),
    textElement("tikR:TiempoEsperaEnvio", waitSeconds === null ? "" : String(waitSeconds)),
    textElement("tikR:EstadoEnvio", messageState(records.map(({ state }) => state))),
    ...records.map(lineXml),
  ];
  const namespaces = ` xmlns:tikR="${SUBMISSION_ANSWER}" xmlns:tik="${INFORMATION}"`;
  return envelopeXml(parentElement("tikR:RespuestaRegFactuSistemaFacturacion", content, namespaces));
}

export function envelopeXml(body: string): string {
  const envelope = parentElement("env:Envelope", [parentElement("env:Body", [body])], ` xmlns:env="${SOAP}"`);
  return `<?xml version="1.0" encoding="UTF-8"?>${envelope}`;
}

function lineXml({ record, state, code, description, duplicateOf }: AnsweredRecord): string {
  const { key, kind, element, reference } = record;
  return parentElement("tikR:RespuestaLinea", [
    parentElement("tikR:IDFactura", [
      textElement("tik:IDEmisorFactura", key.nif),
      textElement("tik:NumSerieFactura", key.number),
      textElement("tik:FechaExpedicionFactura", key.date),
    ]),
    parentElement("tikR:Operacion", [
      textElement("tik:TipoOperacion", kind),
      flagXml(element, "Subsanacion", ["S", "N"]),
      flagXml(element, "RechazoPrevio", ["S", "N", "X"]),
      flagXml(element, "SinRegistroPrevio", ["S", "N"]),
    ]),
    textElement("tikR:RefExterna", reference),
    textElement("tikR:EstadoRegistro", state),
    textElement("tikR:CodigoErrorRegistro", code?.toString()),
    textElement("tikR:DescripcionErrorRegistro", description),
    duplicateOf === undefined ? "" : duplicateXml(duplicateOf),
  ]);
}

/** A flag comes back as it was sent, unless it was none. */
function flagXml(record: XmlElement, name: string, values: readonly string[]): string {
  const text = childOf(record, name)?.text;
  return text !== undefined && values.includes(text) ? textElement(`tik:${name}`, text) : "";
}

function duplicateXml({ petition, state, code, description }: StoredInvoice): string {
  const hasError = (of: InvoiceState) => of !== "Correcta" && code !== undefined;
  return parentElement("tikR:RegistroDuplicado", [
    textElement("tik:IdPeticionRegistroDuplicado", petition),
    textElement("tik:EstadoRegistroDuplicado", state),
    hasError(state) ? textElement("tik:CodigoErrorRegistro", String(code)) : "",
    hasError(state)
      ? textElement("tik:DescripcionErrorRegistro", description?.slice(0, LONGEST_DUPLICATE_TEXT))
      : "",
  ]);
}
