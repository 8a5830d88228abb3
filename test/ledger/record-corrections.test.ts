/**
 * The table of corrections through the ledger: the authority's decision, the owner's change, the written
 * record.
 */
import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import type { CorrectOutcome, OwnerCorrection } from "../../src/ledger/corrections/owner-correction.ts";
import { COURSES, operationsIn, type Step } from "../support/builders/corrections.ts";
import { failBefore, gate, late, loseAnswer } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { expectBooksConsistent } from "../support/rules/consistency.ts";
import { told } from "../support/rules/readable.ts";
import {
  aDifference,
  callsOf,
  clientOf,
  haveArrived,
  kindsOf,
  type LedgerClient,
  type PlainLedger,
  plainLedger,
} from "../support/worlds/ledger-client.ts";
import { aSentOrder, openCommerce, orderConnector } from "../support/worlds/order-calls.ts";
import {
  auditOf,
  correctRecord,
  MARTA,
  readCorrections,
  settleRecord,
  writesAudit,
} from "../support/worlds/owners.ts";
import { ledgerStub, openShop, type Shop } from "../support/worlds/shop.ts";

const OTHERWISE: OwnerCorrection = { correction: "amend", change: { description: "Otra" } };
const ANNUL: OwnerCorrection = { correction: "annul", reason: "Nunca existió" };
const REJECTED = { state: "rejected", code: 1239, text: "Error en el bloque Destinatario." } as const;

let shop: Shop;
let client: LedgerClient;
let invoiceId: string;

beforeEach(async () => {
  shop = await openShop();
  client = clientOf(shop);
  invoiceId = await issue("e1");
});

async function issue(externalId: string): Promise<string> {
  const issued = await client.issue(externalId);
  if (!("invoice" in issued)) throw new Error(issued.outcome);
  return issued.invoice.invoiceId;
}

async function viewOf(externalId = "e1") {
  const read = await client.read(externalId);
  if (read.outcome !== "found") throw new Error(read.outcome);
  return read.invoice;
}

const amend = (requestId = "r1", correction: OwnerCorrection = OTHERWISE) =>
  correctRecord(shop, invoiceId, correction, requestId);

const consistent = () => expectBooksConsistent(shop.connectionId, client.answers);

function codeOf(outcome: CorrectOutcome): string {
  return outcome.outcome === "refused" ? told(outcome.refusal).code : outcome.outcome;
}

describe("every course", () => {
  test.each(COURSES)("%s", async (_, steps, expected) => {
    for (const [index, step] of steps.entries()) await take(step, `request-${index}`);
    // Between others of the chain, which continues.
    await client.issue("next");
    expect(operationsIn(await viewOf())).toBe(expected);
    await consistent();
  });

  async function take(step: Step, requestId: string): Promise<void> {
    if ("settle" in step) return settleRecord(shop, invoiceId, step.settle);
    if ("cancel" in step) {
      expect((await client.cancel("e1")).outcome).toMatch(/^(cancelled|replayed)$/);
      return;
    }
    const outcome = await correctRecord(shop, invoiceId, step.owner, requestId);
    expect(codeOf(outcome)).toBe(step.refused ?? "corrected");
  }
});

describe("an amendment", () => {
  beforeEach(() => settleRecord(shop, invoiceId, REJECTED));

  test("is one record and one line of the audit log, which names no one", async () => {
    const recipient = { company: "Ana Pérez", vatNumber: "B12345674" };
    const outcome = await amend("r1", { correction: "amend", change: { recipient, description: "Otra" } });
    expect(outcome).toMatchObject({
      outcome: "corrected",
      invoice: {
        alta: { state: "rejected", standing: { code: 1239 } },
        corrections: [{ state: "pending_submission", requestId: "r1" }],
      },
    });
    expect(await auditOf(shop)).toEqual([
      {
        verb: "correct_record",
        userId: MARTA,
        facts: {
          invoice_id: invoiceId,
          correction: "amend",
          members: "description, recipients",
          identifier: "******674",
          record: expect.stringMatching(/-2$/),
        },
      },
    ]);
    await consistent();
  });

  test("repeated is a replay: no second record, no second line", async () => {
    expect(kindsOf([await amend(), await amend()])).toEqual(["corrected", "replayed"]);
    await settleRecord(shop, invoiceId, { state: "rejected", code: 1100 });
    expect((await amend()).outcome).toBe("replayed");
    expect(operationsIn(await viewOf())).toBe("ALTA | ALTA S X");
    expect(await auditOf(shop)).toHaveLength(1);
    await consistent();
  });

  test("twice at once, by one request and by another", async () => {
    const held = faults.when(writesAudit, gate());
    const first = amend();
    await held.reached();
    const others = [amend(), amend("r2")];
    await haveArrived(shop, 3);
    held.open();
    const outcomes = [await first, ...(await Promise.all(others))];
    expect(outcomes.map(codeOf)).toEqual(["corrected", "replayed", "correction_awaits_answer"]);
    await consistent();
  });

  test("is decided in one group with issued invoices", async () => {
    const stub = ledgerStub(shop);
    const bound = clientOf(shop, callsOf(stub));
    const held = faults.next(gate());
    const first = bound.issue("first");
    await held.reached();
    const group = Promise.all([bound.issue("a"), amend(), amend(), bound.cancel("a"), bound.issue("b")]);
    await haveArrived(shop, 6);
    held.open();
    await first;
    expect(kindsOf(await group)).toEqual(["issued", "corrected", "replayed", "cancelled", "issued"]);
    await expectBooksConsistent(shop.connectionId, bound.answers);
  });

  test("of an invoice of another connection is none", async () => {
    const other = await openShop();
    const outcome = await correctRecord(other, invoiceId, OTHERWISE, "r1");
    expect(codeOf(outcome)).toBe("invoice_unknown");
    expect(await readCorrections(other, invoiceId)).toMatchObject({ outcome: "unknown" });
    expect(operationsIn(await viewOf())).toBe("ALTA");
  });

  test("leaves invoice, document and first record as they are", async () => {
    const rows = async () => {
      const answers = await env.LEDGER_000.batch([
        env.LEDGER_000.prepare("SELECT * FROM invoice WHERE id = ?").bind(invoiceId),
        env.LEDGER_000.prepare("SELECT * FROM invoice_document WHERE invoice_id = ?").bind(invoiceId),
        env.LEDGER_000.prepare("SELECT * FROM record WHERE invoice_id = ? AND origin LIKE 'direct:%'").bind(
          invoiceId,
        ),
      ]);
      return answers.map(({ results }) => results);
    };
    const before = await rows();
    await amend();
    expect(await rows()).toEqual(before);
  });
});

describe("what the owner sees", () => {
  const shown = async () => {
    const read = await readCorrections(shop, invoiceId);
    if (read.outcome !== "found") throw new Error(read.outcome);
    return read.corrections;
  };

  test("before an answer: wait, and only cancel", async () => {
    expect(await shown()).toMatchObject({
      cancelled: false,
      need: "none",
      advice: { code: "wait_for_submission" },
      amend: { offered: false, refusal: { code: "correction_awaits_answer" } },
      annul: { offered: true, writes: {}, effect: "annuls" },
      records: [{ kind: "registration", state: "pending_submission" }],
    });
  });

  test("after a rejection: the AEAT's words, what to do, what it would write", async () => {
    await settleRecord(shop, invoiceId, REJECTED);
    expect(await shown()).toMatchObject({
      need: "required",
      advice: {
        code: "recipient_unknown",
        facts: { code: "1239", aeat_message: "Error en el bloque Destinatario" },
      },
      amend: { offered: true, writes: { previousRejection: "X" }, effect: "registers" },
      annul: { offered: true, writes: { withoutPreviousRecord: true }, effect: "annuls" },
      records: [{ state: "rejected", code: 1239, text: "Error en el bloque Destinatario." }],
    });
  });

  test("of another's number: stopped, and a person decides", async () => {
    await settleRecord(shop, invoiceId, { state: "rejected", code: 3000, hold: "foreign_duplicate" });
    expect(await shown()).toMatchObject({
      advice: { code: "duplicate_of_another" },
      amend: { offered: false, refusal: { code: "duplicate_of_another" } },
      annul: { offered: false, refusal: { code: "duplicate_of_another" } },
    });
  });

  test("of a cancelled one: that it is, and how to bring a failed annulment to its end", async () => {
    await settleRecord(shop, invoiceId, { state: "accepted" });
    await client.cancel("e1", "Duplicada");
    await settleRecord(shop, invoiceId, { state: "rejected", code: 1100, text: "Valor incorrecto." });
    expect(await shown()).toMatchObject({
      cancelled: true,
      amend: { offered: false, refusal: { code: "amendment_of_cancelled" } },
      annul: { offered: true, writes: { previousRejection: true }, effect: "annuls" },
      advice: { code: "other_rejection" },
      records: [{ kind: "registration" }, { kind: "annulment", reason: "Duplicada" }],
    });
  });

  test("of an invoice with corrections: the reason why it is not annulled", async () => {
    await client.issue("r1", aDifference("e1", "10"));
    expect(await shown()).toMatchObject({
      annul: { offered: false, refusal: { code: "cancellation_not_allowed" } },
    });
  });
});

describe("an invoice of an order", () => {
  test("is amended, shows the state of its newest registration, and is annulled through its order", async () => {
    const commerce = await openCommerce();
    const orders = orderConnector(commerce);
    await orders.send(aSentOrder("5001"));
    const read = await orders.read("5001");
    if (read.outcome !== "found") throw new Error(read.outcome);
    const issued = read.order.invoices[0]?.issued?.invoiceId ?? "";
    await settleRecord(commerce, issued, { state: "rejected", code: 1100 });
    expect(codeOf(await correctRecord(commerce, issued, ANNUL, "r1"))).toBe("annulment_through_order");
    expect(codeOf(await correctRecord(commerce, issued, OTHERWISE, "r2"))).toBe("corrected");
    await settleRecord(commerce, issued, { state: "accepted" });
    const after = await orders.read("5001");
    expect(after).toMatchObject({ order: { invoices: [{ issued: { state: "accepted" } }] } });
    await expectBooksConsistent(commerce.connectionId);
  });
});

describe("trips", () => {
  const cost = async (call: () => Promise<{ readonly outcome: string; readonly d1Trips: number }>) => {
    faults.take();
    const { outcome, d1Trips } = await call();
    expect(d1Trips).toBe(faults.trips().length);
    return `${outcome} ${d1Trips}`;
  };
  const turnCold = () => evictDurableObject(ledgerStub(shop));

  beforeEach(() => settleRecord(shop, invoiceId, REJECTED));

  test.each<[string, () => Promise<{ outcome: string; d1Trips: number }>, string, string]>([
    ["an amendment", () => amend(), "corrected 2", "corrected 2"],
    ["an annulment", () => amend("r1", ANNUL), "corrected 2", "corrected 2"],
    [
      "a refusal",
      () => amend("r1", { correction: "amend", change: { description: "<" } }),
      "refused 1",
      "refused 1",
    ],
    ["no such invoice", () => correctRecord(shop, "in000none", OTHERWISE, "r1"), "refused 1", "refused 1"],
    ["a look", () => readCorrections(shop, invoiceId), "found 1", "found 1"],
  ])("%s", async (_, call, warm, cold) => {
    expect(await cost(call)).toBe(warm);
    invoiceId = await issue("other");
    await settleRecord(shop, invoiceId, REJECTED);
    await turnCold();
    expect(await cost(call)).toBe(cold);
  });

  test("a repeat costs one", async () => {
    await amend();
    expect(await cost(() => amend())).toBe("replayed 1");
    await turnCold();
    expect(await cost(() => amend())).toBe("replayed 1");
  });
});

describe("faults", () => {
  beforeEach(() => settleRecord(shop, invoiceId, REJECTED));

  test.each<[string, OwnerCorrection, string]>([
    ["an amendment", OTHERWISE, "ALTA | ALTA S X"],
    ["an annulment", ANNUL, "ALTA | ANULACION W"],
  ])("the answer to %s is lost: it is found and answered as done", async (_, correction, expected) => {
    faults.when(writesAudit, loseAnswer());
    expect(kindsOf([await amend("r1", correction), await amend("r1", correction)])).toEqual([
      "corrected",
      "replayed",
    ]);
    expect(operationsIn(await viewOf())).toBe(expected);
    expect(await auditOf(shop)).toHaveLength(1);
    await consistent();
  });

  test("the batch never arrives: it is sent again", async () => {
    faults.when(writesAudit, failBefore());
    expect((await amend()).outcome).toBe("corrected");
    expect(operationsIn(await viewOf())).toBe("ALTA | ALTA S X");
    await consistent();
  });

  test("the batch comes late: it is refused", async () => {
    const lost = faults.when(writesAudit, late());
    expect((await amend()).outcome).toBe("corrected");
    await expect(lost.release()).rejects.toThrow("fence:stale_head");
    expect(operationsIn(await viewOf())).toBe("ALTA | ALTA S X");
    await consistent();
  });

  test("D1 is down: nothing is stored, and the repeat is done", async () => {
    faults.next(failBefore(), { times: 2 });
    expect((await amend()).outcome).toBe("unavailable");
    faults.reset();
    expect(await auditOf(shop)).toEqual([]);
    expect((await amend()).outcome).toBe("corrected");
    await consistent();
  });

  describe("two instances", () => {
    let old: PlainLedger;
    let young: PlainLedger;
    const deed = ({ ledger }: PlainLedger, requestId: string) =>
      ledger.correctRecord(shop.connectionId, { userId: MARTA, requestId, invoiceId, correction: OTHERWISE });

    beforeEach(async () => {
      [old, young] = [plainLedger(shop), plainLedger(shop)];
      await old.client.issue("warm");
    });

    async function overtaken(before: () => Promise<CorrectOutcome>, meanwhile: () => Promise<unknown>) {
      const held = faults.when(writesAudit, gate());
      const waiting = before();
      await held.reached();
      await meanwhile();
      held.open();
      return codeOf(await waiting);
    }

    test("write one amendment for one request", async () => {
      const code = await overtaken(
        () => deed(old, "r1"),
        () => deed(young, "r1"),
      );
      expect(code).toBe("replayed");
      expect(operationsIn(await viewOf())).toBe("ALTA | ALTA S X");
      await consistent();
    });

    test("and no second one after it", async () => {
      const code = await overtaken(
        () => deed(old, "r1"),
        () => deed(young, "r2"),
      );
      expect(code).toBe("correction_awaits_answer");
      expect(operationsIn(await viewOf())).toBe("ALTA | ALTA S X");
      await consistent();
    });

    test("and none of those cancelled in between", async () => {
      const code = await overtaken(
        () => deed(old, "r1"),
        () => young.client.cancel("e1"),
      );
      expect(code).toBe("amendment_of_cancelled");
      expect(operationsIn(await viewOf())).toBe("ALTA | ANULACION W");
      await consistent();
    });

    test("a caller's cancellation after an amendment says that there is one", async () => {
      const held = faults.when((sql) => sql.some((text) => text.startsWith('insert into "record"')), gate());
      const cancelling = old.client.cancel("e1");
      await held.reached();
      await deed(young, "r1");
      held.open();
      expect((await cancelling).outcome).toBe("cancelled");
      expect(operationsIn(await viewOf())).toBe("ALTA | ALTA S X | ANULACION");
      await consistent();
    });
  });
});
