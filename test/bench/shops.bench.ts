/**
 * A connected shop: what its deliveries cost, how soon an order is invoiced, and 10,000 earlier orders, with
 * direct invoices of the same connection at the same time. The shop is the stand-in, in this process.
 */
import { env } from "cloudflare:workers";
import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import type { Mappers } from "../../src/domain/shop/documents.ts";
import { STATUS_PRESETS } from "../../src/domain/shop/presets.ts";
import { mapOrder as woocommerce } from "../../src/domain/shop/woocommerce/woocommerce.ts";
import type { Ledger } from "../../src/ledger/core/ledger.ts";
import { createShops, type ShopConfig } from "../../src/sandbox/shops/shops.ts";
import { openStores } from "../../src/sandbox/shops/store.ts";
import { turns } from "../../src/shops/ask.ts";
import { shopApis } from "../../src/shops/shop-apis.ts";
import { NATIVE_FORMS, type NativeOrder } from "../prove/crash/shops/documents.ts";
import { faults } from "../support/faults/faults.ts";
import { wrapD1 } from "../support/faults/wrapped-d1.ts";
import { beginInRuntime } from "../support/progress/progress.ts";
import { plainLedger } from "../support/worlds/ledger-client.ts";
import { anInvoice, callerOf, openShop, type Shop } from "../support/worlds/shop.ts";
import { shopsOn } from "../support/worlds/shop-deps.ts";
import { report, spreadOf } from "./report.ts";

const ORDERS = Number(Reflect.get(env, "BENCH_ORDERS") || 10_000);
const LATENCY_MS = 20;
const AT_ONCE = 64;
/** How long the backfill runs at the product's pace, in each of its two parts. */
const AT_PACE_MS = 45_000;
const HINTS = 30;
/** A little slower than the product's pace, so that no order waits for the one before it. */
const BETWEEN_HINTS_MS = 700;
const LOOK_EVERY_MS = 50;
const CALLS_PER_SECOND = 4;
const STAND_IN = "http://127.0.0.1:8790";
const CREDENTIALS = { consumer_key: "ck_1234567890abcdef", consumer_secret: "cs_1234567890abcdef" };
const MAPPERS = { woocommerce } satisfies Mappers;
const WOO = NATIVE_FORMS.woocommerce;
const samples = Number(Reflect.get(env, "BENCH_SAMPLES"));
const delay = (delayMs: number) => new Promise<void>((resume) => setTimeout(resume, delayMs));
const random = (sizeBytes: number) => crypto.getRandomValues(new Uint8Array(sizeBytes));

/** The stand-in, whose clock goes on with each call, so that it refuses none for its pace. */
function standIn() {
  const state = { now: Date.now() - 2 * 3_600_000, calls: 0 };
  const config: ShopConfig = { credentials: CREDENTIALS, webhooks: [] };
  const answer = createShops({
    ...{ url: STAND_IN, storeOf: openStores(), now: () => state.now, later: () => undefined },
    configs: { woocommerce: config, shopify: config, prestashop: config, magento: config },
    fetch: () => Promise.reject(new Error("no webhooks")),
  });
  const call = async (url: string, init?: RequestInit) => {
    const answered = await answer(new Request(url, init));
    if (answered === "cut") throw new TypeError("fetch failed");
    return answered;
  };
  return {
    state,
    async fetch(url: string, init: RequestInit) {
      state.now += 150;
      state.calls += 1;
      return call(url, init);
    },
    async put(order: NativeOrder) {
      for (const { resource, id, document } of WOO.puts(order)) {
        const url = `${STAND_IN}/woocommerce/_sandbox/${resource}/${id}`;
        const answered = await call(url, { method: "PUT", body: JSON.stringify(document) });
        if (!answered.ok) throw new Error(await answered.text());
      }
    },
  };
}

interface World {
  readonly shop: Shop;
  readonly ledger: Ledger;
  readonly stand: ReturnType<typeof standIn>;
  readonly secret: string;
  readonly nonce: string;
  /** Calls wait for their turn, as they do at a real shop. */
  isPaced: boolean;
}

async function connected(isFetched: boolean): Promise<World> {
  const shop = await openShop();
  const stand = standIn();
  const world = { shop, stand, isPaced: true };
  const turn = turns({ now: Date.now, sleep: delay });
  const apis = shopApis({
    fetch: (url, init) => stand.fetch(url, init),
    after: () => () => {},
    now: Date.now,
    inTurn: (url, perSecond, call) => (world.isPaced ? turn(url, perSecond, call) : call()),
    userAgent: "Cuadre/1.0.0",
  });
  const { ledger } = plainLedger(shop, {
    shops: shopsOn(wrapD1("LEDGER_000", env.LEDGER_000), shop.connectionId, {
      ...{ mappers: MAPPERS, apis, random, secrets: ["shop-secret-of-the-benches"] },
    }),
  });
  const outcome = await ledger.act(shop.connectionId, "owner", {
    ...{ verb: "connect_shop", platform: "woocommerce", settings: {} },
    statuses: STATUS_PRESETS.woocommerce,
    ...(isFetched ? { url: `${STAND_IN}/woocommerce`, credentials: CREDENTIALS } : { credentials: {} }),
  });
  if (outcome.outcome !== "done") throw new Error(JSON.stringify(outcome));
  const select = env.LEDGER_000.prepare("SELECT nonce FROM shop WHERE connection_id = ?");
  const nonce = (await select.bind(shop.connectionId).first<string>("nonce")) ?? "";
  return Object.assign(world, { ledger, secret: outcome.shown?.secret ?? "", nonce });
}

function anOrder(nth: number): NativeOrder {
  const at = Math.floor((Date.now() - 3 * 3_600_000) / 1_000) * 1_000;
  return { id: String(100_000 + nth), orderedAt: at, modifiedAt: at, status: "paid" };
}

async function deliver({ shop, ledger, secret, nonce }: World, order: NativeOrder): Promise<number> {
  const body = Uint8Array.from(new TextEncoder().encode(JSON.stringify(WOO.posted(order))));
  const startedAt = performance.now();
  const received = await ledger.receiveDelivery({
    ...{ connectionId: shop.connectionId, platform: "woocommerce", nonce, body, requestId: "bench" },
    ...{ deliveryId: `d-${order.id}`, topic: "order.updated" },
    signature: createHmac("sha256", secret).update(body).digest("base64"),
  });
  expect(received).toMatchObject({ outcome: "received" });
  expect(received).not.toMatchObject({ as: "duplicate" });
  return performance.now() - startedAt;
}

async function countOf(sql: string, { connectionId }: Shop): Promise<number> {
  return (await env.LEDGER_000.prepare(sql).bind(connectionId).first<number>("v")) ?? 0;
}

const INVOICES = "SELECT count(*) AS v FROM invoice WHERE connection_id = ? AND origin LIKE 'order:%'";

test("deliveries that decide, alone and 64 at once", async () => {
  const world = await connected(false);
  faults.addLatency(LATENCY_MS);
  const alone = Math.ceil(samples / 3);
  const rounds = Math.max(5, Math.ceil(samples / 20));
  const invoicedMs: number[] = [];
  const perSecond: number[] = [];
  let nth = 0;
  const advance = beginInRuntime("deliveries", alone + rounds);
  for (let sample = 0; sample < alone; sample++) {
    invoicedMs.push(await deliver(world, anOrder(nth++)));
    advance();
  }
  for (let round = 0; round < rounds; round++) {
    const orders = Array.from({ length: AT_ONCE }, () => anOrder(nth++));
    const startedAt = performance.now();
    await Promise.all(orders.map((order) => deliver(world, order)));
    perSecond.push((AT_ONCE * 1_000) / (performance.now() - startedAt));
    advance();
  }
  expect(await countOf(INVOICES, world.shop)).toBe(nth);
  report("deliveries whose document decides, 20 ms added to every D1 trip", {
    deliveredAndInvoicedMs: invoicedMs,
    of64AtOncePerSecond: perSecond,
  });
});

test("hints: from a delivery to the invoice of the fetched order", async () => {
  const world = await connected(true);
  const { shop, ledger, stand } = world;
  await ledger.wake();
  faults.addLatency(LATENCY_MS);
  const deliveredAt = new Map<string, number>();
  const acceptedMs: number[] = [];
  const invoicedMs: number[] = [];
  const advance = beginInRuntime("hints", HINTS);
  const delivering = (async () => {
    for (let nth = 0; nth < HINTS; nth++) {
      const order = anOrder(nth);
      await stand.put(order);
      deliveredAt.set(order.id, Date.now());
      acceptedMs.push(await deliver(world, order));
      await delay(BETWEEN_HINTS_MS);
    }
  })();
  const isOver = () => invoicedMs.length >= HINTS;
  const alarms = (async () => {
    while (!isOver()) {
      const next = (await ledger.wake()) ?? Number.POSITIVE_INFINITY;
      await delay(Math.max(0, Math.min(next - Date.now(), LOOK_EVERY_MS)));
    }
  })();
  const select = env.LEDGER_000.prepare("SELECT origin FROM invoice WHERE connection_id = ?");
  while (!isOver()) {
    await delay(LOOK_EVERY_MS);
    const { results } = await select.bind(shop.connectionId).all<{ readonly origin: string }>();
    for (const { origin } of results) {
      const id = origin.replace("order:", "");
      const since = deliveredAt.get(id);
      if (since === undefined) continue;
      deliveredAt.delete(id);
      invoicedMs.push(Date.now() - since);
      advance();
    }
  }
  await Promise.all([delivering, alarms]);
  report("hints of a shop that is fetched from, at its pace, 20 ms added to every D1 trip", {
    acceptedMs,
    deliveredToInvoicedMs: invoicedMs,
  });
});

test("10,000 earlier orders, with direct issuance at the same time", async () => {
  const world = await connected(true);
  const { shop, ledger, stand } = world;
  const direct = directIssuer(world);
  const filling = beginInRuntime("hundreds of orders put into the shop", Math.floor(ORDERS / 100));
  for (let nth = 0; nth < ORDERS; nth++) {
    await stand.put(anOrder(nth));
    if (nth % 100 === 99) filling();
  }
  await ledger.wake();
  const act = (request: Parameters<Ledger["act"]>[2]) => ledger.act(shop.connectionId, "owner", request);
  faults.addLatency(LATENCY_MS);
  const idleMs: number[] = [];
  await direct();
  faults.take();
  const idle = beginInRuntime("direct invoices before the backfill", samples);
  for (let sample = 0; sample < samples; sample++) {
    idleMs.push(await direct());
    idle();
  }
  const ofDirect = spentSince();
  expect(await act({ verb: "begin_shop_backfill", from: "cutoff" })).toMatchObject({ outcome: "done" });
  const lookedAtPace = await atPace(world, direct);
  const listed = await run(world);
  const all = { verb: "confirm_shop_backfill", selected: { all: true } } as const;
  expect(await act(all)).toMatchObject({ outcome: "done" });
  const decidedAtPace = await atPace(world, direct);
  const decided = await run(world);
  const whole = [lookedAtPace, listed, decidedAtPace, decided];
  // A list ends where another page could pass its limit of orders: what is left is a list of its own.
  if ((await countOf(INVOICES, shop)) < ORDERS) {
    expect(await act({ verb: "begin_shop_backfill", from: "more" })).toMatchObject({ outcome: "done" });
    whole.push(await run(world));
    expect(await act(all)).toMatchObject({ outcome: "done" });
    whole.push(await run(world));
  }
  expect(await countOf(INVOICES, shop)).toBe(ORDERS);
  const sum = (of: (part: Part) => number) => whole.reduce((total, part) => total + of(part), 0);
  const calls = sum((part) => part.calls);
  const issued = sum(({ besideMs }) => besideMs.length);
  // Less what as many direct invoices took alone.
  const perOrder = (of: keyof Spent) =>
    (sum(({ spent }) => spent[of]) - (issued * ofDirect[of]) / samples) / ORDERS;
  const p95 = spreadOf(idleMs).p95;
  const besideMs = [...lookedAtPace.besideMs, ...decidedAtPace.besideMs];
  // Of the orders that were worked through without a pace: each is one call, because it has no refunds.
  report(`backfill of ${ORDERS} orders`, {
    listedPerSecondWithoutPace: [listed.calls / (listed.tookMs / 1_000)],
    decidedPerSecondWithoutPace: [decided.calls / (decided.tookMs / 1_000)],
    callsToTheShop: [calls],
    minutesAtTheShopsPace: [calls / CALLS_PER_SECOND / 60],
    rowsReadPerOrder: [perOrder("read")],
    rowsWrittenPerOrder: [perOrder("written")],
  });
  report("direct invoices during a backfill at the shop's pace, 20 ms added to every D1 trip", {
    ...{ idleMs, whileListedMs: lookedAtPace.besideMs, whileDecidedMs: decidedAtPace.besideMs },
    p95Ratio: [spreadOf(besideMs).p95 / p95],
  });
});

interface Part {
  readonly tookMs: number;
  readonly calls: number;
  readonly spent: Spent;
  readonly besideMs: readonly number[];
}

/** Rows of the database. */
interface Spent {
  readonly read: number;
  readonly written: number;
}

function spentSince(): Spent {
  const trips = faults.take();
  const sum = (of: "rowsRead" | "rowsWritten") => trips.reduce((total, trip) => total + trip[of], 0);
  return { read: sum("rowsRead"), written: sum("rowsWritten") };
}

function directIssuer({ shop, ledger }: World): () => Promise<number> {
  let nth = 0;
  return async () => {
    nth += 1;
    const startedAt = performance.now();
    const { outcome } = await ledger.issueInvoice(callerOf(shop), anInvoice(`direct-${nth}`));
    expect(outcome).toBe("issued");
    return performance.now() - startedAt;
  };
}

/** Nothing of the backfill is due: its list waits for its owner, or it is done. */
async function isSettled(shop: Shop): Promise<boolean> {
  const sql = "SELECT count(*) AS v FROM shop_backfill WHERE connection_id = ? AND due_at IS NOT NULL";
  return (await countOf(sql, shop)) === 0;
}

type Direct = () => Promise<number>;

/** At the product's pace and with a distance to the database, while direct invoices are issued without a pause. */
async function atPace(world: World, direct: Direct): Promise<Part> {
  world.isPaced = true;
  faults.addLatency(LATENCY_MS);
  return run(world, { direct, untilMs: AT_PACE_MS }).finally(() => {
    world.isPaced = false;
    faults.addLatency(0);
  });
}

interface Beside {
  readonly direct: Direct;
  readonly untilMs: number;
}

/** The alarm's work, run after run, until the backfill has nothing left to do. */
async function run({ shop, ledger, stand }: World, beside?: Beside): Promise<Part> {
  const [startedAt, callsBefore] = [performance.now(), stand.state.calls];
  const besideMs: number[] = [];
  let isOver = false;
  const advance = beginInRuntime(beside ? "direct invoices during the backfill" : "runs of the alarm", 0);
  const issuing = (async () => {
    while (beside && !isOver) {
      besideMs.push(await beside.direct());
      advance();
    }
  })();
  const isTimeOver = () => beside !== undefined && performance.now() - startedAt > beside.untilMs;
  let [read, written] = [0, 0];
  while (!isTimeOver()) {
    const next = (await ledger.wake()) ?? Date.now();
    const spent = spentSince();
    read += spent.read;
    written += spent.written;
    advance();
    if (await isSettled(shop)) break;
    await delay(Math.max(0, Math.min(next - Date.now(), 1_000)));
  }
  const tookMs = performance.now() - startedAt;
  isOver = true;
  await issuing;
  const calls = stand.state.calls - callsBefore;
  return { tookMs, calls, besideMs, spent: { read, written } };
}
