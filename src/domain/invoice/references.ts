import { type CivilDate, laterOf } from "../shared/civil-date.ts";
import { ZERO } from "../shared/decimal.ts";
import type { Fact, Facts, PhraseCode } from "../shared/fact.ts";
import { invariant, ok, type Result } from "../shared/result.ts";
import type { Amounts } from "./document.ts";
import { AS_SENT, type DateSource } from "./document-rules.ts";
import { identifierOf, type PreparedInvoice } from "./prepare.ts";
import {
  type ActingInvoice,
  type DocumentFamily,
  differencesOf,
  familyOf,
  isFollowedByR5,
  isPart,
  type RectifiableInvoice,
  replacementOf,
  successorOf,
  type TargetInvoice,
} from "./rectifiable.ts";
import {
  checkPeriod,
  type ExternalReference,
  type FindById,
  faultOf,
  isSamePerson,
  missingToUndo,
  type NumberContext,
  undoneIn,
} from "./reference-rules.ts";
import { type IssueRefusal, refuse } from "./refusal.ts";
import { type InvoiceRequest, type InvoiceType, isRectifying, type RectifiedReference } from "./request.ts";

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

/** Facts of a refusal: the cited invoice, the type to send instead, and the types that may be cited. */
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
  cited: References,
) => Result<void, IssueRefusal>;

/**
 * A rectification stays in the family of its invoice; a part is corrected at the invoice that it is a part
 * of.
 */
const checkOwnType: OwnRule = (request, invoice, path) => {
  const family = request.invoiceType === "F3" ? "simplified" : familyOf(request);
  const { number: reference } = invoice;
  if (familyOf(invoice) !== family) {
    return refuseType(path, {
      invoice_type: request.invoiceType,
      reference,
      reference_type: describe(invoice),
      fix: { phrase: SENDS[familyOf(invoice)] },
      allowed: { phrase: request.invoiceType === "F3" ? "cites_replaceable" : CITES[family] },
    });
  }
  if (
    isRectifying(request.invoiceType) &&
    invoice.invoiceType === "F3" &&
    !isRectifiedItself(request, invoice)
  ) {
    return refuseF3(request, reference, path);
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

/**
 * An F3 is corrected through its tickets, or undone. An F3 with external tickets is substituted, because they
 * are unknown here. An F3 that was rectified before is rectified again.
 */
function isRectifiedItself(request: InvoiceRequest, f3: RectifiableInvoice): boolean {
  if (differencesOf(f3).length > 0) return true;
  return f3.citesElsewhere === true && request.rectificationMethod === "substitution";
}

function refuseF3(request: InvoiceRequest, reference: string, path: string): Result<never, IssueRefusal> {
  const { invoiceType, rectificationMethod } = request;
  const isByDifference = rectificationMethod === "difference";
  return refuseType(path, {
    invoice_type: isByDifference ? { phrase: "by_difference", invoice_type: invoiceType } : invoiceType,
    reference,
    reference_type: "F3",
    fix: { phrase: "correct_its_tickets" },
    allowed: { phrase: "cites_no_f3" },
  });
}

/** For each family of invoices: the types that correct it. */
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

const checkNotSuperseded: OwnRule = (request, invoice, path, cited) => {
  const successor = successorOf(invoice);
  if (!successor || cited.undone.length > 0) return ok(undefined);
  const isReplaced = successor.kind === "replacement" && invoice.invoiceType !== "F3";
  if (isReplaced && isFollowedByR5(successor) && request.rectificationMethod === "difference") {
    return checkOneF3(successor, path, cited);
  }
  const state: Fact = { phrase: stateOf(invoice, successor) };
  const fix = fixFor(request, invoice, successor);
  return refuse("rectified_invoice_superseded", supersededFacts(invoice, successor, { state, fix }), path);
};

/** The F3 of an R5 has one recipient: that of the F3 of its tickets. */
function checkOneF3(successor: ActingInvoice, path: string, { own }: References): Result<void, IssueRefusal> {
  const other = own.find((invoice) => replacementOf(invoice)?.invoiceId !== successor.invoiceId);
  if (!other) return ok(undefined);
  const facts = { state: { phrase: "replaced" }, fix: { phrase: "rectify_apart" } } as const;
  const invoice = own.find((one) => replacementOf(one) === successor) ?? other;
  return refuse("rectified_invoice_superseded", supersededFacts(invoice, successor, facts), path);
}

function supersededFacts(
  { number: reference }: RectifiableInvoice,
  { number: successor }: ActingInvoice,
  facts: { readonly state: Fact; readonly fix: Fact },
): Facts {
  return { reference, successor, ...facts };
}

function stateOf({ invoiceType }: RectifiableInvoice, { kind }: ActingInvoice) {
  if (kind === "substitution") return "substituted" as const;
  return invoiceType === "F3" ? ("undone" as const) : ("replaced" as const);
}

function fixFor(
  request: InvoiceRequest,
  { invoiceType }: RectifiableInvoice,
  successor: ActingInvoice,
): Fact {
  if (invoiceType === "F3" && successor.kind === "replacement") return { phrase: "replace_again" };
  const isFollowed = isFollowedByR5(successor);
  if (isFollowed && request.invoiceType === "F3") return { phrase: "undo_f3", successor: successor.number };
  if (isFollowed) return { phrase: "send_by_difference" };
  return { phrase: "act_on", successor: successor.number };
}

const checkCurrency: OwnRule = (request, invoice) => {
  if (invoice.currency === request.currency) return ok(undefined);
  const facts = { reference: invoice.number, currency: invoice.currency };
  return refuse("rectified_currency_mismatch", facts, "currency");
};

/** The conditions of an invoice of this connection to be acted on, in the order of the refusals. */
const OWN_RULES: readonly OwnRule[] = [checkOwnType, checkNotCancelled, checkNotSuperseded, checkCurrency];

function checkExternalType(
  request: InvoiceRequest,
  reference: ExternalReference,
  path: string,
): Result<void, IssueRefusal> {
  const citesSimplified = request.invoiceType === "F3" || request.invoiceType === "R5";
  const allowed = citesSimplified ? SIMPLIFIED : FULL;
  const isF3ByDifference = reference.invoiceType === "F3" && request.rectificationMethod === "difference";
  if (isF3ByDifference && !citesSimplified) return refuseF3(request, reference.number, path);
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
 * A substitution or an F3 replaces an invoice with all its parts. It must cite the invoice and every
 * rectification in force, and no part without its invoice.
 */
function checkComplete(
  request: InvoiceRequest,
  { own, undone }: References,
  findById: FindById,
): Result<void, IssueRefusal> {
  if (request.rectificationMethod === "difference") return ok(undefined);
  if (undone.length > 0) return requireAll(missingToUndo(undone, own));
  const cited = new Set(own.map((invoice) => invoice.invoiceId));
  const missing = own
    .flatMap((invoice) => differencesOf(invoice))
    .filter((acting) => !cited.has(acting.invoiceId))
    .map((acting) => acting.externalId);
  const isPlaced = ({ invoiceId }: TargetInvoice) =>
    cited.has(invoiceId) || (request.invoiceType === "F3" && isReplacedTicket(findById(invoiceId)));
  const orphans = own.filter((invoice) => isPart(invoice) && !invoice.actsOn.every(isPlaced));
  const roots = orphans.map((part): Fact => ({ phrase: "invoice_corrected_by", number: part.number }));
  return requireAll([...missing, ...roots]);
}

/** An F3 of the R5 alone replaces that R5. */
function isReplacedTicket(ticket: RectifiableInvoice | undefined): boolean {
  return ticket !== undefined && replacementOf(ticket) !== undefined;
}

function requireAll(missing: readonly Fact[]): Result<void, IssueRefusal> {
  if (missing.length === 0) return ok(undefined);
  return refuse("rectification_incomplete", { missing: { all: missing } }, "rectifies");
}

function refuseType(path: string, facts: TypeFacts): Result<never, IssueRefusal> {
  return refuse("rectified_invoice_type_mismatch", { ...facts }, path);
}

function describe(invoice: RectifiableInvoice): string {
  return [invoice.invoiceType, invoice.regime, ...invoice.flags].join(" ");
}

/**
 * A difference goes to the original recipient. A wrong recipient is corrected by substitution, or by an F3
 * that undoes another.
 */
function checkSameRecipient(
  request: InvoiceRequest,
  references: References,
  findById: FindById,
): Result<void, IssueRefusal> {
  const identifier = identifierOf(request.recipient);
  if (!identifier) return ok(undefined);
  const other = issuedToOne(request, references, findById).find(
    ({ identifiers }) => identifiers.length > 0 && !identifiers.some((one) => isSamePerson(one, identifier)),
  );
  if (!other) return ok(undefined);
  const { vatNumber } = request.recipient ?? {};
  invariant(vatNumber !== undefined, "an identifier was stated");
  const fix = request.invoiceType === "F3" ? "send_its_recipient" : "send_its_recipient_or_substitute";
  const facts = { reference: other.number, identifier: vatNumber, fix: { phrase: fix } } as const;
  return refuse("recipient_differs", facts, "recipient.vat_number");
}

/** The invoices with which it must share the recipient: differences act on them, or an F3 follows them. */
function issuedToOne(
  { invoiceType, rectificationMethod }: InvoiceRequest,
  { own, undone }: References,
  findById: FindById,
): readonly RectifiableInvoice[] {
  if (rectificationMethod === "difference") return own;
  if (invoiceType !== "F3") return [];
  const tickets = own.flatMap(({ actsOn }) => actsOn.filter(({ kind }) => kind === "difference"));
  const followed = tickets.flatMap(({ invoiceId }) => {
    const ticket = findById(invoiceId);
    const f3 = ticket && replacementOf(ticket);
    return (f3 && findById(f3.invoiceId)) ?? [];
  });
  return undone.length > 0 ? undone : followed;
}
