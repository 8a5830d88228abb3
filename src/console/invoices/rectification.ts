import type { Context } from "hono";
import * as z from "zod";
import { recipient as recipientBody, toRecipient } from "../../api/wire/invoice-body.ts";
import { present } from "../../api/wire/json.ts";
import { list, text } from "../../api/wire/values.ts";
import { isRectifyingType, type OwnerRectification } from "../../domain/invoice/owner-rectification.ts";
import type { IssueRefusal } from "../../domain/invoice/refusal.ts";
import {
  INVOICE_TYPES,
  type InvoiceRequest,
  RECTIFICATION_METHODS,
  type RequestLine,
} from "../../domain/invoice/request.ts";
import { keyText } from "../../domain/invoice/tax-groups.ts";
import { isNegative } from "../../domain/shared/decimal.ts";
import type { IssueOutcome } from "../../ledger/core/outcomes.ts";
import type { ConsoleEnv } from "../deps.ts";
import { refuse, refuseAtGate, refuseByRule } from "../refuse.ts";
import { changeId, idOf, signedDecimalText } from "../shapes.ts";

const RECTIFYING = INVOICE_TYPES.filter(isRectifyingType);

const statedAmount = z.strictObject({
  group: idOf(60),
  amount: signedDecimalText,
  /** Margin scheme: the part of the amount that is margin. */
  margin: signedDecimalText.optional(),
});

/** A rectification of a direct invoice: one amount per tax group, in the invoice's own form. */
export const rectificationBody = z.strictObject({
  deed: changeId,
  invoice_type: z.enum(RECTIFYING),
  method: z.enum(RECTIFICATION_METHODS),
  cause: text(1_000),
  amounts: list(statedAmount, 24),
  /** The recipient; a substitution may name another one. Absent: the invoice's recipient. */
  recipient: recipientBody.optional(),
});

/**
 * The external_id comes from the change's id, so that a retry issues no second invoice. The prefix keeps it
 * apart from callers' ids.
 */
export function rectificationFrom(body: z.output<typeof rectificationBody>): OwnerRectification {
  const { deed: changeKey, invoice_type: invoiceType, method, cause, recipient } = body;
  const amounts = body.amounts.map((stated) => present(stated));
  const rectification = { externalId: `console:${changeKey}`, invoiceType, method, cause, amounts };
  const named = recipient && toRecipient(recipient);
  return named === undefined ? rectification : { ...rectification, recipient: named };
}

/** Id and number of the issued invoice. */
export function issuedRectification(
  c: Context<ConsoleEnv>,
  outcome: IssueOutcome,
  {
    request,
    rectification,
  }: { readonly request: InvoiceRequest; readonly rectification: OwnerRectification },
) {
  switch (outcome.outcome) {
    case "issued":
    case "replayed":
      return { id: outcome.invoice.invoiceId, fullNumber: outcome.invoice.fullNumber };
    case "conflict":
      return refuse(c, "idempotency_conflict", {
        facts: { number: outcome.fullNumber, external_id: rectification.externalId },
      });
    case "refused":
      return refuseByRule(c, inItsField(outcome.refusal, request, rectification));
    default:
      return refuseAtGate(c, outcome);
  }
}

/** Rules refer to the request's lines; the form has one field per tax group. */
function inItsField(
  refusal: IssueRefusal,
  { lines }: InvoiceRequest,
  { amounts }: OwnerRectification,
): IssueRefusal {
  const { path = "", code, facts = {} } = refusal;
  const isOfRecipient = path.startsWith("recipient");
  const field = path.startsWith("description") ? "cause" : isOfRecipient ? path : amountField();
  const { path: _, ...plain } = refusal;
  return field === undefined ? plain : { ...plain, path: field };

  function amountField(): string | undefined {
    const [, index, member] = /^lines\.(\d+)\.(\w+)/.exec(path) ?? [];
    const line = index === undefined ? lines.find(isMeant) : lines[Number(index)];
    if (!line) return OF_AMOUNTS.has(code) ? "amounts" : undefined;
    const { tax, regime, qualification, taxRate: rate, surchargeRate } = line;
    if (tax === undefined) return undefined;
    const key = keyText({
      ...{ tax, qualification, rate },
      ...(regime === undefined ? {} : { regime }),
      ...(surchargeRate === undefined ? {} : { surchargeRate }),
    });
    if (!amounts.some(({ group }) => group === key)) return undefined;
    return member === "taxable_margin" ? `amounts.${key}.margin` : `amounts.${key}`;
  }

  /** Two groups may have the same rate: for a substitution the negative one is at fault. */
  function isMeant({ taxRate, priceUnit }: RequestLine): boolean {
    if (!OF_A_RATE.has(code) || !isRate(facts.rate, taxRate)) return false;
    return code !== "substitution_negative" || isNegative(priceUnit);
  }
}

const OF_A_RATE: ReadonlySet<string> = new Set(["rectification_exceeds", "substitution_negative"]);
/** These refusals concern the sum of all amounts, so they belong to no single field. */
const OF_AMOUNTS: ReadonlySet<string> = new Set([
  ...OF_A_RATE,
  ...["simplified_limit_exceeded", "negative_total_needs_rectification", "total_out_of_range"],
]);

function isRate(fact: IssueRefusal["facts"][string] | undefined, rate: string): boolean {
  return typeof fact === "object" && "percent" in fact && fact.percent === rate;
}
