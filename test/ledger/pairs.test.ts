/** Two requests in one group end as if the second had come a minute after the first. */
import { describe, expect, test } from "vitest";
import type { CancelOutcome, IssueOutcome } from "../../src/ledger/core/outcomes.ts";
import { gate } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { expectBooksConsistent } from "../support/rules/consistency.ts";
import {
  aReplacement,
  aSubstitution,
  callsOf,
  clientOf,
  haveArrived,
  type LedgerClient,
  SIMPLIFIED,
} from "../support/worlds/ledger-client.ts";
import { ledgerStub, openShop, type Shop } from "../support/worlds/shop.ts";

type Call = (client: LedgerClient) => Promise<IssueOutcome | CancelOutcome>;

/** Both wait in the queue while a batch is held before them. */
async function together(shop: Shop, first: Call, second: Call) {
  const client = clientOf(shop, callsOf(ledgerStub(shop)));
  const held = faults.next(gate());
  const before = client.issue("before");
  await held.reached();
  const pair = [first(client), second(client)] as const;
  await haveArrived(shop, 3);
  faults.take();
  held.open();
  await before;
  const outcomes = await Promise.all(pair);
  const commits = faults.trips().filter((trip) => trip.sql.some((sql) => sql.startsWith("insert into")));
  await expectBooksConsistent(shop.connectionId, client.answers);
  return { outcomes, commits: commits.length };
}

async function oneByOne(shop: Shop, first: Call, second: Call) {
  const client = clientOf(shop);
  await client.issue("before");
  return [await first(client), await second(client)];
}

async function aShop(): Promise<Shop> {
  const shop = await openShop();
  const client = clientOf(shop);
  await client.issue("full");
  await client.issue("ticket", SIMPLIFIED);
  return shop;
}

/** The caller's answers, without ids and times. */
function toldBy(outcome: IssueOutcome | CancelOutcome): string {
  switch (outcome.outcome) {
    case "refused":
      return outcome.refusal.code;
    case "issued":
    case "replayed":
    case "cancelled":
      return `${outcome.outcome} ${outcome.invoice.fullNumber}`;
    default:
      return outcome.outcome;
  }
}

const cancelFull: Call = (client) => client.cancel("full");
const takeBack =
  (externalId: string, base: string): Call =>
  (client) =>
    client.takeBack(externalId, "full", base);
const substitute: Call = (client) => client.issue("sub", aSubstitution("80", "full"));
const replace =
  (externalId: string): Call =>
  (client) =>
    client.issue(externalId, aReplacement("ticket"));
const issue =
  (externalId: string, change = {}): Call =>
  (client) =>
    client.issue(externalId, change);
const REFUSED = { regime: "art7_simplified" } as const;

describe("in one group", () => {
  test.each<[string, Call, Call, [string, string]]>([
    [
      "cancel, then rectify",
      cancelFull,
      takeBack("r1", "10"),
      ["cancelled API-1-2026-000001", "rectified_invoice_cancelled"],
    ],
    [
      "rectify, then cancel",
      takeBack("r1", "10"),
      cancelFull,
      ["issued API-1R-2026-000001", "cancellation_not_allowed"],
    ],
    [
      "rectify within what remains, twice",
      takeBack("r1", "60"),
      takeBack("r2", "40"),
      ["issued API-1R-2026-000001", "issued API-1R-2026-000002"],
    ],
    [
      "rectify beyond what remains",
      takeBack("r1", "60"),
      takeBack("r2", "60"),
      ["issued API-1R-2026-000001", "rectification_exceeds"],
    ],
    [
      "one external_id, equal payload",
      issue("e"),
      issue("e"),
      ["issued API-1-2026-000003", "replayed API-1-2026-000003"],
    ],
    [
      "one external_id, other payload",
      issue("e"),
      issue("e", { description: "other" }),
      ["issued API-1-2026-000003", "conflict"],
    ],
    [
      "one external_id, the first refused",
      issue("e", REFUSED),
      issue("e"),
      ["documentary_regime_mismatch", "issued API-1-2026-000003"],
    ],
    [
      "one external_id, the second would be refused",
      issue("e"),
      issue("e", REFUSED),
      ["issued API-1-2026-000003", "conflict"],
    ],
    [
      "substitute, then take back",
      substitute,
      takeBack("r1", "10"),
      ["issued API-1R-2026-000001", "rectified_invoice_superseded"],
    ],
    [
      "take back, then substitute without the part",
      takeBack("r1", "10"),
      substitute,
      ["issued API-1R-2026-000001", "rectification_incomplete"],
    ],
    [
      "replace one ticket twice",
      replace("f1"),
      replace("f2"),
      ["issued API-1-2026-000003", "rectified_invoice_superseded"],
    ],
    [
      "issue, then rectify the issued invoice",
      issue("e"),
      (client) => client.takeBack("r1", "e", "10"),
      ["issued API-1-2026-000003", "issued API-1R-2026-000001"],
    ],
    [
      "rectify an invoice issued after it",
      (client) => client.takeBack("r1", "e", "10"),
      issue("e"),
      ["rectified_invoice_unknown", "issued API-1-2026-000003"],
    ],
    [
      "issue, then cancel the issued invoice",
      issue("e"),
      (client) => client.cancel("e"),
      ["issued API-1-2026-000003", "cancelled API-1-2026-000003"],
    ],
    [
      "cancel, then issue again under the same external_id",
      cancelFull,
      issue("full"),
      ["cancelled API-1-2026-000001", "replayed API-1-2026-000001"],
    ],
    ["cancel twice", cancelFull, cancelFull, ["cancelled API-1-2026-000001", "replayed API-1-2026-000001"]],
  ])("%s", async (_, first, second, told) => {
    const { outcomes, commits } = await together(await aShop(), first, second);
    expect(outcomes.map(toldBy)).toEqual(told);
    expect(commits).toBeLessThanOrEqual(2);
    expect((await oneByOne(await aShop(), first, second)).map(toldBy)).toEqual(told);
  });

  test("cancel a rectification, then take back what it had taken", async () => {
    const shop = await aShop();
    await clientOf(shop).takeBack("r1", "full", "100");
    const { outcomes } = await together(shop, (client) => client.cancel("r1"), takeBack("r2", "100"));
    expect(outcomes.map(toldBy)).toEqual(["cancelled API-1R-2026-000001", "issued API-1R-2026-000002"]);
  });

  test("cancel a rectification, then the invoice itself", async () => {
    const shop = await aShop();
    await clientOf(shop).takeBack("r1", "full", "100");
    const { outcomes } = await together(shop, (client) => client.cancel("r1"), cancelFull);
    expect(outcomes.map(toldBy)).toEqual(["cancelled API-1R-2026-000001", "cancelled API-1-2026-000001"]);
  });
});
