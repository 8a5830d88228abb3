import { directStem } from "../domain/billing/series.ts";
import { decideIssue } from "../domain/invoice/decide-issue.ts";
import { fingerprintOf } from "../domain/invoice/normalize.ts";
import { directOrigin } from "../domain/invoice/origin.ts";
import type { PreparedInvoice } from "../domain/invoice/prepare.ts";
import { type Refusal, refuse } from "../domain/invoice/refusal.ts";
import { ok, type Result } from "../domain/shared/result.ts";
import type { InvoiceView } from "./invoice-view.ts";
import { holderOf } from "./number-holder.ts";
import { type DecisionDeps, numberInvoice, ROW_LIMIT_BYTES } from "./number-invoice.ts";
import type { IssueOutcome } from "./outcomes.ts";
import { directInvoice, invoiceOf, leftIn, type WorkingBooks } from "./working-books.ts";

/** One direct invoice over the working books: a known external_id outranks every refusal. */
export function issueInvoice(
  invoice: PreparedInvoice,
  requestId: string,
  working: WorkingBooks,
  deps: DecisionDeps,
): IssueOutcome {
  const { externalId } = invoice.request;
  const known = directInvoice(working, externalId);
  if (known) return knownOutcome(known.view, invoice, deps);
  const year = leftIn(working, externalId);
  if (year !== undefined) {
    const facts = { external_id: externalId, year: String(year) };
    return { outcome: "refused", refusal: { code: "invoice_erased", facts } };
  }
  const decision = decideIssue(invoice, {
    settings: working.settings,
    find: (cited) => directInvoice(working, cited)?.rectifiable,
    findById: (invoiceId) => invoiceOf(working, invoiceId)?.rectifiable,
    leftIn: (cited) => leftIn(working, cited),
    holderOf: (number) => holderOf(working, number),
    today: working.today,
  });
  if (!decision.ok) return { outcome: "refused", refusal: decision.error };
  const { installation } = working.settings;
  if (!installation) return { outcome: "refused", refusal: { code: "invoicing_not_enabled", facts: {} } };
  const document = storable(decision.value.document);
  if (!document.ok) return { outcome: "refused", refusal: document.error };
  const stem = directStem({
    connectionOrdinal: working.settings.connectionOrdinal,
    installationOrdinal: installation.ordinal,
  });
  const origin = directOrigin(externalId);
  const toNumber = { draft: decision.value, document: document.value, origin, stem, requestId };
  return { outcome: "issued", invoice: numberInvoice(toNumber, { working, installation, deps }) };
}

/** The value as it would be kept, unless no row of the database could hold it. */
export function storable(value: object): Result<string, Refusal<"document_too_large">> {
  const text = JSON.stringify(value);
  const sizeBytes = new TextEncoder().encode(text).length;
  if (sizeBytes <= ROW_LIMIT_BYTES) return ok(text);
  const size = { phrase: "bytes", count: { amount: String(sizeBytes) } } as const;
  return refuse("document_too_large", { size });
}

/** The stored request is normalised by today's code before it counts as another one. */
function knownOutcome(view: InvoiceView, invoice: PreparedInvoice, deps: DecisionDeps): IssueOutcome {
  const { fingerprint, request } = view.document;
  const same = fingerprint === invoice.fingerprint || fingerprintOf(request) === invoice.fingerprint;
  if (!same) return { outcome: "conflict", fullNumber: view.fullNumber };
  const outcome = deps.made.has(view.invoiceId) ? "issued" : "replayed";
  return { outcome, invoice: view };
}
