import type { AeatEnvironment, SealedRecord } from "../record.ts";
import { branch, leaf, type Markup, SF_NAMESPACE } from "./element.ts";
import { recordElement } from "./record-xml.ts";

/**
 * The envelope of exported records, which is our own: the AEAT has a form for records, none for whole chains.
 * `docs/exports.md` describes it.
 */
const EXPORT_NAMESPACE = "urn:cuadre:registros-facturacion:1";

export interface ExportHeader {
  readonly connectionId: string;
  readonly issuerName: string;
  readonly issuerNif: string;
  /** ISO 8601, UTC. */
  readonly exportedAt: string;
  readonly from?: string;
  readonly to?: string;
}

export interface ExportedChain {
  readonly installationNumber: string;
  readonly environment: AeatEnvironment;
}

export function openExport(header: ExportHeader): string {
  const own = ` xmlns="${EXPORT_NAMESPACE}" xmlns:sf="${SF_NAMESPACE}"`;
  const issuer = branch("Obligado", [leaf("NombreRazon", header.issuerName), leaf("NIF", header.issuerNif)]);
  return [
    `<?xml version="1.0" encoding="UTF-8"?>\n<RegistrosFacturacion${own}>`,
    branch("Cabecera", [
      leaf("IDVersion", "1.0"),
      issuer,
      leaf("Conexion", header.connectionId),
      leaf("FechaHoraExportacion", header.exportedAt),
      leaf("Desde", header.from),
      leaf("Hasta", header.to),
    ]),
    "\n",
  ].join("");
}

export function closeExport(): string {
  return "</RegistrosFacturacion>\n";
}

const ENVIRONMENTS = { test: "Pruebas", production: "Produccion" } as const satisfies Record<
  AeatEnvironment,
  string
>;

export function openChain({ installationNumber, environment }: ExportedChain): string {
  const head: Markup[] = [
    leaf("NumeroInstalacion", installationNumber),
    leaf("Entorno", ENVIRONMENTS[environment]),
  ];
  return `<Cadena>${head.join("")}\n`;
}

export function closeChain(): string {
  return "</Cadena>\n";
}

/** EstadoRegistro in the AEAT's words, and three of ours for undecided records. */
const STATES: Readonly<Record<string, string>> = {
  pending_submission: "PendienteDeEnvio",
  submitted: "Enviado",
  accepted: "Correcto",
  accepted_with_errors: "AceptadoConErrores",
  rejected: "Incorrecto",
  withheld: "NoEnviado",
  not_submitted: "NoEnviado",
};

/** A record with its place and state; its element equals the submitted one byte by byte. */
export function exportedRecord(record: SealedRecord, state: string): string {
  const entry = branch("Registro", [
    leaf("Posicion", String(record.position)),
    leaf("Estado", STATES[state]),
    recordElement(record),
  ]);
  return `${entry}\n`;
}
