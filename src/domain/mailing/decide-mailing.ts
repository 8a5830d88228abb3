import { type Format, type FormatReason, formatRefusals } from "../einvoice/formats.ts";
import { electronicInvoiceOf } from "../einvoice/view.ts";
import type { InvoiceView } from "../invoice/invoice-view.ts";
import { type Refusal, refuse } from "../invoice/refusal.ts";
import { MAILS } from "../limits.ts";
import { emailFrom } from "../shared/email.ts";
import type { Instant } from "../shared/instant.ts";
import { ok, type Result } from "../shared/result.ts";
import type { InvoiceDelivery, MailedFormat, MailLanguage } from "./invoice-delivery.ts";

/** Every no to a mail that is asked for, in the order in which it is checked. */
export const MAILING_REFUSALS = [
  "recipient_email_missing",
  "invoice_cancelled",
  "company_unverified",
] as const;
export type MailingRefusalCode = (typeof MAILING_REFUSALS)[number];
export type MailingRefusal = Refusal<MailingRefusalCode>;

/** The invoice is to be mailed. */
export interface MailingRequest {
  readonly invoiceId: string;
  /** In lower case; absent for the customer's own address. */
  readonly to?: string;
  readonly language: MailLanguage;
  readonly formats: readonly MailedFormat[];
  /** A new mail although one was sent. */
  readonly resend: boolean;
}

/**
 * The address in the request, else that of the order's client today, or of an invoice without an order
 * that of its recipient. An issued invoice keeps its address for ever, so one that was erased since
 * must not be read from it.
 */
export function addressOf(
  { to }: Pick<MailingRequest, "to">,
  { document }: Pick<InvoiceView, "document">,
  order: { readonly email?: string | undefined } | undefined,
): Result<string, Refusal<"recipient_email_missing">> {
  const ofClient = order?.email === undefined ? undefined : emailFrom(order.email);
  const address = to ?? (order ? ofClient : document.request.recipient?.email);
  return address === undefined ? refuse("recipient_email_missing", {}, "to") : ok(address);
}

export interface MailingFacts {
  readonly invoice: InvoiceView;
  /** The newest delivery of the invoice to the address. */
  readonly newest: InvoiceDelivery | undefined;
  /** The company is verified, or the address is one of its own people. */
  readonly isAllowed: boolean;
  /** Mails that calls have queued in this minute, and in this day of UTC. */
  readonly counted: { readonly inMinute: number; readonly inDay: number };
  readonly at: Instant;
}

export type MailingDecision =
  | { readonly decision: "queue" }
  | { readonly decision: "replay"; readonly delivery: InvoiceDelivery }
  | { readonly decision: "refuse"; readonly refusal: MailingRefusal }
  | {
      readonly decision: "cannot_express";
      readonly format: Format;
      readonly reasons: readonly FormatReason[];
    }
  | { readonly decision: "limit"; readonly retryAfterSeconds: number };

/** A delivery that there is already outranks every refusal. */
export function decideMailing(request: MailingRequest, facts: MailingFacts): MailingDecision {
  const { invoice, newest, isAllowed, counted, at } = facts;
  if (newest && isStanding(newest, request)) return { decision: "replay", delivery: newest };
  if (invoice.cancellation) return refusing("invoice_cancelled", { number: invoice.fullNumber });
  const unfit = unfitFormat(request, invoice);
  if (unfit) return { decision: "cannot_express", ...unfit };
  if (!isAllowed) return refusing("company_unverified");
  const limited = limitedBy(counted, at);
  return limited === undefined ? { decision: "queue" } : { decision: "limit", retryAfterSeconds: limited };
}

/** A mail on its way is never doubled; one that was sent, only if the caller asks for another. */
export function isStanding({ state }: InvoiceDelivery, { resend }: MailingRequest): boolean {
  return resend ? state === "queued" : state !== "failed";
}

function refusing(code: MailingRefusalCode, facts: Refusal<string>["facts"] = {}): MailingDecision {
  return { decision: "refuse", refusal: refuse(code, facts).error };
}

function unfitFormat({ formats }: MailingRequest, view: InvoiceView) {
  const invoice = electronicInvoiceOf(view);
  for (const format of formats) {
    const reasons = formatRefusals(invoice, format);
    if (reasons.length > 0) return { format, reasons };
  }
  return undefined;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const LONGEST_WAIT_SECONDS = 3_600;

/** Seconds to the next minute or day; undefined below both limits. */
function limitedBy({ inMinute, inDay }: MailingFacts["counted"], at: Instant): number | undefined {
  const left = (periodMs: number) => Math.ceil((periodMs - (at % periodMs)) / 1_000);
  if (inDay >= MAILS.perDay) return Math.min(left(DAY_MS), LONGEST_WAIT_SECONDS);
  return inMinute >= MAILS.perMinute ? left(MINUTE_MS) : undefined;
}
