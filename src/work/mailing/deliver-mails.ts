import type { DueMails, MailingStore, Sender } from "../../db/mailing/mailing-store.ts";
import type { BegunMail, SettledMail } from "../../db/mailing/mailing-writes.ts";
import { type StoreCallsDeps, timely } from "../../db/store-calls.ts";
import type { InvoiceLook } from "../../domain/brand/look.ts";
import { newMessageId } from "../../domain/callback/message.ts";
import type { RandomBytes } from "../../domain/connection/ids.ts";
import type { InvoiceView } from "../../domain/invoice/invoice-view.ts";
import {
  beginAttempt,
  type InvoiceDelivery,
  isUsedUp,
  type MailResult,
  settleAttempt,
} from "../../domain/mailing/invoice-delivery.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { webhookDelivery } from "../../domain/webhook/delivery.ts";
import { eventOfMail } from "../../domain/webhook/published-event.ts";
import { namedFault } from "../../platform/log.ts";

/** An invoice with what its order and its issuer add to the PDF. */
export interface MailedInvoice {
  readonly view: InvoiceView;
  readonly order?: { readonly orderReference: string; readonly isEcbRate: boolean };
  /** The look of the day. */
  readonly look?: InvoiceLook;
}

/** The way to customers' mailboxes. */
export interface InvoiceMailer {
  /** Makes the mail with its attachments and hands it to the mail service. */
  send(delivery: InvoiceDelivery, invoice: MailedInvoice, replyTo: string | undefined): Promise<MailResult>;
  /** The confirmed address of a person of the company. */
  isOwnAddress(accountId: string, address: string): Promise<boolean>;
}

export interface MailWorkDeps extends StoreCallsDeps {
  readonly connectionId: string;
  readonly store: { readonly mailing: MailingStore };
  readonly invoiceMailer: InvoiceMailer;
  readonly readMailed: (invoiceIds: readonly string[]) => Promise<readonly MailedInvoice[]>;
  readonly now: () => Instant;
  readonly random: RandomBytes;
  /** No address and no text. */
  readonly log: (line: object) => void;
}

/** A mail has files to be made: only so many are in memory at once. */
const AT_ONCE = 4;
/** Other work of the alarm waits for the end of a run. */
const BUDGET_MS = 15_000;

interface MailRun {
  /** The next run; undefined if no mail is on its way. */
  readonly nextRunAt: Instant | undefined;
  /** Events were written for webhooks. */
  readonly hasEvents: boolean;
}

/**
 * Sends the due mails and answers the next run. It needs neither queue nor fence: two concurrent alarms or
 * instances meet in the rows, and one of them gets each mail.
 */
export async function doMailing(deps: MailWorkDeps): Promise<MailRun> {
  const mailing = timely(deps.store.mailing, deps);
  const startedAt = deps.now();
  let hasEvents = false;
  while (deps.now() - startedAt < BUDGET_MS) {
    const found = await mailing.readDue(deps.now(), AT_ONCE);
    if (!found.sender || found.sender.isFrozen) return { nextRunAt: undefined, hasEvents };
    if (found.due.length === 0) break;
    const settled = await sendAll(found, found.sender, { ...deps, store: { mailing } });
    hasEvents ||= settled.some(({ events }) => events.length > 0);
  }
  const next = await mailing.readNext();
  return { nextRunAt: next && Math.max(next, deps.now()), hasEvents };
}

/** Written down, made, settled. */
async function sendAll(
  { due, subscribers }: DueMails,
  sender: Sender,
  deps: MailWorkDeps,
): Promise<readonly SettledMail[]> {
  const { store, now, log, readMailed } = deps;
  const usedUp = due.filter(isUsedUp).map((delivery) => ({ delivery, result: NOT_TAKEN }));
  const attempts = due.filter((one) => !isUsedUp(one)).map((before) => begunAt(before, now()));
  const ids = await store.mailing.begin(attempts, now());
  const ours = attempts.flatMap(({ begun }) => (ids.includes(begun.id) ? [begun] : []));
  const invoices = ours.length === 0 ? [] : await readMailed(ours.map(({ invoiceId }) => invoiceId));
  const made = await Promise.all(
    ours.map(async (delivery) => {
      const invoice = invoices.find(({ view }) => view.invoiceId === delivery.invoiceId);
      return { delivery, result: await sendOne(delivery, invoice, sender, deps) };
    }),
  );
  const at = now();
  const all = [...usedUp, ...made].map(({ delivery, result }) => {
    const settled = settleAttempt(delivery, result, at);
    log({
      level: "info",
      event: "invoice_mailed",
      delivery: delivery.id,
      attempt: delivery.attempts,
      result: result.result,
      ...("error" in result ? { error_code: result.error } : {}),
    });
    return settled;
  });
  const final = all.filter(({ state }) => state !== "queued");
  const settled = final.map((one) => ({ settled: one, events: eventsFor(one, subscribers, deps) }));
  await store.mailing.settle(settled, at);
  return settled;
}

const NOT_TAKEN: MailResult = { result: "not_taken" };

function begunAt(before: InvoiceDelivery, at: Instant): BegunMail {
  return { before, begun: beginAttempt(before, at) };
}

/** What has changed since the mail was queued counts: an annulled invoice is not sent any more. */
async function sendOne(
  delivery: InvoiceDelivery,
  invoice: MailedInvoice | undefined,
  sender: Sender,
  { invoiceMailer, alertOperator }: MailWorkDeps,
): Promise<MailResult> {
  if (!invoice) return { result: "refused", error: "invoice_retired" };
  if (invoice.view.cancellation) return { result: "refused", error: "invoice_cancelled" };
  try {
    const isAllowed = sender.isVerified || (await invoiceMailer.isOwnAddress(sender.accountId, delivery.to));
    if (!isAllowed) return { result: "refused", error: "company_unverified" };
    return await invoiceMailer.send(delivery, invoice, sender.email);
  } catch (error) {
    // Errors of the mail service are results; this one is ours, and the next version may send the mail.
    alertOperator("invoice_mail_broken", namedFault(error));
    return NOT_TAKEN;
  }
}

function eventsFor(
  delivery: InvoiceDelivery,
  subscribers: DueMails["subscribers"],
  { connectionId, now, random }: MailWorkDeps,
): SettledMail["events"] {
  const at = now();
  const event = eventOfMail(connectionId, delivery, at);
  return subscribers.flatMap(({ endpointId, events }) =>
    events.some((one) => one === event.event)
      ? [{ endpointId, delivery: webhookDelivery(event, { id: newMessageId(random), at }) }]
      : [],
  );
}
