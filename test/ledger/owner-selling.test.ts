/**
 * Owners' declarations hold from their acknowledgement, and have the affected orders decided automatically.
 */
import { beforeEach, describe, expect, test } from "vitest";
import { civilDate } from "../../src/domain/shared/civil-date.ts";
import { decimal } from "../../src/domain/shared/decimal.ts";
import type { OwnerRequest } from "../../src/ledger/verbs/table.ts";
import { gate } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { haveArrived } from "../support/worlds/ledger-client.ts";
import {
  aSentOrder,
  type Connector,
  openCommerce,
  orderConnector,
  type SentBody,
  toldOf,
} from "../support/worlds/order-calls.ts";
import { numberedIn, writesOrders } from "../support/worlds/order-changes.ts";
import { consent, decideAgain, MARTA, statesOf } from "../support/worlds/owners.ts";
import { act, ring, type Shop } from "../support/worlds/shop.ts";
import { connectorOf, inventoryReport } from "../support/worlds/shop-reports.ts";

let shop: Shop;
let connector: Connector;

beforeEach(async () => {
  shop = await openCommerce();
  connector = orderConnector(shop);
  await ring(shop);
});

async function done(request: OwnerRequest, at = shop): Promise<string> {
  const outcome = await act(at, request, MARTA);
  expect(outcome.outcome).toBe("done");
  return (outcome.outcome === "done" && outcome.shown?.profile_id) || "";
}

async function codeOf(request: OwnerRequest, at = shop): Promise<string> {
  const outcome = await act(at, request, MARTA);
  return outcome.outcome === "refused" ? outcome.refusal.code : outcome.outcome;
}

async function toldOnce(body: SentBody): Promise<string> {
  return toldOf(await connector.send(body));
}

async function toldNow(idExternal: string): Promise<string> {
  return toldOf(await connector.read(idExternal));
}

/** 121.00 and a fee of 12.10 outside the lines. */
function withFee(idExternal: string): SentBody {
  const fee = { code: "cod_fee", name: "Contra reembolso", value: 12.1 };
  return aSentOrder(idExternal, { total: 133.1, unmapped_totals: [fee] });
}

const FEE = { cod_fee: { as: "fee", rate: decimal("21") } } as const;
const onWeb = (idExternal: string, change: SentBody = {}) =>
  aSentOrder(idExternal, { source_channel: "web", ...change });
const addProfile = (name: string, channel: string, stem: string): OwnerRequest => ({
  verb: "add_profile",
  profile: { name, channel, stem },
});

describe("a treatment declared for all such orders", () => {
  test("of the connection: those held for it are decided automatically, oldest first", async () => {
    const early = { order_date: "2026-11-02 10:00:00" };
    expect(await toldOnce(withFee("late"))).toBe("held untreated_total");
    expect(await toldOnce({ ...withFee("early"), ...early })).toBe("held untreated_total");
    await done({ verb: "declare_sales", change: { treatments: FEE } });
    await ring(shop);
    expect(await numberedIn(shop)).toEqual(["early", "late"]);
    expect(await toldNow("late")).toBe("invoiced F2 PED-1S-2026-000002 133.1");
  });

  test("of a profile: those of another profile still wait", async () => {
    const web = await done(addProfile("Web", "web", "WEB"));
    await done(addProfile("Móvil", "movil", "MOV"));
    await connector.send({ ...withFee("w"), source_channel: "web" });
    await connector.send({ ...withFee("m"), source_channel: "movil" });
    await done({ verb: "declare_sales", profileId: web, change: { treatments: FEE } });
    await ring(shop);
    expect([await toldNow("w"), await toldNow("m")]).toEqual([
      "invoiced F2 WEBS-2026-000001 133.1",
      "held untreated_total",
    ]);
  });

  test("taken back, it holds what comes", async () => {
    await done({ verb: "declare_sales", change: { treatments: FEE } });
    await done({ verb: "declare_sales", change: { treatments: { cod_fee: null } } });
    expect(await toldOnce(withFee("1"))).toBe("held untreated_total");
  });
});

describe("profiles", () => {
  test("the first ends the connection's own set and inherits its declarations", async () => {
    await done({ verb: "declare_sales", change: { treatments: FEE } });
    await done(addProfile("Web", "web", "WEB"));
    expect(await toldOnce({ ...withFee("1"), source_channel: "WEB" })).toBe(
      "invoiced F2 WEBS-2026-000001 133.1",
    );
    expect(await toldOnce(aSentOrder("2"))).toBe("held profile_not_matched");
  });

  test("several that match: held, and numbered nowhere, until one is removed", async () => {
    await connectorOf(shop)(inventoryReport("1"));
    await done(addProfile("Web", "web", "WEB"));
    const store: OwnerRequest = { verb: "add_profile", profile: { name: "Uno", storeId: "1", stem: "UNO" } };
    const uno = await done(store);
    expect(await toldOnce(onWeb("1", { shop: { id: "1" } }))).toBe("held profile_ambiguous");
    await done({ verb: "remove_profile", id: uno });
    await ring(shop);
    expect(await toldNow("1")).toBe("invoiced F2 WEBS-2026-000001 121");
  });

  test("a stem is reserved in the whole account, until it is given up without a number", async () => {
    const other = await openCommerce({ accountId: shop.accountId });
    const web = await done(addProfile("Web", "web", "WEB"));
    expect(await codeOf(addProfile("Web", "web", "WEB"), other)).toBe("stem_taken");
    expect(await codeOf(addProfile("Web", "web", "WEBR"), other)).toBe("stem_taken");
    expect(await codeOf({ verb: "choose_order_stem", stem: "WEB" }, other)).toBe("stem_taken");
    await done({ verb: "change_profile", id: web, change: { stem: "W2" } });
    await done(addProfile("Web", "web", "WEB"), other);
    expect(await codeOf({ verb: "change_profile", id: web, change: { stem: "WEB" } })).toBe("stem_taken");
  });

  test("after its first number a stem stays for ever, also of a removed profile", async () => {
    const web = await done(addProfile("Web", "web", "WEB"));
    expect(await toldOnce(onWeb("1"))).toBe("invoiced F2 WEBS-2026-000001 121");
    expect(await codeOf({ verb: "change_profile", id: web, change: { stem: "W2" } })).toBe("stem_numbered");
    await done({ verb: "change_profile", id: web, change: { name: "Tienda web" } });
    await done({ verb: "remove_profile", id: web });
    expect(await codeOf(addProfile("Otra", "otra", "WEB"))).toBe("stem_taken");
    // Without profiles the connection numbers again with its own series.
    expect(await toldOnce(onWeb("2"))).toBe("invoiced F2 PED-1S-2026-000001 121");
  });
});

describe("the stem of orders", () => {
  test("is changed until the first number, and can be given back", async () => {
    await done({ verb: "choose_order_stem", stem: "TIENDA" });
    await done({ verb: "choose_order_stem", stem: "PED-1" });
    await done({ verb: "choose_order_stem", stem: "TIENDA" });
    expect(await toldOnce(aSentOrder("1"))).toBe("invoiced F2 TIENDAS-2026-000001 121");
    expect(await codeOf({ verb: "choose_order_stem", stem: "OTRA" })).toBe("stem_numbered");
    expect(await codeOf({ verb: "choose_order_stem", stem: "PED-1" })).toBe("stem_numbered");
  });
});

describe("tag rules", () => {
  const tagged = aSentOrder("1", { tags: ["Mayorista"] });

  test("hold until the rule is removed", async () => {
    await done({ verb: "set_tag_rule", rule: { tag: "MAYORISTA", action: "hold" } });
    expect(await toldOnce(tagged)).toBe("held tag_hold");
    await done({ verb: "remove_tag_rule", tag: "mayorista" });
    await ring(shop);
    expect(await toldNow("1")).toBe("invoiced F2 PED-1S-2026-000001 121");
  });

  test("ignore held ones", async () => {
    await done({ verb: "set_tag_rule", rule: { tag: "mayorista", action: "hold" } });
    await connector.send(tagged);
    await done({ verb: "set_tag_rule", rule: { tag: "mayorista", action: "ignore" } });
    await ring(shop);
    expect(await toldNow("1")).toBe("stored tag_ignored");
    // Excluded orders come back only when their owner asks.
    await done({ verb: "remove_tag_rule", tag: "mayorista" });
    await ring(shop);
    expect(await toldNow("1")).toBe("stored tag_ignored");
    await decideAgain(shop, "1");
    expect(await toldNow("1")).toBe("invoiced F2 PED-1S-2026-000001 121");
  });
});

describe("the selection of stores", () => {
  test("a store that is chosen later has its orders decided", async () => {
    await connectorOf(shop)(inventoryReport("1", "2"));
    await done({ verb: "complete_setup", storeIds: ["1"] });
    expect(await toldOnce(aSentOrder("1", { shop: { id: "2" } }))).toBe(
      "store_not_selected store_not_selected",
    );
    await done({ verb: "complete_setup", storeIds: "all" });
    await ring(shop);
    expect(await toldNow("1")).toBe("invoiced F2 PED-1S-2026-000001 121");
  });
});

describe("the cutoff", () => {
  const held = () => withFee("held");

  test("moved later, it excludes only orders without an invoice", async () => {
    await connector.send(aSentOrder("invoiced"));
    await connector.send(held());
    await done({ verb: "move_cutoff", cutoffDate: civilDate("2026-11-25") });
    await ring(shop);
    expect(await statesOf(shop)).toEqual({ before_cutoff: 1, invoiced: 1 });
    const cancelled = aSentOrder("invoiced", { fiscal_event: "cancelled" });
    expect(await toldOnce(cancelled)).toMatch(/^rectified F2 .* R5 /);
  });

  test("of a consent given anew counts for orders without invoice", async () => {
    await connector.send(aSentOrder("invoiced"));
    await connector.send(held());
    await done({ verb: "withdraw_consent" });
    await consent(shop, "2026-11-25");
    await ring(shop);
    expect(await statesOf(shop)).toEqual({ before_cutoff: 1, invoiced: 1 });
  });
});

describe("settings that change while an order is on its way", () => {
  test("are its settings at the decision, also at another connection of the account", async () => {
    const other = await openCommerce({ accountId: shop.accountId });
    const authorisation = { number: "A-1", limit: decimal("2000") };
    await done({ verb: "open_authorisation", authorisation });
    await done({ verb: "declare_sales", change: { underAuthorisation: true } }, other);
    const breakdown = [{ name: "Mesa", quantity: 1, base_amount: 1000, tax_rate: 21, tax_amount: 210 }];
    const batch = faults.when(writesOrders, gate());
    const sent = orderConnector(other).send(aSentOrder("1", { total: 1210, breakdown }));
    await batch.reached();
    await done({ verb: "close_authorisation", number: "A-1" });
    batch.open();
    expect(toldOf(await sent)).toBe("held recipient_incomplete");
    expect(await numberedIn(other)).toEqual([]);
  });

  test("a verb waits for earlier orders, and later ones are decided under it", async () => {
    const batch = faults.when(writesOrders, gate());
    const first = connector.send(withFee("1"));
    await batch.reached();
    const declared = done({ verb: "declare_sales", change: { treatments: FEE } });
    await haveArrived(shop, 2);
    const second = connector.send(withFee("2"));
    await haveArrived(shop, 3);
    batch.open();
    await declared;
    expect([toldOf(await first), toldOf(await second)]).toEqual([
      "held untreated_total",
      "invoiced F2 PED-1S-2026-000001 133.1",
    ]);
    await ring(shop);
    expect(await toldNow("1")).toBe("invoiced F2 PED-1S-2026-000002 133.1");
  });
});
