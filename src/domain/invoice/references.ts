import { type CivilDate, laterOf } from "../shared/civil-date.ts";
import { ZERO } from "../shared/decimal.ts";
import type { Facts } from "../shared/fact.ts";
import { ok, type Result } from "../shared/result.ts";
import { type ExternalReference, faultOf, type NumberContext } from "./cited-number.ts";
import type { Amounts } from "./document.ts";
import { AS_SENT, type DateSource } from "./operation-date.ts";
import type { PreparedInvoice } from "./prepare.ts";
import { checkSameRecipient } from "./recipient-agreement.ts";
import type { RectifiableInvoice } from "./rectifiable.ts";
import { checkPeriod } from "./rectified-period.ts";
import { checkComplete, checkExternalType, OWN_RULES } from "./reference-rules.ts";
import { type IssueRefusal, refuse } from "./refusal.ts";
import type { InvoiceRequest, RectifiedReference } from "./request.ts";
import { type FindById, undoneIn } from "./undoing.ts";

/** The invoices that a request cites, found and fit to be acted on. */
export interface References {
  readonly own: readonly RectifiableInvoice[];
  readonly external: readonly ExternalReference[];
  /** The F3 of its cited invoices that it undoes. */
  readonly undone: readonly RectifiableInvoice[];
}

/** Invoices of this connection by external_id, as the ledger has them at this moment. */
export type FindInvoice = (externalId: string) => RectifiableInvoice | undefined;

export interface CitationContext extends NumberContext {
  readonly find: FindInvoice;
  readonly findById: FindById;
  /** The retired year of an invoice of this connection, by external_id. */
  readonly retiredYearOf?: (externalId: string) => number | undefined;
}

/** A citation with its path in the request. */
interface Cited<Citation> {
  readonly cited: Citation;
  readonly path: string;
}

/** Each rule checks all citations before the next rule: refusals are ordered by rule. */
export function resolveReferences(
  prepared: PreparedInvoice,
  context: CitationContext,
): Result<References, IssueRefusal> {
  const { request } = prepared;
  const numbers = checkNumbers(request, context);
  if (!numbers.ok) return numbers;
  const period = checkPeriod(request, context.today);
  if (!period.ok) return period;
  const found = findOwn(request, context);
  if (!found.ok) return found;
  const own = found.value.map(({ cited }) => cited);
  const external = pathed(request).flatMap(({ cited, path }) =>
    isElsewhere(cited, context) ? [{ cited, path }] : [],
  );
  const references = {
    own,
    external: external.map(({ cited }) => cited),
    undone: undoneIn(prepared, own, context.findById),
  };
  const fit = checkFit(request, { own: found.value, external, references });
  if (!fit.ok) return fit;
  const addressed = checkSameRecipient(request, references, context.findById);
  if (!addressed.ok) return addressed;
  const complete = checkComplete(request, references, context.findById);
  return complete.ok ? ok(references) : complete;
}

/** A correction has the date of its operation: the latest of several, unless the caller states one. */
export function operationDateOf(
  request: InvoiceRequest,
  references: References,
  today: CivilDate,
): CivilDate {
  const stated = request.operationDate ?? request.rectifiedPeriod?.to;
  if (stated !== undefined) return stated;
  const dates = [...ownDates(references), ...references.external.map((reference) => reference.issueDate)];
  return dates.length > 0 ? dates.reduce(laterOf) : today;
}

/** The member to name in a refusal of that date: for an external invoice the caller states the date. */
export function sourceOfDate(
  request: InvoiceRequest,
  references: References,
  operationDate: CivilDate,
): DateSource {
  if (request.operationDate !== undefined) return AS_SENT;
  if (request.rectifiedPeriod) return { path: "rectified_period.to", fix: { phrase: "correct_period" } };
  const blamed = pathed(request).find(
    ({ cited }) =>
      "number" in cited && cited.issueDate === operationDate && references.external.includes(cited),
  );
  if (!blamed || ownDates(references).includes(operationDate)) {
    return { path: "operation_date", fix: { phrase: "send_operation_date" } };
  }
  return { path: blamed.path, fix: { phrase: "correct_cited_date" } };
}

function ownDates(references: References): CivilDate[] {
  return references.own.map((invoice) => invoice.operationDate ?? invoice.issueDate);
}

/** An invoice issued elsewhere has the amounts that the caller states, in the currency of the request. */
export function externalAmounts(reference: ExternalReference): Amounts {
  return { base: reference.base, tax: reference.tax, surcharge: reference.surcharge ?? ZERO };
}

function pathed({ rectifies }: InvoiceRequest): readonly Cited<RectifiedReference>[] {
  return rectifies.map((cited, index) => ({ cited, path: `rectifies.${index}` }));
}

function isElsewhere(cited: RectifiedReference, { holderOf }: CitationContext): cited is ExternalReference {
  return "number" in cited && holderOf(cited.number) === undefined;
}

function checkNumbers(request: InvoiceRequest, context: CitationContext): Result<void, IssueRefusal> {
  const seen = new Set<string>();
  for (const { cited, path } of pathed(request)) {
    const id = ownCited(cited, context)?.invoiceId;
    const fault =
      ("number" in cited ? faultOf(cited, request.currency, context) : undefined) ??
      (id !== undefined && seen.has(id) ? CITED_TWICE : undefined);
    if (fault) return refuse("rectified_reference_invalid", { reference: namedIn(cited), ...fault }, path);
    if (id !== undefined) seen.add(id);
  }
  return ok(undefined);
}

/** Cited by external_id and by number: its amounts would count twice. */
const CITED_TWICE: Facts = { detail: { phrase: "cited_twice" }, fix: { phrase: "cite_once" } };

function namedIn(cited: RectifiedReference): string {
  return "number" in cited ? cited.number : cited.externalId;
}

/** LIVA, article 89.One: no corrections after four years, and retired invoices are older. */
function findOwn(
  request: InvoiceRequest,
  context: CitationContext,
): Result<readonly Cited<RectifiableInvoice>[], IssueRefusal> {
  const found: Cited<RectifiableInvoice>[] = [];
  const here = pathed(request).filter(({ cited }) => !isElsewhere(cited, context));
  for (const { cited, path } of here) {
    const hasLeft = "externalId" in cited && context.retiredYearOf?.(cited.externalId) !== undefined;
    if (hasLeft || ownCited(cited, context)?.isBereft) {
      return refuse("rectified_invoice_erased", { reference: namedIn(cited) }, path);
    }
  }
  for (const { cited, path } of here) {
    const invoice = ownCited(cited, context);
    if (!invoice) return refuse("rectified_invoice_unknown", { reference: namedIn(cited) }, path);
    found.push({ cited: invoice, path });
  }
  return ok(found);
}

/** A number and an external_id may cite the same invoice. */
function ownCited(
  cited: RectifiedReference,
  { find, holderOf }: CitationContext,
): RectifiableInvoice | undefined {
  if ("externalId" in cited) return find(cited.externalId);
  const holder = holderOf(cited.number);
  return holder?.kind === "direct" ? holder.invoice : undefined;
}

interface Fitting {
  readonly own: readonly Cited<RectifiableInvoice>[];
  readonly external: readonly Cited<ExternalReference>[];
  readonly references: References;
}

function checkFit(
  request: InvoiceRequest,
  { own, external, references }: Fitting,
): Result<void, IssueRefusal> {
  for (const { cited, path } of external) {
    const fit = checkExternalType(request, cited, path);
    if (!fit.ok) return fit;
  }
  for (const rule of OWN_RULES) {
    for (const { cited: invoice, path } of own) {
      const fit = rule(request, invoice, path, references);
      if (!fit.ok) return fit;
    }
  }
  return ok(undefined);
}
