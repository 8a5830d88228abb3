/** The operations that the service admits, by its state of the invoice: the annex of its document. */
import type { RecordIdentity } from "./record.ts";
import { type Refusal, refuseIf } from "./refusal.ts";

/** EstadoRegistroDuplicado: the state of an invoice at the service. */
export type InvoiceState = "Correcta" | "AceptadaConErrores" | "Anulada";

const DUPLICATE = 3000;
const MISSING = 3002;

export function operationRefusal(
  record: RecordIdentity,
  state: InvoiceState | undefined,
): Refusal | undefined {
  const exists = state !== undefined;
  return mustBeNew(record) ? refuseIf(exists, DUPLICATE) : refuseIf(!exists, MISSING);
}

/** A first registration, an amendment of a never accepted record, an annulment without previous record. */
function mustBeNew({ kind, isAmendment, rejection, hasNoPrevious }: RecordIdentity): boolean {
  if (kind === "Anulacion") return hasNoPrevious;
  return !isAmendment || rejection === "X";
}
