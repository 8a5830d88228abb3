import { invariant } from "../../shared/result.ts";
import { LIMITS } from "../aeat-lists.ts";
import type { SealedRecord } from "../record.ts";
import { branch, flag, type Markup } from "./element.ts";
import { envelopeXml, issuerXml } from "./envelope-xml.ts";
import { SF_NAMESPACE, SFLR_NAMESPACE } from "./namespaces.ts";
import { recordElement } from "./record-xml.ts";

export interface MessageHeader {
  readonly issuerName: string;
  readonly issuerNif: string;
  /** Sending was held up by a technical incident: speaks for every record of the message. */
  readonly incident: boolean;
}

export interface Submission extends MessageHeader {
  readonly records: readonly SealedRecord[];
}

/** The SOAP 1.1 message of RegFactuSistemaFacturacion. */
export function submissionXml({ records, ...header }: Submission): string {
  return messageXml(
    header,
    records.map((record) => recordElement(record)),
  );
}

/** The same of records that are written already. */
export function messageXml(header: MessageHeader, elements: readonly Markup[]): string {
  const { length } = elements;
  invariant(length >= 1 && length <= LIMITS.recordsPerMessage, "1 to 1000 records a message");
  const request = branch("sfLR:RegFactuSistemaFacturacion", [
    headerXml(header),
    ...elements.map((element) => branch("sfLR:RegistroFactura", [element])),
  ]);
  return envelopeXml(request, { sfLR: SFLR_NAMESPACE, sf: SF_NAMESPACE });
}

function headerXml({ incident, ...issuedBy }: MessageHeader): Markup {
  const issuer = issuerXml(issuedBy);
  if (!incident) return branch("sfLR:Cabecera", [issuer]);
  return branch("sfLR:Cabecera", [issuer, branch("sf:RemisionVoluntaria", [flag("sf:Incidencia", true)])]);
}
