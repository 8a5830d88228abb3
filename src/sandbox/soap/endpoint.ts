import { type Control, nextMisbehaviour, readControl } from "../behaviour/control.ts";
import { misbehave } from "../behaviour/misbehave.ts";
import type { AuthorityDeps } from "../deps.ts";
import type { Refusal } from "../rules/check.ts";
import type { Endpoint } from "../rules/header.ts";
import { sha256Of } from "../rules/record.ts";
import { structureProblem } from "../schema/checks.ts";
import { ENVELOPE } from "../schema/messages.ts";
import { addAnswer, addJudgement, addMessage } from "../store/messages.ts";
import { readXml, type XmlProblem } from "../xml/read.ts";
import { childOf, QUERY, SOAP, SUBMISSION, textAt, type XmlElement } from "../xml/xml.ts";
import { type Answer, faultAnswer } from "./answer.ts";
import { answerQuery, queryRefusal } from "./query.ts";
import { answerSubmission, type Received, submissionRefusal } from "./submission.ts";

/** The endpoints of the service: a request in, an answer out, and a note of both. */

interface SoapRequest {
  readonly endpoint: Endpoint;
  readonly host: string;
  readonly contentType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Not by GET. */
export function getAnswer(deps: AuthorityDeps): Answer {
  return faultAnswer({ code: 4135 }, readControl(deps.database, deps.initialControl).fault_status);
}

export async function answerSoap(deps: AuthorityDeps, request: SoapRequest): Promise<Answer> {
  const { database, now, wait, initialControl } = deps;
  const requestSha256 = await sha256Of(request.bytes);
  const control = readControl(database, initialControl);
  const misbehaviour = nextMisbehaviour(database, control);
  const receivedAt = new Date(now()).toISOString();
  const { endpoint, host, bytes } = request;
  const messageId = addMessage(database, {
    ...{ receivedAt, host, endpoint, requestSha256 },
    request: new TextDecoder().decode(bytes),
    misbehaviour: misbehaviour.fault === "none" ? null : JSON.stringify(misbehaviour),
  });
  const honest = () => {
    const atService = now() + control.clock_offset_seconds * 1000;
    return answerHonestly(deps, control, request, {
      ...{ messageId, endpoint, requestSha256, receivedAt, now: atService },
    });
  };
  const faultStatus = control.fault_status;
  const answer = await misbehave({ misbehaviour, faultStatus, honest, wait });
  addAnswer(database, messageId, { status: answer.status, text: answer.body });
  return answer;
}

async function answerHonestly(
  { database }: AuthorityDeps,
  control: Control,
  request: SoapRequest,
  received: Received,
): Promise<Answer> {
  const refuse = (refusal: Refusal, message?: XmlElement) => {
    addJudgement(database, received.messageId, refusedMessage(refusal, message));
    return faultAnswer(refusal, control.fault_status);
  };
  const reading = readEnvelope(request.contentType, request.bytes);
  if ("refusal" in reading) return refuse(reading.refusal);
  const { message } = reading;
  if (message.name === "ConsultaFactuSistemaFacturacion") {
    const refusal = received.endpoint === "VerifactuSOAP" ? queryRefusal(message, control) : { code: 4118 };
    if (refusal !== undefined) return refuse(refusal, message);
    addJudgement(database, received.messageId, {
      ...refusedMessage(undefined, message),
      outcome: "Consulta",
    });
    return answerQuery(database, control, message);
  }
  const refusal = submissionRefusal(message, control, received);
  return refusal === undefined
    ? answerSubmission(database, control, message, received)
    : refuse(refusal, message);
}

function refusedMessage(refusal: Refusal | undefined, message: XmlElement | undefined) {
  const header = ["Cabecera", "ObligadoEmision", "NIF"];
  return {
    operation: message?.name ?? "",
    nif: textAt(message, ...header) ?? "",
    outcome: String(refusal?.code ?? ""),
    ...{ chain: null, isIncident: false, records: 0, isStored: false, isEarly: false },
    ...{ csv: undefined, waitSeconds: null },
  };
}

/** From the bytes of a request to the one element in the Body of its envelope. */

const EMPTY_OR_ENCODING = 4138;
const NOT_UTF_8 = 4119;

/** A second XML declaration ends in an internal error of the service. */
const XML_PROBLEMS: Readonly<Record<XmlProblem, number>> = {
  malformed: 4103,
  encoding: EMPTY_OR_ENCODING,
  declaration: 102,
};

type EnvelopeReading = { readonly message: XmlElement } | { readonly refusal: Refusal };

export function readEnvelope(contentType: string, bytes: Uint8Array): EnvelopeReading {
  const charset = /charset\s*=\s*"?([^";\s]+)/i.exec(contentType)?.[1] ?? "utf-8";
  if (bytes.length === 0 || !/^utf-?8$/i.test(charset)) return { refusal: { code: EMPTY_OR_ENCODING } };
  const text = decoded(bytes);
  if (text === undefined) return { refusal: { code: NOT_UTF_8 } };
  if (text.trim() === "") return { refusal: { code: EMPTY_OR_ENCODING } };
  const reading = readXml(text);
  if ("problem" in reading) return { refusal: { code: XML_PROBLEMS[reading.problem] } };
  return messageOf(reading.root);
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return undefined;
  }
}

function messageOf(root: XmlElement): EnvelopeReading {
  const missing = (field: string): EnvelopeReading => ({ refusal: { code: 4102, field } });
  if (root.name !== "Envelope" || root.namespace !== SOAP) return missing("Envelope");
  const problem = structureProblem(root, ENVELOPE);
  if (problem !== undefined) return { refusal: problem };
  const [message, ...others] = childOf(root, "Body")?.children ?? [];
  const isKnown =
    (message?.namespace === SUBMISSION && message.name === "RegFactuSistemaFacturacion") ||
    (message?.namespace === QUERY && message.name === "ConsultaFactuSistemaFacturacion");
  if (message === undefined || !isKnown || others.length > 0) return missing("RegFactuSistemaFacturacion");
  return { message };
}
