import { directStem } from "../../domain/billing/series.ts";
import { decideIssue } from "../../domain/invoice/decide-issue.ts";
import type { InvoiceView } from "../../domain/invoice/invoice-view.ts";
import { directOrigin } from "../../domain/invoice/origin.ts";
import { fingerprintOf, type PreparedInvoice } from "../../domain/invoice/prepare.ts";
import { type IssueRefusal, type Refusal, refuse } from "../../domain/invoice/refusal.ts";
import type { Installation } from "../../domain/invoice/settings.ts";
import { assertNever, ok, type Result } from "../../domain/shared/result.ts";
import { directInvoice, invoiceOf, type LedgerDraft, retiredYearOf } from "../core/ledger-draft.ts";
import type { IssueOutcome } from "../core/outcomes.ts";
import { holderOf } from "./number-holder.ts";
import { type DecisionDeps, numberInvoice, ROW_LIMIT_BYTES, type ToNumber } from "./number-invoice.ts";

/** A direct invoice that may be issued: all of it but its number. */
export interface Issuable extends Omit<ToNumber, "requestId"> {
  readonly installation: Installation;
}

type Judgement =
  | { readonly judged: "issuable"; readonly issuable: Issuable }
  | { readonly judged: "known"; readonly invoice: InvoiceView }
  | { readonly judged: "conflict"; readonly fullNumber: string }
  | { readonly judged: "refused"; readonly refusal: IssueRefusal };

/** One direct invoice over the working books. */
export function issueInvoice(
  invoice: PreparedInvoice,
  requestId: string,
  working: LedgerDraft,
  deps: DecisionDeps,
): IssueOutcome {
  const judgement = judgeInvoice(invoice, working);
  switch (judgement.judged) {
    case "issuable": {
      const { installation, ...toNumber } = judgement.issuable;
      const numbering = { working, installation, deps };
      return { outcome: "issued", invoice: numberInvoice({ ...toNumber, requestId }, numbering) };
    }
    case "known": {
      const outcome = deps.createdInGroup.has(judgement.invoice.invoiceId) ? "issued" : "replayed";
      return { outcome, invoice: judgement.invoice };
    }
    case "conflict":
      return { outcome: "conflict", fullNumber: judgement.fullNumber };
    case "refused":
      return { outcome: "refused", refusal: judgement.refusal };
    default:
      return assertNever(judgement);
  }
}

/** What becomes of a request, and nothing is done: a known external_id outranks every refusal. */
export function judgeInvoice(invoice: PreparedInvoice, working: LedgerDraft): Judgement {
  const { externalId } = invoice.request;
  const known = directInvoice(working, externalId);
  if (known) return judgeKnown(known.view, invoice);
  const year = retiredYearOf(working, externalId);
  if (year !== undefined) {
    const facts = { external_id: externalId, year: String(year) };
    return { judged: "refused", refusal: { code: "invoice_erased", facts } };
  }
  const decision = decideIssue(invoice, {
    settings: working.settings,
    find: (cited) => directInvoice(working, cited)?.rectifiable,
    findById: (invoiceId) => invoiceOf(working, invoiceId)?.rectifiable,
    retiredYearOf: (cited) => retiredYearOf(working, cited),
    holderOf: (number) => holderOf(working, number),
    today: working.today,
  });
  if (!decision.ok) return { judged: "refused", refusal: decision.error };
  const { installation } = working.settings;
  if (!installation) return { judged: "refused", refusal: { code: "invoicing_not_enabled", facts: {} } };
  const document = storable(decision.value.document);
  if (!document.ok) return { judged: "refused", refusal: document.error };
  const stem = directStem({
    connectionOrdinal: working.settings.connectionOrdinal,
    installationOrdinal: installation.ordinal,
    trial: installation.trial,
  });
  const origin = directOrigin(externalId);
  const issuable = { draft: decision.value, document: document.value, origin, stem, installation };
  return { judged: "issuable", issuable };
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
function judgeKnown(view: InvoiceView, invoice: PreparedInvoice): Judgement {
  const { fingerprint, request } = view.document;
  const same = fingerprint === invoice.fingerprint || fingerprintOf(request) === invoice.fingerprint;
  if (!same) return { judged: "conflict", fullNumber: view.fullNumber };
  return { judged: "known", invoice: view };
}
