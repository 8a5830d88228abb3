import type { StoredInvoice } from "../../db/ledger-state.ts";
import { directStem } from "../../domain/billing/series.ts";
import { decideIssue } from "../../domain/invoice/decide-issue.ts";
import type { InvoiceView } from "../../domain/invoice/invoice-view.ts";
import { directOrigin } from "../../domain/invoice/origin.ts";
import { fingerprintOf, type PreparedInvoice } from "../../domain/invoice/prepare.ts";
import type { NumberHolder } from "../../domain/invoice/reference-rules.ts";
import { type IssueRefusal, type Refusal, refuse } from "../../domain/invoice/refusal.ts";
import type { Installation } from "../../domain/invoice/settings.ts";
import { orderIdOf } from "../../domain/order/order-origin.ts";
import { ok, type Result } from "../../domain/shared/result.ts";
import { directInvoice, invoiceOf, type LedgerDraft, retiredYearOf } from "../core/ledger-draft.ts";
import { ROW_LIMIT_BYTES, type ToNumber } from "./draft-records.ts";

/** A direct invoice that may be issued, without its number. */
interface Issuable extends Omit<ToNumber, "requestId"> {
  readonly installation: Installation;
}

export type Judgement =
  | { readonly judged: "issuable"; readonly issuable: Issuable }
  | { readonly judged: "known"; readonly invoice: InvoiceView }
  | { readonly judged: "conflict"; readonly fullNumber: string }
  | { readonly judged: "refused"; readonly refusal: IssueRefusal };

/** The judgement of a request, without any effect: a known external_id outranks every refusal. */
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
    connectionKind: working.settings.connectionKind,
    connectionOrdinal: working.settings.connectionOrdinal,
    installationOrdinal: installation.ordinal,
    trial: installation.trial,
  });
  const origin = directOrigin(externalId);
  const issuable = { draft: decision.value, document: document.value, origin, stem, installation };
  return { judged: "issuable", issuable };
}

/** The value as it would be kept, unless it is too large for a row. */
export function storable(value: object): Result<string, Refusal<"document_too_large">> {
  const text = JSON.stringify(value);
  const sizeBytes = new TextEncoder().encode(text).length;
  if (sizeBytes <= ROW_LIMIT_BYTES) return ok(text);
  const size = { phrase: "bytes", count: { amount: String(sizeBytes) } } as const;
  return refuse("document_too_large", { size });
}

/** Normalise the stored request with today's code before it counts as different. */
function judgeKnown(view: InvoiceView, invoice: PreparedInvoice): Judgement {
  const { fingerprint, request } = view.document;
  const same = fingerprint === invoice.fingerprint || fingerprintOf(request) === invoice.fingerprint;
  if (!same) return { judged: "conflict", fullNumber: view.fullNumber };
  return { judged: "known", invoice: view };
}

/** The holder of a cited number in the account. Invoices of this group count like those that were read. */
function holderOf(working: LedgerDraft, number: string): NumberHolder | undefined {
  const own = [...working.invoices.values()].find(({ view }) => view.fullNumber === number);
  if (own) return heldHere(own);
  const held = working.numbered.get(number);
  if (!held) return undefined;
  const order = held.isOfConnection ? orderIdOf(held.origin) : undefined;
  return order === undefined
    ? { kind: "connection", connection: held.connectionName }
    : { kind: "order", order };
}

function heldHere({ view, rectifiable }: StoredInvoice): NumberHolder {
  if (view.externalId !== "") return { kind: "direct", invoice: rectifiable };
  return { kind: "order", order: orderIdOf(view.origin) ?? "" };
}
