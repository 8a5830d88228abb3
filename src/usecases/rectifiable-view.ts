import type { ActingInvoice, RectifiableInvoice } from "../domain/invoice/rectifiable.ts";
import { civilDate } from "../domain/shared/civil-date.ts";
import type { InvoiceView } from "./invoice-view.ts";

/** An issued invoice as later rectifications, replacements and cancellations judge it. */
export function rectifiableOf(
  view: InvoiceView,
  actsOn: RectifiableInvoice["actsOn"],
  actedOnBy: readonly ActingInvoice[],
): RectifiableInvoice {
  const { request, defaults, groups, operationDate, cited } = view.document;
  // It was linked to every invoice of ours that it cites.
  const isBereft = cited.some(
    ({ invoiceId }) => invoiceId !== undefined && !actsOn.some((link) => link.invoiceId === invoiceId),
  );
  return {
    invoiceId: view.invoiceId,
    externalId: view.externalId,
    number: view.fullNumber,
    issueDate: civilDate(view.issueDate),
    ...(operationDate === undefined ? {} : { operationDate }),
    invoiceType: request.invoiceType,
    regime: request.regime,
    flags: request.flags,
    currency: request.currency,
    ...(request.exchangeRate === undefined ? {} : { exchangeRate: request.exchangeRate }),
    defaults,
    groups,
    cancelled: view.cancellation !== undefined,
    actsOn,
    actedOnBy,
    ...(isBereft ? { isBereft } : {}),
  };
}
