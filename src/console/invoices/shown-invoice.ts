import { eurosOf, issueDateOf, issuedAtOf } from "../../domain/invoice/invoice-entry.ts";
import { toFixed } from "../../domain/shared/decimal.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { InvoiceSums, ListedInvoice, ListSums } from "./invoice-ports.ts";

/** An invoice of a list, as it crosses: amounts as texts, moments in UTC. */
export function shownListed(invoice: ListedInvoice) {
  const { place, amounts, rectifying: _, ...shown } = invoice;
  return {
    ...shown,
    issueDate: issueDateOf(place),
    issuedAt: isoOf(issuedAtOf(place)),
    totalEur: centsText(amounts.total),
  };
}

export function shownSums({ invoices, cancelled, amounts: { base, tax, total } }: InvoiceSums) {
  return { invoices, cancelled, base: centsText(base), tax: centsText(tax), total: centsText(total) };
}

export function shownListSums({ tests, ...sums }: ListSums) {
  return { ...shownSums(sums), tests };
}

export function isoOf(at: Instant): string {
  return new Date(at).toISOString();
}

function centsText(cents: string): string {
  return toFixed(eurosOf(cents), 2);
}
