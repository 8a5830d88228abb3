import type { TaxGroup, Totals } from "../invoice/document.ts";
import type { RecordState } from "../invoice/invoice-view.ts";
import type { OrderState } from "./decision.ts";
import type { OrderWarning, Reason } from "./reasons.ts";

/** An order as its connector sees it: its state and its documents. */
export interface OrderView {
  readonly idExternal: string;
  readonly state: OrderState;
  /** Its documents are tests: the issuer's NIF was not proven. */
  readonly test?: true;
  /** In the order of the ladder. */
  readonly reasons: readonly Reason[];
  readonly warnings: readonly OrderWarning[];
  /** The version that the order's facts were understood in. */
  readonly contractVersion: string;
  /** Oldest first. */
  readonly invoices: readonly OrderInvoice[];
}

export interface OrderInvoice {
  readonly kind: "invoice" | "rectification" | "replacement";
  readonly invoiceType: string;
  readonly series: string;
  readonly issueDate: string;
  readonly currency: string;
  readonly groups: readonly TaxGroup[];
  readonly totals: Totals;
  /** Absent from a preview: nothing has a number before it is issued. */
  readonly issued?: {
    readonly invoiceId: string;
    readonly number: number;
    readonly fullNumber: string;
    /** State of its registration, or of the newest amendment of it; `cancelled` once it was annulled. */
    readonly state: RecordState | "cancelled";
  };
}
