/** What webhooks are told about mails with invoices: each end of a delivery once, without the address. */
import { beforeEach, describe, expect, test } from "vitest";
import type { WebhookEvent } from "../../src/domain/webhook/event.ts";
import { NOON } from "../support/builders/callbacks.ts";
import { failBefore, loseAnswer } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { ANA, type MailRoom, mailRoomOn } from "../support/worlds/mails.ts";
import { openShop, type Shop } from "../support/worlds/shop.ts";
import { bodyIn, deliveriesOf, RECEIVER } from "../support/worlds/webhooks.ts";

const MINUTE_MS = 60_000;
const BOTH: readonly WebhookEvent[] = ["invoice.emailed", "invoice.email_failed"];

let shop: Shop;
let room: MailRoom;

beforeEach(async () => {
  shop = await openShop();
  room = mailRoomOn(shop);
});

async function register(events: readonly WebhookEvent[] = BOTH, url = RECEIVER): Promise<string> {
  const outcome = await room.act({ verb: "register_webhook", url, events });
  if (outcome.outcome !== "done") throw new Error(JSON.stringify(outcome));
  return outcome.shown?.webhook_id ?? "";
}

const bodies = () => room.told.map((message) => bodyIn(message));
const types = () => bodies().map(({ type }) => type);

/** Until the alarm has nothing due: what a mail has written is told by the same alarm or the next. */
async function wake(): Promise<void> {
  for (let next = await room.ledger.wake(); next !== undefined && next <= room.now; ) {
    next = await room.ledger.wake();
  }
}

describe("a mail that the service took", () => {
  test("is told with its delivery as answers have it, but for the address", async () => {
    await register();
    const invoiceId = await room.issue("a");
    const asked = await room.email(invoiceId, { language: "en", formats: ["pdf", "ubl"] });
    await wake();
    await wake();
    const [event, ...others] = bodies();
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      type: "invoice.emailed",
      data: {
        ...{ connection_id: shop.connectionId, invoice_id: invoiceId, to: "a***@c***.es", language: "en" },
        delivery_id: "delivery" in asked ? asked.delivery.id : "",
        ...{ formats: ["pdf", "ubl"], state: "sent", attempts: 1, error: null },
        ...{ queued_at: new Date(NOON).toISOString(), sent_at: new Date(NOON).toISOString() },
      },
    });
    expect(JSON.stringify(room.told)).not.toContain(ANA);
  });

  test("of the switch is told like one that was asked for", async () => {
    await register();
    await room.act({ verb: "switch_mailing", to: "everyone", textVersion: "1" });
    await room.issue("a");
    await wake();
    expect(types()).toEqual(["invoice.emailed"]);
  });

  test("again, to the same address, is an event of its own", async () => {
    await register();
    const invoiceId = await room.issue("a");
    await room.email(invoiceId);
    await wake();
    await room.email(invoiceId);
    await wake();
    expect(types()).toEqual(["invoice.emailed"]);
    await room.email(invoiceId, { resend: true });
    await wake();
    expect(types()).toEqual(["invoice.emailed", "invoice.emailed"]);
    expect(new Set(bodies().map(({ data }) => data.delivery_id)).size).toBe(2);
  });
});

describe("a mail that failed", () => {
  test.each(["address_refused", "too_large"] as const)("is told with %s, at once", async (error) => {
    await register();
    room.service = () => ({ result: "refused", error });
    await room.email(await room.issue("a"));
    await wake();
    expect(bodies()).toMatchObject([
      { type: "invoice.email_failed", data: { state: "failed", error, sent_at: null, to: "a***@c***.es" } },
    ]);
  });

  test("is told once its attempts are used up, and not before", async () => {
    await register();
    room.service = () => ({ result: "not_taken" });
    await room.email(await room.issue("a"));
    await wake();
    for (const wait of [1, 5, 30, 120, 360, 1_440]) {
      expect(room.told).toEqual([]);
      room.now += wait * MINUTE_MS;
      await wake();
    }
    expect(bodies()).toMatchObject([
      { type: "invoice.email_failed", data: { error: "not_taken", attempts: 7 } },
    ]);
  });

  test("of an invoice that was annulled meanwhile is told as such", async () => {
    await register();
    await room.email(await room.issue("a"));
    await room.client.cancel("a");
    await wake();
    expect(bodies()).toMatchObject([{ data: { error: "invoice_cancelled" } }]);
  });
});

describe("who is told", () => {
  test("each endpoint that is subscribed, and none that is not", async () => {
    const other = `${RECEIVER}&otra=1`;
    await register(["invoice.emailed"]);
    await register(["invoice.email_failed"], other);
    await room.email(await room.issue("a"));
    await wake();
    expect(room.told.map(({ url }) => url)).toEqual([RECEIVER]);
    room.service = () => ({ result: "refused", error: "address_refused" });
    await room.email(await room.issue("b"));
    await wake();
    expect(room.told.map(({ url }) => url)).toEqual([RECEIVER, other]);
  });

  test("no endpoint that was removed while the mail was on its way", async () => {
    const id = await register();
    await room.email(await room.issue("a"));
    await room.act({ verb: "remove_webhook", id });
    await wake();
    expect([room.sent.length, room.told.length]).toEqual([1, 0]);
  });

  test("not of mails that were sent before it subscribed", async () => {
    await room.email(await room.issue("a"));
    await wake();
    await register();
    await wake();
    expect(room.told).toEqual([]);
  });
});

test("of two instances one tells, and a write that got lost is made again", async () => {
  await register();
  await room.email(await room.issue("a"));
  const other = mailRoomOn(shop);
  await Promise.all([wake(), other.ledger.wake()]);
  await wake();
  expect([...room.told, ...other.told]).toHaveLength(1);
});

test.each([
  ["whose answer got lost", loseAnswer],
  ["that never arrived", failBefore],
] as const)("a settling %s leaves the event once", async (_, fault) => {
  await register();
  await room.email(await room.issue("a"));
  const isSettling = (sql: readonly string[]) =>
    sql.some((text) => /update "invoice_delivery" set "state"/i.test(text));
  faults.when(isSettling, fault());
  await room.ledger.wake().catch(() => undefined);
  room.now += MINUTE_MS;
  await wake();
  expect((await deliveriesOf(shop)).map(({ event }) => event)).toEqual(["invoice.emailed"]);
  expect(types()).toEqual(["invoice.emailed"]);
});
