/** RegFactuSistemaFacturacion: form, header, then every record. */
import { type Control, listsOf } from "../behaviour/control.ts";
import { firstRefusal, type Refusal } from "../rules/check.ts";
import { type Endpoint, headerRefusal } from "../rules/header.ts";
import { expectedHash, identityOf } from "../rules/record.ts";
import { madridTimestamp } from "../rules/written-values.ts";
import { structureProblem } from "../schema/checks.ts";
import { SUBMISSION_MESSAGE } from "../schema/messages.ts";
import { type Database, numberOf, textOf } from "../store/database.ts";
import { addJudgement, lastAnswered } from "../store/messages.ts";
import { chainId } from "../store/records.ts";
import { childOf, childrenOf, textAt, type XmlElement } from "../xml/xml.ts";
import { type Answer, xmlAnswer } from "./answer.ts";
import { judgeSubmission, type Petition, type Submitted } from "./judge.ts";
import { messageState, submissionAnswerXml } from "./submission-answer.ts";

export interface Received {
  readonly messageId: number;
  readonly endpoint: Endpoint;
  readonly requestSha256: string;
  readonly receivedAt: string;
  /** The service's clock, in milliseconds. */
  readonly now: number;
}

/** A full message: with so many the next one need not wait. */
const FULL = 1000;

export function submissionRefusal(
  message: XmlElement,
  control: Control,
  { endpoint, now }: Pick<Received, "endpoint" | "now">,
): Refusal | undefined {
  const today = madridTimestamp(now).slice(0, 10);
  return firstRefusal(
    () => misplacedRecord(message),
    () => structureProblem(message, SUBMISSION_MESSAGE),
    () => doubledRecord(message),
    () => headerRefusal(headerOf(message), { endpoint, today, lists: listsOf(control) }),
  );
}

/** A record that is not inside a RegistroFactura. */
function misplacedRecord(message: XmlElement): Refusal | undefined {
  if (childOf(message, "RegistroAlta") !== undefined) return { code: 4136 };
  return childOf(message, "RegistroAnulacion") === undefined ? undefined : { code: 4137 };
}

function doubledRecord(message: XmlElement): Refusal | undefined {
  const doubled = childrenOf(message, "RegistroFactura").find(({ children }) => children.length > 1);
  return doubled && { code: 4102, field: doubled.children[1]?.name ?? "" };
}

/** A message in good form, with a good header. */
export async function answerSubmission(
  database: Database,
  control: Control,
  message: XmlElement,
  received: Received,
): Promise<Answer> {
  const header = headerOf(message);
  const elements = childrenOf(message, "RegistroFactura").flatMap(({ children }) => children);
  const submitted = await Promise.all(elements.map(submittedOf));
  const petition = petitionOf(header, received);
  const records = judgeSubmission(database, control, petition, submitted);
  const isStored = records.some(({ state }) => state !== "Incorrecto");
  const csv = isStored ? petition.csv : undefined;
  const { wait_seconds: waitSeconds } = control;
  const { issuerNif, isIncident, presentedAt } = petition;
  addJudgement(database, received.messageId, {
    operation: message.name,
    nif: issuerNif,
    ...timing(database, submitted, received),
    ...{ isIncident, records: records.length, isStored, csv, waitSeconds },
    outcome: messageState(records.map(({ state }) => state)),
  });
  const answer = { header, csv, presenterNif: issuerNif, presentedAt, waitSeconds, records };
  return xmlAnswer(submissionAnswerXml(answer));
}

async function submittedOf(element: XmlElement): Promise<Submitted> {
  const record = identityOf(element);
  return { record, expectedHash: await expectedHash(record) };
}

function headerOf(message: XmlElement): XmlElement {
  return childOf(message, "Cabecera") ?? message;
}

function petitionOf(header: XmlElement, received: Received): Petition {
  const { messageId, now, requestSha256 } = received;
  const presentedAt = madridTimestamp(now);
  return {
    messageId,
    petition: presentedAt.slice(0, 19).replace(/\D/g, "") + String(messageId).padStart(6, "0").slice(-6),
    csv: csvOf(requestSha256, messageId),
    presentedAt,
    issuerNif: textAt(header, "ObligadoEmision", "NIF") ?? "",
    isIncident: textAt(header, "RemisionVoluntaria", "Incidencia") === "S",
    now,
    today: presentedAt.slice(0, 10),
  };
}

/** A-, then fourteen letters and digits: no two messages have the same. */
function csvOf(requestSha256: string, messageId: number): string {
  const fromContent = BigInt(`0x${requestSha256}`).toString(36).slice(0, 9).padStart(9, "0");
  return `A-${fromContent}${messageId.toString(36).padStart(5, "0")}`.toUpperCase();
}

/** Whether it arrived before the end of the wait time of its chain. */
function timing(
  database: Database,
  submitted: readonly Submitted[],
  { receivedAt }: Received,
): { readonly chain: number | null; readonly isEarly: boolean } {
  const [first] = submitted;
  if (first === undefined) return { chain: null, isEarly: false };
  const chain = chainId(database, first.record.chain);
  const last = lastAnswered(database, chain);
  const waitedMs = Date.parse(receivedAt) - Date.parse(textOf(last, "received_at") ?? receivedAt);
  const askedMs = (numberOf(last, "wait_seconds") ?? 0) * 1000;
  return { chain, isEarly: last !== undefined && waitedMs < askedMs && submitted.length < FULL };
}
