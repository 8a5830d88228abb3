import type { IssueDraft } from "../invoice/decide-issue.ts";
import type { Payment, TaxGroup } from "../invoice/document.ts";
import { checkLines, checkOperationDate, checkRecipientType } from "../invoice/document-rules.ts";
import { documentaryOf } from "../invoice/documentary.ts";
import { documentOf } from "../invoice/issued-document.ts";
import { prepareInvoice } from "../invoice/prepare.ts";
import type { Link, RectifiableInvoice } from "../invoice/rectifiable.ts";
import type { IssueRefusal } from "../invoice/refusal.ts";
import { type InvoiceRequest, isOfEarlierSale, type RequestLine } from "../invoice/request.ts";
import { type IssuingSettings, TAX_OF_TERRITORY } from "../invoice/settings.ts";
import { agreementOf, checkSimplified } from "../invoice/simplified.ts";
import { type ResolvedLine, resolveLine } from "../invoice/tax-groups.ts";
import { checkTotals, totalInEur } from "../invoice/totals.ts";
import type { CivilDate } from "../shared/civil-date.ts";
import { type Decimal, ZERO } from "../shared/decimal.ts";
import { err, invariant, ok, type Result } from "../shared/result.ts";
import type { TaxIdentifier } from "../shared/tax-identifier.ts";
import { because, type Reason } from "./reasons.ts";

/** A line as printed, with the shop's own amount: rounding shows only in the groups. */
export interface DraftLine {
  readonly line: RequestLine;
  readonly amount: Decimal;
}

/** A document of an order before it is known to be lawful. */
export interface DraftParts {
  readonly request: Omit<InvoiceRequest, "lines">;
  readonly lines: readonly DraftLine[];
  readonly groups: readonly TaxGroup[];
  readonly identifier?: TaxIdentifier;
  readonly operationDate: CivilDate;
  /** Invoices of the order that it acts on. */
  readonly cited: readonly RectifiableInvoice[];
  readonly links: readonly Link[];
  /** Printed below the total, before the amount due. */
  readonly payments?: readonly Payment[];
  /** For a one-stop-shop sale: the state of the tax. */
  readonly consumedIn?: string;
}

/** Cites an invoice of an order, which has no external_id that a caller gave. */
export function citation(invoice: RectifiableInvoice): RectifiableInvoice {
  return { ...invoice, externalId: invoice.externalId || invoice.invoiceId };
}

/** A document with the order's own amounts, judged by the rules of direct invoices before it has a number. */
export function draftOf(
  parts: DraftParts,
  { settings, today }: { readonly settings: IssuingSettings; readonly today: CivilDate },
): Result<IssueDraft, Reason> {
  const { groups, operationDate, identifier, links, consumedIn, payments = [] } = parts;
  const prepared = prepareInvoice({ ...parts.request, lines: parts.lines.map(({ line }) => line) });
  const { request } = prepared;
  const documentary = documentaryOf(request);
  invariant(documentary.ok, "an order's document is one of the combinations that exist");
  const defaults = { tax: TAX_OF_TERRITORY[settings.territory], regime: settings.defaultRegime };
  const lines = request.lines.map((line, index) =>
    resolveLine(line, index, parts.lines[index]?.amount ?? ZERO, defaults),
  );
  const isNewSale = !isOfEarlierSale(request.invoiceType);
  const lawful = firstRefusal([
    () => checkOperationDate(operationDate, today, lines),
    () => checkLines({ request, documentary: documentary.value, operationDate, today, lines }),
    () => checkRecipientType(identifier, lines, operationDate, { isNewSale }),
    () => checkTotals(request, { groups, links }),
    () => checkLimits(request, documentary.value, lines, groups, settings),
  ]);
  if (lawful) return err(notInvoiceable(lawful));
  const references = { own: parts.cited.map(citation), external: [], undone: [] };
  const lineAmounts = parts.lines.map(({ amount }) => amount);
  const decided = { settings, today, defaults, operationDate, groups, references, payments };
  const agreementNumber = agreementOf(request, settings.authorisation);
  return ok({
    document: documentOf(
      { ...prepared, lineAmounts },
      { ...decided, ...(consumedIn === undefined ? {} : { consumedIn }) },
    ),
    documentary: documentary.value,
    links,
    ...(identifier ? { identifier } : {}),
    ...(agreementNumber === undefined ? {} : { agreementNumber }),
  });
}

function checkLimits(
  request: InvoiceRequest,
  documentary: IssueDraft["documentary"],
  lines: readonly ResolvedLine[],
  groups: readonly TaxGroup[],
  { authorisation }: IssuingSettings,
): Result<void, IssueRefusal> {
  return checkSimplified({ request, documentary, lines, totalEur: totalInEur(groups) }, authorisation);
}

function firstRefusal(checks: readonly (() => Result<void, IssueRefusal>)[]): IssueRefusal | undefined {
  for (const check of checks) {
    const checked = check();
    if (!checked.ok) return checked.error;
  }
  return undefined;
}

function notInvoiceable({ code, facts }: IssueRefusal): Reason {
  return because("not_invoiceable", { ...facts, refusal: code });
}
