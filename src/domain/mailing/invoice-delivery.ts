/** An invoice on its way to a customer; channels of other kinds have other states. */
import { type Instant, isoInstant } from "../shared/instant.ts";
import { assertNever } from "../shared/result.ts";

export const CHANNELS = ["email"] as const;
export type Channel = (typeof CHANNELS)[number];

/**
 * States of the channel `email`. `sent`: the mail service took the mail; whether it arrived is not known.
 * `sent` and `failed` are final.
 */
export const EMAIL_STATES = ["queued", "sent", "failed"] as const;
export type EmailState = (typeof EMAIL_STATES)[number];

/** Formats that a mail can attach; the PDF is in every mail. */
export const MAILED_FORMATS = ["pdf", "ubl", "facturae"] as const;
export type MailedFormat = (typeof MAILED_FORMATS)[number];

export const MAIL_LANGUAGES = ["es", "en"] as const;
export type MailLanguage = (typeof MAIL_LANGUAGES)[number];

/** Why a mail could not be sent. */
export const DELIVERY_ERRORS = [
  /** The mail service takes no mail for the address. */
  "address_refused",
  /** Unverified companies mail to their own people only. */
  "company_unverified",
  "invoice_cancelled",
  /** With its attachments it is larger than the mail service takes. */
  "too_large",
  /** The mail service did not take it in any attempt. */
  "not_taken",
  /** The address was erased before the mail was sent. */
  "address_erased",
  /** The invoice was retired with its year. */
  "invoice_retired",
] as const;
export type DeliveryError = (typeof DELIVERY_ERRORS)[number];

/** Who had it sent: a connector, an owner, or the issuing itself. */
export const DELIVERY_CAUSES = ["call", "owner", "issued"] as const;
export type DeliveryCause = (typeof DELIVERY_CAUSES)[number];

export interface InvoiceDelivery {
  readonly id: string;
  readonly invoiceId: string;
  readonly channel: Channel;
  /** In lower case; masked once it was erased. */
  readonly to: string;
  readonly language: MailLanguage;
  /** In the order of `MAILED_FORMATS`; with the PDF. */
  readonly formats: readonly MailedFormat[];
  readonly cause: DeliveryCause;
  readonly state: EmailState;
  /** Attempts begun. */
  readonly attempts: number;
  /** When the next attempt is due; absent once the state is final. */
  readonly dueAt?: Instant;
  readonly queuedAt: Instant;
  readonly sentAt?: Instant;
  readonly error?: DeliveryError;
}

/** What is known about a delivery before it is queued. */
export type NewDelivery = Pick<InvoiceDelivery, "id" | "invoiceId" | "to" | "language" | "formats" | "cause">;

export function queued(delivery: NewDelivery, at: Instant): InvoiceDelivery {
  return { ...delivery, channel: "email", state: "queued", attempts: 0, dueAt: at, queuedAt: at };
}

/** The mail service's answer to one attempt. */
export type MailResult =
  | { readonly result: "taken" }
  /** No further attempt can succeed. */
  | { readonly result: "refused"; readonly error: DeliveryError }
  | { readonly result: "not_taken" };

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The wait after each failed attempt; after one more the delivery has failed. */
const DELAYS_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 6 * HOUR_MS, 24 * HOUR_MS] as const;

export const MOST_ATTEMPTS = DELAYS_MS.length + 1;

/** The time after which a last attempt without a result is given up. */
const LAST_LEASE_MS = 5 * MINUTE_MS;

/**
 * Counts the attempt before it is made. After a crash the delivery is due again, so that its mail may be
 * sent twice and is never forgotten.
 */
export function beginAttempt(delivery: InvoiceDelivery, at: Instant): InvoiceDelivery {
  const attempts = delivery.attempts + 1;
  return { ...delivery, attempts, dueAt: at + (DELAYS_MS[attempts - 1] ?? LAST_LEASE_MS) };
}

/** The last attempt was begun, and its result is lost. */
export function isUsedUp({ attempts }: Pick<InvoiceDelivery, "attempts">): boolean {
  return attempts >= MOST_ATTEMPTS;
}

/** The delivery after the attempt that was begun last. */
export function settleAttempt(begun: InvoiceDelivery, result: MailResult, at: Instant): InvoiceDelivery {
  switch (result.result) {
    case "taken":
      return { ...final(begun), state: "sent", sentAt: at };
    case "refused":
      return { ...final(begun), state: "failed", error: result.error };
    case "not_taken":
      return isUsedUp(begun) ? { ...final(begun), state: "failed", error: "not_taken" } : begun;
    default:
      return assertNever(result);
  }
}

function final({ dueAt: _, ...delivery }: InvoiceDelivery): Omit<InvoiceDelivery, "dueAt"> {
  return delivery;
}

/** The address as events and erased rows have it: `m***@c***.es`. One of no such form is hidden whole. */
export function maskedAddress(address: string): string {
  const [, local, domain, ending] = /^(.)[^@]*@(.)[^@]*(\.[^.@]+)$/u.exec(address) ?? [];
  if (local === undefined || domain === undefined || ending === undefined) return "***";
  return `${local}***@${domain}***${ending}`;
}

/** The delivery in answers and events. */
export function deliveryMembers(delivery: InvoiceDelivery) {
  const { id, invoiceId, to, language, formats, state, attempts, queuedAt, sentAt, error } = delivery;
  return {
    delivery_id: id,
    invoice_id: invoiceId,
    to,
    language,
    formats,
    state,
    attempts,
    queued_at: isoInstant(queuedAt),
    sent_at: sentAt === undefined ? null : isoInstant(sentAt),
    error: error ?? null,
  };
}

/** With the PDF, each once, in the order of the list. */
export function mailedFormats(chosen: readonly MailedFormat[]): readonly MailedFormat[] {
  return MAILED_FORMATS.filter((format) => format === "pdf" || chosen.includes(format));
}
