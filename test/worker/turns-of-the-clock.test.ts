/** The turn of the year and both changes of the hour: orders, corrections, cancellations, lists and submission. */
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { TimeZone } from "../../src/domain/shared/instant.ts";
import type { RecordContent } from "../../src/domain/verifactu/record.ts";
import { sweepDeps } from "../../src/wiring.ts";
import { sweep } from "../../src/work/sweep.ts";
import { expectBooksConsistent } from "../support/rules/consistency.ts";
import { apiOver } from "../support/worlds/deployment.ts";
import { linesOf, listOf, sumsIn } from "../support/worlds/invoice-lists.ts";
import { clientOf, SIMPLIFIED } from "../support/worlds/ledger-client.ts";
import {
  aSentOrder,
  aSentRefund,
  openCommerce,
  orderConnector,
  orderIn,
  type SentBody,
  toldOf,
} from "../support/worlds/order-calls.ts";
import { consent, statesOf as orderStatesOf } from "../support/worlds/owners.ts";
import { ring, type Shop } from "../support/worlds/shop.ts";
import { messagesAt, openSubmittingShop, receivedAt, statesOf } from "../support/worlds/submission.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  at("2026-10-01T10:00:00Z");
});

afterEach(() => {
  vi.useRealTimers();
});

const at = (instant: string) => vi.setSystemTime(new Date(instant));

/** `number, day of issue, day of the sale where it is another, when it was made` of each record in its chain. */
async function recordsOf({ connectionId }: Shop): Promise<readonly string[]> {
  const { results } = await env.LEDGER_000.prepare(
    "SELECT content FROM record WHERE connection_id = ? ORDER BY position",
  )
    .bind(connectionId)
    .all<{ content: string }>();
  return results.map(({ content }) => {
    const record: RecordContent = JSON.parse(content);
    const operation = record.kind === "ALTA" ? record.operationDate : undefined;
    return [record.key.number, record.key.date, operation, record.generatedAt].filter(Boolean).join(" ");
  });
}

/** Midnight of New Year in each zone, and the last millisecond before it. */
const NEW_YEARS: readonly (readonly [
  zone: TimeZone,
  last: string,
  first: string,
  lastStamp: string,
  firstStamp: string,
])[] = [
  [
    ...(["Europe/Madrid", "2026-12-31T22:59:59.999Z", "2026-12-31T23:00:00Z"] as const),
    ...(["2026-12-31T23:59:59+01:00", "2027-01-01T00:00:00+01:00"] as const),
  ],
  [
    ...(["Atlantic/Canary", "2026-12-31T23:59:59.999Z", "2027-01-01T00:00:00Z"] as const),
    ...(["2026-12-31T23:59:59+00:00", "2027-01-01T00:00:00+00:00"] as const),
  ],
];

describe.each(NEW_YEARS)("New Year in %s", (timeZone, last, first, lastStamp, firstStamp) => {
  const account = { timeZone };

  test("an order of the old year that comes in the new is invoiced in the new as a sale of the old", async () => {
    at(last);
    const shop = await openCommerce({ account });
    const { send } = orderConnector(shop);
    await send(aSentOrder("old", { order_date: "2026-12-31 23:59:58" }));
    at(first);
    await send(aSentOrder("late", { order_date: "2026-12-31 23:59:59" }));
    await send(aSentOrder("new", { order_date: "2027-01-01 00:00:00" }));
    expect(await recordsOf(shop)).toEqual([
      `PED-1S-2026-000001 31-12-2026 ${lastStamp}`,
      `PED-1S-2027-000001 01-01-2027 31-12-2026 ${firstStamp}`,
      `PED-1S-2027-000002 01-01-2027 ${firstStamp}`,
    ]);
    await expectBooksConsistent(shop.connectionId);
  });

  test("an order of the first second of the year waits in the old one, and is invoiced at midnight", async () => {
    at(last);
    const shop = await openCommerce({ account });
    const sent = await orderConnector(shop).send(aSentOrder("ahead", { order_date: "2027-01-01 00:00:00" }));
    expect(toldOf(sent)).toBe("held order_date_in_future");
    await sweep(sweepDeps(apiOver(env)));
    await ring(shop);
    expect(await orderStatesOf(shop)).toEqual({ held: 1 });
    at(first);
    await sweep(sweepDeps(apiOver(env)));
    await ring(shop);
    expect(await recordsOf(shop)).toEqual([`PED-1S-2027-000001 01-01-2027 ${firstStamp}`]);
  });

  test("a refund in the new year of a sale of the old has number and day of the new", async () => {
    at(last);
    const shop = await openCommerce({ account });
    const { send } = orderConnector(shop);
    const order: SentBody = { order_date: "2026-12-31 10:00:00" };
    await send(aSentOrder("o", order));
    at(first);
    await send(aSentOrder("o", { ...order, correction_events: [aSentRefund("r", 10, 2.1, 21)] }));
    expect((await recordsOf(shop)).at(-1)).toMatch(/^PED-1RS-2027-000001 01-01-2027 /);
    await expectBooksConsistent(shop.connectionId);
  });

  test("the cutoff of 1 January takes in the first second of the year, and not the last one before it", async () => {
    at(first);
    const shop = await openCommerce({ account, consented: false });
    const { send, read } = orderConnector(shop);
    await send(aSentOrder("before", { order_date: last }));
    await send(aSentOrder("after", { order_date: first }));
    await consent(shop, "2027-01-01");
    await ring(shop);
    expect(orderIn(await read("before")).state).toBe("before_cutoff");
    expect(orderIn(await read("after")).state).toBe("invoiced");
  });

  test("a cancellation keeps the key of the old year, and is made in the new; the AEAT takes all of it", async () => {
    at(last);
    const shop = await openSubmittingShop({ account });
    const client = clientOf(shop);
    await client.issue("one");
    at(first);
    await client.cancel("one");
    await client.issue("two");
    await client.issue("three", SIMPLIFIED);
    expect(await recordsOf(shop)).toEqual([
      `API-1-2026-000001 31-12-2026 ${lastStamp}`,
      `API-1-2026-000001 31-12-2026 ${firstStamp}`,
      `API-1-2027-000001 01-01-2027 ${firstStamp}`,
      `API-1S-2027-000001 01-01-2027 ${firstStamp}`,
    ]);
    await ring(shop);
    expect(await statesOf(shop)).toEqual(["accepted", "accepted", "accepted", "accepted"]);
    expect((await messagesAt(shop)).map(({ incident }) => incident)).toEqual([false]);
    await expectBooksConsistent(shop.connectionId, client.answers);
  });

  test("a rectification in the new year is of a sale of the old, in a series that begins with 1", async () => {
    at(last);
    const shop = await openSubmittingShop({ account });
    const client = clientOf(shop);
    await client.issue("a");
    await client.takeBack("r1", "a", "10");
    at(first);
    await client.takeBack("r2", "a", "10");
    expect(await recordsOf(shop)).toEqual([
      `API-1-2026-000001 31-12-2026 ${lastStamp}`,
      `API-1R-2026-000001 31-12-2026 ${lastStamp}`,
      `API-1R-2027-000001 01-01-2027 31-12-2026 ${firstStamp}`,
    ]);
    await ring(shop);
    expect(await receivedAt(shop)).toEqual([
      "API-1-2026-000001 Correcto 1",
      "API-1R-2026-000001 Correcto 1",
      "API-1R-2027-000001 Correcto 1",
    ]);
    const list = await listOf(shop.accountId);
    expect(sumsIn(list)).toBe("3 invoices, 0 cancelled: 80 + 16.8 = 96.8");
    expect(linesOf(list)).toEqual([
      "API-1R-2027-000001 accepted",
      "API-1R-2026-000001 accepted",
      "API-1-2026-000001 accepted",
    ]);
  });
});

test("in the last hour of the Canaries' year the AEAT has the new one already, and takes the old day", async () => {
  at("2026-12-31T23:30:00Z");
  const shop = await openSubmittingShop({ account: { timeZone: "Atlantic/Canary" } });
  await clientOf(shop).issue("one");
  await ring(shop);
  expect(await recordsOf(shop)).toEqual(["API-1-2026-000001 31-12-2026 2026-12-31T23:30:00+00:00"]);
  expect(await statesOf(shop)).toEqual(["accepted"]);
});

test("at midnight in Madrid an order of the new year still waits in the Canaries", async () => {
  at("2026-12-31T22:00:00Z");
  const shop = await openCommerce({ account: { timeZone: "Atlantic/Canary" } });
  await orderConnector(shop).send(aSentOrder("ahead", { order_date: "2027-01-01 00:00:00" }));
  at("2026-12-31T23:30:00Z");
  await sweep(sweepDeps(apiOver(env)));
  await ring(shop);
  expect(await orderStatesOf(shop)).toEqual({ held: 1 });
});

test("one moment is the new year of an order in Madrid and the old one in the Canaries, with any offset", async () => {
  at("2027-01-01T12:00:00Z");
  const order: SentBody = { order_date: "2026-12-31T18:30:00-05:00" };
  for (const [timeZone, day] of [
    ["Europe/Madrid", ""],
    ["Atlantic/Canary", "31-12-2026 "],
  ] as const) {
    const shop = await openCommerce({ account: { timeZone } });
    await orderConnector(shop).send(aSentOrder("o", order));
    const noon = timeZone === "Europe/Madrid" ? "2027-01-01T13:00:00+01:00" : "2027-01-01T12:00:00+00:00";
    expect(await recordsOf(shop)).toEqual([`PED-1S-2027-000001 01-01-2027 ${day}${noon}`]);
  }
});

/**
 * Before and after each change: the last second of the old offset, the first of the new, half an hour into
 * it.
 */
const CHANGES: readonly (readonly [change: string, zone: TimeZone, stamps: readonly string[]])[] = [
  [
    ...(["the hour comes twice", "Europe/Madrid"] as const),
    ["2026-10-25T02:59:59+02:00", "2026-10-25T02:00:00+01:00", "2026-10-25T02:30:00+01:00"],
  ],
  [
    ...(["the hour comes twice", "Atlantic/Canary"] as const),
    ["2026-10-25T01:59:59+01:00", "2026-10-25T01:00:00+00:00", "2026-10-25T01:30:00+00:00"],
  ],
  [
    ...(["the hour is skipped", "Europe/Madrid"] as const),
    ["2027-03-28T01:59:59+01:00", "2027-03-28T03:00:00+02:00", "2027-03-28T03:30:00+02:00"],
  ],
  [
    ...(["the hour is skipped", "Atlantic/Canary"] as const),
    ["2027-03-28T00:59:59+00:00", "2027-03-28T02:00:00+01:00", "2027-03-28T02:30:00+01:00"],
  ],
];

describe.each(CHANGES)("%s in %s", (_, timeZone, stamps) => {
  const day = stamps[0]?.slice(0, 10) ?? "";
  const year = day.slice(0, 4);

  test("records have the offset of their moment, keep its order, and reach the AEAT punctually", async () => {
    at(stamps[0] ?? "");
    const shop = await openSubmittingShop({ account: { timeZone } });
    const client = clientOf(shop);
    for (const [index, stamp] of stamps.entries()) {
      at(stamp);
      await client.issue(`e${index}`);
      await ring(shop);
      // The wait that the AEAT asks for is over.
      at(new Date(Date.parse(stamp) + 61_000).toISOString());
      await ring(shop);
    }
    expect((await recordsOf(shop)).map((record) => record.split(" ").at(-1))).toEqual(stamps);
    expect(await statesOf(shop)).toEqual(["accepted", "accepted", "accepted"]);
    const messages = await messagesAt(shop);
    expect(messages.map(({ incident, early }) => ({ incident, early }))).toEqual(
      messages.map(() => ({ incident: false, early: false })),
    );
    await expectBooksConsistent(shop.connectionId, client.answers);
  });

  test("lists have the newest first, and all of it on one day", async () => {
    at(stamps[0] ?? "");
    const shop = await openSubmittingShop({ account: { timeZone } });
    const client = clientOf(shop);
    for (const [index, stamp] of stamps.entries()) {
      at(stamp);
      await client.issue(`e${index}`);
    }
    const numbers = [3, 2, 1].map((number) => `API-1-${year}-00000${number}`);
    const listed = async () => (await listOf(shop.accountId)).items.map(({ fullNumber }) => fullNumber);
    expect(await listed()).toEqual(numbers);
    // From entries as from the books.
    await ring(shop);
    await ring(shop);
    expect(await listed()).toEqual(numbers);
    const { results } = await env.LEDGER_000.prepare(
      "SELECT period, sum(invoices) AS invoices FROM invoice_total WHERE account_id = ? AND grain = 'day' GROUP BY 1",
    )
      .bind(shop.accountId)
      .all();
    expect(results).toEqual([{ period: day, invoices: 3 }]);
  });

  test("orders without offset in that hour are sales of that day", async () => {
    at(`${day}T12:00:00Z`);
    const shop = await openCommerce({ account: { timeZone } });
    const { send } = orderConnector(shop);
    for (const time of ["00:30:00", "01:30:00", "02:30:00", "03:30:00"]) {
      await send(aSentOrder(time, { order_date: `${day} ${time}` }));
    }
    expect((await recordsOf(shop)).map((record) => record.split(" ").slice(0, -1).join(" "))).toEqual(
      [1, 2, 3, 4].map((number) => `PED-1S-${year}-00000${number} ${day.split("-").reverse().join("-")}`),
    );
  });
});
