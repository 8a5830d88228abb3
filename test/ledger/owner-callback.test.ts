/** The shop is called to send its orders: when, how often, and without leaks. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import type { CallResult } from "../../src/domain/callback/delivery.ts";
import type { OutgoingMessage } from "../../src/domain/callback/message.ts";
import type { Ledger } from "../../src/ledger/core/ledger.ts";
import type { VerbOutcome } from "../../src/ledger/rpc.ts";
import type { OwnerRequest } from "../../src/ledger/verbs/table.ts";
import { HOUR, MINUTE, NOON, SECOND } from "../support/builders/callbacks.ts";
import { failBefore, loseAnswer } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { plainLedger } from "../support/worlds/ledger-client.ts";
import { MARTA } from "../support/worlds/owners.ts";
import type { Shop } from "../support/worlds/shop.ts";
import { connectorOf, inventoryReport, openGuidedShop } from "../support/worlds/shop-reports.ts";

const DELIVERED: CallResult = { outcome: { outcome: "delivered", status: 200 } };
const BUSY: CallResult = { outcome: { outcome: "failed", cause: "server_error", status: 503 } };
const GONE: CallResult = { outcome: { outcome: "stopped", cause: "gone", status: 410 } };
const URL_OF_SHOP = "https://tienda.es/pull?clave=secreta";

let shop: Shop;
let ledger: Ledger;
let alarms: readonly string[];
let sent: OutgoingMessage[];
let told: object[];
let wakes: number[];
let now: number;
let answer: (message: OutgoingMessage) => CallResult | Promise<CallResult>;

beforeEach(async () => {
  shop = await openGuidedShop();
  sent = [];
  told = [];
  wakes = [];
  now = NOON;
  answer = () => DELIVERED;
  const plain = plainLedger(shop, {
    now: () => now,
    chance: () => 0,
    log: (line) => told.push(line),
    wakeAt: async (at) => {
      wakes.push(at);
    },
    send: async (message) => {
      sent.push(message);
      return answer(message);
    },
  });
  ({ ledger, alarms } = plain);
  await connectorOf(shop, ledger)(inventoryReport("1", "2", "3"));
});

function act(request: OwnerRequest): Promise<VerbOutcome> {
  return ledger.act(shop.connectionId, MARTA, request);
}

const register = (url = URL_OF_SHOP) => act({ verb: "register_callback", url });
const completeSetup = () => act({ verb: "complete_setup", storeIds: ["3", "1"] });

async function registered(): Promise<string> {
  const outcome = await register();
  return (outcome.outcome === "done" && outcome.shown?.secret) || "";
}

test("registered before step 2 it waits for it, and is then called with the selection", async () => {
  const secret = await registered();
  expect(secret).toMatch(/^whsec_/);
  expect(await ledger.wake()).toBeUndefined();
  expect(sent).toEqual([]);
  wakes = [];
  await completeSetup();
  // Armed before the call is due, so that it is never without an alarm.
  expect(wakes).toEqual([NOON]);
  expect(await ledger.wake()).toBeUndefined();
  expect(sent).toMatchObject([
    { url: `${URL_OF_SHOP}&store_ids=1%2C3`, secrets: { current: secret }, at: NOON },
  ]);
  expect(JSON.parse(sent[0]?.body ?? "")).toMatchObject({ data: { store_ids: "1,3" } });
});

test("the same address again shows no secret, and is not called", async () => {
  await registered();
  await completeSetup();
  await ledger.wake();
  expect(await register()).toEqual({ outcome: "done" });
  await ledger.wake();
  expect(sent).toHaveLength(1);
  // Another address of the same shop is called at once.
  expect(await register("https://otra.es/")).toEqual({ outcome: "done" });
  await ledger.wake();
  expect(sent.map(({ url }) => new URL(url).host)).toEqual(["tienda.es", "otra.es"]);
});

test("a failed call is tried again by the schedule, under the same id, and then given up", async () => {
  await registered();
  await completeSetup();
  answer = () => BUSY;
  const waits: number[] = [];
  for (let next = await ledger.wake(); next !== undefined; next = await ledger.wake()) {
    waits.push(next - now);
    // Earlier there is nothing to do, and the alarm knows the time.
    expect(await ledger.wake()).toBe(next);
    now = next;
  }
  const planned = [10 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR];
  expect(waits).toEqual(planned);
  expect([sent.length, new Set(sent.map(({ id }) => id)).size]).toEqual([planned.length + 1, 1]);
});

test("410 ends it; asked for again, it is called anew", async () => {
  await registered();
  await completeSetup();
  answer = () => GONE;
  expect(await ledger.wake()).toBeUndefined();
  now += 48 * HOUR;
  expect(await ledger.wake()).toBeUndefined();
  expect(sent).toHaveLength(1);
  expect((await act({ verb: "ask_for_orders" })).outcome).toBe("done");
  await ledger.wake();
  expect(sent).toHaveLength(2);
  expect(sent[1]?.id).not.toBe(sent[0]?.id);
});

describe("during the call", () => {
  test("removed: nothing comes back", async () => {
    await registered();
    await completeSetup();
    answer = async () => {
      await act({ verb: "remove_callback" });
      return BUSY;
    };
    expect(await ledger.wake()).toBeUndefined();
    now += HOUR;
    expect(await ledger.wake()).toBeUndefined();
    expect(sent).toHaveLength(1);
  });

  test("asked again: that call follows", async () => {
    await registered();
    await completeSetup();
    answer = async () => {
      await act({ verb: "ask_for_orders" });
      return DELIVERED;
    };
    expect(await ledger.wake()).toBe(NOON);
    answer = () => DELIVERED;
    expect(await ledger.wake()).toBeUndefined();
    expect(new Set(sent.map(({ id }) => id)).size).toBe(2);
  });

  test("no call waits", async () => {
    await registered();
    await completeSetup();
    const answers: string[] = [];
    answer = async () => {
      answers.push((await connectorOf(shop, ledger)(inventoryReport("1", "2", "3", "4"))).outcome);
      return DELIVERED;
    };
    await ledger.wake();
    expect(answers).toEqual(["recorded"]);
  });
});

describe("storage that fails", () => {
  test("before the call: no address is called, and the call comes back", async () => {
    await registered();
    await completeSetup();
    faults.next(failBefore(), { times: 20 });
    expect(await ledger.wake()).toBe(NOON + 30 * SECOND);
    expect(sent).toEqual([]);
    faults.reset();
    await ledger.wake();
    expect(sent).toHaveLength(1);
  });

  test("the answer to an attempt's beginning is lost: the attempt counts, and the next one follows", async () => {
    await registered();
    await completeSetup();
    const writes = (sql: readonly string[]) =>
      sql.some((text) => text.startsWith('insert into "shop_callback"'));
    faults.when(writes, loseAnswer());
    expect(await ledger.wake()).toBe(NOON + 10 * SECOND);
    expect(sent).toEqual([]);
    now += 10 * SECOND;
    expect(await ledger.wake()).toBeUndefined();
    expect(sent).toHaveLength(1);
  });

  test("the answer to its end is lost: a delivered call is not made again", async () => {
    await registered();
    await completeSetup();
    const writes = (sql: readonly string[]) =>
      sql.some((text) => text.startsWith('insert into "shop_callback"'));
    answer = () => {
      faults.when(writes, loseAnswer());
      return DELIVERED;
    };
    expect(await ledger.wake()).toBeUndefined();
    now += HOUR;
    expect(await ledger.wake()).toBeUndefined();
    expect([sent.length, faults.pending()]).toEqual([1, []]);
  });
});

test("a frozen account calls no address and logs no failure; thawed, it does", async () => {
  await registered();
  await completeSetup();
  const freeze = (frozen: number) =>
    env.LEDGER_000.prepare("UPDATE account SET frozen = ? WHERE id = ?").bind(frozen, shop.accountId).run();
  await freeze(1);
  // Of a new instance without any memory.
  const fresh = plainLedger(shop, { now: () => now, send: async () => DELIVERED });
  expect(await fresh.ledger.wake()).toBeUndefined();
  expect(await ledger.wake()).toBeUndefined();
  expect([...fresh.alarms, ...alarms, ...sent]).toEqual([]);
  await freeze(0);
  expect(await ledger.wake()).toBeUndefined();
  expect(sent).toHaveLength(1);
});

test("no line has the address or the secret", async () => {
  const secret = await registered();
  await completeSetup();
  answer = () => BUSY;
  await ledger.wake();
  expect(told).toEqual([
    {
      level: "info",
      event: "shop_called",
      outcome: "failed",
      cause: "server_error",
      status: 503,
      attempt: 1,
    },
  ]);
  const lines = await env.LEDGER_000.prepare("SELECT facts FROM audit_log").all<{ facts: string }>();
  const text = JSON.stringify([told, lines.results]);
  expect([secret, "secreta", "pull"].filter((part) => text.includes(part))).toEqual([]);
});
