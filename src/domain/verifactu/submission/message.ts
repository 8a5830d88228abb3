import { utf8ToBytes } from "@noble/hashes/utils.js";
import { sha256OfBytes } from "../../shared/hash.ts";
import { invariant } from "../../shared/result.ts";
import { LIMITS } from "../aeat-lists.ts";
import type { SealedRecord } from "../record.ts";
import type { Markup } from "../xml/element.ts";
import { messageXml } from "../xml/message-xml.ts";
import { recordElement } from "../xml/record-xml.ts";

/** ObligadoEmision: name and NIF must be a pair of the census (4104). */
export interface MessageIssuer {
  readonly issuerName: string;
  readonly issuerNif: string;
}

export interface MessageLimits {
  readonly records: number;
  readonly bytes: number;
}

/** The AEAT states a number of records only. A thousand ordinary ones have two million bytes. */
export const MESSAGE_LIMITS: MessageLimits = { records: LIMITS.recordsPerMessage, bytes: 4 * 1024 * 1024 };

export interface SubmissionMessage {
  readonly bytes: Uint8Array;
  /** Lower-case hex. */
  readonly sha256: string;
  readonly incident: boolean;
  /** The records that it carries, a run of one chain without gaps. */
  readonly records: readonly SealedRecord[];
  readonly from: number;
  readonly to: number;
}

export interface MessageRequest {
  readonly issuer: MessageIssuer;
  /** Incidencia=S speaks for every record: late ones travel apart from others. */
  readonly incident: boolean;
  readonly limits?: MessageLimits;
}

/**
 * As many of the records as one message takes, the first one always. The same records with the same header
 * are the same bytes, whenever and wherever they are written.
 */
export function composeMessage(
  run: readonly SealedRecord[],
  { issuer, incident, limits = MESSAGE_LIMITS }: MessageRequest,
): SubmissionMessage {
  const { records, elements } = fitting(run, limits);
  const [first] = records;
  const last = records.at(-1);
  invariant(first && last, "a message has a record");
  assertOneChain(records, issuer);
  const bytes = utf8ToBytes(messageXml({ ...issuer, incident }, elements));
  return { bytes, sha256: sha256OfBytes(bytes), incident, records, from: first.position, to: last.position };
}

/** More than the envelope, its namespaces and the longest header take. */
const ENVELOPE_BYTES = 2_048;
const WRAPPER_BYTES = "<sfLR:RegistroFactura></sfLR:RegistroFactura>".length;

interface Fitting {
  readonly records: readonly SealedRecord[];
  /** Cached, because encoding the records twice would delay calls that issue. */
  readonly elements: readonly Markup[];
}

function fitting(run: readonly SealedRecord[], limits: MessageLimits): Fitting {
  let sizeBytes = ENVELOPE_BYTES;
  const records: SealedRecord[] = [];
  const elements: Markup[] = [];
  for (const record of run.slice(0, Math.min(limits.records, LIMITS.recordsPerMessage))) {
    const element = recordElement(record);
    sizeBytes += WRAPPER_BYTES + utf8ToBytes(element).length;
    if (records.length > 0 && sizeBytes > limits.bytes) break;
    records.push(record);
    elements.push(element);
  }
  return { records, elements };
}

/** Another issuer's record in the message would be refused (1108), a foreign chain's accepted. */
function assertOneChain(records: readonly SealedRecord[], issuer: MessageIssuer): void {
  for (const [index, { content, position }] of records.entries()) {
    const previous = records[index - 1];
    const link = content.chain;
    invariant(content.key.issuerNif === issuer.issuerNif, "every record is the issuer's");
    if (!previous) continue;
    invariant(position === previous.position + 1, "positions follow each other");
    invariant(!link.first && link.hash === previous.hash, "each record links to the one before");
  }
}
