/** A caller with a key, and every answer that it was given: the books must keep each of them. */
import { env } from "cloudflare:workers";
import { ledgersOf } from "../../../src/db/ledgers.ts";
import { ledgerOf } from "../../../src/domain/connection/ids.ts";
import type { InvoiceRequest } from "../../../src/domain/invoice/request.ts";
import { invariant } from "../../../src/domain/shared/result.ts";
import type { LedgerDeps } from "../../../src/ledger/core/core.ts";
import { markInMemory } from "../../../src/ledger/core/high-water.ts";
import { type Ledger, openLedger } from "../../../src/ledger/core/ledger.ts";
import type {
  CancelOutcome,
  IssueOutcome,
  ReadOutcome,
  TripCount,
} from "../../../src/ledger/core/outcomes.ts";
import type { CorrectOutcome } from "../../../src/ledger/corrections/owner-correction.ts";
import type { ConnectorCalls, VerbOutcome } from "../../../src/ledger/rpc.ts";
import { ledgerDeps } from "../../../src/wiring.ts";
import { withAuthority } from "../authority/line.ts";
import { ownTest } from "../faults/faults.ts";
import { wrapD1 } from "../faults/wrapped-d1.ts";
import { apiOver } from "./deployment.ts";
import { aLine, anInvoice, callerOf, ledgerStub, type Shop } from "./shop.ts";
import { areWithin } from "./watched-objects.ts";

export type Answer = (IssueOutcome | CancelOutcome | CorrectOutcome) & TripCount;

export interface LedgerClient {
  readonly shop: Shop;
  /** Every answer so far, in the order in which they came. */
  readonly answers: readonly Answer[];
  issue(externalId: string, change?: Partial<InvoiceRequest>): Promise<IssueOutcome & TripCount>;
  cancel(externalId: string, reason?: string): Promise<CancelOutcome & TripCount>;
  read(externalId: string): Promise<ReadOutcome & TripCount>;
  /** A difference that takes back that much base of an F1 at 21 %. */
  takeBack(externalId: string, of: string, base: string): Promise<IssueOutcome & TripCount>;
}

/** Calls the object, or a `Ledger` of the test's own. */
export function clientOf(shop: Shop, ledger?: ConnectorCalls): LedgerClient {
  const answers: Answer[] = [];
  // A stub of an aborted object stays broken, so each call gets a fresh one.
  const calls = () => ledger ?? objectOf(shop);
  const caller = callerOf(shop);
  const heard = async <T extends Answer>(answer: Promise<T>): Promise<T> => {
    const told = await answer;
    answers.push(told);
    return told;
  };
  const issue: LedgerClient["issue"] = (externalId, change) =>
    heard(calls().issueInvoice(caller, anInvoice(externalId, change)));
  return {
    shop,
    answers,
    issue,
    cancel: (externalId, reason = "issued by mistake") =>
      heard(calls().cancelInvoice(caller, { externalId, reason })),
    read: (externalId) => calls().readInvoice(caller, externalId),
    takeBack: (externalId, of, base) => issue(externalId, aDifference(of, base)),
  };
}

export function objectOf(shop: Shop): ConnectorCalls {
  return callsOf(ledgerStub(shop));
}

/** Calls through one stub, which reach the object in their order. */
export function callsOf(stub: ReturnType<typeof ledgerStub>): ConnectorCalls {
  return stub;
}

/** So many calls are within the shop's object: one is being served, and the others wait in its queue. */
export function haveArrived(shop: Shop, calls: number): Promise<void> {
  return areWithin(ledgerStub(shop).id.toString(), calls);
}

export function aDifference(of: string, base: string): Partial<InvoiceRequest> {
  return {
    invoiceType: "R1",
    rectificationMethod: "difference",
    rectifies: [{ externalId: of }],
    lines: [aLine("-1", base, "21")],
  };
}

/** A simplified invoice to a buyer who is only named. */
export const SIMPLIFIED = {
  invoiceType: "F2",
  regime: "art7_simplified",
  recipient: { company: "Ana" },
} as const satisfies Partial<InvoiceRequest>;

/** The full invoice in the place of simplified ones of the same amount. */
export function aReplacement(...of: readonly string[]): Partial<InvoiceRequest> {
  return { invoiceType: "F3", rectifies: of.map((externalId) => ({ externalId })) };
}

export function aSubstitution(base: string, ...of: readonly string[]): Partial<InvoiceRequest> {
  return {
    invoiceType: "R1",
    rectificationMethod: "substitution",
    rectifies: of.map((externalId) => ({ externalId })),
    lines: [aLine("1", base, "21")],
  };
}

export interface PlainLedger {
  readonly ledger: Ledger;
  readonly client: LedgerClient;
  readonly alarms: readonly string[];
}

/** A `Ledger` outside any object, on the wrapped database of the shop; it never waits for jitter. */
export function plainLedger(
  shop: Shop,
  change: Partial<LedgerDeps> = {},
  bindings: Partial<Cloudflare.Env> = {},
): PlainLedger {
  const number = ledgerOf(shop.connectionId, "cn");
  const database = number === undefined ? undefined : ledgersOf(env).get(number);
  invariant(database && number !== undefined, "the shop's id names a ledger");
  const alarms: string[] = [];
  const ledger = openLedger({
    ...ledgerDeps(
      apiOver(withAuthority({ ...env, ...bindings }, shop.connectionId)),
      wrapD1(`LEDGER_${number}`, database, ownTest()),
      {
        connectionId: shop.connectionId,
        ledger: number,
        wakeAt: async () => {},
        mark: markInMemory(),
      },
    ),
    jitter: async () => {},
    alertOperator: (what) => alarms.push(what),
    ...change,
  });
  return { ledger, client: clientOf(shop, ledger), alarms };
}

export function kindsOf(answers: readonly ({ readonly outcome: string } | VerbOutcome)[]): readonly string[] {
  return answers.map((answer) => answer.outcome);
}
