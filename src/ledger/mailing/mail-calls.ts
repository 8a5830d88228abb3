import type { AuditEntry, StoredOrder } from "../../db/ledger-state.ts";
import type { MailingStore } from "../../db/mailing/mailing-store.ts";
import { storeCalls, type TripCounter, Unavailable } from "../../db/store-calls.ts";
import { newId } from "../../domain/connection/ids.ts";
import {
  addressOf,
  decideMailing,
  isStanding,
  type MailingRequest,
} from "../../domain/mailing/decide-mailing.ts";
import { type DeliveryCause, maskedAddress, queued } from "../../domain/mailing/invoice-delivery.ts";
import { orderIdOf } from "../../domain/order/order-origin.ts";
import type { MailedInvoice } from "../../work/mailing/deliver-mails.ts";
import { admissionOf } from "../core/admission.ts";
import type { LedgerCore } from "../core/core.ts";
import type { InvoiceReading } from "../core/ledger-cache.ts";
import type { GateRefusal, TripCount } from "../core/outcomes.ts";
import { readWithOrder } from "../issue/issue-calls.ts";
import { printedOrder } from "../orders/view-order.ts";
import type { LedgerCalls } from "../rpc.ts";
import type { EmailOutcome } from "./mailing-outcomes.ts";

type MailCalls = Pick<LedgerCalls, "emailInvoice" | "mailInvoice">;

/** Mails of invoices that a connector or an owner asks for; the object's alarm sends them. */
export function mailCalls(core: LedgerCore): MailCalls {
  const { admission, cache } = core;
  return {
    async emailInvoice(caller, request) {
      const { requestId } = caller;
      const found = await core.outsideQueue<IssuedReading, Found | Unknown | GateRefusal>({
        refusedBy: admissionOf(caller, admission),
        read: (trips) => readWithOrder(cache, request.invoiceId, trips),
        outcome: foundIn,
      });
      return mail(found, { request, requestId, cause: "call" }, core);
    },
    async mailInvoice(_, { userId, requestId, ...request }) {
      const trips: TripCounter = { trips: 0 };
      const read = async () => foundIn(await readWithOrder(cache, request.invoiceId, trips));
      const found = { ...(await core.guarded(read)), d1Trips: trips.trips };
      return mail(found, { request, requestId, cause: "owner", userId }, core);
    },
  };
}

type IssuedReading = InvoiceReading & { readonly order?: StoredOrder };
interface Found {
  readonly outcome: "found";
  readonly reading: IssuedReading;
}
interface Unknown {
  readonly outcome: "unknown";
}

function foundIn(reading: IssuedReading): Found | Unknown {
  return reading.invoices.length > 0 ? { outcome: "found", reading } : { outcome: "unknown" };
}

interface Asking {
  readonly request: MailingRequest;
  readonly requestId: string;
  readonly cause: Exclude<DeliveryCause, "issued">;
  /** The owner who asks. */
  readonly userId?: string;
}

async function mail(
  found: (Found | Unknown | GateRefusal) & TripCount,
  asking: Asking,
  core: LedgerCore,
): Promise<EmailOutcome & TripCount> {
  if (found.outcome !== "found") return found;
  const trips: TripCounter = { trips: found.d1Trips };
  const outcome = await core.guarded(() => decideAndQueue(found.reading, asking, core, trips));
  return { ...outcome, d1Trips: trips.trips };
}

async function decideAndQueue(
  { invoices: [invoice], order }: IssuedReading,
  asking: Asking,
  core: LedgerCore,
  trips: TripCounter,
): Promise<EmailOutcome> {
  const { request } = asking;
  const { deps } = core;
  const { mailing } = deps.store;
  const calls = storeCalls(deps);
  if (!invoice) return { outcome: "unknown" };
  const { view } = invoice;
  const to = addressOf(request, view, order && { email: order.facts.client?.email });
  if (!to.ok) return { outcome: "refused", refusal: to.error };
  const at = deps.now();
  const place = { invoiceId: view.invoiceId, to: to.value };
  const { sender, newest, counted } = await calls.read(() => mailing.readFor(place, at), trips);
  if (!sender) return { outcome: "unknown" };
  if (sender.isFrozen) throw Unavailable.frozen();
  const isAllowed = sender.isVerified || (await deps.invoiceMailer.isOwnAddress(sender.accountId, to.value));
  const decision = decideMailing(request, { invoice: view, newest, isAllowed, counted, at });
  switch (decision.decision) {
    case "replay":
      return { outcome: "replayed", delivery: decision.delivery };
    case "refuse":
      return { outcome: "refused", refusal: decision.refusal };
    case "cannot_express":
      return { outcome: "cannot_express", format: decision.format, reasons: decision.reasons };
    case "limit":
      return { outcome: "rate_limited", retryAfterSeconds: decision.retryAfterSeconds };
    case "queue":
      break;
  }
  const { language, formats, resend } = request;
  const id = newId("de", deps.ledger, deps.random);
  const delivery = queued({ id, ...place, language, formats, cause: asking.cause }, at);
  const by = { accountId: sender.accountId, connectionId: deps.connectionId };
  // Set the alarm before the mail is due, so that none is ever without an alarm.
  await deps.wakeAt(at);
  const theirs = request.to === undefined ? order?.facts.client?.email : undefined;
  const client = order && theirs !== undefined ? { orderId: order.idExternal, email: theirs } : undefined;
  const queue: () => ReturnType<MailingStore["queue"]> = () =>
    mailing.queue(
      by,
      { delivery, requestId: asking.requestId, resend, ...(client ? { client } : {}) },
      auditOf(asking, view.fullNumber, place, core),
    );
  const kept = await calls.read(queue, trips);
  const isOurs = kept?.id === id;
  // Ours was not queued for another that stands, or because the address has changed: then it is judged anew.
  if (!kept || !(isOurs || isStanding(kept, request))) throw new Unavailable("mail_not_queued");
  // That alarm may have rung before the mail was there. Where this one is lost too, cron finds the mail.
  await deps.wakeAt(at).catch(() => {});
  return { outcome: isOurs ? "queued" : "replayed", delivery: kept };
}

function auditOf(
  { userId }: Asking,
  number: string,
  { invoiceId, to }: { readonly invoiceId: string; readonly to: string },
  { deps }: LedgerCore,
): AuditEntry | undefined {
  if (userId === undefined) return undefined;
  const facts = { invoice_id: invoiceId, number, to: maskedAddress(to) };
  return { id: newId("al", deps.ledger, deps.random), userId, at: deps.now(), verb: "mail_invoice", facts };
}

const NOT_COUNTED = 0;

/** The invoices of due mails, with what their orders add to the PDF; two trips at most. */
export async function readMailed(
  { cache }: LedgerCore,
  invoiceIds: readonly string[],
): Promise<readonly MailedInvoice[]> {
  const trips: TripCounter = { trips: NOT_COUNTED };
  const { invoices, look } = await cache.read({ origins: [], invoiceIds }, trips);
  const ids = invoices.flatMap(({ view }) => orderIdOf(view.origin) ?? []);
  const orders =
    ids.length === 0
      ? []
      : (await cache.readOrders({ ids: [...new Set(ids)], rates: [], statuses: [] }, trips)).found.orders;
  return invoices.map(({ view }) => {
    const order = orders.find(({ idExternal }) => idExternal === orderIdOf(view.origin));
    return { view, ...(order ? { order: printedOrder(order) } : {}), ...(look ? { look } : {}) };
  });
}
