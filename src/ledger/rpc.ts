/** RPC of a connection's object. It changes by addition only: a deploy runs two versions at once. */

import type { DayRange } from "../db/books/proof-reads.ts";
import type { InvoiceListQuery } from "../db/invoices/listed-invoices.ts";
import type { Health } from "../db/ledgers.ts";
import type { OrderListQuery } from "../db/orders/changed-orders.ts";
import type { AttemptPage, AttemptsQuery, SubmissionStatus } from "../db/submission/submission-status.ts";
import type { LogPage, LogQuery, WebhookListing } from "../db/webhooks/webhook-reads.ts";
import type { OwnerRefusal } from "../domain/connection/owner-verbs.ts";
import type { PreparedInvoice } from "../domain/invoice/prepare.ts";
import type { MailingRequest } from "../domain/mailing/decide-mailing.ts";
import type { Verification } from "../work/books/verify-books.ts";
import type {
  AccessOutcome,
  AccessRequest,
  AdmissionOutcome,
  AvailabilityOutcome,
  Viewing,
  ViewingOutcome,
} from "./access/customer-access.ts";
import type {
  CancelOutcome,
  FacturaeOutcome,
  GateRefusal,
  InvoiceListOutcome,
  IssuedOutcome,
  IssueOutcome,
  KeyOutcome,
  ReadOutcome,
  TripCount,
} from "./core/outcomes.ts";
import type { LinesOutcome, LinesRequest } from "./corrections/lines-outcomes.ts";
import type { ReadCorrectionsOutcome } from "./corrections/offered-corrections.ts";
import type { CorrectOutcome, OwnerCorrecting } from "./corrections/owner-correction.ts";
import type {
  DeliveryOutcome,
  ShopDelivery,
  ShopTestOutcome,
  TestingShop,
} from "./deliveries/delivery-outcomes.ts";
import type { ByHandOutcome, ByHandRequest } from "./issue/by-hand-outcomes.ts";
import type { InvoicePreviewOutcome } from "./issue/decide-group.ts";
import type { RectifiedBy } from "./issue/instruction.ts";
import type { EmailOutcome, OwnerMailing } from "./mailing/mailing-outcomes.ts";
import type {
  AnswerOutcome,
  EventSubmission,
  EventsOutcome,
  OrderListOutcome,
  OrderOutcome,
  OrderPreviewing,
  OrderSubmission,
  OwnerAnswering,
  OwnerAnsweringTogether,
  PreviewOutcome,
  ReadOrderOutcome,
} from "./orders/order-outcomes.ts";
import type { ShopOutcome, ShopReport } from "./shop/record-shop.ts";
import type { OwnerRequest } from "./verbs/table.ts";

export type { DeliveryOutcome, PreparedInvoice };

/** Every call of a connector names its connection and proves its key. */
export interface Caller {
  readonly connectionId: string;
  /** SHA-256 of the whole key; the key itself does not travel. */
  readonly keyHash: string;
  readonly requestId: string;
}

/** What an answer tells besides the invoice. */
interface AlsoRead {
  readonly deliveries?: true;
}

/** Calls of connectors and of browsers that open invoices. */
export interface ConnectorCalls {
  /** Checks only the key: for an edge that does not know the key yet, before it reads a body. */
  admit(caller: Caller): Promise<KeyOutcome & TripCount>;
  issueInvoice(caller: Caller, invoice: PreparedInvoice): Promise<IssueOutcome & TripCount>;
  /** The outcome that issuing would have now. */
  previewInvoice(caller: Caller, invoice: PreparedInvoice): Promise<InvoicePreviewOutcome & TripCount>;
  cancelInvoice(caller: Caller, cancellation: CancellationRequest): Promise<CancelOutcome & TripCount>;
  readInvoice(caller: Caller, externalId: string): Promise<ReadOutcome & TripCount>;
  /** Any invoice of the connection, of an order too, by our own id. */
  readIssued(caller: Caller, invoiceId: string, also?: AlsoRead): Promise<IssuedOutcome & TripCount>;
  /** Queues a mail with the invoice; the object's alarm sends it. */
  emailInvoice(caller: Caller, request: MailingRequest): Promise<EmailOutcome & TripCount>;
  /** A page of all invoices of the connection, newest first. */
  listInvoices(caller: Caller, query: InvoiceListQuery): Promise<InvoiceListOutcome & TripCount>;
  /** A report of a module without any member is a read. */
  reportShop(caller: Caller, report: ShopReport): Promise<ShopOutcome & TripCount>;
  submitOrder(caller: Caller, order: OrderSubmission): Promise<OrderOutcome & TripCount>;
  submitEvents(caller: Caller, events: EventSubmission): Promise<EventsOutcome & TripCount>;
  readOrder(caller: Caller, idExternal: string): Promise<ReadOrderOutcome & TripCount>;
  /** A page of its orders, last changed first. */
  listOrders(caller: Caller, query: OrderListQuery): Promise<OrderListOutcome & TripCount>;
  findAvailable(caller: Caller, ids: readonly string[]): Promise<AvailabilityOutcome & TripCount>;
  /** Checks only if customers have access at all: for a request with a wrong shape. */
  admitCustomers(caller: Caller): Promise<AdmissionOutcome & TripCount>;
  openAccess(caller: Caller, request: AccessRequest): Promise<AccessOutcome & TripCount>;
  /** A message of a shop in its own form: proven by its signature, not by a key. */
  receiveDelivery(delivery: ShopDelivery): Promise<DeliveryOutcome & TripCount>;
  /** For the holder of a genuine token, who has no key. */
  viewInvoices(viewing: Viewing): Promise<ViewingOutcome & TripCount>;
}

/** Calls of the console. It has admitted the owner: every method trusts its caller with the connection. */
export interface OwnerCalls extends BookReads {
  /** Changes the connection; the audit log names the user. */
  act(connectionId: string, userId: string, request: OwnerRequest): Promise<VerbOutcome>;
  answerOrder(connectionId: string, answering: OwnerAnswering): Promise<AnswerOutcome & TripCount>;
  /** Several answers at once: no invoice is issued between them. */
  answerTogether(connectionId: string, answering: OwnerAnsweringTogether): Promise<AnswerOutcome & TripCount>;
  /** The order with these answers; nothing is stored. It waits in the queue, so that the number is right. */
  previewOrder(connectionId: string, asking: OrderPreviewing): Promise<PreviewOutcome & TripCount>;
  /** Decides an order again, under today's declarations. */
  decideAgain(
    connectionId: string,
    asking: Omit<OwnerAnswering, "answer">,
  ): Promise<AnswerOutcome & TripCount>;
  correctRecord(connectionId: string, correcting: OwnerCorrecting): Promise<CorrectOutcome & TripCount>;
  mailInvoice(connectionId: string, mailing: OwnerMailing): Promise<EmailOutcome & TripCount>;
  rectifyInvoice(connectionId: string, rectifying: OwnerRectifying): Promise<IssueOutcome & TripCount>;
  /** Takes back lines of an invoice, issues it again or annuls it; without an act it is a preview. */
  rectifyLines(connectionId: string, request: LinesRequest): Promise<LinesOutcome & TripCount>;
  /** A draft as it would be issued now, or its issue by the same decision. */
  issueByHand(connectionId: string, request: ByHandRequest): Promise<ByHandOutcome & TripCount>;
  /** Submits again the records that the AEAT rejected because of the software or its operator. */
  resendRecords(connectionId: string, request: ResendRequest): Promise<ResendOutcome>;
  /** The records of an invoice and the corrections that they allow. */
  readCorrections(connectionId: string, invoiceId: string): Promise<ReadCorrectionsOutcome & TripCount>;
  /** The Facturae of an invoice: only the Worker of the object has the certificate that signs it. */
  makeFacturae(connectionId: string, invoiceId: string): Promise<FacturaeOutcome & TripCount>;
  /** Tries the credentials of the connection's shop. */
  testShop(connectionId: string, testing: TestingShop): Promise<ShopTestOutcome>;
  listWebhooks(connectionId: string): Promise<WebhooksOutcome>;
  listWebhookDeliveries(connectionId: string, query: LogQuery): Promise<WebhookDeliveriesOutcome>;
}

/** Reads of the books as a whole. Each names the account that the connection must belong to. */
export interface BookReads {
  readSubmission(connectionId: string, accountId: string): Promise<SubmissionStatusOutcome>;
  readAttempts(connectionId: string, query: AttemptsQuery): Promise<AttemptsOutcome>;
  verifyBooks(connectionId: string, query: VerificationQuery): Promise<VerificationOutcome>;
  exportRecords(connectionId: string, query: ExportQuery): Promise<ExportOutcome>;
  exportInvoices(connectionId: string, query: ExportQuery): Promise<ExportOutcome>;
}

export interface LedgerCalls extends ConnectorCalls, OwnerCalls {}

/** Calls of the service itself, at the object of any connection. */
export interface ServiceCalls {
  /** For /health: one object measures for all requests. */
  health(): Promise<Health>;
  /** For /health of a version before `health`: the object can be reached. It touches no storage. */
  ping(): Promise<"pong">;
  /** For the sweep: makes the object check for due work. Harmless if there is none. */
  wakeUp(connectionId: string): Promise<void>;
}

type NamesOf<Calls> = Readonly<Record<keyof Calls, true>>;

export const CONNECTOR_CALLS: NamesOf<ConnectorCalls> = {
  admit: true,
  issueInvoice: true,
  previewInvoice: true,
  cancelInvoice: true,
  readInvoice: true,
  readIssued: true,
  listInvoices: true,
  emailInvoice: true,
  reportShop: true,
  submitOrder: true,
  submitEvents: true,
  readOrder: true,
  listOrders: true,
  findAvailable: true,
  admitCustomers: true,
  openAccess: true,
  receiveDelivery: true,
  viewInvoices: true,
};

export const CALLS: NamesOf<LedgerCalls> = {
  ...CONNECTOR_CALLS,
  act: true,
  answerOrder: true,
  answerTogether: true,
  previewOrder: true,
  decideAgain: true,
  correctRecord: true,
  mailInvoice: true,
  rectifyInvoice: true,
  rectifyLines: true,
  issueByHand: true,
  resendRecords: true,
  readCorrections: true,
  makeFacturae: true,
  testShop: true,
  readSubmission: true,
  readAttempts: true,
  verifyBooks: true,
  exportRecords: true,
  exportInvoices: true,
  listWebhooks: true,
  listWebhookDeliveries: true,
};

/** A method as RPC sees it: a name and values. */
export type AnyCall = (...given: unknown[]) => Promise<unknown>;

/** Builds one method for each name of the list that the type is made of. */
export function callsBy<Calls>(
  names: NamesOf<Calls>,
  callOf: (name: keyof Calls & string) => AnyCall,
): Calls {
  const calls = namesOf(names).map((name) => [name, callOf(name)]);
  // The record has every name of the type, and each call takes and gives the values of its name.
  return Object.fromEntries(calls) as Calls;
}

export function namesOf<Calls>(names: NamesOf<Calls>): readonly (keyof Calls & string)[] {
  // Object.keys forgets the type of its record.
  return Object.keys(names) as (keyof Calls & string)[];
}

export interface CancellationRequest {
  readonly externalId: string;
  readonly reason: string;
}

/** A rectification of a direct invoice, as its owner has it issued. */
export interface OwnerRectifying extends RectifiedBy {
  readonly requestId: string;
  /** Its external_id belongs to this one request, so a repeat is a replay. */
  readonly invoice: PreparedInvoice;
}

type NotReached = Extract<GateRefusal, { readonly outcome: "unavailable" | "failed" }>;

export type VerbOutcome =
  | { readonly outcome: "done"; readonly shown?: Readonly<Record<string, string>> }
  | { readonly outcome: "refused"; readonly refusal: OwnerRefusal }
  | NotReached;

export interface ResendRequest {
  readonly userId: string;
  /** Repeated with the same id, the call continues where it ended. */
  readonly requestId: string;
  /** Only the record of this invoice; without it all of them. */
  readonly invoiceId?: string;
}

export type ResendOutcome =
  | {
      readonly outcome: "resent";
      readonly records: number;
      /** Records that are not corrected, such as those of a cancelled invoice. */
      readonly refused: number;
      /** More records are left: the caller repeats the call. */
      readonly isMore: boolean;
    }
  | NotReached;

type Unavailable = Extract<GateRefusal, { readonly outcome: "unavailable" }>;

export type WebhooksOutcome =
  | { readonly outcome: "found"; readonly webhooks: readonly WebhookListing[] }
  | Unavailable;

export type WebhookDeliveriesOutcome = { readonly outcome: "found"; readonly page: LogPage } | Unavailable;

/** `unknown`: the connection was never opened, or it belongs to another account. */
export type NotRead = { readonly outcome: "unknown" } | NotReached;

export type SubmissionStatusOutcome =
  | { readonly outcome: "found"; readonly standing: SubmissionStatus }
  | NotRead;
export type AttemptsOutcome = ({ readonly outcome: "found" } & AttemptPage) | NotRead;

export interface VerificationQuery {
  readonly accountId: string;
  /** The result of the last call; without it a verification begins. */
  readonly from?: Verification;
}

/** The caller sends `verified` back in until the verification is done. */
export type VerificationOutcome =
  | { readonly outcome: "verified"; readonly isDone: boolean; readonly verified: Verification }
  | NotRead;

export interface ExportQuery extends DayRange {
  readonly accountId: string;
  readonly userId: string;
}

export type ExportOutcome =
  | { readonly outcome: "exported"; readonly bytes: ReadableStream<Uint8Array> }
  | NotRead;
