import type { CivilDate } from "../shared/civil-date.ts";
import {
  absolute,
  add,
  compare,
  type Decimal,
  decimal,
  isNegative,
  isPositive,
  negate,
  percentOf,
  sum,
  toFixed,
} from "../shared/decimal.ts";
import { invariant, ok, type Result } from "../shared/result.ts";
import type { TaxIdentifier } from "../shared/tax-identifier.ts";
import { LIMITS } from "../verifactu/aeat-lists.ts";
import type { CitedInvoice, InvoiceDocument, TaxGroup, Warning } from "./document.ts";
import { type Documentary, documentaryOf, recipientOf } from "./documentary.ts";
import { checkExchange } from "./exchange.ts";
import { checkLines } from "./line-rules.ts";
import { checkOperationDate } from "./operation-date.ts";
import { type PreparedInvoice, scaleOf } from "./prepare.ts";
import { checkRecipientType } from "./recipient-rules.ts";
import { type Link, type Rectification, rectify } from "./rectify.ts";
import { type FindInvoice, operationDateOf, type References, resolveReferences } from "./references.ts";
import { type IssueRefusal, refuse } from "./refusal.ts";
import { type InvoiceRequest, isRectifying } from "./request.ts";
import { type IssuingSettings, TAX_OF_TERRITORY } from "./settings.ts";
import { checkSimplified } from "./simplified.ts";
import {
  formGroups,
  grossOf,
  type ResolvedLine,
  recordableEur,
  resolveLine,
  sumAmounts,
  totalsOf,
} from "./tax-groups.ts";

/** An invoice that may be numbered: nothing after this may refuse it. */
export interface IssueDraft {
  readonly document: InvoiceDocument;
  readonly documentary: Documentary;
  readonly identifier?: TaxIdentifier;
  readonly links: readonly Link[];
  readonly rectifiedAmounts?: Rectification["rectifiedAmounts"];
  /** NumRegistroAcuerdoFacturacion of the authorisation that the invoice needs. */
  readonly agreementNumber?: string;
}

export interface IssueContext {
  readonly settings: IssuingSettings;
  readonly find: FindInvoice;
  /** Issue date, should the invoice be issued. */
  readonly today: CivilDate;
}

/** The whole decision on a direct invoice: the checks run in the order of ISSUE_REFUSALS. */
export function decideIssue(
  prepared: PreparedInvoice,
  context: IssueContext,
): Result<IssueDraft, IssueRefusal> {
  const { request } = prepared;
  const { settings, today } = context;
  const gate = checkGates(settings);
  if (!gate.ok) return gate;
  const documentary = documentaryOf(request);
  if (!documentary.ok) return documentary;
  const withholding = checkWithholding(request);
  if (!withholding.ok) return withholding;
  const identifier = recipientOf(request, documentary.value);
  if (!identifier.ok) return identifier;
  const exchange = checkExchange(request, today);
  if (!exchange.ok) return exchange;
  const references = resolveReferences(request, context.find);
  if (!references.ok) return references;
  return decideAmounts(prepared, context, {
    documentary: documentary.value,
    references: references.value,
    ...(identifier.value ? { identifier: identifier.value } : {}),
  });
}

interface Parties {
  readonly documentary: Documentary;
  readonly identifier?: TaxIdentifier;
  readonly references: References;
}

function decideAmounts(
  prepared: PreparedInvoice,
  { settings, today }: IssueContext,
  parties: Parties,
): Result<IssueDraft, IssueRefusal> {
  const { request } = prepared;
  const { documentary, references, identifier } = parties;
  const operationDate = operationDateOf(request, references, today);
  const defaults = { tax: TAX_OF_TERRITORY[settings.territory], regime: settings.defaultRegime };
  const lines = request.lines.map((line, index) =>
    resolveLine(line, index, amountAt(prepared.lineAmounts, index), defaults),
  );
  const dated = checkOperationDate(operationDate, today, lines);
  if (!dated.ok) return dated;
  const lawful = checkLines(lines, { request, documentary, operationDate, today });
  if (!lawful.ok) return lawful;
  const addressed = checkRecipientType(identifier, lines, operationDate);
  if (!addressed.ok) return addressed;
  const formed = formGroups(request, lines);
  if (formed.length > LIMITS.breakdownLines)
    return refuse("too_many_tax_groups", { count: String(formed.length) });
  const rectification = rectify(request, references, formed);
  if (!rectification.ok) return rectification;
  const { groups, links, rectifiedAmounts } = rectification.value;
  const totals = checkTotals(request, groups);
  if (!totals.ok) return totals;
  const { authorisation } = settings;
  const totalEur = totals.value;
  const limits = checkSimplified({
    request,
    documentary,
    lines,
    totalEur,
    ...(authorisation ? { authorisation } : {}),
  });
  if (!limits.ok) return limits;
  const agreementNumber = agreementOf(request, settings);
  const document = documentOf(prepared, {
    settings,
    today,
    defaults,
    operationDate,
    groups,
    lines,
    references,
  });
  return ok({
    document,
    documentary,
    links,
    ...(identifier ? { identifier } : {}),
    ...(rectifiedAmounts ? { rectifiedAmounts } : {}),
    ...(agreementNumber === undefined ? {} : { agreementNumber }),
  });
}

function checkGates(settings: IssuingSettings): Result<void, IssueRefusal> {
  if (settings.connectionKind !== "api") {
    return refuse("direct_invoicing_not_supported_by_connection", { kind: settings.connectionKind });
  }
  return settings.consented ? ok(undefined) : refuse("invoicing_not_enabled");
}

/** IRPF is withheld by those who receive a full invoice; it is printed, never in the record. */
function checkWithholding(request: InvoiceRequest): Result<void, IssueRefusal> {
  if (request.withholdingRate === undefined) return ok(undefined);
  if (request.invoiceType === "F1" || (isRectifying(request.invoiceType) && request.invoiceType !== "R5")) {
    return ok(undefined);
  }
  return refuse("withholding_not_allowed", { invoice_type: request.invoiceType }, "withholding");
}

const INTEGER_DIGITS_LIMIT = decimal("1000000000000");

/** Twelve integer digits (AEAT), and no refund in the clothes of an invoice. Returns the total in EUR. */
function checkTotals(request: InvoiceRequest, groups: readonly TaxGroup[]): Result<Decimal, IssueRefusal> {
  const gross = groups.map((group) => grossOf(group.amounts));
  const total = sum(gross);
  const totalEur = sum(groups.map((group) => grossOf(group.eur)));
  const amounts = [total, totalEur, ...gross, ...groups.map((group) => grossOf(group.eur))];
  const tooLarge = amounts.find((amount) => compare(absolute(amount), INTEGER_DIGITS_LIMIT) >= 0);
  if (tooLarge !== undefined) return refuse("total_out_of_range", { total: tooLarge });
  const negative = sum(gross.filter(isNegative));
  const positive = sum(gross.filter(isPositive));
  const byDifference = request.rectificationMethod === "difference";
  if (!byDifference && compare(negate(negative), positive) > 0) {
    const amount = `${toFixed(total, scaleOf(request.currency))} ${request.currency}`;
    return refuse("negative_total_needs_rectification", { amount });
  }
  return ok(totalEur);
}

function agreementOf(request: InvoiceRequest, settings: IssuingSettings): string | undefined {
  const isUnderAuthorisation = request.attestation?.legalBasis === "tax_authority_authorisation";
  return isUnderAuthorisation && request.invoiceType === "F2"
    ? settings.authorisation?.agreementNumber
    : undefined;
}

interface Decided {
  readonly settings: IssuingSettings;
  readonly today: CivilDate;
  readonly defaults: InvoiceDocument["defaults"];
  readonly operationDate: CivilDate;
  readonly groups: readonly TaxGroup[];
  readonly lines: readonly ResolvedLine[];
  readonly references: References;
}

function documentOf(prepared: PreparedInvoice, decided: Decided): InvoiceDocument {
  const { request, lineAmounts, fingerprint } = prepared;
  const { settings, today, defaults, operationDate, groups } = decided;
  const totals = totalsOf(sumAmounts(groups.map((group) => group.amounts)));
  const withholding = request.withholdingRate;
  return {
    v: 1,
    request,
    fingerprint,
    issuer: settings.issuer,
    defaults,
    lineAmounts,
    groups,
    totals,
    totalsEur: totalsOf(sumAmounts(groups.map((group) => group.eur))),
    ...(withholding === undefined
      ? {}
      : { withholding: percentOf(totals.base, withholding, scaleOf(request.currency)) }),
    ...(operationDate === today ? {} : { operationDate }),
    cited: citedIn(request, decided.references),
    warnings: warningsOf(request, decided.lines),
  };
}

function citedIn(request: InvoiceRequest, references: References): CitedInvoice[] {
  const own = new Map(references.own.map((invoice) => [invoice.externalId, invoice]));
  return request.rectifies.map((reference) => {
    if ("number" in reference) {
      const { number, issueDate, invoiceType } = reference;
      return { number, issueDate, invoiceType };
    }
    const invoice = own.get(reference.externalId);
    invariant(invoice, "every reference was resolved");
    const { externalId, invoiceId, number, issueDate, invoiceType } = invoice;
    return { externalId, invoiceId, number, issueDate, invoiceType };
  });
}

/** Article 6.1.d.3: sales located in the issuer's territory normally name the recipient. */
function warningsOf(request: InvoiceRequest, lines: readonly ResolvedLine[]): Warning[] {
  const isUnnamed = request.invoiceType === "F2" && request.regime === "art6_full";
  const isLocatedHere = lines.some(
    (line) => line.qualification === "S1" || line.qualification.startsWith("E"),
  );
  return isUnnamed && isLocatedHere ? [{ code: "recipient_identification_expected" }] : [];
}

function amountAt(amounts: readonly Decimal[], index: number): Decimal {
  const amount = amounts[index];
  invariant(amount !== undefined, "one amount per line");
  return amount;
}

/** Total of the record: exempt and not subject bases included, foreign tax of one-stop-shop sales not. */
export function recordTotals(document: InvoiceDocument): { readonly tax: Decimal; readonly total: Decimal } {
  const amounts = sumAmounts(document.groups.map(recordableEur));
  return { tax: add(amounts.tax, amounts.surcharge), total: grossOf(amounts) };
}
