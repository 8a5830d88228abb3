/** Records refused because of the software or its operator are resubmitted by one verb of the owner's. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { LedgerCalls } from "../../src/ledger/rpc.ts";
import type { Settled } from "../support/builders/corrections.ts";
import { failBefore } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { expectBooksConsistent } from "../support/rules/consistency.ts";
import { clientOf } from "../support/worlds/ledger-client.ts";
import { auditOf, correctRecord, MARTA, settleRecord } from "../support/worlds/owners.ts";
import { ledgerStub, ring, type Shop } from "../support/worlds/shop.ts";
import { databaseOf, openSubmittingShop, statesOf } from "../support/worlds/submission.ts";

const SYSTEM: Settled = { state: "rejected", code: 1110 };

let shop: Shop;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-12-01T12:00:00Z") });
  shop = await openSubmittingShop();
});

afterEach(() => {
  vi.useRealTimers();
});

async function issue(externalId: string): Promise<string> {
  const issued = await clientOf(shop).issue(externalId);
  if (!("invoice" in issued)) throw new Error(issued.outcome);
  return issued.invoice.invoiceId;
}

function resend(requestId = "again") {
  // The stub's types describe pipelining, which no test uses.
  const verbs = ledgerStub(shop) as unknown as Pick<LedgerCalls, "resendRecords">;
  return verbs.resendRecords(shop.connectionId, { userId: MARTA, requestId });
}

async function submit(): Promise<readonly string[]> {
  vi.setSystemTime(Date.now() + 61_000);
  expect(await ring(shop)).toBe(true);
  return statesOf(shop);
}

const sent = (records: number, isMore = false) => ({ outcome: "resent", records, refused: 0, isMore });

test("each kind of it, and nothing else", async () => {
  const declined: readonly Settled[] = [
    SYSTEM,
    { state: "rejected", code: 1176 },
    { state: "rejected", code: 3003 },
    { state: "rejected", code: 4102 },
    { state: "rejected", code: 1239 },
    { state: "accepted_with_errors", code: 2001 },
    { state: "accepted" },
  ];
  const ids = await Promise.all(declined.map((_, index) => issue(`e${index}`)));
  for (const [index, id] of ids.entries()) await settleRecord(shop, id, declined[index] ?? SYSTEM);
  expect(await resend()).toEqual(sent(4));
  expect((await submit()).slice(declined.length)).toEqual(Array(4).fill("accepted"));
  expect(await auditOf(shop)).toHaveLength(4);
  expect(await resend("once more")).toEqual(sent(0));
  await expectBooksConsistent(shop.connectionId);
});

test("of what the authority stored with an error of ours the record is replaced", async () => {
  const id = await issue("e1");
  await submit();
  // Its answer as it would be with a wrong total.
  const other = await issue("e2");
  await settleRecord(shop, other, { state: "accepted_with_errors", code: 2006 });
  expect(await resend()).toEqual(sent(1));
  const { results } = await databaseOf(shop.connectionId)
    .prepare("SELECT invoice_id, content FROM record ORDER BY position DESC LIMIT 1")
    .all<{ invoice_id: string; content: string }>();
  expect(results[0]?.invoice_id).not.toBe(id);
  expect(JSON.parse(results[0]?.content ?? "{}").amendment).toEqual({ previousRejection: "N" });
});

test("an annulment is repeated with its reason", async () => {
  const id = await issue("e1");
  await submit();
  await clientOf(shop).cancel("e1", "Duplicada");
  await settleRecord(shop, id, SYSTEM);
  expect(await resend()).toEqual(sent(1));
  expect(await submit()).toEqual(["accepted", "rejected 1110", "accepted"]);
  expect(await auditOf(shop)).toMatchObject([{ facts: { correction: "annul", reason: "Duplicada" } }]);
});

test("a resubmitted record is not submitted twice", async () => {
  const id = await issue("e1");
  await settleRecord(shop, id, SYSTEM);
  await correctRecord(shop, id, { correction: "amend", change: {} }, "by hand");
  expect(await resend()).toEqual(sent(0));
});

test("many: a call sends some, and the next the others", async () => {
  const ids = await Promise.all(Array.from({ length: 203 }, (_, index) => issue(`e${index}`)));
  await databaseOf(shop.connectionId)
    .prepare(`UPDATE record SET state = 'rejected', standing = '{"code":1110}', changed_seq = 1`)
    .run();
  expect(await resend()).toEqual(sent(200, true));
  expect(await resend()).toEqual(sent(ids.length - 200));
  await expectBooksConsistent(shop.connectionId);
});

test("while the database is down nothing is sent, and it can be tried again", async () => {
  await settleRecord(shop, await issue("e1"), SYSTEM);
  faults.next(failBefore(), { times: 20 });
  expect((await resend()).outcome).toBe("unavailable");
  faults.reset();
  expect(await resend()).toEqual(sent(1));
});
