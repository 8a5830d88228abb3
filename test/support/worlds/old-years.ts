/** Books that were begun years ago, entered and decided on by the authority, and the years that leave them. */

import { env } from "cloudflare:workers";
import { vi } from "vitest";
import { proofStore } from "../../../src/db/books/proof-store.ts";
import { signedFacturaeStore } from "../../../src/db/invoices/signed-facturae.ts";
import { beginRun, readYearPlan, type YearPlan } from "../../../src/db/retention/retention-plan.ts";
import { retentionStore } from "../../../src/db/retention/retention-store.ts";
import { newId } from "../../../src/domain/connection/ids.ts";
import { evidenceOn } from "../../../src/wiring-submission.ts";
import {
  beginVerification,
  isDone,
  type Verification,
  verifyPage,
} from "../../../src/work/books/verify-books.ts";
import { newBudget } from "../../../src/work/budget.ts";
import { retire } from "../../../src/work/retention/retire-year.ts";
import { wrapD1 } from "../faults/wrapped-d1.ts";
import { apiOver } from "./deployment.ts";
import { clientOf } from "./ledger-client.ts";
import { aConsent, act, openShop, ring, type Shop, type ShopOptions } from "./shop.ts";

/** Noon of a day, for everything that asks for the time. */
export function onTheDay(day: string, time = "12:00:00"): void {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date(`${day}T${time}Z`) });
}

/** A shop with a consent on the first of January of that year. */
export async function aShopSince(year: number, options: ShopOptions = {}): Promise<Shop> {
  onTheDay(`${year}-01-01`);
  const shop = await openShop({ ...options, consented: false });
  const id = newId("co", "000", (size) => crypto.getRandomValues(new Uint8Array(size)));
  const given = await act(shop, aConsent(id, `${year}-01-01`));
  if (given.outcome !== "done") throw new Error(`no consent: ${JSON.stringify(given)}`);
  return shop;
}

/** Two invoices of 2018 (`a1`, `a2`) and one of 2019 (`b1`), decided on; it is today again. */
export async function aShopOfTwoYears(): Promise<Shop> {
  const shop = await aShopSince(2018);
  const { issue } = clientOf(shop);
  onTheDay("2018-03-01");
  await issue("a1");
  await issue("a2");
  onTheDay("2019-03-01");
  await issue("b1");
  await settleBooks(shop);
  vi.useRealTimers();
  return shop;
}

/** As the alarm and the authority leave them: entries made, every record accepted. */
export async function settleBooks(...shops: readonly Shop[]): Promise<void> {
  for (const shop of shops) await ring(shop);
  await env.LEDGER_000.prepare(
    "UPDATE record SET state = 'accepted', changed_seq = position WHERE state = 'pending_submission'",
  ).run();
}

export async function planOf({ accountId }: Shop, year: number): Promise<YearPlan> {
  const plan = await readYearPlan(env.LEDGER_000, { accountId, year });
  if (!plan) throw new Error("no such account");
  return plan;
}

/** An operator's command. */
export async function letGo(shop: Shop, year: number): Promise<void> {
  const signed = { reason: "Asked for by the owner, ticket 7", begunBy: "operator-1", at: Date.now() };
  await beginRun(env.LEDGER_000, await planOf(shop, year), signed);
}

/** One run of cron; returns its log lines. */
export async function workOff(): Promise<readonly object[]> {
  const told: object[] = [];
  await retire({
    ledgers: [{ ledger: "000", store: retentionStore(wrapD1("LEDGER_000", env.LEDGER_000)) }],
    evidence: evidenceOn(apiOver(env), () => () => {}),
    facturae: signedFiles(),
    now: () => Date.now(),
    budget: newBudget(() => Date.now()),
    log: (line) => told.push(line),
    faultOf: (error) => ({ cause: error instanceof Error ? error.message : "unknown" }),
  });
  return told;
}

/** Plain Node has no R2, and nothing there is signed. */
function signedFiles() {
  const bucket: R2Bucket | undefined = env.EVIDENCE;
  return bucket ? signedFacturaeStore(bucket, (call) => call) : { erase: async () => {} };
}

/** The walk of `npm run verify` over the connection's books. */
export async function verified({ connectionId }: Shop): Promise<Verification> {
  const store = proofStore(env.LEDGER_000, connectionId);
  const books = await store.readBooks();
  if (!books) throw new Error("no books");
  let walked = beginVerification(books);
  while (!isDone(walked)) walked = await verifyPage(walked, store);
  return walked;
}
