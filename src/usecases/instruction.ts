import { directOrigin } from "../domain/invoice/origin.ts";
import type { PreparedInvoice } from "../domain/invoice/prepare.ts";

/** What callers ask of a ledger: numbering, linking and hashing happen in the order of these. */
export type Instruction =
  | { readonly kind: "issue"; readonly invoice: PreparedInvoice; readonly requestId: string }
  | {
      readonly kind: "cancel";
      readonly externalId: string;
      readonly reason: string;
      readonly requestId: string;
    };

/** Of the direct invoice that it is about. */
export function originOf(instruction: Instruction): string {
  return directOrigin(
    instruction.kind === "issue" ? instruction.invoice.request.externalId : instruction.externalId,
  );
}

/** Origins of invoices that a decision cannot do without, its own aside. */
export function citedBy(instruction: Instruction): string[] {
  if (instruction.kind === "cancel") return [originOf(instruction)];
  return instruction.invoice.request.rectifies.flatMap((reference) =>
    "externalId" in reference ? [directOrigin(reference.externalId)] : [],
  );
}
