/** Orders through the ledger: stored, issued, rectified, and repeated. */
import { beforeEach, describe, expect, test } from "vitest";
import {
  A_SENT_COMPANY,
  aSentLine,
  aSentOrder,
  aSentRefund,
  type Connector,
  openCommerce,
  orderConnector,
  orderIn,
  toldOf,
} from "../support/worlds/order-calls.ts";
import { openShop } from "../support/worlds/shop.ts";

let connector: Connector;

beforeEach(async () => {
  connector = orderConnector(await openCommerce());
});

describe("an order", () => {
  test("is invoiced once, and a repeat changes nothing", async () => {
    const first = await connector.send(aSentOrder("1"));
    expect(first).toMatchObject({ outcome: "taken", created: true });
    expect(toldOf(first)).toBe("invoiced F2 PED-1S-2026-000001 121");
    const again = await connector.send(aSentOrder("1"));
    expect(again).toMatchObject({ outcome: "taken", created: false });
    expect(orderIn(again)).toEqual(orderIn(first));
    expect(orderIn(await connector.read("1"))).toEqual(orderIn(first));
  });

  test("of a company is a full invoice in its series", async () => {
    expect(toldOf(await connector.send(aSentOrder("1", { client: A_SENT_COMPANY })))).toBe(
      "invoiced F1 PED-1-2026-000001 121",
    );
  });

  test("is held, and invoiced when it comes again complete", async () => {
    const lines = [aSentLine(1000, 210, 21)];
    const held = await connector.send(aSentOrder("1", { total: 1210, breakdown: lines }));
    expect(toldOf(held)).toBe("held recipient_incomplete");
    const sent = aSentOrder("1", { total: 1210, breakdown: lines, client: A_SENT_COMPANY });
    expect(toldOf(await connector.send(sent))).toBe("invoiced F1 PED-1-2026-000001 1210");
  });

  test("is rectified by each event once", async () => {
    await connector.send(aSentOrder("1"));
    const refunded = aSentOrder("1", { correction_events: [aSentRefund("r1", 10, 2.1, 21)] });
    const told = "partially_rectified F2 PED-1S-2026-000001 121 R5 PED-1RS-2026-000001 -12.1";
    expect(toldOf(await connector.send(refunded))).toBe(told);
    expect(toldOf(await connector.send(refunded))).toBe(told);
    // Without the event: it has acted all the same.
    expect(toldOf(await connector.send(aSentOrder("1")))).toBe(told);
  });

  test("is not known to another connection", async () => {
    await connector.send(aSentOrder("1"));
    expect(await orderConnector(await openShop()).read("1")).toMatchObject({ outcome: "unknown" });
  });
});
