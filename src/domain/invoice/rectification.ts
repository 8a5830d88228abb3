import type { Amounts, TaxGroup } from "./document.ts";
import type { LinkKind, RectifiableInvoice } from "./rectifiable.ts";

/** What a new invoice does to one that it cites. */
export interface Link {
  readonly targetId: string;
  readonly kind: LinkKind;
  readonly taken: readonly TaxGroup[];
}

export interface Rectification {
  /** The groups of the new invoice, with the cents of a part that takes all that remains. */
  readonly groups: readonly TaxGroup[];
  readonly links: readonly Link[];
  /** ImporteRectificacion, in EUR; only by substitution. */
  readonly rectifiedAmounts?: Amounts;
}

/** Substitution and F3 act on whole invoices: nothing is taken by group. */
export function linkWhole(invoices: readonly RectifiableInvoice[], kind: LinkKind): Link[] {
  return invoices.map((invoice) => ({ targetId: invoice.invoiceId, kind, taken: [] }));
}
