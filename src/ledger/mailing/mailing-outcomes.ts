import type { Format, FormatReason } from "../../domain/einvoice/formats.ts";
import type { MailingRefusal, MailingRequest } from "../../domain/mailing/decide-mailing.ts";
import type { InvoiceDelivery } from "../../domain/mailing/invoice-delivery.ts";
import type { GateRefusal } from "../core/outcomes.ts";

export type EmailOutcome =
  | { readonly outcome: "queued"; readonly delivery: InvoiceDelivery }
  /** The address has this delivery already. */
  | { readonly outcome: "replayed"; readonly delivery: InvoiceDelivery }
  | { readonly outcome: "refused"; readonly refusal: MailingRefusal }
  | { readonly outcome: "cannot_express"; readonly format: Format; readonly reasons: readonly FormatReason[] }
  | { readonly outcome: "unknown" }
  | GateRefusal;

/** A mail that an owner asks for. */
export interface OwnerMailing extends MailingRequest {
  readonly userId: string;
  readonly requestId: string;
}
