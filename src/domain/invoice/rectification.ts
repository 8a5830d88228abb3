import type { Amounts, Rectified, TaxGroup } from "./document.ts";
import type { LinkKind, RectifiableInvoice } from "./rectifiable.ts";
import { recordableEur, sumAmounts } from "./tax-groups.ts";

/** The effect of a new invoice on a cited one. */
export interface Link {
  readonly targetId: string;
  readonly kind: LinkKind;
  readonly taken: readonly TaxGroup[];
}

export interface Rectification {
  /** The groups of the new invoice, with the cents of a part that takes all that remains. */
  readonly groups: readonly TaxGroup[];
  readonly links: readonly Link[];
  /** Only by substitution. */
  readonly rectified?: Rectified;
}

/** ImporteRectificacion: the amounts in the records of those invoices. */
export function rectifiedInRecord({ groups, elsewhere }: Rectified): Amounts {
  return sumAmounts([...groups.map(recordableEur), ...(elsewhere ? [elsewhere.eur] : [])]);
}

/** Substitution and F3 act on whole invoices: nothing is taken by group. */
export function linkWhole(invoices: readonly RectifiableInvoice[], kind: LinkKind): Link[] {
  return invoices.map((invoice) => ({ targetId: invoice.invoiceId, kind, taken: [] }));
}
