/** A rate of the one-stop shop that an owner keeps: for the account, listed, and withdrawn. */
import { beforeEach, expect, test } from "vitest";
import { expectBooksConsistent } from "../support/rules/consistency.ts";
import { type Browser, ownerOf } from "../support/worlds/console.ts";
import {
  aSentLine,
  aSentOrder,
  openCommerce,
  orderConnector,
  toldOf,
} from "../support/worlds/order-calls.ts";
import { settingsVersionOf } from "../support/worlds/owners.ts";
import { act, ring, type Shop } from "../support/worlds/shop.ts";

const TO_GERMANY = {
  total: 118,
  breakdown: [aSentLine(100, 18, 18)],
  client: { first_name: "Max", last_name: "Muster", country: "DE", postcode: "10115" },
};
const HELD = "held oss_rate_unknown";
const OSS = { verb: "declare_sales", change: { destinations: { euConsumer: "oss" } } } as const;

let shop: Shop;
let sister: Shop;
let owner: Browser;

beforeEach(async () => {
  shop = await openCommerce();
  sister = await openCommerce({ accountId: shop.accountId });
  owner = await ownerOf(shop);
  await act(shop, OSS);
  await act(sister, OSS);
});

const company = () => `/api/accounts/${shop.accountId}/company`;
const keeping = (id: string, from: string) =>
  owner.post(`/api/accounts/${shop.accountId}/connections/${shop.connectionId}/order/answers`, {
    order_id: id,
    answers: [{ answer: "keep_oss_rate", from }],
  });
const kept = async () => (await owner.get(company())).body.data.ossRates;

test("it holds for every connection of the account, and for orders that come", async () => {
  const [ours, theirs] = [orderConnector(shop), orderConnector(sister)];
  for (const id of ["1", "2"]) expect(toldOf(await ours.send(aSentOrder(id, TO_GERMANY)))).toBe(HELD);
  expect(toldOf(await theirs.send(aSentOrder("3", TO_GERMANY)))).toBe(HELD);
  const version = await settingsVersionOf(shop);
  expect((await keeping("1", "2026-07-01")).status).toBe(200);
  expect(await settingsVersionOf(shop)).toBe(version + 1);
  expect(await kept()).toMatchObject([{ area: "DE", rate: "18", from: "2026-07-01" }]);
  await ring(shop);
  await ring(sister);
  expect(toldOf(await ours.read("1"))).toBe("invoiced F2 PED-1-2026-000001 118");
  expect(toldOf(await ours.read("2"))).toBe("invoiced F2 PED-1-2026-000002 118");
  expect(toldOf(await theirs.read("3"))).toBe("invoiced F2 PED-2-2026-000001 118");
  expect(toldOf(await ours.send(aSentOrder("4", TO_GERMANY)))).toBe("invoiced F2 PED-1-2026-000003 118");
  await expectBooksConsistent(shop.connectionId);
});

test("it counts from its day on, and an earlier one takes its place", async () => {
  const ours = orderConnector(shop);
  await ours.send(aSentOrder("1", TO_GERMANY));
  await keeping("1", "2026-11-20");
  const earlier = aSentOrder("2", { ...TO_GERMANY, order_date: "2026-11-19 10:00:00" });
  expect(toldOf(await ours.send(earlier))).toBe(HELD);
  expect((await keeping("2", "2026-11-20")).body.error_code).toBe("oss_rate_from_too_late");
  expect((await keeping("2", "2026-11-01")).status).toBe(200);
  expect(toldOf(await ours.read("2"))).toBe("invoiced F2 PED-1-2026-000002 118");
  expect(await kept()).toMatchObject([{ area: "DE", rate: "18", from: "2026-11-01" }]);
});

test("it is withdrawn, and the invoiced orders stay", async () => {
  const ours = orderConnector(shop);
  await ours.send(aSentOrder("1", TO_GERMANY));
  await keeping("1", "2026-07-01");
  expect((await owner.call("DELETE", `${company()}/oss-rates?area=DE&rate=18`)).status).toBe(200);
  expect((await owner.call("DELETE", `${company()}/oss-rates?area=DE&rate=18`)).status).toBe(200);
  expect(await kept()).toEqual([]);
  expect(toldOf(await ours.send(aSentOrder("2", TO_GERMANY)))).toBe(HELD);
  expect(toldOf(await ours.read("1"))).toBe("invoiced F2 PED-1-2026-000001 118");
});
