import type { ChainPlace } from "../../db/invoices/listed-invoices.ts";
import type { UnavailableOutcome } from "../../db/store-calls.ts";
import type { InvoiceLook } from "../../domain/brand/look.ts";
import type { InvoiceView } from "../../domain/invoice/invoice-view.ts";
import type { CancellationRefusal, IssueRefusal } from "../../domain/invoice/refusal.ts";
import type { InvoiceDelivery } from "../../domain/mailing/invoice-delivery.ts";
import type { FacturaeFile } from "../../platform/facturae-file.ts";

/** Why a call did not reach the rules: every method of the connection's object can return it. */
export type GateRefusal =
  | { readonly outcome: "unauthorized" }
  | { readonly outcome: "rate_limited"; readonly retryAfterSeconds: number }
  | UnavailableOutcome
  | { readonly outcome: "failed"; readonly cause: string };

export type IssueOutcome =
  | { readonly outcome: "issued"; readonly invoice: InvoiceView }
  | { readonly outcome: "replayed"; readonly invoice: InvoiceView }
  | { readonly outcome: "conflict"; readonly fullNumber: string }
  | { readonly outcome: "refused"; readonly refusal: IssueRefusal }
  | GateRefusal;

export type CancelOutcome =
  | { readonly outcome: "cancelled"; readonly invoice: InvoiceView }
  | { readonly outcome: "replayed"; readonly invoice: InvoiceView }
  | { readonly outcome: "refused"; readonly refusal: CancellationRefusal }
  | GateRefusal;

export type ReadOutcome =
  | { readonly outcome: "found"; readonly invoice: InvoiceView }
  | { readonly outcome: "unknown" }
  | GateRefusal;

/** What an order adds to the PDF of its invoices. */
export interface PrintedOrder {
  /** The order's name in the shop. */
  readonly orderReference: string;
  /** True if amounts in other currencies were converted at the rate of the European Central Bank. */
  readonly isEcbRate: boolean;
}

export type IssuedOutcome =
  | {
      readonly outcome: "found";
      readonly invoice: InvoiceView;
      /** Absent without an order, and if the order was erased. */
      readonly order?: PrintedOrder;
      /** The look of the day. */
      readonly look?: InvoiceLook;
      /** Oldest first; absent unless they were asked for. */
      readonly deliveries?: readonly InvoiceDelivery[];
    }
  | { readonly outcome: "unknown" }
  | GateRefusal;

/** `unsayable`: Facturae has no way to say the invoice. */
export type FacturaeOutcome =
  | ({ readonly outcome: "made" } & FacturaeFile)
  | { readonly outcome: "unknown" }
  | { readonly outcome: "unsayable" }
  | GateRefusal;

/** A page of invoices, newest first. */
export type InvoiceListOutcome =
  | {
      readonly outcome: "found";
      readonly invoices: readonly InvoiceView[];
      /** Where the list goes on; absent at its end. */
      readonly next?: ChainPlace;
    }
  | GateRefusal;

/** The result of checking if the connection has this key. */
export type KeyOutcome = { readonly outcome: "admitted" } | GateRefusal;

/** Every answer of the object carries it, for the log line of the request. */
export interface TripCount {
  readonly d1Trips: number;
}
