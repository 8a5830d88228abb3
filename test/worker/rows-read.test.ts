/** Stored data costs nothing: every call reads as many rows with 100,000 invoices as with few. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import type { RandomBytes } from "../../src/domain/connection/ids.ts";
import { civilDate } from "../../src/domain/shared/civil-date.ts";
import type { OwnerCorrection } from "../../src/ledger/corrections/owner-correction.ts";
import type { ShopReport } from "../../src/ledger/shop/record-shop.ts";
import { elsewhere } from "../support/builders/requests.ts";
import { loseAnswer } from "../support/faults/fault-kinds.ts";
import { faults, type Trip } from "../support/faults/faults.ts";
import { fillUp } from "../support/worlds/filled-books.ts";
import {
  aDifference,
  aReplacement,
  type PlainLedger,
  plainLedger,
  SIMPLIFIED,
} from "../support/worlds/ledger-client.ts";
import { aSentOrder, orderConnector } from "../support/worlds/order-calls.ts";
import { settleRecord } from "../support/worlds/owners.ts";
import { aLine, anInvoice, callerOf, openShop, type Shop } from "../support/worlds/shop.ts";
import {
  aClientReport,
  inventoryReport,
  MODULE_QUESTION,
  statusReport,
} from "../support/worlds/shop-reports.ts";

const FEW = 1_000;
const MANY = 100_000;

/**
 * Ids in ascending order: whether a row is the last of an index makes a difference of one, which must not
 * depend on chance.
 */
function ascending(): RandomBytes {
  let count = 0;
  return (sizeBytes) => {
    count += 1;
    const digits = [count >> 10, count >> 5, count].map((digit) => digit & 31);
    return new Uint8Array([31, ...Array<number>(sizeBytes - 4).fill(0), ...digits]);
  };
}

/** Every kind of call, warm and cold, on invoices of their own: the rows that each of its trips read. */
async function everyCall(
  open: () => PlainLedger,
  shop: Shop,
  round: string,
  watch: (trips: readonly Trip[]) => void = () => {},
): Promise<Record<string, number[]>> {
  const read: Record<string, number[]> = {};
  const measure = async (name: string, call: () => Promise<{ readonly outcome: string }>) => {
    faults.take();
    const { outcome } = await call();
    read[`${name}: ${outcome}`] = faults.trips().map((trip) => trip.rowsRead);
    watch(faults.trips());
  };
  const { client, ledger } = open();
  await measure("cold", () => client.issue(`a${round}`));
  await measure("warm", () => client.issue(`b${round}`));
  await measure("ticket", () => client.issue(`t${round}`, SIMPLIFIED));
  await measure("difference", () => client.issue(`r${round}`, aDifference(`a${round}`, "10")));
  await measure("replacement", () => client.issue(`f${round}`, aReplacement(`t${round}`)));
  await measure("number", async () => client.issue(`q${round}`, await citingByNumber(client, `a${round}`)));
  await measure("cancellation", () => client.cancel(`b${round}`));
  await measure("replay", () => client.issue(`a${round}`));
  await measure("refusal", () => client.issue("none", aDifference("none", "1")));
  await measure("read", () => client.read(`a${round}`));
  faults.next(loseAnswer());
  await measure("lost", () => client.issue(`l${round}`));
  await measure("cold replay", () => open().client.issue(`a${round}`));
  await measure("key", () =>
    ledger.act(shop.connectionId, "owner", { verb: "open_key", id: "ky000second", hash: "second" }),
  );
  await measure("revocation", () =>
    ledger.act(shop.connectionId, "owner", { verb: "revoke_key", hash: "second" }),
  );
  for (const report of reportsOf(round)) {
    await measure(report.resource, () => ledger.reportShop(callerOf(shop), report));
  }
  await measure("selection", () =>
    ledger.act(shop.connectionId, "owner", { verb: "complete_setup", storeIds: "all" }),
  );
  await measure("question", () => ledger.reportShop(callerOf(shop), MODULE_QUESTION));
  await measure("cold read", () => open().client.read(`a${round}`));
  await measureCustomers(measure, { open, ledger, shop, round });
  await measureRecords(measure, { open, ledger, shop, round });
  return read;
}

/** A difference that cites 100.00 + 21.00 by number. */
async function citingByNumber({ read }: PlainLedger["client"], externalId: string) {
  const found = await read(externalId);
  if (!("invoice" in found)) throw new Error(found.outcome);
  faults.take();
  const { fullNumber: number, issueDate } = found.invoice;
  const rectifies = [elsewhere({ number, issueDate: civilDate(issueDate) })];
  return { ...aDifference(externalId, "1"), rectifies };
}

type Measure = (name: string, call: () => Promise<{ readonly outcome: string }>) => Promise<void>;

interface Looked extends Pick<PlainLedger, "ledger"> {
  readonly open: () => PlainLedger;
  readonly shop: Shop;
  readonly round: string;
}

/** An order of its own, and all that its customer and owner do about seeing it. */
async function measureCustomers(measure: Measure, { open, ledger, shop, round }: Looked): Promise<void> {
  const [caller, idExternal] = [callerOf(shop), `o${round}`];
  await orderConnector(shop, ledger).send(aSentOrder(idExternal));
  const asked = { idExternal, presentation: "link" } as const;
  const outcome = await ledger.openAccess(caller, asked);
  const epoch = outcome.outcome === "available" ? outcome.epoch : -1;
  const viewing = { connectionId: shop.connectionId, epoch, idExternal, withDocuments: true };
  const fifty = Array.from({ length: 50 }, (_, index) => (index === 0 ? idExternal : `none${index}`));
  await measure("availability", () => ledger.findAvailable(caller, fifty));
  await measure("cold availability", () => open().ledger.findAvailable(caller, fifty));
  await measure("access", () => ledger.openAccess(caller, asked));
  await measure("cold access", () => open().ledger.openAccess(caller, asked));
  await measure("look on a miss", () => ledger.viewInvoices(viewing));
  await measure("cold look", () => open().ledger.viewInvoices({ ...viewing, withDocuments: false }));
  for (const enabled of [false, true]) {
    await measure(`switch ${enabled}`, () =>
      ledger.act(shop.connectionId, "owner", { verb: "switch_customer_access", enabled }),
    );
  }
  for (const verb of ["add_origin", "remove_origin"] as const) {
    await measure(verb, () =>
      ledger.act(shop.connectionId, "owner", { verb, origin: "https://otra.example" }),
    );
  }
}

/** An owner's views and changes of the records of an invoice. */
async function measureRecords(measure: Measure, { open, ledger, shop, round }: Looked): Promise<void> {
  const issued = await ledger.issueInvoice(callerOf(shop), anInvoice(`d${round}`));
  const invoiceId = "invoice" in issued ? issued.invoice.invoiceId : "";
  const change = { description: "Otra" };
  const deed = (requestId: string, correction: OwnerCorrection) =>
    ({ userId: "owner", requestId, invoiceId, correction }) as const;
  await settleRecord(shop, invoiceId, { state: "rejected", code: 1100 });
  const amending = deed(`amend-${round}`, { correction: "amend", change });
  await measure("amendment", () => ledger.correctRecord(shop.connectionId, amending));
  await measure("cold repeat of it", () => open().ledger.correctRecord(shop.connectionId, amending));
  await measure("corrections", () => ledger.readCorrections(shop.connectionId, invoiceId));
  await measure("cold corrections", () => open().ledger.readCorrections(shop.connectionId, invoiceId));
  const annulling = deed(`annul-${round}`, { correction: "annul", reason: "Nunca existió" });
  await measure("cold annulment", () => open().ledger.correctRecord(shop.connectionId, annulling));
}

function reportsOf(round: string): readonly ShopReport[] {
  return [
    aClientReport(`a${round}`),
    statusReport("1", "2"),
    inventoryReport("1", "2"),
    { resource: "module", module: { platform: "prestashop" } },
  ];
}

/** The call's own rows, and sets made from them: no table. */
const OF_THE_CALL = /^SCAN (json_each|wanted|reissued|needed|head|\(subquery-\d+\))/;

async function planOf(sql: string): Promise<readonly string[]> {
  const parameters = Array.from(sql.matchAll(/\?/g), () => null);
  const explained = env.LEDGER_000.prepare(`EXPLAIN QUERY PLAN ${sql}`).bind(...parameters);
  return (await explained.all<{ detail: string }>()).results.map(({ detail }) => detail);
}

test(`no call reads more rows behind ${MANY} invoices than behind ${FEW}`, async () => {
  const shop = await openShop();
  const random = ascending();
  const open = () => plainLedger(shop, { random });
  // Every series has begun, every kind of row is there.
  await everyCall(open, shop, "0");
  await fillUp(shop, FEW);
  // A series of orders is there from the first round on: each one is a step of a cold load.
  await orderConnector(shop, open().ledger).send(aSentOrder("first"));
  const few = await everyCall(open, shop, "1");
  await fillUp(shop, MANY);
  expect(await everyCall(open, shop, "2")).toEqual(few);
  expect(Object.keys(few).filter((call) => /failed|unavailable|unauthorized/.test(call))).toEqual([]);
});

test("no statement scans a table", async () => {
  const sent = new Set<string>();
  const shop = await openShop();
  await everyCall(
    () => plainLedger(shop),
    shop,
    "1",
    (trips) => {
      for (const sql of trips.flatMap((trip) => trip.sql)) sent.add(sql);
    },
  );
  expect(sent.size).toBeGreaterThan(15);
  const scans: string[] = [];
  for (const sql of sent) {
    for (const step of await planOf(sql))
      if (step.startsWith("SCAN") && !OF_THE_CALL.test(step)) scans.push(`${step}: ${sql}`);
  }
  expect(scans).toEqual([]);
});

test("an invoice of three lines takes at most 4 KB", async () => {
  const COUNT = 2_000;
  const shop = await openShop();
  const { client } = plainLedger(shop);
  const lines = [aLine("1", "100", "21"), aLine("2", "19.95", "10"), aLine("3", "7.5", "21")];
  const sizeBytes = async () => (await env.LEDGER_000.prepare("SELECT 1").run()).meta.size_after;
  await client.issue("first", { lines });
  const before = await sizeBytes();
  for (let from = 0; from < COUNT; from += 200)
    await Promise.all(Array.from({ length: 200 }, (_, index) => client.issue(`e${from + index}`, { lines })));
  expect(((await sizeBytes()) - before) / COUNT).toBeLessThanOrEqual(4_096);
});
