import type { InvoiceLookup, StoredInvoice } from "../../db/ledger-state.ts";
import { directOrigin } from "../../domain/invoice/origin.ts";
import type { PreparedInvoice } from "../../domain/invoice/prepare.ts";
import { assertNever } from "../../domain/shared/result.ts";
import { madeBy, type OwnerCorrecting } from "../corrections/owner-correction.ts";

/** Who rectifies an invoice from the console, which one, and what for: a line of the audit log. */
export interface RectifiedBy {
  readonly userId: string;
  readonly invoiceId: string;
  readonly cause: string;
}

/** What callers ask of a ledger: numbering, linking and hashing happen in the order of these. */
export type Instruction =
  | {
      readonly kind: "issue";
      readonly invoice: PreparedInvoice;
      readonly requestId: string;
      /** An owner has it issued, not a caller. */
      readonly by?: RectifiedBy;
    }
  /** What would be issued; nothing is. */
  | { readonly kind: "preview"; readonly invoice: PreparedInvoice; readonly requestId: string }
  | {
      readonly kind: "cancel";
      readonly externalId: string;
      readonly reason: string;
      readonly requestId: string;
    }
  /** What an owner does about the records of an invoice. */
  | ({ readonly kind: "correct" } & OwnerCorrecting);

/** The invoice that it is about. */
export function ownOf(instruction: Instruction): InvoiceLookup {
  switch (instruction.kind) {
    case "issue":
    case "preview":
      return { origins: [directOrigin(instruction.invoice.request.externalId)] };
    case "cancel":
      return { origins: [directOrigin(instruction.externalId)] };
    case "correct":
      return { origins: [], invoiceIds: [instruction.invoiceId] };
    default:
      return assertNever(instruction);
  }
}

/** Invoices that a decision cannot do without; those of a new one are only those that it cites. */
export function citedBy(instruction: Instruction): InvoiceLookup {
  if (instruction.kind === "cancel" || instruction.kind === "correct") return ownOf(instruction);
  const { rectifies, invoiceType } = instruction.invoice.request;
  const origins = rectifies.flatMap((reference) =>
    "externalId" in reference ? [directOrigin(reference.externalId)] : [],
  );
  const numbers = rectifies.flatMap((reference) => ("number" in reference ? [reference.number] : []));
  return {
    origins,
    ...(invoiceType === "F3" ? { replacedOnes: origins } : {}),
    ...(numbers.length > 0 ? { numbers } : {}),
  };
}

/** That invoice among those that are known. */
export function ownAmong(
  instruction: Instruction,
  invoices: ReadonlyMap<string, StoredInvoice>,
): StoredInvoice | undefined {
  const { origins, invoiceIds = [] } = ownOf(instruction);
  const [origin] = origins;
  if (origin !== undefined) return invoices.get(origin);
  return [...invoices.values()].find(({ view }) => invoiceIds.includes(view.invoiceId));
}

/** Whether it has been done; of a preview there is nothing to do. */
export function isDone(instruction: Instruction, stored: StoredInvoice | undefined): boolean {
  switch (instruction.kind) {
    case "issue":
      return stored !== undefined;
    case "preview":
      return false;
    case "cancel":
      return stored?.view.cancellation !== undefined;
    case "correct":
      return stored !== undefined && madeBy(instruction, stored.view) !== undefined;
    default:
      return assertNever(instruction);
  }
}
