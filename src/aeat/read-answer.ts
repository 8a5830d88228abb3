import type { AttemptResult, NoAnswerCause, SubmissionFault } from "../domain/verifactu/submission/answer.ts";
import type { TransportOutcome } from "../domain/verifactu/submission/transport.ts";
import { SOAP_NAMESPACE } from "../domain/verifactu/xml/namespaces.ts";
import { childrenOf, type Element, onlyChild, textOf, Unexpected } from "./answer-parts.ts";
import { ANSWER, readSubmissionAnswer } from "./submission-answer.ts";
import { readXml } from "./xml-tree.ts";

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

export function isXml(contentType: string): boolean {
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
export function contentOfBody(root: Element): Element {
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
