/** Stored orders cost nothing: every call reads as many rows with many of them as with few. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { dueStore } from "../../src/db/due/due-store.ts";
import { ledgerStore } from "../../src/db/ledger-store.ts";
import type { RandomBytes } from "../../src/domain/connection/ids.ts";
import { civilDate } from "../../src/domain/shared/civil-date.ts";
import { decimal } from "../../src/domain/shared/decimal.ts";
import type { OwnerRequest } from "../../src/ledger/verbs/table.ts";
import { loseAnswer } from "../support/faults/fault-kinds.ts";
import { faults, type Trip } from "../support/faults/faults.ts";
import { wrapD1 } from "../support/faults/wrapped-d1.ts";
import { fillUp, fillUpOrders } from "../support/worlds/filled-books.ts";
import { clientOf, type PlainLedger, plainLedger, SIMPLIFIED } from "../support/worlds/ledger-client.ts";
import { aSentOrder } from "../support/worlds/order-calls.ts";
import { DEEDS, dealingWith, HELD, sendThree, withSuffix } from "../support/worlds/order-changes.ts";
import { MARTA } from "../support/worlds/owners.ts";
import { aConsent, openShop, type Shop } from "../support/worlds/shop.ts";
import { connectorOf, inventoryReport } from "../support/worlds/shop-reports.ts";

const FEW = 1_000;
const MANY = 50_000;

/** Ids in ascending order: whether a row is the last of an index must not depend on chance. */
function ascending(): RandomBytes {
  let count = 0;
  return (sizeBytes) => {
    count += 1;
    const digits = [count >> 10, count >> 5, count].map((digit) => digit & 31);
    return new Uint8Array([31, ...Array<number>(sizeBytes - 4).fill(0), ...digits]);
  };
}

type Measure = (name: string, call: () => Promise<{ readonly outcome: string }>) => Promise<void>;

interface Calling {
  readonly open: () => PlainLedger;
  readonly shop: Shop;
  readonly round: string;
  readonly measure: Measure;
}

/** The rows that each trip of each call read. */
async function everyCall(
  shop: Shop,
  round: string,
  open: () => PlainLedger,
  watch: (trips: readonly Trip[]) => void = () => {},
): Promise<Record<string, number[]>> {
  const read: Record<string, number[]> = {};
  const measure: Measure = async (name, call) => {
    faults.take();
    const { outcome } = await call();
    read[`${name}: ${outcome}`] = faults.trips().map((trip) => trip.rowsRead);
    watch(faults.trips());
  };
  const calling = { open, shop, round, measure };
  await measureOrders(calling);
  await measureVerbs(calling);
  await measureDue(calling);
  return read;
}

/** Every change of the orders of this round: done, done again, read. */
async function measureOrders({ open, shop, round, measure }: Calling): Promise<void> {
  const { ledger } = open();
  const to = withSuffix(round, dealingWith(shop, ledger));
  const cold = () => withSuffix(round, dealingWith(shop, open().ledger));
  await sendThree(to);
  for (const [index, [name, { act }]] of Object.entries(DEEDS).entries()) {
    const own = withSuffix(`-${round}-${index}`, dealingWith(shop, ledger));
    await sendThree(own);
    await measure(name, () => act(own));
    await measure(`${name}, again`, () => act(own));
  }
  await measure("cold", () => cold().send(aSentOrder("cold")));
  await measure("cold, known", () => cold().send(aSentOrder("cold")));
  await measure("in dollars", () => to.send(aSentOrder("usd", { currency: "USD" })));
  await measure("preview", () => to.preview(aSentOrder("preview")));
  await measure("read", () => to.read("known"));
  await measure("cold read", () => cold().read("known"));
  faults.next(loseAnswer(), { times: 2 });
  await measure("lost", () => to.send(aSentOrder("lost")));
  await measure("lost, again", () => to.send(aSentOrder("lost")));
  const asking = { userId: MARTA, idExternal: `known${round}`, requestId: "again" };
  await measure("decided again", () => ledger.decideAgain(to.shop.connectionId, asking));
}

/** The owners' declarations, after which everything is as before. */
async function measureVerbs({ open, shop, round, measure }: Calling): Promise<void> {
  // Verbs mark each held order and look at each consent that there ever was: as many in every round.
  const { connectionId } = shop;
  await dealingWith(shop, open().ledger).send(aSentOrder(`marked${round}`, HELD));
  await env.LEDGER_000.prepare("DELETE FROM consent WHERE connection_id = ? AND withdrawn_at IS NOT NULL")
    .bind(connectionId)
    .run();
  await env.LEDGER_000.prepare(
    `UPDATE shop_order SET state = 'stored', waits_for_rate = 0
     WHERE connection_id = ? AND state = 'held' AND id_external <> ?`,
  )
    .bind(connectionId, `marked${round}`)
    .run();
  const { ledger } = open();
  const act = (request: OwnerRequest) =>
    measure(request.verb, () => ledger.act(shop.connectionId, MARTA, request));
  const authorisation = { number: `A-${round}`, limit: decimal("2000") };
  await act({ verb: "declare_sales", change: { treatments: { cod: { as: "payment" } } } });
  await ledger.act(shop.connectionId, MARTA, {
    verb: "declare_sales",
    change: { treatments: { cod: null } },
  });
  await act({ verb: "set_tag_rule", rule: { tag: "b2b", action: "hold" } });
  await act({ verb: "remove_tag_rule", tag: "b2b" });
  await act({ verb: "open_authorisation", authorisation });
  await act({ verb: "close_authorisation", number: authorisation.number });
  await act({ verb: "add_profile", profile: { name: "Web", channel: "web", stem: "WEB" } });
  const profileId = await env.LEDGER_000.prepare("SELECT id FROM profile WHERE connection_id = ?")
    .bind(shop.connectionId)
    .first<string>("id");
  const id = profileId ?? "";
  await act({ verb: "change_profile", id, change: { name: "Tienda web" } });
  await act({ verb: "remove_profile", id });
  await act({ verb: "register_callback", url: "https://tienda.example/pull" });
  await act({ verb: "ask_for_orders" });
  await act({ verb: "remove_callback" });
  await act({ verb: "complete_setup", storeIds: "all" });
  await act({ verb: "move_cutoff", cutoffDate: civilDate(`2026-01-0${Number(round) + 2}`) });
  await act({ verb: "withdraw_consent" });
  await act(aConsent(`co000rows${round}`));
}

/** The due work of this connection and of the whole ledger. */
async function measureDue({ open, measure }: Calling): Promise<void> {
  const { ledger } = open();
  const wake = async () => {
    await ledger.wake();
    return { outcome: "woken" };
  };
  await measure("release of what verbs have marked", wake);
  await measure("release of nothing", wake);
  const { connectionsWithDueWork } = dueStore(wrapD1("LEDGER_000", env.LEDGER_000), {
    isOn: true,
    wantsRepresentation: true,
    mayCallOut: true,
  });
  await measure("sweep", async () => {
    const asked = { overdueSince: 0, today: civilDate("2026-11-28"), limit: 200 };
    return { outcome: (await connectionsWithDueWork(asked)).join() };
  });
}

async function aShop(): Promise<Shop> {
  const shop = await openShop();
  await clientOf(shop).issue("ticket", SIMPLIFIED);
  await dealingWith(shop, plainLedger(shop).ledger).send(aSentOrder("copied"));
  await connectorOf(shop)(inventoryReport("1", "2"));
  return shop;
}

test(`no call on orders reads more rows behind ${MANY} than behind ${FEW}`, {
  timeout: 120_000,
}, async () => {
  const shop = await aShop();
  const random = ascending();
  const open = () => plainLedger(shop, { random });
  const fill = async (total: number) => {
    await fillUp(shop, total);
    for (const state of ["invoiced", "rectified", "stored", "cancelled"]) {
      const set = { state: `'${state}'`, sold_fingerprint: state === "stored" ? "NULL" : "sold_fingerprint" };
      await fillUpOrders(shop, { of: "copied", named: state, total: total / 4, set });
    }
  };
  // Every series has begun, every kind of row is there.
  await everyCall(shop, "0", open);
  await fill(FEW);
  await everyCall(shop, "1", open);
  const few = await everyCall(shop, "2", open);
  await fill(MANY);
  expect(await everyCall(shop, "3", open)).toEqual(few);
  expect(Object.keys(few).filter((call) => /failed|unauthorized|refused/.test(call))).toEqual([]);
});

test("due work is found among any number of due orders", async () => {
  const shop = await aShop();
  await dealingWith(shop, plainLedger(shop).ledger).send(aSentOrder("held", HELD));
  const sets: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    deferred: { state: "'deferred'" },
    undecided: { undecided: "1" },
    later: { decide_from: "'2027-01-01'" },
    before: { state: "'before_cutoff'", order_day: "'2025-12-01'" },
    fallen: { state: "'before_cutoff'", order_day: "date('2026-01-01', '+' || n || ' days')" },
    elsewhere: { state: "'store_not_selected'" },
  };
  const fill = async (total: number) => {
    for (const [named, set] of Object.entries(sets))
      await fillUpOrders(shop, { of: "held", named, total, set });
  };
  const store = ledgerStore(wrapD1("LEDGER_000", env.LEDGER_000), shop.connectionId);
  const { connectionsWithDueWork } = dueStore(wrapD1("LEDGER_000", env.LEDGER_000), {
    isOn: true,
    wantsRepresentation: true,
    mayCallOut: true,
  });
  const look = async () => {
    faults.take();
    const due = {
      cutoffDate: civilDate("2026-01-01"),
      today: civilDate("2026-11-28"),
      except: [],
      limit: 25,
    };
    const { orders } = await store.findDueOrders(due);
    const asked = { overdueSince: 0, today: civilDate("2026-11-28"), limit: 200 };
    const connections = await connectionsWithDueWork(asked);
    return { found: orders.length, connections, rows: faults.trips().map(({ rowsRead }) => rowsRead) };
  };
  await fill(FEW);
  const few = await look();
  expect(few).toMatchObject({ found: 25, connections: [shop.connectionId] });
  await fill(10 * FEW);
  expect(await look()).toEqual(few);
});

/**
 * The call's own rows, and sets made from them: no table. The sweep asks every endpoint of webhooks, and
 * every chain, each by steps into indexes. Their number is up to their owners, with any stored rows.
 */
const OF_THE_CALL =
  /^SCAN (json_each|webhook_endpoint|wanted|reissued|needed|head|ids|standing|due|deferred|unsubmitted|before_cutoff|undecided|waiting|dated|recorded|\(subquery-\d+\)|CONSTANT ROW|\d+-ROW VALUES)/;

async function planOf(sql: string): Promise<readonly string[]> {
  const parameters = Array.from(sql.matchAll(/\?/g), () => null);
  const explained = env.LEDGER_000.prepare(`EXPLAIN QUERY PLAN ${sql}`).bind(...parameters);
  return (await explained.all<{ detail: string }>()).results.map(({ detail }) => detail);
}

test("no statement about orders scans a table", async () => {
  const sent = new Set<string>();
  const shop = await aShop();
  const watch = (trips: readonly Trip[]) => {
    for (const sql of trips.flatMap((trip) => trip.sql)) sent.add(sql);
  };
  await everyCall(shop, "1", () => plainLedger(shop), watch);
  const other = await openShop();
  faults.take();
  const chosen = await plainLedger(other).ledger.act(shop.connectionId, MARTA, {
    verb: "choose_order_stem",
    stem: "TIENDA",
  });
  expect(chosen.outcome).toBe("done");
  watch(faults.trips());
  const texts = [...sent];
  // Among them are the statements that find work, mark it, and load orders for owners.
  for (const part of ["'deferred'", "RECURSIVE", '"undecided" = ?', '"series_stem"', 'into "shop_order"']) {
    expect(texts.filter((text) => text.includes(part)).length, part).toBeGreaterThan(0);
  }
  const scans: string[] = [];
  for (const sql of texts) {
    for (const step of await planOf(sql))
      if (step.startsWith("SCAN") && !OF_THE_CALL.test(step)) scans.push(`${step}: ${sql}`);
  }
  expect(scans).toEqual([]);
});
