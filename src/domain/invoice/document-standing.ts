import { differencesOf, type RectifiableInvoice, remainingOf, successorOf } from "./rectifiable.ts";
import { isNothing } from "./tax-groups.ts";

/** What an invoice is today, whatever the authority has made of its records. */
export type DocumentStanding =
  | { readonly is: "issued" | "partially_rectified" | "rectified" | "cancelled" }
  | { readonly is: "replaced"; readonly by: string };

export function documentStanding(
  invoice: Pick<RectifiableInvoice, "cancelled" | "groups" | "actedOnBy">,
): DocumentStanding {
  if (invoice.cancelled) return { is: "cancelled" };
  const successor = successorOf(invoice);
  if (successor) return { is: "replaced", by: successor.number };
  if (differencesOf(invoice).length === 0) return { is: "issued" };
  const isNothingLeft = [...remainingOf(invoice).values()].every(({ amounts }) => isNothing(amounts));
  return { is: isNothingLeft ? "rectified" : "partially_rectified" };
}
