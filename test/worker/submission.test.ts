/** Records reach the authority by themselves, in order, once. */
import { beforeEach, expect, test } from "vitest";
import { ring } from "../support/alarms.ts";
import { clientOf } from "../support/ledger-client.ts";
import type { Shop } from "../support/shop.ts";
import { chainsAt, control, openSubmittingShop, statesOf } from "../support/submission.ts";

let shop: Shop;

beforeEach(async () => {
  shop = await openSubmittingShop();
  await control(shop, { wait_seconds: 0 });
});

test("what was issued is accepted, without another request", async () => {
  await clientOf(shop).issue("one");
  await clientOf(shop).issue("two");
  expect(await ring(shop)).toBe(true);
  expect(await statesOf(shop)).toEqual(["accepted", "accepted"]);
  const [chain] = await chainsAt(shop);
  expect(chain?.records.map(({ number, state, received }) => [number, state, received])).toEqual([
    ["API-1-2026-000001", "Correcto", 1],
    ["API-1-2026-000002", "Correcto", 1],
  ]);
});
