/** The note of the last commit, when another instance commits while this one opens its books. */
import { expect, test } from "vitest";
import { type HighWater, type HighWaterMark, markInMemory } from "../../src/ledger/core/high-water.ts";
import { expectBooksConsistent } from "../support/rules/consistency.ts";
import { plainLedger } from "../support/worlds/ledger-client.ts";
import { openShop } from "../support/worlds/shop.ts";

test("books that were read before another instance's commit are read again, and no operator is alerted", async () => {
  const shop = await openShop();
  const mark = markInMemory();
  const other = plainLedger(shop, { mark });
  await other.client.issue("first");
  const whileReading: HighWaterMark = {
    ...mark,
    read: async () => {
      await other.client.issue("meanwhile");
      return mark.read();
    },
  };
  const { client, alarms } = plainLedger(shop, { mark: whileReading });
  expect(await client.issue("own")).toMatchObject({ outcome: "issued", invoice: { number: 3 } });
  expect(alarms).not.toContain("ledger_behind");
  await expectBooksConsistent(shop.connectionId, [...client.answers, ...other.client.answers]);
});

test("books that stay behind the note issue nothing", async () => {
  const shop = await openShop();
  const mark = markInMemory();
  const other = plainLedger(shop, { mark });
  await other.client.issue("first");
  const { position = 0, ...noted } = (await mark.read()) ?? ({} as Partial<HighWater>);
  const lost = { ...noted, position: position + 1 } as HighWater;
  const { client, alarms } = plainLedger(shop, { mark: markInMemory(lost) });
  expect(await client.issue("own")).toMatchObject({ outcome: "unavailable", cause: "ledger_behind" });
  expect(alarms).toContain("ledger_behind");
});
