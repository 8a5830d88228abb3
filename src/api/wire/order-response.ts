import * as z from "zod";
import { INVOICE_TYPES } from "../../domain/invoice/request.ts";
import { ORDER_STATES } from "../../domain/order/decision.ts";
import { ORDER_REASONS, ORDER_WARNINGS, type Reason } from "../../domain/order/reasons.ts";
import { currencyDecimals } from "../../domain/shared/currency.ts";
import { invariant } from "../../domain/shared/result.ts";
import type { OrderInvoice, OrderView } from "../../ledger/orders/order-outcomes.ts";
import { type Language, reasonMessage } from "../../words/words.ts";
import {
  amountAnswer,
  listedWarningAnswer,
  RECORD_STATES,
  taxAnswer,
  testAnswer,
  warningAnswer,
} from "./answers.ts";
import { amountIn, taxesOf } from "./invoice-response.ts";
import { factsAnswer, plainFacts, warningMembers } from "./plain-facts.ts";

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

/** The same in a list, without the sentences. */
export function listedOrderMembers({ reasons, warnings, ...order }: OrderView) {
  return {
    ...orderMembers({ ...order, reasons: [], warnings: [] }, "en"),
    reasons: reasons.map(({ code, facts }) => ({ code, facts: plainFacts(facts) })),
    warnings: warnings.map(({ code, facts = {} }) => ({ code, facts: plainFacts(facts) })),
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

const NULL_IN_PREVIEW = "null in a preview.";

/** The document describes the facts of each code. */
export const reasonAnswer = z.strictObject({
  code: z.string().meta({ enum: ORDER_REASONS.map(({ code }) => code) }),
  message: z.string().describe("What happened and what to do, in the language asked for."),
  facts: factsAnswer,
});

const invoice = z.strictObject({
  invoice_id: z.string().nullable().describe(NULL_IN_PREVIEW),
  series: z.string(),
  number: z.int().min(1).nullable().describe(NULL_IN_PREVIEW),
  full_number: z.string().nullable().describe(`Series and number in one. ${NULL_IN_PREVIEW}`),
  invoice_type: z.enum(INVOICE_TYPES),
  base: amountAnswer,
  tax: amountAnswer,
  surcharge: amountAnswer,
  total: amountAnswer,
  currency: z.string(),
  issue_date: z.iso.date(),
  kind: z
    .enum(["invoice", "rectification", "replacement"])
    .describe("replacement is the full invoice in the place of a simplified one."),
  state: z
    .enum([...RECORD_STATES, "cancelled"])
    .nullable()
    .describe(`The state of its record, or cancelled. ${NULL_IN_PREVIEW}`),
  taxes: z.array(taxAnswer),
});

export const orderAnswer = z.strictObject({
  id_external: z.string(),
  state: z
    .enum(ORDER_STATES)
    .describe(
      "stored: kept, no invoice is due. deferred: until the owner's consent. before_cutoff, " +
        "store_not_selected: not invoiced here. held: something waits for the owner; its invoices stay " +
        "valid. invoiced, partially_rectified, rectified: as its documents say. cancelled: none was " +
        "issued, or it was annulled.",
    ),
  test: testAnswer,
  reasons: z.array(reasonAnswer).describe("Why it stands so; one for each thing that holds it."),
  invoices: z.array(invoice).describe("Oldest first."),
  contract_version: z.string().describe("The version in which the order was understood."),
  warnings: z.array(warningAnswer(ORDER_WARNINGS.map(({ code }) => code))),
  preview: z.literal(true).optional().describe("Only in a preview: nothing was stored or issued."),
});

export const listedOrderAnswer = orderAnswer.omit({ preview: true }).extend({
  reasons: z.array(reasonAnswer.omit({ message: true })),
  warnings: z.array(listedWarningAnswer(ORDER_WARNINGS.map(({ code }) => code))),
});
