import { invariant } from "../../shared/result.ts";
import { LIMITS } from "../aeat-lists.ts";
import type { SealedRecord } from "../record.ts";
import { branch, flag, type Markup } from "./element.ts";
import { envelopeXml, issuerXml } from "./envelope-xml.ts";
import { SF_NAMESPACE, SFLR_NAMESPACE } from "./namespaces.ts";
import { recordElement } from "./record-xml.ts";

export interface Submission {
  readonly issuerName: string;
  readonly issuerNif: string;
  /** Sending was held up by a technical incident: speaks for every record of the message. */
  readonly incident: boolean;
  readonly records: readonly SealedRecord[];
}

/** The SOAP 1.1 message of RegFactuSistemaFacturacion. */
export function submissionXml(submission: Submission): string {
  const { records } = submission;
  invariant(records.length >= 1 && records.length <= LIMITS.recordsPerMessage, "1 to 1000 records a message");
  const request = branch("sfLR:RegFactuSistemaFacturacion", [
    headerXml(submission),
    ...records.map((record) => branch("sfLR:RegistroFactura", [recordElement(record)])),
  ]);
  return envelopeXml(request, { sfLR: SFLR_NAMESPACE, sf: SF_NAMESPACE });
}

function headerXml({ incident, ...issuedBy }: Submission): Markup {
  const issuer = issuerXml(issuedBy);
  if (!incident) return branch("sfLR:Cabecera", [issuer]);
  return branch("sfLR:Cabecera", [issuer, branch("sf:RemisionVoluntaria", [flag("sf:Incidencia", true)])]);
}
