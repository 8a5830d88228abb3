import type { InvoiceDocument } from "../../domain/invoice/document.ts";
import type { LineBalance } from "../../domain/invoice/line-balances.ts";
import type { LinesRectification, RectifyRefusal, SaleChange } from "../../domain/invoice/rectified-lines.ts";
import type { IssueRefusal, RecordRefusal, Refusal } from "../../domain/invoice/refusal.ts";
import type { InvoiceType, ReturnedLine } from "../../domain/invoice/request.ts";
import type { Reason } from "../../domain/order/reasons.ts";
import type { Decimal } from "../../domain/shared/decimal.ts";
import type { GateRefusal } from "../core/outcomes.ts";

/** An owner's rectification by lines, asked or done. Plain values, because they cross RPC. */
export interface LinesRequest {
  /** The id of one act, made by the page: a repeat of it is a replay. */
  readonly requestId: string;
  readonly invoiceId: string;
  /** The order of the invoice; absent for a direct one. */
  readonly order?: string;
  readonly rectification: LinesRectification;
  /** Absent for a preview. */
  readonly act?: LinesAct;
}

export interface LinesAct {
  readonly userId: string;
  /** The total that the owner has seen, with tax, in the invoice's currency. */
  readonly total: Decimal;
  /** What was left of the invoice: another's act of the same total is noticed by it. */
  readonly left?: Decimal;
}

/** True if the preview is no longer what the owner has seen. */
export function isOtherThanSeen(
  { total, left }: Pick<LinesPreview, "total" | "left">,
  seen: Pick<LinesAct, "total" | "left">,
): boolean {
  return total !== seen.total || (seen.left !== undefined && left !== seen.left);
}

export type LinesRefusal =
  | RectifyRefusal
  | IssueRefusal
  | RecordRefusal
  | Refusal<"order_not_found" | "order_not_invoiced" | "invoice_annulled" | "nothing_left">
  | Refusal<"annulment_after_correction" | "document_too_large" | "invoicing_not_enabled">;

export type LinesOutcome =
  | { readonly outcome: "previewed"; readonly preview: LinesPreview }
  /** The total is another than the owner has seen; nothing was issued. */
  | { readonly outcome: "stale"; readonly preview: LinesPreview }
  | { readonly outcome: "rectified" | "replayed"; readonly made: MadeByLines }
  /** Another act has this id. */
  | { readonly outcome: "conflict"; readonly fullNumber: string }
  | { readonly outcome: "refused"; readonly refusal: LinesRefusal; readonly waits?: Reason }
  | GateRefusal;

/** The rectification, or the annulled invoice itself. */
export interface MadeByLines {
  readonly invoiceId: string;
  readonly fullNumber: string;
  readonly annulled: boolean;
}

export interface LinesPreview {
  readonly invoice: RectifiedInvoice;
  readonly changes: readonly SaleChange[];
  readonly lines: readonly LineBalance[];
  /** What goes back of each line now. */
  readonly parts: readonly ReturnedLine[];
  /** What is left of the invoice now, and after it. */
  readonly left: Decimal;
  readonly leftAfter?: Decimal;
  /** Of the rectification, or minus that of the annulled invoice; absent while it is refused. */
  readonly total?: Decimal;
  readonly drafts: readonly DraftByLines[];
  /** Numbers of the invoices that would be annulled. */
  readonly annulled: readonly string[];
  readonly refusal?: LinesRefusal;
  /** The reason of the order that keeps it from acting. */
  readonly waits?: Reason;
}

/** The invoice that is rectified, which of an order need not be the one asked for. */
export interface RectifiedInvoice {
  readonly invoiceId: string;
  readonly fullNumber: string;
  readonly issueDate: string;
  readonly invoiceType: InvoiceType;
  readonly currency: string;
  /** Of the tax of one-stop-shop sales. */
  readonly consumedIn?: string;
}

interface DraftByLines {
  readonly kind: "invoice" | "rectification" | "replacement";
  readonly fullNumber: string;
  readonly issueDate: string;
  readonly document: InvoiceDocument;
}
