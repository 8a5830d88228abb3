import type { Amounts, TaxGroup } from "./document.ts";
import type { LinkKind } from "./rectifiable.ts";
import type { References } from "./references.ts";

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

/** Substitution and F3 take the place of whole invoices: nothing is taken by group. */
export function linkWhole(references: References, kind: LinkKind): Link[] {
  return references.own.map((invoice) => ({ targetId: invoice.invoiceId, kind, taken: [] }));
}
