import type { Reason } from "../../domain/order/reasons.ts";
import { currencyDecimals } from "../../domain/shared/currency.ts";
import { invariant } from "../../domain/shared/result.ts";
import type { OrderInvoice, OrderView } from "../../ledger/orders/order-outcomes.ts";
import { type Language, reasonMessage } from "../../words/words.ts";
import { amountIn, taxesOf } from "./amounts.ts";
import { plainFacts } from "./plain-facts.ts";
import { warningMembers } from "./warning-members.ts";

/** The order as its connector sees it. */
export function orderMembers(order: OrderView, language: Language) {
  return {
    id_external: order.idExternal,
    state: order.state,
    ...(order.test ? { test: true } : {}),
    reasons: order.reasons.map((reason) => reasonMembers(reason, language)),
    invoices: order.invoices.map(documentMembers),
    contract_version: order.contractVersion,
    warnings: order.warnings.map((warning) => warningMembers(warning, language)),
  };
}

function reasonMembers(reason: Reason, language: Language) {
  const { code, facts } = reason;
  return { code, message: reasonMessage(reason, language), facts: plainFacts(facts) };
}

/** In a preview no document has an id, a number or a record. */
function documentMembers({ kind, invoiceType, issued, ...invoice }: OrderInvoice) {
  const { series, currency, issueDate, groups, totals } = invoice;
  const decimals = currencyDecimals(currency);
  invariant(decimals !== undefined, "what is invoiced has a known currency");
  const amount = amountIn(decimals);
  return {
    invoice_id: issued?.invoiceId ?? null,
    series,
    number: issued?.number ?? null,
    full_number: issued?.fullNumber ?? null,
    invoice_type: invoiceType,
    base: amount(totals.base),
    tax: amount(totals.tax),
    surcharge: amount(totals.surcharge),
    total: amount(totals.total),
    currency,
    issue_date: issueDate,
    kind,
    state: issued?.state ?? null,
    taxes: taxesOf(groups, amount),
  };
}
