import type { InvoiceKey } from "../domain/verifactu/record.ts";
import type {
  AnswerLine,
  AttemptResult,
  DuplicateOf,
  FoundRecord,
  NoAnswerCause,
  SubmissionAnswer,
  SubmissionFault,
  TransportOutcome,
} from "../domain/verifactu/submission/answer.ts";
import type { Operation } from "../domain/verifactu/submission/state.ts";
import { SF_NAMESPACE, SFLR_NAMESPACE, SOAP_NAMESPACE } from "../domain/verifactu/xml/element.ts";
import { readXml, type XmlElement } from "./xml-tree.ts";

/**
 * The result of an attempt from its HTTP outcome. Only the service's own XML decides about records; a page, a
 * redirect or half a message does not.
 */
export function readAttempt(outcome: TransportOutcome): AttemptResult {
  if (outcome.outcome !== "answered") {
    const status = "status" in outcome ? { status: outcome.status } : {};
    return { result: "no_answer", cause: outcome.outcome, ...status };
  }
  const { status, retryAfterSeconds } = outcome;
  if (status === 429) {
    return { result: "not_delivered", ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
  }
  const reading = isXml(outcome.contentType) ? readBody(status, outcome.bytes) : noAnswer("not_xml", status);
  // The status counts only if the service's own XML is missing.
  if (reading.result !== "no_answer") return reading;
  if (isCertificateRefusal(status)) return noAnswer("certificate_refused", status);
  return status === 200 ? reading : noAnswer("http_status", status);
}

function isXml(contentType: string): boolean {
  return /^(?:text|application)\/(?:soap\+)?xml\s*(?:;|$)/i.test(contentType.trim());
}

/** A redirect to a page, or a refusal. */
function isCertificateRefusal(status: number): boolean {
  return (status >= 300 && status < 400) || status === 401 || status === 403;
}

function noAnswer(cause: NoAnswerCause, status: number): AttemptResult {
  return { result: "no_answer", cause, status };
}

function readBody(status: number, bytes: Uint8Array): AttemptResult {
  const xml = readXml(bytes);
  if (!xml.ok) return noAnswer("malformed", status);
  try {
    return readEnvelope(status, xml.value);
  } catch (error) {
    if (error instanceof Unexpected) return noAnswer("unexpected_xml", status);
    throw error;
  }
}

function readEnvelope(status: number, root: Element): AttemptResult {
  const content = contentOfBody(root);
  if (content.namespace === SOAP_NAMESPACE && content.name === "Fault") {
    return { result: "fault", fault: readFault(content) };
  }
  // With any other status, lines would contradict the status.
  if (status !== 200 || content.namespace !== ANSWER.namespace || content.name !== ANSWER.name) {
    throw new Unexpected(content.name);
  }
  return { result: "answered", answer: readSubmissionAnswer(content) };
}

/** The one element that an envelope carries. Throws Unexpected. */
function contentOfBody(root: Element): Element {
  if (root.namespace !== SOAP_NAMESPACE || root.name !== "Envelope") throw new Unexpected("Envelope");
  const body = onlyChild(root, SOAP_NAMESPACE, "Body");
  const [content, another] = body.children;
  if (!content || another) throw new Unexpected("Body");
  return content;
}

/** `Codigo[4104].…`, in preproduction and in the AEAT's samples. */
const CODE = /Codigo\[(\d{1,6})\]\.?\s*(.*)/s;

/** Parts of a SOAP 1.1 fault have no namespace; some servers give them the envelope's. */
function readFault(fault: Element): SubmissionFault {
  const text = part(fault, "faultstring");
  const side = /(?:^|:)Client(?:\.|$)/.test(part(fault, "faultcode")) ? "client" : "server";
  const [, code, message] = CODE.exec(text) ?? [];
  if (code === undefined || message === undefined) return { side, text: shortened(text) };
  return { side, code: Number(code), text: shortened(message) };
}

function part(fault: Element, name: string): string {
  const found = ["", SOAP_NAMESPACE].flatMap((namespace) => childrenOf(fault, namespace, name));
  return found[0] ? textOf(found[0]) : "";
}

/** The text is stored with the record and shown. */
const LONGEST_TEXT = 1_500;

function shortened(text: string): string {
  const cut = text.trim().slice(0, LONGEST_TEXT);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}

type Element = XmlElement;

/** XML that is not the service's answer. Thrown and caught inside the reader only. */
class Unexpected extends Error {}

function childrenOf(parent: Element, namespace: string, name: string): readonly Element[] {
  return parent.children.filter((child) => child.namespace === namespace && child.name === name);
}

function optionalChild(parent: Element, namespace: string, name: string): Element | undefined {
  const [only, another] = childrenOf(parent, namespace, name);
  if (another) throw new Unexpected(name);
  return only;
}

function onlyChild(parent: Element, namespace: string, name: string): Element {
  const only = optionalChild(parent, namespace, name);
  if (!only) throw new Unexpected(name);
  return only;
}

/** Elements where a text is due are no text. */
function textOf({ name, children, text }: Element): string {
  if (children.length > 0) throw new Unexpected(name);
  return text.trim();
}

/** Undefined for an absent and for an empty element. */
function optionalText(parent: Element, namespace: string, name: string): string | undefined {
  const child = optionalChild(parent, namespace, name);
  return (child && textOf(child)) || undefined;
}

function requiredText(parent: Element, namespace: string, name: string): string {
  const text = optionalText(parent, namespace, name);
  if (text === undefined) throw new Unexpected(name);
  return text;
}

function oneOf<Value>(values: Readonly<Record<string, Value>>, text: string): Value {
  const value = Object.hasOwn(values, text) ? values[text] : undefined;
  if (value === undefined) throw new Unexpected(text);
  return value;
}

/** Up to six digits: codes and seconds have four. */
function wholeNumber(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new Unexpected(text);
  return Number(text);
}

/** Absent members where there is nothing to say. */
function given<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { readonly [Key in Name]?: Value } {
  // A computed key loses its literal type.
  return (value === undefined ? {} : { [name]: value }) as { readonly [Key in Name]?: Value };
}

const SFLRRC = SFLR_NAMESPACE.replace("SuministroLR.xsd", "RespuestaConsultaLR.xsd");
const RECORD = "RegistroRespuestaConsultaFactuSistemaFacturacion";

const RESULTS = { ConDatos: true, SinDatos: false } as const;

const STATES = {
  Correcto: "accepted",
  AceptadoConErrores: "accepted_with_errors",
  Anulado: "annulled",
} as const;

/** The records that a query found; undefined if the response is no answer to it, or a fault. */
export function readFound(outcome: TransportOutcome): readonly FoundRecord[] | undefined {
  if (outcome.outcome !== "answered" || outcome.status !== 200) return undefined;
  const xml = isXml(outcome.contentType) ? readXml(outcome.bytes) : undefined;
  if (!xml?.ok) return undefined;
  try {
    return readAnswer(contentOfBody(xml.value));
  } catch (error) {
    if (error instanceof Unexpected) return undefined;
    throw error;
  }
}

/** Strict like that of a submission: additions are ignored. Throws Unexpected. */
function readAnswer(answer: Element): readonly FoundRecord[] {
  if (answer.namespace !== SFLRRC || answer.name !== "RespuestaConsultaFactuSistemaFacturacion") {
    throw new Unexpected(answer.name);
  }
  const records = childrenOf(answer, SFLRRC, RECORD);
  const hasRecords = oneOf(RESULTS, requiredText(answer, SFLRRC, "ResultadoConsulta"));
  if (hasRecords !== records.length > 0) throw new Unexpected("ResultadoConsulta");
  return records.map(readRecord);
}

function readRecord(record: Element): FoundRecord {
  const registered = onlyChild(record, SFLRRC, "DatosRegistroFacturacion");
  const stateElement = onlyChild(record, SFLRRC, "EstadoRegistro");
  return {
    key: readKey(onlyChild(record, SFLRRC, "IDFactura")),
    ...given("hash", optionalText(registered, SFLRRC, "Huella")),
    state: oneOf(STATES, requiredText(stateElement, SFLRRC, "EstadoRegistro")),
  };
}

const SFR = SFLR_NAMESPACE.replace("SuministroLR.xsd", "RespuestaSuministro.xsd");
const SF = SF_NAMESPACE;

const ANSWER = { namespace: SFR, name: "RespuestaRegFactuSistemaFacturacion" };

const MESSAGE_STATES = {
  Correcto: "accepted",
  ParcialmenteCorrecto: "partly_accepted",
  Incorrecto: "rejected",
} as const;

const RECORD_STATES = {
  Correcto: "accepted",
  AceptadoConErrores: "accepted_with_errors",
  Incorrecto: "rejected",
} as const;

/** A list of its own, and feminine. */
const DUPLICATE_STATES = {
  Correcta: "accepted",
  AceptadaConErrores: "accepted_with_errors",
  Anulada: "annulled",
} as const;

const KINDS = { Alta: "ALTA", Anulacion: "ANULACION" } as const;
const REJECTIONS = { N: "N", S: "S", X: "X" } as const;
const FLAGS = { S: true, N: false } as const;

const MOST_LINES = 1_000;

/**
 * Members that we read must exist and be in their list. Others are ignored, so that additions by the AEAT
 * break nothing. Throws Unexpected.
 */
function readSubmissionAnswer(answer: Element): SubmissionAnswer {
  const presentation = optionalChild(answer, SFR, "DatosPresentacion");
  const wait = optionalText(answer, SFR, "TiempoEsperaEnvio");
  const lines = childrenOf(answer, SFR, "RespuestaLinea");
  if (lines.length > MOST_LINES) throw new Unexpected("RespuestaLinea");
  return {
    ...given("csv", optionalText(answer, SFR, "CSV")),
    ...given("presentedAt", presentation && optionalText(presentation, SF, "TimestampPresentacion")),
    ...given("waitSeconds", wait === undefined ? undefined : wholeNumber(wait)),
    state: oneOf(MESSAGE_STATES, requiredText(answer, SFR, "EstadoEnvio")),
    lines: lines.map(readLine),
  };
}

function readLine(line: Element): AnswerLine {
  const state = oneOf(RECORD_STATES, requiredText(line, SFR, "EstadoRegistro"));
  const code = optionalText(line, SFR, "CodigoErrorRegistro");
  const duplicate = optionalChild(line, SFR, "RegistroDuplicado");
  return {
    ...given("reference", optionalText(line, SFR, "RefExterna")),
    key: readKey(onlyChild(line, SFR, "IDFactura")),
    operation: readOperation(onlyChild(line, SFR, "Operacion")),
    state,
    ...given("code", code === undefined ? undefined : wholeNumber(code)),
    ...given("text", optionalText(line, SFR, "DescripcionErrorRegistro")),
    ...given("duplicate", duplicate && readDuplicate(duplicate)),
  };
}

function readKey(key: Element): InvoiceKey {
  return {
    issuerNif: requiredText(key, SF, "IDEmisorFactura"),
    number: requiredText(key, SF, "NumSerieFactura"),
    date: requiredText(key, SF, "FechaExpedicionFactura"),
  };
}

function readOperation(operation: Element): Operation {
  const flag = (name: string) => oneOf(FLAGS, optionalText(operation, SF, name) ?? "N");
  return {
    kind: oneOf(KINDS, requiredText(operation, SF, "TipoOperacion")),
    amends: flag("Subsanacion"),
    previousRejection: oneOf(REJECTIONS, optionalText(operation, SF, "RechazoPrevio") ?? "N"),
    withoutPreviousRecord: flag("SinRegistroPrevio"),
  };
}

function readDuplicate(duplicate: Element): DuplicateOf {
  const code = optionalText(duplicate, SF, "CodigoErrorRegistro");
  return {
    petition: requiredText(duplicate, SF, "IdPeticionRegistroDuplicado"),
    state: oneOf(DUPLICATE_STATES, requiredText(duplicate, SF, "EstadoRegistroDuplicado")),
    ...given("code", code === undefined ? undefined : wholeNumber(code)),
    ...given("text", optionalText(duplicate, SF, "DescripcionErrorRegistro")),
  };
}
