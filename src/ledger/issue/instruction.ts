import type { InvoiceLookup, StoredInvoice } from "../../db/ledger-state.ts";
import { directOrigin } from "../../domain/invoice/origin.ts";
import type { PreparedInvoice } from "../../domain/invoice/prepare.ts";
import { consoleEventId } from "../../domain/order/order-origin.ts";
import { assertNever } from "../../domain/shared/result.ts";
import type { LinesRequest } from "../corrections/lines-outcomes.ts";
import { madeBy, type OwnerCorrecting } from "../corrections/owner-correction.ts";
import type { ByHandRequest } from "./by-hand-outcomes.ts";

/** Who rectifies which invoice from the console and why: a line of the audit log. */
export interface RectifiedBy {
  readonly userId: string;
  readonly invoiceId: string;
  readonly cause: string;
}

/** A request to a ledger: numbering, linking and hashing follow the order of the instructions. */
export type Instruction =
  | {
      readonly kind: "issue";
      readonly invoice: PreparedInvoice;
      readonly requestId: string;
      /** The owner who requested it from the console; absent for a connector. */
      readonly by?: RectifiedBy;
    }
  /** The result that issuing would have, without issuing. */
  | { readonly kind: "preview"; readonly invoice: PreparedInvoice; readonly requestId: string }
  /** An owner looks at a draft as it would be issued, or issues it. */
  | ({ readonly kind: "by_hand" } & ByHandRequest)
  | {
      readonly kind: "cancel";
      readonly externalId: string;
      readonly reason: string;
      readonly requestId: string;
    }
  /** A correction by an owner of the records of an invoice. */
  | ({ readonly kind: "correct" } & OwnerCorrecting)
  /** An owner takes back lines of a direct invoice, issues it again or annuls it. */
  | ({ readonly kind: "rectify" } & LinesRequest);

/** The lookup of the instruction's own invoice. */
export function ownOf(instruction: Instruction): InvoiceLookup {
  switch (instruction.kind) {
    case "issue":
    case "preview":
    case "by_hand":
      return { origins: [directOrigin(instruction.invoice.request.externalId)] };
    case "cancel":
      return { origins: [directOrigin(instruction.externalId)] };
    case "correct":
      return { origins: [], invoiceIds: [instruction.invoiceId] };
    case "rectify":
      return ownOfLines(instruction);
    default:
      return assertNever(instruction);
  }
}

/** Invoices that a decision needs; for a new invoice only those that it cites. */
export function citedBy(instruction: Instruction): InvoiceLookup {
  if (instruction.kind === "cancel" || instruction.kind === "correct") return ownOf(instruction);
  if (instruction.kind === "rectify") return { origins: [], invoiceIds: [instruction.invoiceId] };
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

/** The instruction's own invoice among the known ones. */
export function ownAmong(
  instruction: Instruction,
  invoices: ReadonlyMap<string, StoredInvoice>,
): StoredInvoice | undefined {
  const { origins, invoiceIds = [] } = ownOf(instruction);
  const [origin] = origins;
  if (origin !== undefined) return invoices.get(origin);
  return [...invoices.values()].find(({ view }) => invoiceIds.includes(view.invoiceId));
}

/** True if the instruction was carried out; a preview needs nothing carried out. */
export function isDone(instruction: Instruction, stored: StoredInvoice | undefined): boolean {
  switch (instruction.kind) {
    case "issue":
      return stored !== undefined;
    case "preview":
      return false;
    case "by_hand":
      return instruction.act !== undefined && stored !== undefined;
    case "cancel":
      return stored?.view.cancellation !== undefined;
    case "correct":
      return stored !== undefined && madeBy(instruction, stored.view) !== undefined;
    case "rectify":
      return instruction.act !== undefined && stored !== undefined && isDoneByLines(instruction, stored);
    default:
      return assertNever(instruction);
  }
}

/** An annulment is a record of the invoice itself; anything else is an invoice of its own. */
function ownOfLines({ invoiceId, requestId, rectification: { what } }: LinesRequest): InvoiceLookup {
  if (what === "void") return { origins: [], invoiceIds: [invoiceId] };
  return { origins: [directOrigin(consoleEventId(requestId))] };
}

function isDoneByLines(
  { requestId, rectification: { what } }: LinesRequest,
  { view }: StoredInvoice,
): boolean {
  if (what !== "void") return true;
  return madeBy({ requestId, correction: { correction: "annul", reason: "" } }, view) !== undefined;
}
