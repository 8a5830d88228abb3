/** Any calls in any order, with any faults: the books stay whole. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { add, decimal, sum } from "../../../src/domain/shared/decimal.ts";
import { CONNECTOR_CALLS, type ConnectorCalls, callsBy } from "../../../src/ledger/rpc.ts";
import { FAULT_STEPS, type FaultStep, strike } from "../../support/faults/fault-kinds.ts";
import { faults } from "../../support/faults/faults.ts";
import { expectBooksConsistent, type StoredBooks } from "../../support/rules/consistency.ts";
import { often } from "../../support/rules/often.ts";
import { type Answer, clientOf, type LedgerClient, plainLedger } from "../../support/worlds/ledger-client.ts";
import { aLine, openShop, type Shop } from "../../support/worlds/shop.ts";

/** Few ids, so that they meet. */
const anId = fc.constantFrom("a", "b", "c", "d");

type Step =
  | { readonly do: "issue"; readonly id: string; readonly base: number }
  | { readonly do: "refused"; readonly id: string }
  | { readonly do: "takeBack"; readonly id: string; readonly of: string; readonly base: number }
  | { readonly do: "cancel"; readonly id: string }
  | { readonly do: "together"; readonly ids: readonly string[] }
  | { readonly do: FaultStep | "evict" };

const aStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant("issue" as const), id: anId, base: fc.constantFrom(50, 100) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("refused" as const), id: anId }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("takeBack" as const),
      id: fc.constantFrom("r1", "r2", "r3"),
      of: anId,
      base: fc.constantFrom(20, 60),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("cancel" as const), id: fc.constantFrom("a", "b", "r1", "r2") }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("together" as const),
      ids: fc.array(anId, { minLength: 2, maxLength: 6 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom(...FAULT_STEPS, "evict" as const),
    }),
  },
);

const priced = (base: number) => ({ lines: [aLine("1", String(base), "21")] });

async function take(step: Step, { client, evict }: Memory): Promise<unknown> {
  switch (step.do) {
    case "issue":
      return client.issue(step.id, priced(step.base));
    case "refused":
      return client.issue(step.id, { regime: "art7_simplified" });
    case "takeBack":
      return client.takeBack(step.id, step.of, String(step.base));
    case "cancel":
      return client.cancel(step.id);
    case "together":
      return Promise.all(step.ids.map((id) => client.issue(id, priced(100))));
    case "evict":
      return evict();
    default:
      return strike(step.do, writesRecords);
  }
}

const writesRecords = (sql: readonly string[]) => sql.some((text) => text.startsWith('insert into "record"'));

interface Memory {
  readonly client: LedgerClient;
  /** The next call finds a ledger that remembers nothing. */
  readonly evict: () => void;
}

function memoryOf(shop: Shop): Memory {
  let { ledger } = plainLedger(shop);
  const calls = callsBy<ConnectorCalls>(
    CONNECTOR_CALLS,
    (name) =>
      (...given) =>
        Reflect.apply(ledger[name], ledger, given),
  );
  const client = clientOf(shop, calls);
  const evict = () => {
    ledger = plainLedger(shop).ledger;
  };
  return { client, evict };
}

/** Each external_id has one invoice, and every acknowledgement names that one. */
function expectOneAnswerEach(answers: readonly Answer[], { invoices }: StoredBooks): void {
  const told = answers.flatMap((answer) => ("invoice" in answer ? [answer.invoice] : []));
  for (const [externalId, views] of Map.groupBy(told, (view) => view.externalId)) {
    expect(new Set(views.map((view) => `${view.invoiceId} ${view.fullNumber}`)).size, externalId).toBe(1);
    expect(invoices.filter((row) => row.origin === `direct:${externalId}`)).toHaveLength(1);
  }
}

/** The invoiced amounts less the rectifications in force never fall below zero. */
function expectTotals({ invoices, records }: StoredBooks): void {
  const cancelled = new Set(records.filter((row) => row.kind === "ANULACION").map((row) => row.invoice_id));
  const remaining = new Map<string, string>();
  for (const row of invoices) {
    const { request, totalsEur } = JSON.parse(row.document) as {
      request: { lines: { priceUnit: string; quantity: string }[]; rectifies: { externalId: string }[] };
      totalsEur: { total: string };
    };
    const base = sum(
      request.lines.map((line) => decimal(String(Number(line.quantity) * Number(line.priceUnit)))),
    );
    const total = decimal(String(Math.round(Number(base) * 121) / 100));
    expect([row.total_eur, totalsEur.total]).toEqual([total, total]);
    const root = request.rectifies[0]?.externalId ?? row.origin.slice("direct:".length);
    if (!cancelled.has(row.id)) remaining.set(root, add(decimal(remaining.get(root) ?? "0"), total));
  }
  for (const [root, rest] of remaining) expect(Number(rest), root).toBeGreaterThanOrEqual(0);
}

test("books stay whole, and each external_id has one answer", async () => {
  const [told, used] = [new Set<string>(), new Set<string>()];
  await fc.assert(
    fc.asyncProperty(fc.array(aStep, { minLength: 5, maxLength: 18 }), async (steps) => {
      faults.reset();
      const shop = await openShop();
      const memory = memoryOf(shop);
      const { client } = memory;
      for (const step of steps) {
        used.add(step.do);
        await take(step, memory);
      }
      faults.reset();
      // A caller without an answer asks again, and gets the same one.
      for (const id of ["a", "b", "c", "d"]) await client.issue(id, priced(100));
      const books = await expectBooksConsistent(shop.connectionId, client.answers);
      expectOneAnswerEach(client.answers, books);
      expectTotals(books);
      for (const answer of client.answers) told.add(answer.outcome);
    }),
    often(60, 20_261_128),
  );
  const everyOutcome = ["cancelled", "conflict", "failed", "issued", "refused", "replayed", "unavailable"];
  expect([...told].toSorted(), "the steps reach every outcome").toEqual(everyOutcome);
  const everyKind = [...["issue", "refused", "takeBack", "cancel", "together", "evict"], ...FAULT_STEPS];
  expect([...used].toSorted(), "the steps are of every kind").toEqual(everyKind.toSorted());
});
