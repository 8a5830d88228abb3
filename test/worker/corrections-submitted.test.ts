/** Corrections all the way: what the authority answered, what its owner does, and what the authority makes of that. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { InvoiceView } from "../../src/domain/invoice/invoice-view.ts";
import { intercept } from "../support/authority/line.ts";
import { operationsIn } from "../support/builders/corrections.ts";
import { expectBooksConsistent } from "../support/rules/consistency.ts";
import { clientOf } from "../support/worlds/ledger-client.ts";
import { correctRecord, readCorrections } from "../support/worlds/owners.ts";
import { ring, type Shop } from "../support/worlds/shop.ts";
import { control, openSubmittingShop, statesOf } from "../support/worlds/submission.ts";

const MARIA = { company: "MARIA PEREZ", vatNumber: "12345678Z", country: "ES" };

let shop: Shop;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-12-01T12:00:00Z") });
  shop = await openSubmittingShop();
  await control(shop, { not_in_census: [MARIA.vatNumber] });
});

afterEach(() => {
  vi.useRealTimers();
});

async function issue(): Promise<InvoiceView> {
  const issued = await clientOf(shop).issue("e1", { recipient: MARIA });
  if (!("invoice" in issued)) throw new Error(issued.outcome);
  return issued.invoice;
}

async function view(): Promise<InvoiceView> {
  const read = await clientOf(shop).read("e1");
  if (read.outcome !== "found") throw new Error(read.outcome);
  return read.invoice;
}

/** The wait that the authority asked for is over, and an alarm is set. */
async function submit(): Promise<readonly string[]> {
  vi.setSystemTime(Date.now() + 61_000);
  expect(await ring(shop)).toBe(true);
  return statesOf(shop);
}

/** The submitted records from now on, in order. */
function overhear(): readonly string[] {
  const sent: string[] = [];
  intercept(shop.connectionId, (send, message) => {
    sent.push(...(message.match(/<sf:(?:Subsanacion|RegistroAnulacion)>/g) ?? []));
    return send();
  });
  return sent;
}

async function advice(invoiceId: string) {
  const read = await readCorrections(shop, invoiceId);
  if (read.outcome !== "found") throw new Error(read.outcome);
  return read.corrections.advice?.code;
}

test("P57: a person who is not in the census: rejected, amended by the remedy, accepted with errors", async () => {
  const { invoiceId, fullNumber } = await issue();
  expect(await submit()).toEqual(["rejected 1239"]);
  expect(await advice(invoiceId)).toBe("recipient_unknown");
  // Nothing is due until the owner acts, and then it is done automatically.
  expect(await ring(shop)).toBe(false);
  const amended = await correctRecord(
    shop,
    invoiceId,
    { correction: "remedy", remedy: "not_in_census" },
    "r1",
  );
  expect(amended.outcome).toBe("corrected");
  expect(await submit()).toEqual(["rejected 1239", "accepted_with_errors 2001"]);
  expect(await advice(invoiceId)).toBe("recipient_not_in_census");
  const after = await view();
  expect([operationsIn(after), after.fullNumber]).toEqual(["ALTA | ALTA S X", fullNumber]);
  await control(shop, { not_in_census: [] });
  await correctRecord(shop, invoiceId, { correction: "remedy", remedy: "in_census" }, "r2");
  expect((await submit()).at(-1)).toBe("accepted");
  expect(await advice(invoiceId)).toBeUndefined();
  await expectBooksConsistent(shop.connectionId);
});

test("cancelled after the rejection: there was no record before it, and the authority takes it so", async () => {
  await issue();
  await submit();
  await clientOf(shop).cancel("e1");
  expect(await submit()).toEqual(["rejected 1239", "accepted"]);
  expect(operationsIn(await view())).toBe("ALTA | ANULACION W");
});

test("cancelled before the rejection: both are rejected, and the owner brings the annulment to its end", async () => {
  const { invoiceId } = await issue();
  await clientOf(shop).cancel("e1");
  expect(await submit()).toEqual(["rejected 1239", "rejected 3002"]);
  expect(await advice(invoiceId)).toBe("nothing_to_annul");
  await correctRecord(shop, invoiceId, { correction: "annul", reason: "Nunca existió" }, "r1");
  expect(await submit()).toEqual(["rejected 1239", "rejected 3002", "accepted"]);
  expect(operationsIn(await view())).toBe("ALTA | ANULACION | ANULACION W S");
  await expectBooksConsistent(shop.connectionId);
});

test("cancelled before an acceptance: nothing is said of what came before", async () => {
  await control(shop, {});
  await issue();
  await clientOf(shop).cancel("e1");
  expect(await submit()).toEqual(["accepted", "accepted"]);
  expect(operationsIn(await view())).toBe("ALTA | ANULACION");
});

test("annulled while its amendment is not decided: that one goes first, and the invoice stays annulled", async () => {
  await control(shop, {});
  const { invoiceId, fullNumber } = await issue();
  await submit();
  await control(shop, { records: [{ code: 1241, number: fullNumber, times: 1 }] });
  const sent = overhear();
  const change = { description: "Otra" };
  await correctRecord(shop, invoiceId, { correction: "amend", change }, "r1");
  expect(await submit()).toEqual(["accepted", "pending_submission 1241"]);
  await clientOf(shop).cancel("e1");
  // Its wait has not begun to be over: nothing else would be before the annulment.
  vi.setSystemTime(Date.now() + 1_000);
  await ring(shop);
  expect((await statesOf(shop))[2]).toBe("pending_submission");
  for (let rounds = 0; rounds < 3; rounds += 1) {
    vi.setSystemTime(Date.now() + 75_000);
    await ring(shop);
  }
  expect(await statesOf(shop)).toEqual(["accepted", "accepted", "accepted"]);
  expect(sent).toEqual(["<sf:Subsanacion>", "<sf:Subsanacion>", "<sf:RegistroAnulacion>"]);
});

test("annulled before its amendment is sent: each in a message of its own", async () => {
  await control(shop, {});
  const { invoiceId, fullNumber } = await issue();
  await submit();
  await correctRecord(shop, invoiceId, { correction: "amend", change: { description: "Otra" } }, "r1");
  await clientOf(shop).cancel("e1");
  await control(shop, { records: [{ code: 1241, number: fullNumber, times: 1 }] });
  const sent = overhear();
  for (let rounds = 0; rounds < 5; rounds += 1) {
    vi.setSystemTime(Date.now() + 75_000);
    await ring(shop);
  }
  expect(await statesOf(shop)).toEqual(["accepted", "accepted", "accepted"]);
  expect(sent).toEqual(["<sf:Subsanacion>", "<sf:Subsanacion>", "<sf:RegistroAnulacion>"]);
});
