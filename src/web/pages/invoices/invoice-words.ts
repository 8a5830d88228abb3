import type { Say, WordId } from "../../words/words.tsx";
import type { ListedInvoice } from "./invoice-queries.ts";

export const STATES = [
  ...(["pending_submission", "submitted", "accepted", "accepted_with_errors", "rejected"] as const),
  "not_submitted" as const,
];

export function stateWord(state: ListedInvoice["state"], say: Say): string {
  return say(`record.${state}`);
}

/** Only these types are issued; an F2 under article 6.1.d is full, though it names no recipient. */
export function typeWord(
  { invoiceType, unnamed }: Pick<ListedInvoice, "invoiceType" | "unnamed">,
  say: Say,
): string {
  return say(unnamed ? "invoice_type.F2.6_1_d" : (`invoice_type.${invoiceType}` as WordId));
}

/** The recipient of the invoice. */
export function customerOf({ customer }: Pick<ListedInvoice, "customer">, say: Say): string {
  return customer ?? say("invoices.unidentified");
}

/** The second line: the invoice's state, its target, the customer or the type. */
export function secondLine(invoice: ListedInvoice, say: Say): string {
  const { standing, cites, taxNumber } = invoice;
  if ("by" in standing) return say(`document.${standing.is}`, { number: standing.by });
  if (standing.is === "partially_rectified" || standing.is === "rectified") {
    return say(`document.${standing.is}`);
  }
  const [cited] = cites;
  if (cited)
    return say(invoice.invoiceType === "F3" ? "invoices.replaces" : "invoices.rectifies", { number: cited });
  return taxNumber ?? typeWord(invoice, say);
}

export function originOf({ externalId, orderId, orderReference }: ListedInvoice, say: Say): string {
  if (externalId !== undefined) return externalId;
  return say("invoices.of_order", { order: orderReference ?? orderId ?? "" });
}
