import { invariant } from "../../shared/result.ts";
import { LIMITS } from "../aeat-lists.ts";
import type { InvoiceKey, SealedRecord } from "../record.ts";
import type { Period } from "../submission/answer.ts";
import {
  branch,
  flag,
  leaf,
  type Markup,
  type Namespaces,
  SF_NAMESPACE,
  SFLR_NAMESPACE,
  SFLRC_NAMESPACE,
  SOAP_NAMESPACE,
} from "./element.ts";
import { recordElement } from "./record-xml.ts";

interface MessageHeader {
  readonly issuerName: string;
  readonly issuerNif: string;
  /** Sending was held up by a technical incident: speaks for every record of the message. */
  readonly incident: boolean;
}

interface Submission extends MessageHeader {
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

/** A SOAP 1.1 message. A second XML declaration would be fault 102. */
function envelopeXml(request: Markup, namespaces: Namespaces): string {
  const envelope = branch(
    "soapenv:Envelope",
    [branch("soapenv:Header", []), branch("soapenv:Body", [request])],
    { soapenv: SOAP_NAMESPACE, ...namespaces },
  );
  return `<?xml version="1.0" encoding="UTF-8"?>${envelope}`;
}

/** ObligadoEmision: name and NIF must be a pair of the census (4104). */
function issuerXml(issuer: { readonly issuerName: string; readonly issuerNif: string }): Markup {
  return branch("sf:ObligadoEmision", [
    leaf("sf:NombreRazon", issuer.issuerName),
    leaf("sf:NIF", issuer.issuerNif),
  ]);
}

export interface InvoiceQuery {
  readonly issuerName: string;
  readonly issuerNif: string;
  readonly period: Period;
  readonly key: InvoiceKey;
}

/**
 * The SOAP 1.1 message of ConsultaFactuSistemaFacturacion for one invoice of any system. A filter for our own
 * system would miss other systems' records.
 */
export function queryXml({ period, key, ...issuer }: InvoiceQuery): string {
  const request = branch("sfLRC:ConsultaFactuSistemaFacturacion", [
    branch("sfLRC:Cabecera", [leaf("sf:IDVersion", "1.0"), issuerXml(issuer)]),
    branch("sfLRC:FiltroConsulta", [
      branch("sfLRC:PeriodoImputacion", [
        leaf("sf:Ejercicio", period.year),
        leaf("sf:Periodo", period.month),
      ]),
      leaf("sfLRC:NumSerieFactura", key.number),
      branch("sfLRC:FechaExpedicionFactura", [leaf("sf:FechaExpedicionFactura", key.date)]),
    ]),
  ]);
  return envelopeXml(request, { sfLRC: SFLRC_NAMESPACE, sf: SF_NAMESPACE });
}
