import { DurableObject } from "cloudflare:workers";
import type {
  AccessOutcome,
  AccessRequest,
  AdmissionOutcome,
  AvailabilityOutcome,
  Viewing,
  ViewingOutcome,
} from "../../db/access/viewer-ports.ts";
import type { AttemptsAsked } from "../../db/submission/submission-standing.ts";
import type { LogAsked } from "../../db/webhooks/webhook-ports.ts";
import { invariant } from "../../domain/shared/result.ts";
import type { Env } from "../../env.ts";
import { type HealthCheck, healthCheckOn, ledgerOn, proofOn } from "../../wiring.ts";
import type { Caller, CancellationRequest, ConnectionCalls, PreparedInvoice } from "../calls.ts";
import type { CorrectOutcome, OwnerCorrecting } from "../corrections/owner-correction.ts";
import type { OwnerRectifying } from "../corrections/record-calls.ts";
import type { ResendAsked, ResendOutcome } from "../corrections/resend-records.ts";
import type { ReadCorrectionsOutcome } from "../corrections/view-corrections.ts";
import type { InvoicePreviewOutcome } from "../issue/preview-invoice.ts";
import type { OrderPreviewing, OwnerAnswering, OwnerAnsweringTogether } from "../orders/order-instruction.ts";
import type {
  AnswerOutcome,
  OrderOutcome,
  OrderSubmission,
  PreviewOutcome,
  ReadOrderOutcome,
} from "../orders/order-outcomes.ts";
import type { ShopOutcome, ShopReport } from "../shop/record-shop.ts";
import type { OwnerRequest } from "../verbs/owner-request.ts";
import type { HighWater, HighWaterMark } from "./high-water.ts";
import type { Ledger } from "./ledger.ts";
import type { CancelOutcome, IssueOutcome, KeyOutcome, ReadOutcome, Spent } from "./outcomes.ts";
import type { VerbOutcome } from "./owner-verbs.ts";
import type {
  AttemptsOutcome,
  ExportAsked,
  ExportOutcome,
  StandingOutcome,
  VerificationAsked,
  VerificationOutcome,
} from "./proof-reads.ts";
import type { WebhookLog } from "./webhook-log.ts";

const CONNECTION_ID = "connection_id";
const HIGH_WATER = "high_water";

/**
 * The object of one connection: a shell around its `Ledger`. Outcomes cross RPC as values, because errors
 * lose their fields there. Methods change by addition only: a deploy is two versions at once.
 */
export class ConnectionLedger extends DurableObject<Env> implements ConnectionCalls {
  #ledger: { readonly connectionId: string; readonly books: Ledger } | undefined;
  #health: HealthCheck | undefined;
  readonly #mark: HighWaterMark = {
    read: () => this.ctx.storage.get<HighWater>(HIGH_WATER),
    // Answers do not wait until it is stored: what was committed before a restore is long noted. What is not
    // stored, because the instance ends, the next one reads in the books.
    raise: (to) =>
      void this.ctx.storage.put(HIGH_WATER, to, { allowUnconfirmed: true }).catch(() => undefined),
  };

  async admit(caller: Caller): Promise<KeyOutcome & Spent> {
    return this.#open(caller.connectionId).admit(caller);
  }

  async issueInvoice(caller: Caller, invoice: PreparedInvoice): Promise<IssueOutcome & Spent> {
    return this.#open(caller.connectionId).issueInvoice(caller, invoice);
  }

  async previewInvoice(caller: Caller, invoice: PreparedInvoice): Promise<InvoicePreviewOutcome & Spent> {
    return this.#open(caller.connectionId).previewInvoice(caller, invoice);
  }

  async cancelInvoice(caller: Caller, cancellation: CancellationRequest): Promise<CancelOutcome & Spent> {
    return this.#open(caller.connectionId).cancelInvoice(caller, cancellation);
  }

  async readInvoice(caller: Caller, externalId: string): Promise<ReadOutcome & Spent> {
    return this.#open(caller.connectionId).readInvoice(caller, externalId);
  }

  async reportShop(caller: Caller, report: ShopReport): Promise<ShopOutcome & Spent> {
    return this.#open(caller.connectionId).reportShop(caller, report);
  }

  async submitOrder(caller: Caller, order: OrderSubmission): Promise<OrderOutcome & Spent> {
    return this.#open(caller.connectionId).submitOrder(caller, order);
  }

  async readOrder(caller: Caller, idExternal: string): Promise<ReadOrderOutcome & Spent> {
    return this.#open(caller.connectionId).readOrder(caller, idExternal);
  }

  async findAvailable(caller: Caller, ids: readonly string[]): Promise<AvailabilityOutcome & Spent> {
    return this.#open(caller.connectionId).findAvailable(caller, ids);
  }

  async admitCustomers(caller: Caller): Promise<AdmissionOutcome & Spent> {
    return this.#open(caller.connectionId).admitCustomers(caller);
  }

  async openAccess(caller: Caller, asked: AccessRequest): Promise<AccessOutcome & Spent> {
    return this.#open(caller.connectionId).openAccess(caller, asked);
  }

  async viewInvoices(viewing: Viewing): Promise<ViewingOutcome & Spent> {
    return this.#open(viewing.connectionId).viewInvoices(viewing);
  }

  /** Owner's verbs: what they do to the connection. Who may is asked before; the line names who did. */
  async act(connectionId: string, userId: string, request: OwnerRequest): Promise<VerbOutcome> {
    return this.#open(connectionId).owner.act(userId, request);
  }

  /** Owner's verbs: what they do to one order. */
  async answerOrder(connectionId: string, answering: OwnerAnswering): Promise<AnswerOutcome & Spent> {
    return this.#open(connectionId).answerOrder(answering);
  }

  async answerTogether(
    connectionId: string,
    answering: OwnerAnsweringTogether,
  ): Promise<AnswerOutcome & Spent> {
    return this.#open(connectionId).orders.answer(answering);
  }

  /** For the owner: what would come of some answers, and nothing of it is stored. */
  async previewOrder(connectionId: string, asking: OrderPreviewing): Promise<PreviewOutcome & Spent> {
    return this.#open(connectionId).orders.preview(asking);
  }

  async decideAgain(
    connectionId: string,
    asking: Omit<OwnerAnswering, "answer">,
  ): Promise<AnswerOutcome & Spent> {
    return this.#open(connectionId).decideAgain(asking);
  }

  /** Owner's verbs: what they do about the records of one invoice. */
  async correctRecord(connectionId: string, correcting: OwnerCorrecting): Promise<CorrectOutcome & Spent> {
    return this.#open(connectionId).records.correct(correcting);
  }

  /** A rectification of a direct invoice that an owner has issued. */
  async rectifyInvoice(connectionId: string, rectifying: OwnerRectifying): Promise<IssueOutcome & Spent> {
    return this.#open(connectionId).records.rectify(rectifying);
  }

  async resendRecords(connectionId: string, asked: ResendAsked): Promise<ResendOutcome> {
    return this.#open(connectionId).records.resend(asked);
  }

  async readCorrections(connectionId: string, invoiceId: string): Promise<ReadCorrectionsOutcome & Spent> {
    return this.#open(connectionId).records.read(invoiceId);
  }

  /** Owner's reads of the books as a whole; each names the account that the connection must be of. */
  async readSubmission(connectionId: string, accountId: string): Promise<StandingOutcome> {
    return proofOn(this.env, connectionId).readSubmission(accountId);
  }

  async readAttempts(connectionId: string, asked: AttemptsAsked): Promise<AttemptsOutcome> {
    return proofOn(this.env, connectionId).readAttempts(asked);
  }

  async verifyBooks(connectionId: string, asked: VerificationAsked): Promise<VerificationOutcome> {
    return proofOn(this.env, connectionId).verify(asked);
  }

  async exportRecords(connectionId: string, asked: ExportAsked): Promise<ExportOutcome> {
    return proofOn(this.env, connectionId).exportRecords(asked);
  }

  async exportInvoices(connectionId: string, asked: ExportAsked): Promise<ExportOutcome> {
    return proofOn(this.env, connectionId).exportInvoices(asked);
  }

  /** For the owner: where the connection tells of its events, and what became of each delivery. */
  async listWebhooks(connectionId: string): ReturnType<WebhookLog["list"]> {
    return this.#open(connectionId).webhookLog.list();
  }

  async listWebhookDeliveries(connectionId: string, asked: LogAsked): ReturnType<WebhookLog["deliveries"]> {
    return this.#open(connectionId).webhookLog.deliveries(asked);
  }

  /** For /health: one object measures for all who ask. */
  async health(): ReturnType<HealthCheck> {
    this.#health ??= healthCheckOn(this.env);
    return this.#health();
  }

  /** For /health of a version before `health`: the object can be reached. It touches no storage. */
  async ping(): Promise<"pong"> {
    return "pong";
  }

  /** For the sweep: look at what is due. Harmless where nothing is. */
  async wakeUp(connectionId: string): Promise<void> {
    await this.#wakeAt(connectionId, Date.now());
  }

  /** Sets the next alarm itself, whatever happens: an alarm that fails is given up after some tries. */
  override async alarm(): Promise<void> {
    const connectionId = await this.ctx.storage.get<string>(CONNECTION_ID);
    if (connectionId === undefined) return;
    const next = await this.#open(connectionId).wake();
    if (next !== undefined) await this.#wakeAt(connectionId, next);
  }

  /** An alarm does not know whose object it is: the id is kept beside it. */
  async #wakeAt(connectionId: string, at: number): Promise<void> {
    const { storage } = this.ctx;
    const set = await storage.getAlarm();
    if (set !== null && set <= at) return;
    await storage.put(CONNECTION_ID, connectionId);
    await storage.setAlarm(at);
  }

  #open(connectionId: string): Ledger {
    if (!this.#ledger) {
      const ofObject = { wakeAt: (at: number) => this.#wakeAt(connectionId, at), mark: this.#mark };
      this.#ledger = { connectionId, books: ledgerOn(this.env, connectionId, ofObject) };
    }
    invariant(
      this.#ledger.connectionId === connectionId,
      "an object serves the connection that it is named after",
    );
    return this.#ledger.books;
  }
}
