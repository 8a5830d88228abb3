/** The authority has another record under the number: what its owner finds, and what may be done then. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { OwnerCorrection } from "../../src/ledger/corrections/owner-correction.ts";
import type { LedgerCalls } from "../../src/ledger/rpc.ts";
import { interrupt, sandboxOf } from "../support/authority/line.ts";
import { operationsIn } from "../support/builders/corrections.ts";
import { expectBooksConsistent } from "../support/rules/consistency.ts";
import { clientOf } from "../support/worlds/ledger-client.ts";
import { auditOf, correctRecord, MARTA, readCorrections } from "../support/worlds/owners.ts";
import { act, ledgerStub, ring, type Shop } from "../support/worlds/shop.ts";
import { chainsAt, openSubmittingShop, statesOf } from "../support/worlds/submission.ts";

const SEEN = "Visto en la sede";
const ANNUL: OwnerCorrection = { correction: "annul", reason: "Sin venta" };
const SAME: OwnerCorrection = { correction: "amend", change: {} };

let shop: Shop;
let invoiceId: string;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-12-01T12:00:00Z") });
  shop = await openSubmittingShop();
  const issued = await clientOf(shop).issue("e1");
  if (!("invoice" in issued)) throw new Error(issued.outcome);
  invoiceId = issued.invoice.invoiceId;
});

afterEach(() => {
  vi.useRealTimers();
});

/** Another system was quicker with the number. */
async function meetDuplicate({ isCancelled = false } = {}): Promise<void> {
  interrupt(shop.connectionId, async (send, sent) => {
    const body = sent
      .replace(/<sf:RefExterna>[^<]*<\/sf:RefExterna>/g, "")
      .replace(/(<sf:NumeroInstalacion>)[^<]*/, "$1otra");
    const headers = { "Content-Type": "text/xml; charset=utf-8" };
    const url = "https://prewww1.aeat.es/wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP";
    await sandboxOf(shop.connectionId).fetch(url, { method: "POST", body, headers });
    if (isCancelled) await clientOf(shop).cancel("e1");
    return send();
  });
  await submit();
}

async function submit(): Promise<readonly string[]> {
  vi.setSystemTime(Date.now() + 61_000);
  expect(await ring(shop)).toBe(true);
  return statesOf(shop);
}

const settle = (found: "ours" | "foreign", reason = SEEN) =>
  act(shop, { verb: "settle_duplicate", invoiceId, found, reason }, MARTA);

async function shown() {
  const read = await readCorrections(shop, invoiceId);
  if (read.outcome !== "found") throw new Error(read.outcome);
  const { amend, annul, advice, duplicate, need } = read.corrections;
  const told = [amend, annul].map((offer) => (offer.offered ? offer.effect : offer.refusal.code));
  return [duplicate, advice?.code, need, ...told].join(" | ");
}

/** Invoices listed for the owner as in need of a correction. */
async function toCorrect(): Promise<number | undefined> {
  // The stub's types describe pipelining, which no test uses.
  const verbs = ledgerStub(shop) as unknown as Pick<LedgerCalls, "readSubmission">;
  const read = await verbs.readSubmission(shop.connectionId, shop.accountId);
  if (read.outcome !== "found") throw new Error(read.outcome);
  return read.standing.chains[0]?.toCorrect.rejected;
}

async function exported(): Promise<string> {
  const verbs = ledgerStub(shop) as unknown as Pick<LedgerCalls, "exportRecords">;
  const file = await verbs.exportRecords(shop.connectionId, { accountId: shop.accountId, userId: MARTA });
  if (file.outcome !== "exported") throw new Error(file.outcome);
  return new Response(file.bytes).text();
}

async function operations() {
  const read = await clientOf(shop).read("e1");
  if (read.outcome !== "found") throw new Error(read.outcome);
  return operationsIn(read.invoice);
}

test("nothing is corrected before its owner has looked", async () => {
  await meetDuplicate();
  expect(await shown()).toBe(
    "undecided | duplicate_of_another | none | duplicate_of_another | duplicate_of_another",
  );
});

test("ours: the authority's record is replaced by the one of the books", async () => {
  await meetDuplicate();
  expect(await settle("ours")).toEqual({ outcome: "done" });
  expect(await shown()).toBe("ours | duplicate_is_ours | required | replaces | annuls");
  expect((await correctRecord(shop, invoiceId, SAME, "r1")).outcome).toBe("corrected");
  expect(await submit()).toEqual(["rejected 3000", "accepted"]);
  expect(await operations()).toBe("ALTA | ALTA S N");
  expect(await shown()).toBe("ours |  | none | replaces | annuls");
  await expectBooksConsistent(shop.connectionId);
});

test("ours, and cancelled: its annulment, held back at first, is made anew", async () => {
  await meetDuplicate({ isCancelled: true });
  expect(await submit()).toEqual(["rejected 3000", "rejected"]);
  expect((await exported()).match(/<Estado>\w+/g)).toEqual(["<Estado>Incorrecto", "<Estado>NoEnviado"]);
  expect(await settle("ours")).toEqual({ outcome: "done" });
  expect(await shown()).toBe("ours | duplicate_is_ours | required | amendment_of_cancelled | annuls");
  expect((await correctRecord(shop, invoiceId, ANNUL, "r1")).outcome).toBe("corrected");
  expect(await submit()).toEqual(["rejected 3000", "rejected", "accepted"]);
  expect(await operations()).toBe("ALTA | ANULACION | ANULACION");
  expect(await shown()).toBe("ours |  | none | amendment_of_cancelled | invoice_already_cancelled");
});

test("another's: nothing touches it, and the invoice can be cancelled here", async () => {
  await meetDuplicate();
  expect(await toCorrect()).toBe(1);
  expect(await settle("foreign")).toEqual({ outcome: "done" });
  expect(await toCorrect()).toBe(0);
  expect(await shown()).toBe("foreign | number_taken | none | number_taken | annuls");
  expect((await correctRecord(shop, invoiceId, ANNUL, "r1")).outcome).toBe("corrected");
  expect(await submit()).toEqual(["rejected 3000", "rejected 3000"]);
  expect(await operations()).toBe("ALTA | ANULACION W");
  expect(await shown()).toBe("foreign | number_taken | none | amendment_of_cancelled | number_taken");
  expect(await toCorrect()).toBe(0);
  const stranger = (await chainsAt(shop)).find(({ installation }) => installation === "otra");
  expect(stranger?.records.map(({ state }) => state)).toEqual(["Correcto"]);
});

test("the finding is in the audit log, and only an error can be corrected", async () => {
  await meetDuplicate();
  expect(await settle("foreign", " ")).toMatchObject({ refusal: { code: "finding_without_reason" } });
  expect(await settle("foreign")).toEqual({ outcome: "done" });
  expect(await settle("foreign", "otra vez")).toEqual({ outcome: "done" });
  expect(await settle("ours", "Era esta")).toEqual({ outcome: "done" });
  expect(await settle("foreign")).toMatchObject({ refusal: { code: "no_duplicate_to_settle" } });
  expect((await auditOf(shop)).map(({ verb, facts }) => [verb, facts.found, facts.reason])).toEqual([
    ["settle_duplicate", "foreign", SEEN],
    ["settle_duplicate", "ours", "Era esta"],
  ]);
});

test("an invoice without another's record has nothing to settle", async () => {
  await submit();
  expect(await settle("ours")).toMatchObject({ refusal: { code: "no_duplicate_to_settle" } });
});
