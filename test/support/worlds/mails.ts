/** Mails with invoices: a ledger of the test's own, and a mail service that the test answers for. */
import { env } from "cloudflare:workers";
import type { OutgoingMessage } from "../../../src/domain/callback/message.ts";
import type { InvoiceRequest } from "../../../src/domain/invoice/request.ts";
import type { MailingRequest } from "../../../src/domain/mailing/decide-mailing.ts";
import type { InvoiceDelivery, MailResult } from "../../../src/domain/mailing/invoice-delivery.ts";
import type { Ledger } from "../../../src/ledger/core/ledger.ts";
import type { TripCount } from "../../../src/ledger/core/outcomes.ts";
import type { EmailOutcome } from "../../../src/ledger/mailing/mailing-outcomes.ts";
import type { VerbOutcome } from "../../../src/ledger/rpc.ts";
import type { OwnerRequest } from "../../../src/ledger/verbs/table.ts";
import type { MailedInvoice } from "../../../src/work/mailing/deliver-mails.ts";
import { NOON } from "../builders/callbacks.ts";
import { anInvoice } from "../builders/requests.ts";
import { type LedgerClient, plainLedger } from "./ledger-client.ts";
import { type Connector, orderConnector } from "./order-calls.ts";
import { MARTA } from "./owners.ts";
import { callerOf, type Shop } from "./shop.ts";

export const ANA = "ana@cliente.es";

export interface SentMail {
  readonly delivery: InvoiceDelivery;
  readonly invoice: MailedInvoice;
  readonly replyTo?: string;
}

type Service = (mail: SentMail) => MailResult | Promise<MailResult>;

export interface MailRoom {
  readonly shop: Shop;
  readonly ledger: Ledger;
  readonly client: LedgerClient;
  readonly connector: Connector;
  readonly alarms: readonly string[];
  /** Every attempt that reached the mail service. */
  readonly sent: SentMail[];
  readonly lines: object[];
  readonly wakes: number[];
  /** Messages to webhooks; each is taken. */
  readonly told: OutgoingMessage[];
  /** Confirmed addresses of the company's own people. */
  readonly own: Set<string>;
  now: number;
  service: Service;
  /** An F1 to a customer with this address; its id. */
  issue(externalId: string, change?: Partial<InvoiceRequest>): Promise<string>;
  email(invoiceId: string, change?: Partial<MailingRequest>): Promise<EmailOutcome & TripCount>;
  act(request: OwnerRequest): Promise<VerbOutcome>;
  rows(): Promise<readonly MailRow[]>;
}

export interface MailRow {
  readonly id: string;
  readonly invoice_id: string;
  readonly address: string;
  readonly cause: string;
  readonly state: string;
  readonly attempts: number;
  readonly due_at: number | null;
  readonly error: string | null;
}

/** A customer with an address, as `anInvoice` has it otherwise. */
export function withEmail(
  email = ANA,
  more: Partial<InvoiceRequest["recipient"]> = {},
): Partial<InvoiceRequest> {
  const { recipient } = anInvoice("none").request;
  return { recipient: { ...recipient, email, ...more } };
}

export function mailRoomOn(shop: Shop): MailRoom {
  const [sent, lines, wakes]: [SentMail[], object[], number[]] = [[], [], []];
  const [told, own]: [OutgoingMessage[], Set<string>] = [[], new Set()];
  const state = { now: NOON, service: (() => ({ result: "taken" })) as Service };
  const { ledger, client, alarms } = plainLedger(shop, {
    now: () => state.now,
    chance: () => 0,
    log: (line) => lines.push(line),
    wakeAt: async (at) => {
      wakes.push(at);
    },
    send: async (message) => {
      told.push(message);
      return { outcome: { outcome: "delivered", status: 200 } };
    },
    invoiceMailer: {
      async send(delivery, invoice, replyTo) {
        const mail = { delivery, invoice, ...(replyTo === undefined ? {} : { replyTo }) };
        sent.push(mail);
        return state.service(mail);
      },
      isOwnAddress: async (_, address) => own.has(address),
    },
  });
  return Object.assign(state, {
    ...{ shop, ledger, client, alarms, sent, lines, wakes, told, own },
    connector: orderConnector(shop, ledger),
    async issue(externalId: string, change: Partial<InvoiceRequest> = withEmail()) {
      const outcome = await client.issue(externalId, change);
      if (!("invoice" in outcome)) throw new Error(JSON.stringify(outcome));
      return outcome.invoice.invoiceId;
    },
    email: (invoiceId: string, change: Partial<MailingRequest> = {}) =>
      ledger.emailInvoice(callerOf(shop), {
        ...({ invoiceId, language: "es", formats: ["pdf"], resend: false } as const),
        ...change,
      }),
    act: (request: OwnerRequest) => ledger.act(shop.connectionId, MARTA, request),
    async rows() {
      const { results } = await env.LEDGER_000.prepare(
        `SELECT id, invoice_id, address, cause, state, attempts, due_at, error FROM invoice_delivery
          WHERE connection_id = ? ORDER BY queued_at, rowid`,
      )
        .bind(shop.connectionId)
        .all<MailRow>();
      return results;
    },
  });
}
