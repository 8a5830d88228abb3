import type { InvoiceDocument, TaxGroup } from "../../domain/invoice/document.ts";
import { scaleOf } from "../../domain/invoice/prepare.ts";
import { grossOf } from "../../domain/invoice/tax-groups.ts";
import { add, type Decimal, sum } from "../../domain/shared/decimal.ts";
import type { DraftInvoice, NumberedOutlook, OrderPreview } from "../../ledger/orders/order-outcomes.ts";
import { lineTable } from "../../viewer/presentation/lines.ts";
import { taxTable } from "../../viewer/presentation/taxes.ts";
import { totalRows } from "../../viewer/presentation/totals.ts";
import type { Language } from "../../words/words.ts";
import { answeredReasons } from "./settled-reasons.ts";
import { shownReason, shownRefusal, shownWarning } from "./shown-reason.ts";

/** What would become of an order, in the reader's words. */
export function shownPreview(preview: OrderPreview, language: Language) {
  const { before, reasons, outlook, drafts, choices } = preview;
  return {
    state: preview.state,
    wasState: before.state,
    reasons: answeredReasons(before.reasons, reasons).map(({ reason, isSettled }) => ({
      ...shownReason(reason, language),
      isSettled,
    })),
    refusals: preview.refusals.map((refusal) => shownRefusal(refusal, language)),
    warnings: preview.warnings.map((warning) => shownWarning(warning, language)),
    drafts: drafts.map((draft) => shownDraft(draft, language)),
    annulled: preview.annulled,
    outlook: outlook ? shownOutlook(outlook) : null,
    choices,
  };
}

function shownOutlook({ groups, kind, declaredBy, totalEur, ...outlook }: NumberedOutlook) {
  return {
    ...outlook,
    profile: "profile" in declaredBy ? declaredBy.profile : "",
    fullNumber: outlook.fullNumber ?? "",
    invoiceType: kind?.invoiceType ?? "",
    documentaryRegime: kind?.regime ?? "",
    groups: groups.map(shownGroup),
    totals: totalsOf(groups),
    totalEur: totalEur ?? "",
  };
}

function shownGroup({ tax, regime, qualification, rate, surchargeRate, amounts }: TaxGroup) {
  return {
    taxCode: tax,
    regime,
    qualification,
    rate,
    surchargeRate: surchargeRate ?? "",
    ...amounts,
    total: grossOf(amounts),
  };
}

function totalsOf(groups: readonly TaxGroup[]) {
  const of = (member: (group: TaxGroup) => Decimal) => sum(groups.map(member));
  return {
    base: of(({ amounts }) => amounts.base),
    tax: of(({ amounts }) => add(amounts.tax, amounts.surcharge)),
    total: of(({ amounts }) => grossOf(amounts)),
  };
}

function shownDraft({ kind, fullNumber, issueDate, document }: DraftInvoice, language: Language) {
  const { request, groups, totals, totalsEur, warnings, operationDate } = document;
  return {
    kind,
    fullNumber,
    issueDate,
    operationDate: operationDate ?? issueDate,
    invoiceType: request.invoiceType,
    documentaryRegime: request.regime,
    description: request.description,
    currency: request.currency,
    recipient: request.recipient ?? null,
    groups: groups.map(shownGroup),
    totals: { base: totals.base, tax: add(totals.tax, totals.surcharge), total: totals.total },
    totalEur: totalsEur.total,
    lateAfter: lateAfter(warnings),
    sheet: sheetOf(document, language),
  };
}

/** The day on which it was due, of one that is late. */
function lateAfter(warnings: InvoiceDocument["warnings"]): string {
  const due = warnings.find(({ code }) => code === "issued_late")?.facts?.due_date;
  return typeof due === "object" && "date" in due && typeof due.date === "string" ? due.date : "";
}

/** Its tables as they would be printed. */
function sheetOf(document: InvoiceDocument, language: Language) {
  const { currency } = document.request;
  const coin = { currency, decimals: scaleOf(currency) };
  return {
    issuer: document.issuer,
    lines: lineTable(document, coin, language),
    taxes: taxTable(document, coin, language),
    totals: totalRows(document, { coin, language }),
  };
}
