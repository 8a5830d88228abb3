/** One row per invoice: its latest accepted record. A query sees nothing else. */

import type { InvoiceKey } from "../rules/record.ts";
import type { InvoiceState } from "../rules/record-refusals.ts";
import { type Database, numberOf, type Row, textOf } from "./database.ts";

export interface StoredInvoice {
  readonly state: InvoiceState;
  readonly code: number | undefined;
  readonly description: string | undefined;
  /** IdPeticion of the message that brought it. */
  readonly petition: string;
}

export function readInvoice(
  database: Database,
  { nif, number, date }: InvoiceKey,
): StoredInvoice | undefined {
  const [row] = database.all(
    "SELECT * FROM invoice WHERE nif = ? AND number = ? AND date = ?",
    nif,
    number,
    date,
  );
  if (row === undefined) return undefined;
  return {
    state: stateOf(row),
    code: numberOf(row, "code"),
    description: textOf(row, "description"),
    petition: textOf(row, "petition") ?? "",
  };
}

function stateOf(row: Row): InvoiceState {
  const state = textOf(row, "state");
  return state === "Anulada" || state === "AceptadaConErrores" ? state : "Correcta";
}

export function writeInvoice(
  database: Database,
  { nif, number, date }: InvoiceKey,
  invoice: StoredInvoice & { readonly presentedAt: string; readonly recordId: number },
): void {
  const { state, code, description, petition, presentedAt, recordId } = invoice;
  database.all(
    `INSERT INTO invoice (nif, number, date, state, code, description, petition, presented_at, record_id)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (nif, number, date) DO UPDATE SET state = excluded.state, code = excluded.code,
       description = excluded.description, petition = excluded.petition, presented_at = excluded.presented_at,
       record_id = excluded.record_id`,
    ...[nif, number, date, state, code ?? null, description ?? null, petition, presentedAt, recordId],
  );
}

/** All invoices of an issuer, or of everybody, and with one number where one is asked for. */
export function listInvoices(
  database: Database,
  { nif, number }: { readonly nif: string | undefined; readonly number: string | undefined },
): Row[] {
  return database.all(
    `SELECT invoice.*, record.xml, record.reference, record.generated_at, chain.producer, chain.system,
       chain.installation
     FROM invoice JOIN record ON record.id = invoice.record_id JOIN chain ON chain.id = record.chain_id
     WHERE coalesce(?, invoice.nif) = invoice.nif AND coalesce(?, invoice.number) = invoice.number
     ORDER BY invoice.presented_at, invoice.record_id`,
    ...[nif ?? null, number ?? null],
  );
}
