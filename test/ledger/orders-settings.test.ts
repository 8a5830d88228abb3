import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { civilDate } from "../../src/domain/shared/civil-date.ts";
import { decimal } from "../../src/domain/shared/decimal.ts";
import type { OwnerRequest } from "../../src/ledger/verbs/table.ts";
import { answerGate, gate, late } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { expectOrdersConsistent } from "../support/rules/consistency.ts";
import { type PlainLedger, plainLedger } from "../support/worlds/ledger-client.ts";
import {
  aSentLine,
  aSentOrder,
  aSentRefund,
  openCommerce,
  type SentBody,
  toldOf,
} from "../support/worlds/order-calls.ts";
import {
  type Dealing,
  dealing,
  dealingWith,
  FULL,
  HELD,
  REFUNDED,
  readsOrders,
  writesOrders,
} from "../support/worlds/order-changes.ts";
import { consent, MARTA } from "../support/worlds/owners.ts";
import { act, type Shop } from "../support/worlds/shop.ts";
import { connectorOf, inventoryReport } from "../support/worlds/shop-reports.ts";

/** Changes of an owner while orders are decided, and an order that they decide differently. */

const COD: SentBody = { total: 124, unmapped_totals: [{ code: "cod", value: 3 }] };
const ZERO_RATED: SentBody = { total: 100, breakdown: [aSentLine(100, 0, 0)] };
const TO_GERMANY: SentBody = {
  total: 119,
  breakdown: [aSentLine(100, 19, 19)],
  delivery: { country: "DE", postcode: "10115" },
};
const sales = (of: Extract<OwnerRequest, { verb: "declare_sales" }>["change"]): OwnerRequest => ({
  verb: "declare_sales",
  change: of,
});
const WEB = { name: "Web", channel: "web", stem: "WEB" };

interface SettingsChange {
  readonly name: string;
  readonly request: OwnerRequest;
  readonly body: SentBody;
  /** As `toldOf` returns the order. */
  readonly before: string;
  readonly after: string;
}

const INVOICED = "invoiced F2 PED-1S-2026-000001";

const CHANGES: readonly SettingsChange[] = [
  {
    name: "consent is withdrawn",
    request: { verb: "withdraw_consent" },
    body: {},
    before: `${INVOICED} 121`,
    after: "deferred deferred",
  },
  {
    name: "the cutoff moves past the order",
    request: { verb: "move_cutoff", cutoffDate: civilDate("2026-11-21") },
    body: {},
    before: `${INVOICED} 121`,
    after: "before_cutoff before_cutoff",
  },
  {
    name: "a profile takes its channel",
    request: { verb: "add_profile", profile: WEB },
    body: { source_channel: "web" },
    before: `${INVOICED} 121`,
    after: "invoiced F2 WEBS-2026-000001 121",
  },
  {
    name: "a profile takes another channel",
    request: { verb: "add_profile", profile: WEB },
    body: { source_channel: "counter" },
    before: `${INVOICED} 121`,
    after: "held profile_not_matched",
  },
  {
    name: "an amount gets its treatment",
    request: sales({ treatments: { cod: { as: "fee", rate: decimal("21") } } }),
    body: COD,
    before: "held untreated_total",
    after: `${INVOICED} 124`,
  },
  {
    name: "a ground for lines at 0 % is declared",
    request: sales({ zeroRateBasis: "E1" }),
    body: ZERO_RATED,
    before: "held zero_rate_basis_missing",
    after: `${INVOICED} 100`,
  },
  {
    name: "sales to consumers in the Union are of the one-stop shop",
    request: sales({ destinations: { euConsumer: "oss" } }),
    body: TO_GERMANY,
    before: "held foreign_customer",
    after: "invoiced F2 PED-1-2026-000001 119",
  },
  {
    name: "exports are declared by the shorthand",
    request: sales({ foreignSales: "export" }),
    body: { ...ZERO_RATED, delivery: { country: "US" } },
    before: "held foreign_customer",
    after: `${INVOICED} 100`,
  },
  {
    name: "orders are to be reviewed",
    request: sales({ issuingMode: "review" }),
    body: {},
    before: `${INVOICED} 121`,
    after: "held manual_issuing",
  },
  {
    name: "sales are invoiced elsewhere",
    request: sales({ issuingMode: "none" }),
    body: {},
    before: `${INVOICED} 121`,
    after: "stored invoiced_elsewhere",
  },
  {
    name: "a tag holds",
    request: { verb: "set_tag_rule", rule: { tag: "b2b", action: "hold" } },
    body: { tags: ["B2B"] },
    before: `${INVOICED} 121`,
    after: "held tag_hold",
  },
  {
    name: "another series is chosen",
    request: { verb: "choose_order_stem", stem: "WEB" },
    body: {},
    before: `${INVOICED} 121`,
    after: "invoiced F2 WEBS-2026-000001 121",
  },
  {
    name: "another store is selected",
    request: { verb: "complete_setup", storeIds: ["2"] },
    body: { shop: { id: "1" } },
    before: `${INVOICED} 121`,
    after: "store_not_selected store_not_selected",
  },
];

/** An owner's change while an order is decided: it is decided again, under the new settings. */

let shop: Shop;
let plain: PlainLedger;
let to: Dealing;

beforeEach(async () => {
  shop = await openCommerce();
  await connectorOf(shop)(inventoryReport("1", "2"));
  plain = plainLedger(shop);
  to = dealingWith(shop, plain.ledger);
});

afterEach(async () => {
  expect(faults.pending()).toEqual([]);
  await expectOrdersConsistent(shop.connectionId, { answers: to.answers });
});

/** By another instance: the deciding one learns it from the database alone. */
async function change(request: OwnerRequest): Promise<void> {
  expect((await act(shop, request, MARTA)).outcome).toBe("done");
}

describe.each(CHANGES)("$name", ({ request, body, before, after }) => {
  const sent = aSentOrder("1", body);

  test("before it is sent: nothing of memory counts", async () => {
    const unnumbered = (told: string) => told.replace(/-2026-\d+/, "-2026");
    expect(toldOf(await to.preview(sent))).toBe(unnumbered(before));
    await change(request);
    // A preview writes nothing that a fence could refuse.
    expect(toldOf(await to.preview(sent))).toBe(unnumbered(after));
    expect(toldOf(await to.send(sent))).toBe(after);
  });

  test("during the cold load", async () => {
    const load = faults.next(answerGate());
    const sending = to.send(sent);
    await load.answered();
    await change(request);
    load.open();
    expect(toldOf(await sending)).toBe(after);
  });

  test("while its facts are read", async () => {
    await to.preview(sent);
    const read = faults.when(readsOrders, answerGate());
    const sending = to.send(sent);
    await read.answered();
    await change(request);
    read.open();
    expect(toldOf(await sending)).toBe(after);
  });

  test("while its batch is under way", async () => {
    await to.preview(sent);
    const batch = faults.when(writesOrders, gate());
    const sending = to.send(sent);
    await batch.reached();
    await change(request);
    batch.open();
    expect(toldOf(await sending)).toBe(after);
  });

  test("while its batch is given up: late, that one is refused", async () => {
    await to.preview(sent);
    const batch = faults.when(writesOrders, late({ givenUp: "on demand" }));
    const sending = to.send(sent);
    await batch.reached();
    await change(request);
    batch.giveUp();
    expect(toldOf(await sending)).toBe(after);
    await expect(batch.release()).rejects.toThrow(/fence:stale/);
  });

  // A family of series that has numbered is not given up.
  if (request.verb === "choose_order_stem") return;

  test("after it: the same body again changes nothing and issues nothing", async () => {
    expect(toldOf(await to.send(sent))).toBe(before);
    await change(request);
    const since = await expectOrdersConsistent(shop.connectionId);
    faults.take();
    expect(await to.send(sent)).toMatchObject({ outcome: "taken", created: false });
    // Held ones are decided again automatically, or by the next body.
    if (before.startsWith("invoiced")) {
      expect(faults.trips().every(({ sql }) => !writesOrders(sql))).toBe(true);
      expect(toldOf(await to.read("1"))).toBe(before);
      expect(await expectOrdersConsistent(shop.connectionId)).toEqual(since);
    } else {
      expect(toldOf(await to.read("1"))).toBe(after);
    }
  });
});

describe("after the invoice", () => {
  const INVOICED = "F2 PED-1S-2026-000001 121";

  beforeEach(async () => {
    await to.send(aSentOrder("1"));
  });

  test.each<[string, SentBody]>([
    ["a refund", REFUNDED],
    ["a full invoice", FULL],
    ["a cancellation", { fiscal_event: "cancelled" }],
  ])("%s waits when consent is withdrawn in between, and acts once it is given again", async (_, body) => {
    const batch = faults.when(writesOrders, gate());
    const sending = to.send(aSentOrder("1", body));
    await batch.reached();
    await change({ verb: "withdraw_consent" });
    batch.open();
    expect(toldOf(await sending)).toBe(`deferred deferred ${INVOICED}`);
    expect((await consent(shop)).outcome).toBe("done");
    await plain.ledger.wake();
    expect(toldOf(await to.read("1"))).not.toMatch(/^deferred/);
    expect((await expectOrdersConsistent(shop.connectionId)).invoices).toHaveLength(2);
  });

  test("a refund is numbered in the series of its invoice, with any profile for its channel now", async () => {
    const batch = faults.when(writesOrders, gate());
    const sending = to.send(aSentOrder("1", { ...REFUNDED, source_channel: "web" }));
    await batch.reached();
    await change({ verb: "add_profile", profile: WEB });
    batch.open();
    expect(toldOf(await sending)).toBe(`partially_rectified ${INVOICED} R5 PED-1RS-2026-000001 -12.1`);
  });

  test("settings change nothing of the earlier result of the same body, nor of a refund in it", async () => {
    await to.send(aSentOrder("1", REFUNDED));
    const since = await expectOrdersConsistent(shop.connectionId);
    const requests = CHANGES.map(({ request }) => request);
    const ofVerbs = (...verbs: readonly string[]) => requests.filter(({ verb }) => verbs.includes(verb));
    // Sales are declared of the connection as long as it has no profiles; consent goes last.
    const inTurn = [
      ...ofVerbs("declare_sales"),
      ...ofVerbs("add_profile", "set_tag_rule", "complete_setup", "move_cutoff"),
      ...ofVerbs("withdraw_consent"),
    ];
    for (const request of inTurn) await change(request);
    faults.take();
    await to.send(aSentOrder("1", REFUNDED));
    expect(faults.trips().filter(({ sql }) => writesOrders(sql))).toEqual([]);
    expect(await expectOrdersConsistent(shop.connectionId)).toEqual(since);
  });
});

test("the name of the issuer changed during a commit is on the invoice", async () => {
  await to.send(aSentOrder("warm"));
  const batch = faults.when(writesOrders, gate());
  const sending = to.send(aSentOrder("1"));
  await batch.reached();
  await env.LEDGER_000.prepare("UPDATE account SET legal_name = 'Otra SL' WHERE id = ?")
    .bind(shop.accountId)
    .run();
  batch.open();
  await sending;
  const { invoices } = await expectOrdersConsistent(shop.connectionId);
  const names = invoices.map(({ document }) => JSON.parse(document).issuer.name);
  expect(names).toEqual(["Comercial del Norte SL", "Otra SL"]);
});

test("a group is decided again whole", async () => {
  await to.send(aSentOrder("warm"));
  const first = faults.when(writesOrders, gate());
  const before = to.send(aSentOrder("first"));
  await first.reached();
  const batch = faults.when(writesOrders, gate());
  const group = ["a", "b", "c"].map((id) => to.send(aSentOrder(id, id === "b" ? HELD : {})));
  first.open();
  await before;
  await batch.reached();
  await change({ verb: "withdraw_consent" });
  batch.open();
  expect((await Promise.all(group)).map(toldOf)).toEqual(Array(3).fill("deferred deferred"));
});

test("an account frozen in between: 503, and the order is accepted once it thaws", async () => {
  const freeze = (frozen: 0 | 1) =>
    env.LEDGER_000.prepare("UPDATE account SET frozen = ? WHERE id = ?").bind(frozen, shop.accountId).run();
  await to.send(aSentOrder("1"));
  const batch = faults.when(writesOrders, gate());
  const sending = to.send(aSentOrder("1", { correction_events: [aSentRefund("r", 10, 2.1, 21)] }));
  await batch.reached();
  await freeze(1);
  batch.open();
  expect(await sending).toMatchObject({ outcome: "unavailable", cause: "account_frozen" });
  await freeze(0);
  expect(toldOf(await dealing(shop).send(aSentOrder("1", REFUNDED)))).toMatch(/^partially_rectified/);
});
