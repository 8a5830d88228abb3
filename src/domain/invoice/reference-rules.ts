import type { Fact, PhraseCode } from "../shared/fact.ts";
import { ok, type Result } from "../shared/result.ts";
import {
  type DocumentFamily,
  differencesOf,
  familyOf,
  isPart,
  type RectifiableInvoice,
  successorOf,
} from "./rectifiable.ts";
import type { ExternalReference } from "./references.ts";
import { type IssueRefusal, refuse } from "./refusal.ts";
import type { InvoiceRequest, InvoiceType } from "./request.ts";

/** What is cited, what to send for it instead, and what the type of the request may cite. */
interface TypeFacts {
  readonly invoice_type: Fact;
  readonly reference: string;
  readonly reference_type: Fact;
  readonly fix: Fact;
  readonly allowed: Fact;
}

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
  const { number: reference } = invoice;
  if (familyOf(invoice) !== wanted) {
    return refuseType(path, {
      invoice_type: request.invoiceType,
      reference,
      reference_type: describe(invoice),
      fix: { phrase: SENDS[familyOf(invoice)] },
      allowed: { phrase: request.invoiceType === "F3" ? "cites_replaceable" : CITES[wanted] },
    });
  }
  if (!isPart(invoice) || request.rectificationMethod !== "difference") return ok(undefined);
  return refuseType(path, {
    invoice_type: { phrase: "by_difference", invoice_type: request.invoiceType },
    reference,
    reference_type: { phrase: "by_difference", invoice_type: invoice.invoiceType },
    fix: { phrase: "cite_the_corrected", reference },
    allowed: { phrase: "cites_no_part" },
  });
};

/** What corrects an invoice of each family, and what such a correction may cite. */
const SENDS = {
  full: "send_full",
  qualified: "send_qualified",
  simplified: "send_simplified",
  without_recipient: "send_without_recipient",
} as const satisfies Record<DocumentFamily, PhraseCode>;
const CITES = {
  full: "cites_full",
  qualified: "cites_qualified",
  simplified: "cites_simplified",
  without_recipient: "cites_without_recipient",
} as const satisfies Record<DocumentFamily, PhraseCode>;

const checkNotCancelled: OwnRule = (_, invoice, path) =>
  invoice.cancelled
    ? refuse("rectified_invoice_cancelled", { reference: invoice.number }, path)
    : ok(undefined);

const checkNotSuperseded: OwnRule = (_, invoice, path) => {
  const successor = successorOf(invoice);
  if (!successor) return ok(undefined);
  const state: Fact = { phrase: successor.kind === "substitution" ? "substituted" : "replaced" };
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
  const citesSimplified = request.invoiceType === "F3" || request.invoiceType === "R5";
  const allowed = citesSimplified ? SIMPLIFIED : FULL;
  if (allowed.includes(reference.invoiceType)) return ok(undefined);
  return refuseType(path, {
    invoice_type: request.invoiceType,
    reference: reference.number,
    reference_type: reference.invoiceType,
    fix: citesSimplified ? { phrase: "send_r1_to_r4" } : { phrase: "send_r5_or_f3" },
    allowed: { either: allowed },
  });
}

const SIMPLIFIED: readonly InvoiceType[] = ["F2", "R5"];
const FULL: readonly InvoiceType[] = ["F1", "F3", "R1", "R2", "R3", "R4"];

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
  const roots = orphans.map((part): Fact => ({ phrase: "invoice_corrected_by", number: part.number }));
  return refuse("rectification_incomplete", { missing: { all: [...missing, ...roots] } }, "rectifies");
}

function refuseType(path: string, facts: TypeFacts): Result<never, IssueRefusal> {
  return refuse("rectified_invoice_type_mismatch", { ...facts }, path);
}

function describe(invoice: RectifiableInvoice): string {
  return [invoice.invoiceType, invoice.regime, ...invoice.flags].join(" ");
}
