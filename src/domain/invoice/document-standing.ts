import { differencesOf, type RectifiableInvoice, remainingOf, successorOf } from "./rectifiable.ts";
import { isNothing } from "./tax-groups.ts";

/** What an invoice is today, whatever the authority has made of its records. */
export type DocumentStanding =
  | { readonly is: "issued" | "partially_rectified" | "rectified" | "cancelled" }
  /** An F3 whose effect another has taken back is undone: its tickets are free again. */
  | { readonly is: "replaced" | "undone"; readonly by: string };

export function documentStanding(
  invoice: Pick<RectifiableInvoice, "cancelled" | "groups" | "actedOnBy"> & { readonly invoiceType: string },
): DocumentStanding {
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
