import { directStem, isNumberOf } from "../billing/series.ts";
import { type CivilDate, laterOf } from "../shared/civil-date.ts";
import { ZERO } from "../shared/decimal.ts";
import type { Facts } from "../shared/fact.ts";
import { ok, type Result } from "../shared/result.ts";
import type { Amounts } from "./document.ts";
import { AS_SENT, type DateSource } from "./operation-date.ts";
import type { PreparedInvoice } from "./prepare.ts";
import type { RectifiableInvoice } from "./rectifiable.ts";
import { checkComplete, checkExternalType, OWN_RULES } from "./reference-rules.ts";
import { type IssueRefusal, refuse } from "./refusal.ts";
import type { InvoiceRequest, RectifiedReference } from "./request.ts";
import type { IssuingSettings } from "./settings.ts";
import { type FindById, undoneIn } from "./undoing.ts";

export type ExternalReference = Extract<RectifiedReference, { readonly number: string }>;

/** The invoices that a request cites, found and fit to be acted on. */
export interface References {
  readonly own: readonly RectifiableInvoice[];
  readonly external: readonly ExternalReference[];
  /** F3 of what it cites, that it undoes. */
  readonly undone: readonly RectifiableInvoice[];
}

/** Invoices of this connection by external_id, as the ledger has them at this moment. */
export type FindInvoice = (externalId: string) => RectifiableInvoice | undefined;

export interface CitationContext {
  readonly find: FindInvoice;
  readonly findById: FindById;
  /** The year of an invoice of this connection that has left, by its external_id. */
  readonly leftIn?: (externalId: string) => number | undefined;
  readonly today: CivilDate;
  readonly settings: Pick<IssuingSettings, "connectionOrdinal" | "installation">;
}

/** One check over all citations before the next check: the refusal ladder runs by rule. */
export function resolveReferences(
  prepared: PreparedInvoice,
  context: CitationContext,
): Result<References, IssueRefusal> {
  const { request } = prepared;
  const external = checkExternal(request, context);
  if (!external.ok) return external;
  const found = findOwn(request, context);
  if (!found.ok) return found;
  const own = found.value.map(({ invoice }) => invoice);
  const cited = {
    own,
    external: externalIn(request).map(([, reference]) => reference),
    undone: undoneIn(prepared, own, context.findById),
  };
  const fit = checkFit(request, found.value, cited);
  if (!fit.ok) return fit;
  const complete = checkComplete(request, cited, context.findById);
  return complete.ok ? ok(cited) : complete;
}

/**
 * A correction dates from the operation that it corrects: the latest of several, unless the caller says when.
 */
export function operationDateOf(
  request: InvoiceRequest,
  references: References,
  today: CivilDate,
): CivilDate {
  if (request.operationDate !== undefined) return request.operationDate;
  const dates = [...ownDates(references), ...references.external.map((reference) => reference.issueDate)];
  return dates.length > 0 ? dates.reduce(laterOf) : today;
}

/** Whom a refusal of that date blames: the caller states that of an invoice issued elsewhere. */
export function sourceOfDate(
  request: InvoiceRequest,
  references: References,
  operationDate: CivilDate,
): DateSource {
  if (request.operationDate !== undefined) return AS_SENT;
  const cited = externalIn(request).find(([, reference]) => reference.issueDate === operationDate);
  if (!cited || ownDates(references).includes(operationDate)) {
    return { path: "operation_date", fix: { phrase: "send_operation_date" } };
  }
  return { path: `rectifies.${cited[0]}`, fix: { phrase: "correct_cited_date" } };
}

function ownDates(references: References): CivilDate[] {
  return references.own.map((invoice) => invoice.operationDate ?? invoice.issueDate);
}

/** An invoice issued elsewhere has the amounts that the caller states, in the currency of the request. */
export function externalAmounts(reference: ExternalReference): Amounts {
  return { base: reference.base, tax: reference.tax, surcharge: reference.surcharge ?? ZERO };
}

/** Cited by number, an invoice of ours would escape what is known of it. */
function checkExternal(request: InvoiceRequest, context: CitationContext): Result<void, IssueRefusal> {
  for (const [index, reference] of externalIn(request)) {
    const fault = faultOf(reference, context);
    if (!fault) continue;
    const facts = { reference: reference.number, ...fault };
    return refuse("rectified_reference_invalid", facts, `rectifies.${index}`);
  }
  return ok(undefined);
}

function faultOf(reference: ExternalReference, { settings, today }: CitationContext): Facts | undefined {
  const { connectionOrdinal, installation } = settings;
  const stem = installation && directStem({ connectionOrdinal, installationOrdinal: installation.ordinal });
  if (stem !== undefined && isNumberOf(stem, reference.number)) {
    return { detail: { phrase: "issued_here" }, fix: { phrase: "cite_by_external_id" } };
  }
  if (reference.issueDate <= today) return undefined;
  return { detail: { phrase: "issued_in_future" }, fix: { phrase: "correct_issue_date" } };
}

interface Found {
  readonly invoice: RectifiableInvoice;
  readonly path: string;
}

/** LIVA, article 89.One: four years after the sale nothing can be corrected, and what has left is older. */
function findOwn(
  request: InvoiceRequest,
  { find, leftIn }: CitationContext,
): Result<readonly Found[], IssueRefusal> {
  const found: Found[] = [];
  const cited = request.rectifies.flatMap((reference, index) =>
    "number" in reference ? [] : [{ reference: reference.externalId, path: `rectifies.${index}` }],
  );
  for (const { reference, path } of cited) {
    const hasLeft = find(reference)?.isBereft || leftIn?.(reference) !== undefined;
    if (hasLeft) return refuse("rectified_invoice_erased", { reference }, path);
  }
  for (const { reference, path } of cited) {
    const invoice = find(reference);
    if (!invoice) return refuse("rectified_invoice_unknown", { reference }, path);
    found.push({ invoice, path });
  }
  return ok(found);
}

function checkFit(
  request: InvoiceRequest,
  found: readonly Found[],
  cited: References,
): Result<void, IssueRefusal> {
  for (const [index, reference] of externalIn(request)) {
    const fit = checkExternalType(request, reference, `rectifies.${index}`);
    if (!fit.ok) return fit;
  }
  for (const rule of OWN_RULES) {
    for (const { invoice, path } of found) {
      const fit = rule(request, invoice, path, cited);
      if (!fit.ok) return fit;
    }
  }
  return ok(undefined);
}

function externalIn(request: InvoiceRequest): [number, ExternalReference][] {
  return request.rectifies.flatMap((reference, index): [number, ExternalReference][] =>
    "number" in reference ? [[index, reference]] : [],
  );
}
