/** One reading of the clock gives date, series and generation time, and none of them ever decreases. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { RegistrationContent } from "../../src/domain/verifactu/record.ts";
import type { IssueOutcome } from "../../src/ledger/core/outcomes.ts";
import { expectBooksConsistent } from "../support/rules/consistency.ts";
import { type LedgerClient, plainLedger } from "../support/worlds/ledger-client.ts";
import { openShop, type Shop } from "../support/worlds/shop.ts";

let shop: Shop;
let client: LedgerClient;
let alarms: readonly string[];

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  at("2026-11-28T10:00:00Z");
  await open();
});

afterEach(() => {
  vi.useRealTimers();
});

const at = (instant: string) => vi.setSystemTime(new Date(instant));

async function open(change: Parameters<typeof openShop>[0] = {}): Promise<void> {
  shop = await openShop(change);
  ({ client, alarms } = plainLedger(shop));
}

/** Every place where an invoice says when it was issued. */
function datesOf(outcome: IssueOutcome) {
  if (outcome.outcome !== "issued") throw new Error(outcome.outcome);
  const { issueDate, fullNumber, alta } = outcome.invoice;
  // An issued invoice has an ALTA record.
  const { key, generatedAt } = alta.record.content as RegistrationContent;
  return { issueDate, fullNumber, key: key.date, generatedAt };
}

test("half past eleven at night in UTC on New Year's Eve is the new year in Madrid, everywhere", async () => {
  at("2026-12-31T22:59:59Z");
  expect(datesOf(await client.issue("old"))).toEqual({
    issueDate: "2026-12-31",
    fullNumber: "API-1-2026-000001",
    key: "31-12-2026",
    generatedAt: "2026-12-31T23:59:59+01:00",
  });
  at("2026-12-31T23:30:00Z");
  expect(datesOf(await client.issue("new"))).toEqual({
    issueDate: "2027-01-01",
    fullNumber: "API-1-2027-000001",
    key: "01-01-2027",
    generatedAt: "2027-01-01T00:30:00+01:00",
  });
  await expectBooksConsistent(shop.connectionId, client.answers);
});

test("the same moment is still the old year for an issuer on the Canary Islands", async () => {
  at("2026-12-31T23:30:00Z");
  await open({ account: { timeZone: "Atlantic/Canary" } });
  expect(datesOf(await client.issue("e"))).toMatchObject({
    fullNumber: "API-1-2026-000001",
    generatedAt: "2026-12-31T23:30:00+00:00",
  });
});

test("midnight in summer is two hours before midnight in UTC", async () => {
  at("2027-06-30T21:59:59Z");
  expect(datesOf(await client.issue("a"))).toMatchObject({ issueDate: "2027-06-30" });
  at("2027-06-30T22:00:00Z");
  expect(datesOf(await client.issue("b"))).toMatchObject({ issueDate: "2027-07-01", key: "01-07-2027" });
});

test("five minutes back: the chain continues with its last instant, and the operator is alerted", async () => {
  await client.issue("a");
  at("2026-11-28T09:55:00Z");
  expect(datesOf(await client.issue("b"))).toMatchObject({ generatedAt: "2026-11-28T11:00:00+01:00" });
  expect(alarms).toEqual(["clock_behind_chain"]);
  at("2026-11-28T10:00:01Z");
  expect(datesOf(await client.issue("c"))).toMatchObject({ generatedAt: "2026-11-28T11:00:01+01:00" });
  await expectBooksConsistent(shop.connectionId, client.answers);
});

test("a minute back is no alarm", async () => {
  await client.issue("a");
  at("2026-11-28T09:59:00Z");
  await client.issue("b");
  expect(alarms).toEqual([]);
});

test("back over New Year: date, series and record stay in the new year, cold and warm", async () => {
  at("2026-12-31T23:01:00Z");
  await client.issue("a");
  at("2026-12-31T22:58:00Z");
  const stays = { issueDate: "2027-01-01", generatedAt: "2027-01-01T00:01:00+01:00" };
  expect(datesOf(await client.issue("b"))).toMatchObject({ ...stays, fullNumber: "API-1-2027-000002" });
  const cold = plainLedger(shop).client;
  expect(datesOf(await cold.issue("c"))).toMatchObject({ ...stays, fullNumber: "API-1-2027-000003" });
  await expectBooksConsistent(shop.connectionId, [...client.answers, ...cold.answers]);
});

test("the hour that comes twice in October: the local time goes back, the instant does not", async () => {
  at("2027-10-31T00:30:00Z");
  expect(datesOf(await client.issue("a"))).toMatchObject({ generatedAt: "2027-10-31T02:30:00+02:00" });
  at("2027-10-31T01:15:00Z");
  expect(datesOf(await client.issue("b"))).toMatchObject({ generatedAt: "2027-10-31T02:15:00+01:00" });
  expect(alarms).toEqual([]);
  await expectBooksConsistent(shop.connectionId, client.answers);
});
