import { type CivilDate, laterOf } from "../shared/civil-date.ts";
import { ok, type Result } from "../shared/result.ts";
import { differencesOf, familyOf, isPart, type RectifiableInvoice, successorOf } from "./rectifiable.ts";
import { type IssueRefusal, refuse } from "./refusal.ts";
import type { InvoiceRequest, InvoiceType, RectifiedReference } from "./request.ts";

export type ExternalReference = Extract<RectifiedReference, { readonly number: string }>;

/** The invoices that a request cites, found and fit to be acted on. */
export interface References {
  readonly own: readonly RectifiableInvoice[];
  readonly external: readonly ExternalReference[];
}

/** Invoices of this connection by external_id, as the ledger has them at this moment. */
export type FindInvoice = (externalId: string) => RectifiableInvoice | undefined;

export function resolveReferences(
  request: InvoiceRequest,
  find: FindInvoice,
): Result<References, IssueRefusal> {
  const own: RectifiableInvoice[] = [];
  const external: ExternalReference[] = [];
  for (const [index, reference] of request.rectifies.entries()) {
    const path = `rectifies.${index}`;
    if ("number" in reference) {
      const fit = checkExternal(request, reference, path);
      if (!fit.ok) return fit;
      external.push(reference);
      continue;
    }
    const invoice = find(reference.externalId);
    if (!invoice) return refuse("rectified_invoice_unknown", { reference: reference.externalId }, path);
    const fit = checkOwn(request, invoice, path);
    if (!fit.ok) return fit;
    own.push(invoice);
  }
  const complete = checkComplete(request, own);
  return complete.ok ? ok({ own, external }) : complete;
}

/** A correction dates from the operation that it corrects: the latest of several, unless the caller says when. */
export function operationDateOf(
  request: InvoiceRequest,
  references: References,
  today: CivilDate,
): CivilDate {
  if (request.operationDate !== undefined) return request.operationDate;
  const dates = [
    ...references.own.map((invoice) => invoice.operationDate ?? invoice.issueDate),
    ...references.external.map((reference) => reference.issueDate),
  ];
  return dates.length > 0 ? dates.reduce(laterOf) : today;
}

function checkOwn(
  request: InvoiceRequest,
  invoice: RectifiableInvoice,
  path: string,
): Result<void, IssueRefusal> {
  const wanted = request.invoiceType === "F3" ? "simplified" : familyOf(request);
  if (familyOf(invoice) !== wanted) {
    return mismatch(request, invoice.number, describe(invoice), allowedFor(request), path);
  }
  if (isPart(invoice) && request.rectificationMethod === "difference") {
    const root = "the invoice that it corrects";
    return mismatch(request, invoice.number, `${invoice.invoiceType} by difference`, root, path);
  }
  if (invoice.cancelled) return refuse("rectified_invoice_cancelled", { reference: invoice.number }, path);
  const successor = successorOf(invoice);
  if (successor) {
    const state = successor.kind === "substitution" ? "substituted" : "replaced";
    return refuse(
      "rectified_invoice_superseded",
      { reference: invoice.number, state, successor: successor.number },
      path,
    );
  }
  if (invoice.currency === request.currency) return ok(undefined);
  const facts = { reference: invoice.number, currency: invoice.currency };
  return refuse("rectified_currency_mismatch", facts, "currency");
}

function checkExternal(
  request: InvoiceRequest,
  reference: ExternalReference,
  path: string,
): Result<void, IssueRefusal> {
  const allowed: readonly InvoiceType[] =
    request.invoiceType === "F3" || request.invoiceType === "R5"
      ? ["F2", "R5"]
      : ["F1", "F3", "R1", "R2", "R3", "R4"];
  if (allowed.includes(reference.invoiceType)) return ok(undefined);
  return mismatch(request, reference.number, reference.invoiceType, allowed.join(", "), path);
}

/**
 * Who takes the place of an invoice takes that of all its parts: substitution and F3 cite the invoice and every
 * rectification of it in force, and no part without its invoice.
 */
function checkComplete(
  request: InvoiceRequest,
  own: readonly RectifiableInvoice[],
): Result<void, IssueRefusal> {
  if (request.rectificationMethod === "difference") return ok(undefined);
  const cited = new Set(own.map((invoice) => invoice.invoiceId));
  const missing = own
    .flatMap((invoice) => differencesOf(invoice))
    .filter((acting) => !cited.has(acting.invoiceId))
    .map((acting) => acting.externalId);
  const orphans = own.filter(
    (invoice) => isPart(invoice) && !invoice.actsOn.some((link) => cited.has(link.invoiceId)),
  );
  if (missing.length === 0 && orphans.length === 0) return ok(undefined);
  const roots = orphans.map((invoice) => `the invoice that ${invoice.number} corrects`);
  return refuse("rectification_incomplete", { missing: [...missing, ...roots].join(", ") }, "rectifies");
}

function mismatch(
  request: InvoiceRequest,
  reference: string,
  referenceType: string,
  allowed: string,
  path: string,
): Result<never, IssueRefusal> {
  const facts = { invoice_type: request.invoiceType, reference, reference_type: referenceType, allowed };
  return refuse("rectified_invoice_type_mismatch", facts, path);
}

function allowedFor(request: InvoiceRequest): string {
  if (request.invoiceType === "F3") return "F2 with art7_simplified and its R5";
  switch (familyOf(request)) {
    case "full":
      return "F1, F3 or R1-R4 with art6_full";
    case "qualified":
      return "F1 or R1-R4 with qualified_simplified_art_7_2_3";
    case "simplified":
      return "F2 or R5 with art7_simplified";
    case "without_recipient":
      return "F2 or R5 with no_recipient_article_6_1_d";
  }
}

function describe(invoice: RectifiableInvoice): string {
  return [invoice.invoiceType, invoice.regime, ...invoice.flags].join(" ");
}
