import type {
  AccessOutcome,
  AccessRequest,
  AdmissionOutcome,
  AvailabilityOutcome,
  Viewing,
  ViewingOutcome,
} from "../db/access/viewer-ports.ts";
import type { PreparedInvoice } from "../domain/invoice/prepare.ts";
import type { CancelOutcome, IssueOutcome, KeyOutcome, ReadOutcome, Spent } from "./core/outcomes.ts";
import type { InvoicePreviewOutcome } from "./issue/preview-invoice.ts";
import type { OrderOutcome, OrderSubmission, ReadOrderOutcome } from "./orders/order-outcomes.ts";
import type { ShopOutcome, ShopReport } from "./shop/record-shop.ts";

/** What the connection's object is told with every call. It changes by addition only. */
export interface Caller {
  readonly connectionId: string;
  /** SHA-256 of the whole key; the key itself does not travel. */
  readonly keyHash: string;
  readonly requestId: string;
}

export type { PreparedInvoice };

export interface CancellationRequest {
  readonly externalId: string;
  readonly reason: string;
}

/** The RPC surface of the connection's object for callers with a key. */
export interface ConnectionCalls {
  /** Only whether the key is alive: for an edge that has not seen it, before it reads a body. */
  admit(caller: Caller): Promise<KeyOutcome & Spent>;
  issueInvoice(caller: Caller, invoice: PreparedInvoice): Promise<IssueOutcome & Spent>;
  /** What issuing it would come to now. */
  previewInvoice(caller: Caller, invoice: PreparedInvoice): Promise<InvoicePreviewOutcome & Spent>;
  cancelInvoice(caller: Caller, cancellation: CancellationRequest): Promise<CancelOutcome & Spent>;
  readInvoice(caller: Caller, externalId: string): Promise<ReadOutcome & Spent>;
  /** Of a module that says nothing it is only a question. */
  reportShop(caller: Caller, report: ShopReport): Promise<ShopOutcome & Spent>;
  submitOrder(caller: Caller, order: OrderSubmission): Promise<OrderOutcome & Spent>;
  readOrder(caller: Caller, idExternal: string): Promise<ReadOrderOutcome & Spent>;
  findAvailable(caller: Caller, ids: readonly string[]): Promise<AvailabilityOutcome & Spent>;
  /** Only whether they may look at all: for a request whose shape is wrong. */
  admitCustomers(caller: Caller): Promise<AdmissionOutcome & Spent>;
  openAccess(caller: Caller, asked: AccessRequest): Promise<AccessOutcome & Spent>;
  /** Of the holder of a genuine token, who has no key. */
  viewInvoices(viewing: Viewing): Promise<ViewingOutcome & Spent>;
}
