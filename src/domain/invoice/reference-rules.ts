import { ok, type Result } from "../shared/result.ts";
import { differencesOf, familyOf, isPart, type RectifiableInvoice, successorOf } from "./rectifiable.ts";
import type { ExternalReference } from "./references.ts";
import { type IssueRefusal, refuse } from "./refusal.ts";
import type { InvoiceRequest, InvoiceType } from "./request.ts";

type OwnRule = (
  request: InvoiceRequest,
  invoice: RectifiableInvoice,
  path: string,
) => Result<void, IssueRefusal>;

/**
 * A rectification stays in the family of its invoice; a part is corrected at the invoice that it is a part
 * of.
 */
const checkOwnType: OwnRule = (request, invoice, path) => {
  const wanted = request.invoiceType === "F3" ? "simplified" : familyOf(request);
  if (familyOf(invoice) !== wanted) {
    return mismatch(request, invoice.number, describe(invoice), allowedFor(request), path);
  }
  if (isPart(invoice) && request.rectificationMethod === "difference") {
    const root = "the invoice that it corrects";
    return mismatch(request, invoice.number, `${invoice.invoiceType} by difference`, root, path);
  }
  return ok(undefined);
};

const checkNotCancelled: OwnRule = (_, invoice, path) =>
  invoice.cancelled
    ? refuse("rectified_invoice_cancelled", { reference: invoice.number }, path)
    : ok(undefined);

const checkNotSuperseded: OwnRule = (_, invoice, path) => {
  const successor = successorOf(invoice);
  if (!successor) return ok(undefined);
  const state = successor.kind === "substitution" ? "substituted" : "replaced";
  const facts = { reference: invoice.number, state, successor: successor.number };
  return refuse("rectified_invoice_superseded", facts, path);
};

const checkCurrency: OwnRule = (request, invoice) => {
  if (invoice.currency === request.currency) return ok(undefined);
  const facts = { reference: invoice.number, currency: invoice.currency };
  return refuse("rectified_currency_mismatch", facts, "currency");
};

/** What an invoice of this connection must be to be acted on, in the order of the refusals. */
export const OWN_RULES: readonly OwnRule[] = [
  checkOwnType,
  checkNotCancelled,
  checkNotSuperseded,
  checkCurrency,
];

export function checkExternalType(
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
 * Who takes the place of an invoice takes that of all its parts: substitution and F3 cite the invoice and
 * every rectification of it in force, and no part without its invoice.
 */
export function checkComplete(
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
    (invoice) => isPart(invoice) && !invoice.actsOn.every((link) => cited.has(link.invoiceId)),
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
