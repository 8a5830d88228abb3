/** What a test leaves running meets no fault, and no database, of the next test. */
import { expect, test } from "vitest";
import type { IssueOutcome } from "../../src/ledger/core/outcomes.ts";
import { failBefore, hang } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { plainLedger } from "../support/worlds/ledger-client.ts";
import { openShop } from "../support/worlds/shop.ts";

let left: Promise<IssueOutcome>;

test("a call waits for its answer when the test ends", async () => {
  const { client } = plainLedger(await openShop());
  await client.issue("warm");
  const hung = faults.next(hang());
  left = client.issue("a");
  await hung.reached();
});

test("and is tried again without meeting what waits for a call of this test", async () => {
  faults.next(failBefore());
  expect(await left).toMatchObject({ outcome: "unavailable" });
  expect([faults.trips(), faults.pending()]).toEqual([[], ["failBefore"]]);
});
