import { civilDate } from "../shared/civil-date.ts";
import { identifierIn } from "./decide-amendment.ts";
import { newestRegistration } from "./invoice-records.ts";
import type { InvoiceView } from "./invoice-view.ts";
import { identifierOf } from "./prepare.ts";
import type { ActingInvoice, RectifiableInvoice } from "./rectifiable.ts";
import { isUndoing } from "./replaced-ticket.ts";
import { limitOf } from "./simplified.ts";

/** An issued invoice as later rectifications, replacements and cancellations judge it. */
export function rectifiableOf(
  view: InvoiceView,
  actsOn: RectifiableInvoice["actsOn"],
  actedOnBy: readonly ActingInvoice[],
): RectifiableInvoice {
  const { request, defaults, groups, operationDate, cited, test } = view.document;
  const { invoiceType, recipient } = request;
  const { content } = newestRegistration(view);
  const identifiers = [identifierOf(recipient), identifierIn(content)].filter((one) => one !== undefined);
  const limitEur = limitOf(view.document, content.agreementNumber);
  const isLinked = (id: string) => actsOn.some(({ invoiceId }) => invoiceId === id);
  // It was linked to every invoice of ours that it cites, or to the F3 of them that it undoes.
  const isBereft =
    !isUndoing({ invoiceType, actsOn }) &&
    cited.some(({ invoiceId }) => invoiceId !== undefined && !isLinked(invoiceId));
  return {
    invoiceId: view.invoiceId,
    externalId: view.externalId,
    number: view.fullNumber,
    issueDate: civilDate(view.issueDate),
    ...(operationDate === undefined ? {} : { operationDate }),
    invoiceType,
    regime: request.regime,
    flags: request.flags,
    currency: request.currency,
    ...(request.exchangeRate === undefined ? {} : { exchangeRate: request.exchangeRate }),
    defaults,
    groups,
    ...(recipient === undefined ? {} : { recipient }),
    identifiers,
    ...(limitEur === undefined ? {} : { limitEur }),
    ...(cited.some(({ invoiceId }) => invoiceId === undefined) ? { citesElsewhere: true } : {}),
    cancelled: view.cancellation !== undefined,
    actsOn,
    actedOnBy,
    ...(test ? { test } : {}),
    ...(isBereft ? { isBereft } : {}),
  };
}
