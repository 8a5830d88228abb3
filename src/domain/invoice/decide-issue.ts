import { issuesDirectly } from "../connection/kind.ts";
import { isMemberState, type MemberState, placeOf } from "../place/place.ts";
import type { CivilDate } from "../shared/civil-date.ts";
import { invariant, ok, type Result } from "../shared/result.ts";
import type { TaxIdentifier } from "../shared/tax-identifier.ts";
import { hasInk, recordText } from "../shared/text.ts";
import { LIMITS } from "../verifactu/aeat-lists.ts";
import type { InvoiceDocument, TaxGroup } from "./document.ts";
import { checkLines, checkOperationDate, checkRecipientType } from "./document-rules.ts";
import { type Documentary, documentaryOf, recipientOf } from "./documentary.ts";
import { documentOf } from "./issued-document.ts";
import type { PreparedInvoice } from "./prepare.ts";
import type { Link, Rectification } from "./rectifiable.ts";
import { rectify } from "./rectify.ts";
import { checkPeriodTotal } from "./reference-rules.ts";
import {
  type CitationContext,
  operationDateOf,
  type References,
  resolveReferences,
  sourceOfDate,
} from "./references.ts";
import { type IssueRefusal, refuse } from "./refusal.ts";
import { type InvoiceRequest, isOfEarlierSale, isRectifying } from "./request.ts";
import { type IssuingSettings, TAX_OF_TERRITORY } from "./settings.ts";
import { agreementOf, checkSimplified } from "./simplified.ts";
import { checkLift, liftLimit } from "./simplified-lift.ts";
import {
  checkExchange,
  formGroups,
  isOss,
  type LineDefaults,
  type ResolvedLine,
  resolveLine,
} from "./tax-groups.ts";
import { checkTotals, totalInEur } from "./totals.ts";

/** An invoice that may be numbered: nothing after this may refuse it. */
export interface IssueDraft {
  readonly document: InvoiceDocument;
  readonly documentary: Documentary;
  readonly identifier?: TaxIdentifier;
  readonly links: readonly Link[];
  /** NumRegistroAcuerdoFacturacion of the authorisation that the invoice is issued under. */
  readonly agreementNumber?: string;
}

export interface IssueContext extends CitationContext {
  readonly settings: IssuingSettings;
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
  const disbursed = checkDisbursements(request);
  if (!disbursed.ok) return disbursed;
  const described = checkDescription(request);
  if (!described.ok) return described;
  const identifier = recipientOf(request, documentary.value);
  if (!identifier.ok) return identifier;
  const centres = checkCentres(request, identifier.value);
  if (!centres.ok) return centres;
  const exchange = checkExchange(request, today);
  if (!exchange.ok) return exchange;
  const settlement = checkSettlement(request, today);
  if (!settlement.ok) return settlement;
  const references = resolveReferences(prepared, context);
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
  // A correction keeps the defaults of the sale as invoiced, not the issuer's settings of today.
  const defaults = references.own[0]?.defaults ?? {
    tax: TAX_OF_TERRITORY[settings.territory],
    regime: settings.defaultRegime,
  };
  const lines = resolveLines(prepared, defaults);
  const source = sourceOfDate(request, references, operationDate);
  const dated = checkOperationDate(operationDate, today, lines, source);
  if (!dated.ok) return dated;
  const cited = references.own.flatMap(({ groups }) => groups);
  const lawful = checkLines({ request, documentary, operationDate, today, lines, cited });
  if (!lawful.ok) return lawful;
  const addressed = checkRecipientType(identifier, lines, operationDate, {
    isNewSale: !isOfEarlierSale(request.invoiceType),
  });
  if (!addressed.ok) return addressed;
  const rectification = decideGroups(request, references, lines);
  if (!rectification.ok) return rectification;
  const { groups, links, rectified } = rectification.value;
  const totalEur = totalInEur(groups);
  const { authorisation } = settings;
  const limits = checkSimplified({ request, documentary, lines, totalEur }, authorisation);
  if (!limits.ok) return limits;
  const correcting = { request, documentary, references };
  const lifted = checkLift({ ...correcting, rectification: rectification.value }, authorisation);
  if (!lifted.ok) return lifted;
  const limitEur = liftLimit(correcting, authorisation);
  const agreementNumber = agreementOf(request, authorisation);
  const consumedIn = consumptionState(request, groups, operationDate);
  const decided = { settings, today, defaults, operationDate, groups, references };
  return ok({
    document: documentOf(prepared, {
      ...decided,
      ...(rectified ? { rectified } : {}),
      ...(limitEur === undefined ? {} : { limitEur }),
      ...(consumedIn === undefined ? {} : { consumedIn }),
    }),
    documentary,
    links,
    ...(identifier ? { identifier } : {}),
    ...(agreementNumber === undefined ? {} : { agreementNumber }),
  });
}

/** The state to which the goods of a one-stop-shop sale go, where the request says so. */
function consumptionState(
  { delivery }: InvoiceRequest,
  groups: readonly TaxGroup[],
  date: CivilDate,
): MemberState | undefined {
  if (delivery?.country === undefined || !groups.some(isOss)) return undefined;
  const place = placeOf({ country: delivery.country, postcode: delivery.postcode }, date);
  return place && isMemberState(place) ? place.state : undefined;
}

function checkGates(settings: IssuingSettings): Result<void, IssueRefusal> {
  if (!issuesDirectly(settings.connectionKind)) {
    return refuse("direct_invoicing_not_supported_by_connection", { kind: settings.connectionKind });
  }
  return settings.consented ? ok(undefined) : refuse("invoicing_not_enabled");
}

/** Recipients of full invoices withhold IRPF; it is printed, but never in the record. */
function checkWithholding(request: InvoiceRequest): Result<void, IssueRefusal> {
  if (request.withholdingRate === undefined) return ok(undefined);
  if (request.invoiceType === "F1" || (isRectifying(request.invoiceType) && request.invoiceType !== "R5")) {
    return ok(undefined);
  }
  return refuse("withholding_not_allowed", { invoice_type: request.invoiceType }, "withholding");
}

/** A difference states only changes of the sale; disbursements belong on a whole invoice. */
function checkDisbursements(request: InvoiceRequest): Result<void, IssueRefusal> {
  const isPart = request.rectificationMethod === "difference";
  if (request.disbursements === undefined || !isPart) return ok(undefined);
  return refuse("disbursements_not_allowed", { invoice_type: request.invoiceType }, "disbursements");
}

/** DIR3 knows Spanish bodies only, which have a NIF. */
function checkCentres(
  { recipient }: InvoiceRequest,
  identifier: TaxIdentifier | undefined,
): Result<void, IssueRefusal> {
  if (recipient?.administrativeCentres === undefined || identifier?.kind === "nif") return ok(undefined);
  return refuse("administrative_centres_not_allowed", {}, "recipient.administrative_centres");
}

/** Both days are judged by the issue date. */
function checkSettlement(
  { dueDate, payment: { paidOn } = {} }: InvoiceRequest,
  today: CivilDate,
): Result<void, IssueRefusal> {
  const days = (date: CivilDate) => ({ date: { date }, issue_date: { date: today } });
  if (dueDate !== undefined && dueDate < today) {
    return refuse("due_date_before_issue", days(dueDate), "due_date");
  }
  if (paidOn !== undefined && paidOn > today) {
    return refuse("paid_on_in_future", days(paidOn), "payment.paid_on");
  }
  return ok(undefined);
}

/** DescripcionOperacion must not be blank (AEAT 1100), and some characters have no place in a record. */
function checkDescription(request: InvoiceRequest): Result<void, IssueRefusal> {
  const isBlank = !hasInk(recordText(request.description, LIMITS.descriptionLength));
  return isBlank ? refuse("description_without_text", {}, "description") : ok(undefined);
}

function resolveLines(prepared: PreparedInvoice, defaults: LineDefaults): ResolvedLine[] {
  return prepared.request.lines.map((line, index) => {
    const amount = prepared.lineAmounts[index];
    invariant(amount !== undefined, "one amount per line");
    return resolveLine(line, index, amount, defaults);
  });
}

/** The groups of the invoice: counted, compared with its citations, and in range. */
function decideGroups(
  request: InvoiceRequest,
  references: References,
  lines: readonly ResolvedLine[],
): Result<Rectification, IssueRefusal> {
  const formed: readonly TaxGroup[] = formGroups(request, lines);
  if (formed.length > LIMITS.breakdownLines) {
    return refuse("too_many_tax_groups", { count: String(formed.length) });
  }
  const rectification = rectify(request, references, formed);
  if (!rectification.ok) return rectification;
  const totals = checkTotals(request, rectification.value);
  if (!totals.ok) return totals;
  const rebate = checkPeriodTotal(request, rectification.value.groups);
  return rebate.ok ? rectification : rebate;
}
