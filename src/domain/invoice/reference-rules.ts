import type { Fact, Facts, PhraseCode } from "../shared/fact.ts";
import { ok, type Result } from "../shared/result.ts";
import type { ExternalReference } from "./cited-number.ts";
import {
  type ActingInvoice,
  type DocumentFamily,
  differencesOf,
  familyOf,
  isPart,
  type RectifiableInvoice,
  successorOf,
  type TargetInvoice,
} from "./rectifiable.ts";
import type { References } from "./references.ts";
import { type IssueRefusal, refuse } from "./refusal.ts";
import { isFollowedByR5, replacementOf } from "./replaced-ticket.ts";
import { type InvoiceRequest, type InvoiceType, isRectifying } from "./request.ts";
import { type FindById, missingToUndo } from "./undoing.ts";

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
export function checkComplete(
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
