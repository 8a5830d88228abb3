import { differencesOf, type RectifiableInvoice, remainingOf, successorOf } from "./rectifiable.ts";
import { isNothing } from "./tax-groups.ts";

/** The state of an invoice today, independent of the authority's answers. */
export type DocumentStatus =
  | { readonly is: "issued" | "partially_rectified" | "rectified" | "cancelled" }
  /** Undone: a later F3 has reversed this one, and its tickets are free again. */
  | { readonly is: "replaced" | "undone"; readonly by: string };

export function documentStanding(
  invoice: Pick<RectifiableInvoice, "cancelled" | "groups" | "actedOnBy"> & { readonly invoiceType: string },
): DocumentStatus {
  if (invoice.cancelled) return { is: "cancelled" };
  const successor = successorOf(invoice);
  if (successor) {
    const isUndone = invoice.invoiceType === "F3" && successor.kind === "replacement";
    return { is: isUndone ? "undone" : "replaced", by: successor.number };
  }
  if (differencesOf(invoice).length === 0) return { is: "issued" };
  const isNothingLeft = [...remainingOf(invoice).values()].every(({ amounts }) => isNothing(amounts));
  return { is: isNothingLeft ? "rectified" : "partially_rectified" };
}
