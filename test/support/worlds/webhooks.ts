/** Callers with events: a ledger of the test's own, and its deliveries. */
import { env } from "cloudflare:workers";
import { webhookBody } from "../../../src/api/openapi/webhook-events.ts";
import type { CallResult } from "../../../src/domain/callback/delivery.ts";
import type { OutgoingMessage } from "../../../src/domain/callback/message.ts";
import { WEBHOOK_EVENTS, type WebhookEvent } from "../../../src/domain/webhook/event.ts";
import type { Ledger } from "../../../src/ledger/core/ledger.ts";
import type { VerbOutcome } from "../../../src/ledger/rpc.ts";
import type { OwnerRequest } from "../../../src/ledger/verbs/table.ts";
import { NOON } from "../builders/callbacks.ts";
import { type LedgerClient, plainLedger } from "./ledger-client.ts";
import { type Connector, orderConnector } from "./order-calls.ts";
import { MARTA } from "./owners.ts";
import type { Shop } from "./shop.ts";

export const DELIVERED: CallResult = { outcome: { outcome: "delivered", status: 200 } };
export const BUSY: CallResult = { outcome: { outcome: "failed", cause: "server_error", status: 503 } };
export const GONE: CallResult = { outcome: { outcome: "stopped", cause: "gone", status: 410 } };
export const REDIRECT: CallResult = { outcome: { outcome: "failed", cause: "redirect", status: 302 } };
export const REFUSED: CallResult = { outcome: { outcome: "failed", cause: "client_error", status: 400 } };
export const SLOW: CallResult = { outcome: { outcome: "failed", cause: "timeout" } };

export const RECEIVER = "https://receptor.es/avisos?clave=secreta";

type Answer = (message: OutgoingMessage) => CallResult | Promise<CallResult>;

export interface Exchange {
  readonly shop: Shop;
  readonly ledger: Ledger;
  readonly client: LedgerClient;
  readonly connector: Connector;
  readonly alarms: readonly string[];
  readonly sent: OutgoingMessage[];
  /** Lines of the log. */
  readonly lines: object[];
  readonly wakes: number[];
  now: number;
  answer: Answer;
  act(request: OwnerRequest): Promise<VerbOutcome>;
  /** Its id and its secret. */
  register(change?: {
    url?: string;
    events?: readonly WebhookEvent[];
  }): Promise<{ id: string; secret: string }>;
}

/** A ledger of the test's own on the shop's database; `sent` of a second one can be that of the first. */
export function exchangeOn(shop: Shop, sent: OutgoingMessage[] = []): Exchange {
  const lines: object[] = [];
  const wakes: number[] = [];
  const state = { now: NOON, answer: (() => DELIVERED) as Answer };
  const { ledger, client, alarms } = plainLedger(shop, {
    now: () => state.now,
    chance: () => 0,
    log: (line) => lines.push(line),
    wakeAt: async (at) => {
      wakes.push(at);
    },
    send: async (message) => {
      sent.push(message);
      return state.answer(message);
    },
  });
  const act = (request: OwnerRequest) => ledger.act(shop.connectionId, MARTA, request);
  return Object.assign(state, {
    ...{ shop, ledger, client, alarms, sent, lines, wakes, act },
    connector: orderConnector(shop, ledger),
    async register({ url = RECEIVER, events = WEBHOOK_EVENTS }: Parameters<Exchange["register"]>[0] = {}) {
      const outcome = await act({ verb: "register_webhook", url, events });
      if (outcome.outcome !== "done") throw new Error(JSON.stringify(outcome));
      return { id: outcome.shown?.webhook_id ?? "", secret: outcome.shown?.secret ?? "" };
    },
  });
}

export interface Told {
  readonly type: WebhookEvent | "webhook.test";
  readonly timestamp: string;
  readonly data: Record<string, unknown>;
}

/** The body, which must have the documented shape. */
export function bodyIn({ body }: Pick<OutgoingMessage, "body">): Told {
  const told: Told = JSON.parse(body);
  webhookBody(told.type).parse(told);
  return told;
}

/** `invoice.issued API-1-2026-000001`, sorted: the order of arrival is not promised. */
export function toldIn(sent: readonly Pick<OutgoingMessage, "body">[]): readonly string[] {
  return sent
    .map((message) => {
      const { type, data } = bodyIn(message);
      const invoice = (data.invoice ?? data) as { full_number?: string };
      return `${type} ${invoice.full_number ?? data.id_external ?? ""}`.trim();
    })
    .toSorted();
}

/** The AEAT's answer about a record, as its submission writes it. */
export async function settleRecord(
  { connectionId }: Shop,
  position: number,
  change: { readonly state: string; readonly seq: number; readonly standing?: object },
): Promise<void> {
  const { state, seq, standing = {} } = change;
  await env.LEDGER_000.prepare(
    "UPDATE record SET state = ?, standing = ?, changed_seq = ? WHERE connection_id = ? AND position = ?",
  )
    .bind(state, JSON.stringify(standing), seq, connectionId, position)
    .run();
}

export interface DeliveryRow {
  readonly id: string;
  readonly event: string;
  readonly subject: string;
  readonly attempts: number;
  readonly due_at: number | null;
  readonly last_outcome: string | null;
}

export async function deliveriesOf({ connectionId }: Shop): Promise<readonly DeliveryRow[]> {
  const { results } = await env.LEDGER_000.prepare(
    "SELECT id, event, subject, attempts, due_at, last_outcome FROM webhook_delivery WHERE connection_id = ? ORDER BY rowid",
  )
    .bind(connectionId)
    .all<DeliveryRow>();
  return results;
}

export async function countIn(table: string): Promise<number> {
  return (
    (await env.LEDGER_000.prepare(`SELECT count(*) AS n FROM ${table}`).first<number>("n")) ?? Number.NaN
  );
}
