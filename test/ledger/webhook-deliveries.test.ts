/** The course of a message: its attempts, its end, its owner's view. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import type { LogPage } from "../../src/db/webhooks/webhook-reads.ts";
import { retryDelayMs } from "../../src/domain/callback/delivery.ts";
import { HOUR, MINUTE, NOON, SECOND } from "../support/builders/callbacks.ts";
import { auditOf } from "../support/worlds/owners.ts";
import { openShop, type Shop } from "../support/worlds/shop.ts";
import {
  BUSY,
  bodyIn,
  countIn,
  DELIVERED,
  deliveriesOf,
  type Exchange,
  exchangeOn,
  GONE,
  RECEIVER,
  REDIRECT,
  REFUSED,
  SLOW,
  toldIn,
} from "../support/worlds/webhooks.ts";

const DAY = 24 * HOUR;
const KEPT = 30 * DAY;

let shop: Shop;
let exchange: Exchange;
let webhook: { readonly id: string; readonly secret: string };

beforeEach(async () => {
  shop = await openShop();
  exchange = exchangeOn(shop);
  webhook = await exchange.register({ events: ["invoice.issued"] });
});

const wake = () => exchange.ledger.wake();

async function issue(...ids: readonly string[]): Promise<void> {
  for (const id of ids) await exchange.client.issue(id);
}

async function logOf(id = webhook.id, asked: object = {}): Promise<LogPage> {
  const log = await exchange.ledger.listWebhookDeliveries(shop.connectionId, {
    endpointId: id,
    limit: 100,
    ...asked,
  });
  if (log.outcome !== "found") throw new Error(log.outcome);
  return log.page;
}

describe("failures", () => {
  test.each([
    ["busy", BUSY],
    ["refused", REFUSED],
    ["redirected", REDIRECT],
    ["slow", SLOW],
  ])("%s: tried again by the schedule under one id with one body, and then given up", async (_, failure) => {
    await issue("a");
    exchange.answer = () => failure;
    const waits: (number | undefined)[] = [];
    for (let next = await wake(); next !== undefined && next < NOON + KEPT; next = await wake()) {
      waits.push(next - exchange.now);
      // Earlier there is nothing to do, and the alarm knows the time.
      expect(await wake()).toBe(next);
      exchange.now = next;
    }
    expect(waits).toEqual(Array.from({ length: 8 }, (_, index) => retryDelayMs(index + 1, { chance: 0 })));
    expect(exchange.sent).toHaveLength(9);
    expect(new Set(exchange.sent.map(({ id, body }) => `${id} ${body}`)).size).toBe(1);
    expect(new Set(exchange.sent.map(({ at }) => at)).size).toBe(9);
    expect((await logOf()).entries).toMatchObject([{ status: "given_up", attempts: 9 }]);
  });

  test("down, and then up: everything arrives, in one run", async () => {
    await issue("a", "b", "c", "d", "e", "f", "g", "h");
    exchange.answer = () => SLOW;
    // The first four are tried; without an answer the rest is not, and comes back soon.
    expect(await wake()).toBe(NOON + 30 * SECOND);
    expect(exchange.sent).toHaveLength(4);
    exchange.answer = () => DELIVERED;
    exchange.now += 30 * SECOND;
    await wake();
    const delivered = exchange.sent.slice(4);
    expect(toldIn(delivered)).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8].map((n) => `invoice.issued API-1-2026-00000${n}`),
    );
  });

  test("an endpoint that refuses some messages keeps no other from it", async () => {
    await issue("a", "b", "c", "d", "e", "f", "g");
    exchange.answer = () => REFUSED;
    await wake();
    expect(exchange.sent).toHaveLength(7);
  });

  test("a dead endpoint takes nothing from a living one", async () => {
    await exchange.register({ url: "https://vivo.es/", events: ["invoice.issued"] });
    await issue("a", "b", "c", "d", "e", "f");
    exchange.answer = ({ url }) => (url === RECEIVER ? SLOW : DELIVERED);
    await wake();
    const hosts = exchange.sent.map(({ url }) => new URL(url).host);
    expect(hosts.filter((host) => host === "vivo.es")).toHaveLength(6);
    expect(hosts.filter((host) => host === "receptor.es")).toHaveLength(2);
  });

  test("Retry-After is kept to", async () => {
    await issue("a");
    exchange.answer = () => ({ ...BUSY, retryAfterSeconds: 600 });
    expect(await wake()).toBe(NOON + 10 * MINUTE);
  });

  test("no attempt is begun after the budget of a run: it comes back at once", async () => {
    await issue("a", "b", "c", "d", "e", "f", "g");
    exchange.answer = () => {
      exchange.now += 4 * SECOND;
      return DELIVERED;
    };
    expect(await wake()).toBe(exchange.now);
    expect(exchange.sent).toHaveLength(4);
    await wake();
    expect(exchange.sent).toHaveLength(7);
  });

  test("so many at a time and no more", async () => {
    await issue("a", "b", "c", "d", "e", "f", "g");
    let open = 0;
    let most = 0;
    exchange.answer = async () => {
      open += 1;
      most = Math.max(most, open);
      await Promise.resolve();
      open -= 1;
      return DELIVERED;
    };
    await wake();
    expect([exchange.sent.length, most]).toEqual([7, 4]);
  });
});

describe("the end of an endpoint", () => {
  test("410: it is not called again, and its open deliveries are stopped", async () => {
    await issue("a", "b", "c", "d", "e", "f", "g", "h");
    exchange.answer = () => GONE;
    const next = await wake();
    expect(exchange.sent).toHaveLength(4);
    await issue("i");
    exchange.now += DAY;
    await wake();
    expect(exchange.sent).toHaveLength(4);
    expect(next).toBe(NOON + KEPT);
    const { entries } = await logOf();
    expect(entries).toHaveLength(8);
    expect(entries.every(({ status, nextAt }) => status === "stopped" && nextAt === undefined)).toBe(true);
    const list = await exchange.ledger.listWebhooks(shop.connectionId);
    expect(list).toMatchObject({ webhooks: [{ id: webhook.id, ended: { because: "gone", at: NOON } }] });
    // The same address can be registered anew.
    expect((await exchange.register({ events: ["invoice.issued"] })).id).not.toBe(webhook.id);
  });

  test("removed by its owner: nothing that was on its way is sent", async () => {
    await issue("a");
    exchange.answer = () => BUSY;
    await wake();
    await exchange.act({ verb: "remove_webhook", id: webhook.id });
    exchange.now += HOUR;
    await wake();
    expect(exchange.sent).toHaveLength(1);
    expect((await logOf()).entries).toMatchObject([
      { status: "stopped", lastOutcome: { cause: "endpoint_ended" } },
    ]);
    for (const request of [
      { verb: "test_webhook", id: webhook.id },
      { verb: "rotate_webhook_secret", id: webhook.id },
      { verb: "choose_webhook_events", id: webhook.id, events: ["order.held"] },
      { verb: "resend_webhook_delivery", deliveryId: exchange.sent[0]?.id ?? "" },
    ] as const) {
      expect(await exchange.act(request)).toMatchObject({ refusal: { code: "webhook_ended" } });
    }
  });

  test("removed during the call: its answer is kept, and no retry follows", async () => {
    await issue("a");
    exchange.answer = async () => {
      await exchange.act({ verb: "remove_webhook", id: webhook.id });
      return BUSY;
    };
    await wake();
    exchange.now += HOUR;
    await wake();
    expect(exchange.sent).toHaveLength(1);
    expect((await deliveriesOf(shop)).map(({ due_at }) => due_at)).toEqual([null]);
  });

  test("an address that may no longer be called is not called", async () => {
    await issue("a");
    await env.LEDGER_000.prepare("UPDATE webhook_endpoint SET url = 'https://caja.local/'").run();
    await wake();
    expect(exchange.sent).toEqual([]);
    const list = await exchange.ledger.listWebhooks(shop.connectionId);
    expect(list).toMatchObject({ webhooks: [{ ended: { because: "url_not_allowed" } }] });
  });

  test("many deliveries are stopped in steps", async () => {
    await insertWaiting(450, { dueAt: NOON + HOUR });
    await exchange.act({ verb: "remove_webhook", id: webhook.id });
    await wake();
    expect((await deliveriesOf(shop)).filter(({ due_at }) => due_at !== null)).toEqual([]);
  });
});

/** Deliveries that were made then, past the product. */
async function insertWaiting(count: number, { dueAt = null as number | null, askedAt = NOON } = {}) {
  await env.LEDGER_000.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
      INSERT INTO webhook_delivery SELECT 'old-' || ? || i, ?, ?, 'invoice.issued', 'old-' || ? || i, '{}', ?, 1, ?, 0,
        '{"outcome":"delivered","status":200}' FROM n`,
  )
    .bind(count, askedAt, webhook.id, shop.connectionId, askedAt, askedAt, dueAt)
    .run();
}

describe("what the owner does", () => {
  test("rotated: signed with both until the overlap is ended", async () => {
    const rotated = await exchange.act({ verb: "rotate_webhook_secret", id: webhook.id });
    const secret = (rotated.outcome === "done" && rotated.shown?.secret) || "";
    expect(secret).not.toBe(webhook.secret);
    await issue("a");
    await wake();
    await exchange.act({ verb: "end_webhook_overlap", id: webhook.id });
    await issue("b");
    await wake();
    expect(exchange.sent.map(({ secrets }) => secrets)).toEqual([
      { current: secret, previous: webhook.secret },
      { current: secret },
    ]);
  });

  test("a test event goes to an endpoint that has chosen others, once", async () => {
    const asked = await exchange.act({ verb: "test_webhook", id: webhook.id });
    expect(exchange.wakes.at(-1)).toBe(NOON);
    await wake();
    await wake();
    const [message, ...others] = exchange.sent;
    expect(others).toEqual([]);
    expect(message && bodyIn(message)).toMatchObject({
      type: "webhook.test",
      data: { webhook_id: webhook.id },
    });
    expect(asked).toEqual({ outcome: "done", shown: { delivery_id: message?.id } });
    // Tested again it is another message.
    await exchange.act({ verb: "test_webhook", id: webhook.id });
    await wake();
    expect(new Set(exchange.sent.map(({ id }) => id)).size).toBe(2);
  });

  test.each([
    ["delivered", DELIVERED],
    ["given up", BUSY],
  ])(
    "sent again after it was %s: the same message, and then no more than is left of the schedule",
    async (_, first) => {
      await issue("a");
      exchange.answer = () => first;
      for (let next = await wake(); next !== undefined && next < NOON + KEPT; next = await wake()) {
        exchange.now = next;
      }
      const before = exchange.sent.length;
      const deliveryId = exchange.sent[0]?.id ?? "";
      await exchange.act({ verb: "resend_webhook_delivery", deliveryId });
      expect((await logOf()).entries[0]?.nextAt).toBe(exchange.now);
      exchange.answer = () => DELIVERED;
      await wake();
      expect(exchange.sent).toHaveLength(before + 1);
      expect(new Set(exchange.sent.map(({ id, body }) => `${id} ${body}`)).size).toBe(1);
      expect((await logOf()).entries).toMatchObject([{ status: "delivered", attempts: before + 1 }]);
    },
  );

  test("a message that is sent again and fails is tried again", async () => {
    await issue("a");
    await wake();
    await exchange.act({ verb: "resend_webhook_delivery", deliveryId: exchange.sent[0]?.id ?? "" });
    exchange.answer = () => BUSY;
    expect(await wake()).toBe(NOON + MINUTE);
    expect((await logOf()).entries).toMatchObject([{ status: "retrying", attempts: 2 }]);
  });

  test("the log, newest first, page by page", async () => {
    for (const id of ["a", "b", "c", "d", "e"]) {
      await issue(id);
      if (id !== "c") await wake();
    }
    const pages: string[][] = [];
    for (let page = await logOf(webhook.id, { limit: 2 }); ; ) {
      pages.push(page.entries.map(({ id }) => id));
      if (!page.next) break;
      page = await logOf(webhook.id, { limit: 2, after: page.next });
    }
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
    expect(pages.flat()).toEqual((await deliveriesOf(shop)).map(({ id }) => id).toReversed());
    const [entry] = (await logOf()).entries;
    expect(entry).toMatchObject({
      event: "invoice.issued",
      status: "delivered",
      attempts: 1,
      askedAt: NOON,
      lastAt: NOON,
      lastOutcome: { outcome: "delivered", status: 200 },
    });
  });

  test("the log of another connection's endpoint is empty", async () => {
    await issue("a");
    await wake();
    const other = exchangeOn(await openShop());
    const log = await other.ledger.listWebhookDeliveries(shop.connectionId, {
      endpointId: webhook.id,
      limit: 10,
    });
    expect(log).toEqual({ outcome: "found", page: { entries: [] } });
  });

  test("no line, of the log or of the audit, has an address or a secret; no list has a secret", async () => {
    await issue("a");
    exchange.answer = () => BUSY;
    await wake();
    expect(exchange.lines).toEqual([
      {
        level: "info",
        event: "webhook_called",
        webhook: webhook.id,
        delivery: exchange.sent[0]?.id,
        attempt: 1,
        outcome: "failed",
        cause: "server_error",
        status: 503,
      },
    ]);
    const told = JSON.stringify([exchange.lines, await auditOf(shop), exchange.alarms]);
    expect([webhook.secret, "clave", "avisos"].filter((part) => told.includes(part))).toEqual([]);
    const shown = JSON.stringify([await exchange.ledger.listWebhooks(shop.connectionId), await logOf()]);
    expect(shown).toContain(RECEIVER);
    expect(shown).not.toContain("whsec_");
  });
});

describe("30 days later", () => {
  test("finished deliveries are forgotten in steps, the others are kept", async () => {
    await issue("a");
    await wake();
    exchange.now = NOON + DAY;
    await insertWaiting(250, { askedAt: NOON - DAY });
    await insertWaiting(1, { askedAt: NOON - DAY + 1, dueAt: NOON + 60 * DAY });
    exchange.now = NOON + KEPT - 1;
    expect(await wake()).toBe(exchange.now + 30 * SECOND);
    expect(await countIn("webhook_delivery")).toBe(52);
    expect(await wake()).toBe(exchange.now + DAY);
    expect(await countIn("webhook_delivery")).toBe(2);
    exchange.now = NOON + KEPT + 1;
    await wake();
    expect(await countIn("webhook_delivery")).toBe(1);
  });

  test("an endpoint that has ended is forgotten with the last of them", async () => {
    await issue("a");
    await wake();
    exchange.now += DAY;
    await exchange.act({ verb: "remove_webhook", id: webhook.id });
    exchange.now = NOON + KEPT + 1;
    await wake();
    expect([await countIn("webhook_delivery"), await countIn("webhook_endpoint")]).toEqual([0, 1]);
    exchange.now += 2 * DAY;
    expect(await wake()).toBeUndefined();
    expect([await countIn("webhook_endpoint"), await countIn("webhook_cursor")]).toEqual([0, 0]);
    // A sent event is never sent again, by any instance.
    expect(exchange.sent).toHaveLength(1);
  });
});
