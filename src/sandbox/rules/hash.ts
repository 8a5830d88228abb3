/** The Huella that a record should have, from the service's own reading of its rules. */
import { textAt } from "../xml/tree.ts";
import type { RecordIdentity } from "./record.ts";

/** Upper-case hex of the SHA-256 over the literals of the record. */
export async function expectedHash(record: RecordIdentity): Promise<string> {
  const bytes = new TextEncoder().encode(hashedText(record));
  return hex(await crypto.subtle.digest("SHA-256", bytes)).toUpperCase();
}

/** A missing field keeps its name; values are those of the document, trimmed. */
export function hashedText(record: RecordIdentity): string {
  const { element, key, previous, generatedAt } = record;
  const invoice = [key.nif, key.number, key.date];
  const end = [
    ["Huella", previous?.hash ?? ""],
    ["FechaHoraHusoGenRegistro", generatedAt],
  ];
  const suffix = record.kind === "Alta" ? "" : "Anulada";
  const names = [`IDEmisorFactura${suffix}`, `NumSerieFactura${suffix}`, `FechaExpedicionFactura${suffix}`];
  const own = record.kind === "Alta" ? ["TipoFactura", "CuotaTotal", "ImporteTotal"] : [];
  return [
    ...names.map((name, index) => [name, invoice[index]]),
    ...own.map((name) => [name, textAt(element, name) ?? ""]),
    ...end,
  ]
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
}

/** SHA-256 of the received bytes, in lower-case hex. */
export async function sha256Of(bytes: BufferSource): Promise<string> {
  return hex(await crypto.subtle.digest("SHA-256", bytes));
}

function hex(digest: ArrayBuffer): string {
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
