import { sha256Hex } from "../shared/hash.ts";
import type {
  CancellationContent,
  ChainLink,
  RecordContent,
  RegistrationContent,
  SealedRecord,
} from "./record.ts";

/** Huella of a record: SHA-256 in upper-case hex (list L12, 01). */
export function recordHash(content: RecordContent): string {
  return sha256Hex(hashInput(content)).toUpperCase();
}

/**
 * The input of the Huella: the literals of the XML, unescaped. An empty field keeps its `name=`, and 123.1
 * does not hash like 123.10, so nothing may be reformatted on the way.
 */
export function hashInput(content: RecordContent): string {
  const fields = content.kind === "ALTA" ? registrationFields(content) : cancellationFields(content);
  // The AEAT trims each value at both ends before it hashes, and keeps the spaces inside.
  return fields.map(([name, value]) => `${name}=${value.trim()}`).join("&");
}

/** Gives a record its place in the chain and its hash; from here on it never changes. */
export function seal(content: RecordContent, position: number): SealedRecord {
  return { content, position, hash: recordHash(content) };
}

type HashField = readonly [name: string, value: string];

function registrationFields(content: RegistrationContent): readonly HashField[] {
  return [
    ["IDEmisorFactura", content.key.issuerNif],
    ["NumSerieFactura", content.key.number],
    ["FechaExpedicionFactura", content.key.date],
    ["TipoFactura", content.invoiceType],
    ["CuotaTotal", content.taxTotal],
    ["ImporteTotal", content.total],
    ["Huella", previousHash(content.chain)],
    ["FechaHoraHusoGenRegistro", content.generatedAt],
  ];
}

function cancellationFields(content: CancellationContent): readonly HashField[] {
  return [
    ["IDEmisorFacturaAnulada", content.key.issuerNif],
    ["NumSerieFacturaAnulada", content.key.number],
    ["FechaExpedicionFacturaAnulada", content.key.date],
    ["Huella", previousHash(content.chain)],
    ["FechaHoraHusoGenRegistro", content.generatedAt],
  ];
}

function previousHash(chain: ChainLink): string {
  return chain.first ? "" : chain.hash;
}
