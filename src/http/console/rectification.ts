import type { Context } from "hono";
import type { z } from "zod";
import {
  type DirectInvoice,
  type OwnerRectification,
  offeredRectification,
} from "../../domain/invoice/owner-rectification.ts";
import type { IssueRefusal } from "../../domain/invoice/refusal.ts";
import type { InvoiceRequest } from "../../domain/invoice/request.ts";
import { keyText } from "../../domain/invoice/tax-groups.ts";
import { assertNever } from "../../domain/shared/result.ts";
import { newestRegistration } from "../../usecases/invoice-records.ts";
import type { IssueOutcome } from "../../usecases/outcomes.ts";
import type { StoredInvoice } from "../../usecases/ports.ts";
import type { rectificationBody } from "../contract/console/invoices.ts";
import { toRecipient } from "../contract/to-invoice-request.ts";
import type { ConsoleEnv } from "./deps.ts";
import { refuse, refuseByRule, refuseUnavailable } from "./refuse.ts";

/** Of direct invoices only: those of orders are rectified through their order. */
export function directInvoiceOf({ view, rectifiable }: StoredInvoice): DirectInvoice | undefined {
  if (!view.origin.startsWith("direct:")) return undefined;
  const { content: registered } = view.alta.record;
  if (registered.kind !== "ALTA") return undefined;
  return { document: view.document, rectifiable, registered, content: newestRegistration(view).content };
}

/** What the form asks for, with what remains of each tax group. */
export function shownRectification(stored: StoredInvoice) {
  const direct = directInvoiceOf(stored);
  const offered = direct && offeredRectification(direct);
  if (!direct || !offered) return undefined;
  return {
    types: offered.types,
    pricesIncludeTax: direct.document.request.pricesIncludeTax,
    groups: offered.groups.map(({ key, group, remaining }) => ({
      ...{ key, tax: group.tax, rate: group.rate, qualification: group.qualification, remaining },
      ...(group.surchargeRate === undefined ? {} : { surchargeRate: group.surchargeRate }),
    })),
  };
}

/** One deed has one invoice: its external_id is made of the deed, where no caller would look for another. */
export function rectificationAsked(asked: z.output<typeof rectificationBody>): OwnerRectification {
  const { deed, invoice_type: invoiceType, method, cause, amounts, recipient } = asked;
  const rectification = { externalId: `console:${deed}`, invoiceType, method, cause, amounts };
  const named = recipient && toRecipient(recipient);
  return named === undefined ? rectification : { ...rectification, recipient: named };
}

/** The id and number of what was issued. */
export function issuedRectification(
  c: Context<ConsoleEnv>,
  outcome: IssueOutcome,
  { request, asked }: { readonly request: InvoiceRequest; readonly asked: OwnerRectification },
) {
  switch (outcome.outcome) {
    case "issued":
    case "replayed":
      return { id: outcome.invoice.invoiceId, fullNumber: outcome.invoice.fullNumber };
    case "conflict":
      return refuse(c, "idempotency_conflict", {
        facts: { number: outcome.fullNumber, external_id: asked.externalId },
      });
    case "refused":
      return refuseByRule(c, inItsField(outcome.refusal, request, asked));
    case "unauthorized":
    case "rate_limited":
      // The object asks neither of an owner.
      return refuseUnavailable(c, { cause: outcome.outcome });
    case "unavailable":
    case "failed":
      return refuseUnavailable(c, outcome);
    default:
      return assertNever(outcome);
  }
}

/** The rules speak of the request's lines; the form has a field for each tax group. */
function inItsField(
  refusal: IssueRefusal,
  { lines }: InvoiceRequest,
  { amounts }: OwnerRectification,
): IssueRefusal {
  const { path = "", code, facts } = refusal;
  const isOfRecipient = path.startsWith("recipient");
  const field = path.startsWith("description") ? "cause" : isOfRecipient ? path : amountField();
  const { path: _, ...plain } = refusal;
  return field === undefined ? plain : { ...plain, path: field };

  function amountField(): string | undefined {
    const index = /^lines\.(\d+)/.exec(path)?.[1];
    const exceeding = code === "rectification_exceeds" ? facts.rate : undefined;
    const line =
      index === undefined ? lines.find(({ taxRate }) => isRate(exceeding, taxRate)) : lines[Number(index)];
    if (!line) return undefined;
    const { tax, regime, qualification, taxRate: rate, surchargeRate } = line;
    if (tax === undefined) return undefined;
    const key = keyText({
      ...{ tax, qualification, rate },
      ...(regime === undefined ? {} : { regime }),
      ...(surchargeRate === undefined ? {} : { surchargeRate }),
    });
    return amounts.some(({ group }) => group === key) ? `amounts.${key}` : undefined;
  }
}

function isRate(fact: IssueRefusal["facts"][string] | undefined, rate: string): boolean {
  return typeof fact === "object" && "percent" in fact && fact.percent === rate;
}
