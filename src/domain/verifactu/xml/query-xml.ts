import type { InvoiceKey } from "../record.ts";
import type { Period } from "../submission/comparison.ts";
import { branch, leaf } from "./element.ts";
import { envelopeXml, issuerXml } from "./envelope-xml.ts";
import { SF_NAMESPACE, SFLRC_NAMESPACE } from "./namespaces.ts";

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
