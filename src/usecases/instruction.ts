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

export function externalIdOf(instruction: Instruction): string {
  return instruction.kind === "issue" ? instruction.invoice.request.externalId : instruction.externalId;
}

/** Invoices that a decision cannot do without, its own external_id aside. */
export function citedBy(instruction: Instruction): string[] {
  if (instruction.kind === "cancel") return [instruction.externalId];
  return instruction.invoice.request.rectifies.flatMap((reference) =>
    "externalId" in reference ? [reference.externalId] : [],
  );
}
