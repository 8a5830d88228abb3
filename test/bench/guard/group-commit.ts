/** 64 at once on one connection with 20 ms to the database, in plain Node: the round trips decide. */
import { invoiceBody, toInvoiceRequest } from "../../../src/api/wire/invoice-body.ts";
import { parseExactly } from "../../../src/api/wire/json.ts";
import { hashOfKey } from "../../../src/domain/connection/api-key.ts";
import { prepareInvoice } from "../../../src/domain/invoice/prepare.ts";
import { markInMemory } from "../../../src/ledger/core/high-water.ts";
import { type Ledger, openLedger } from "../../../src/ledger/core/ledger.ts";
import { QUEUE_BOUNDS } from "../../../src/ledger/core/queue.ts";
import { ledgerDeps } from "../../../src/wiring.ts";
import { faults } from "../../support/faults/faults.ts";
import { wrapD1 } from "../../support/faults/wrapped-d1.ts";
import { advance } from "../../support/progress/progress.ts";
import { fileDatabase } from "../../support/worlds/sqlite-d1.ts";
import { LEDGER, type OpenedConnection } from "../books/company.ts";
import { ledgerFileOf } from "../books/state.ts";
import { peerBody } from "../peers/peer-body.ts";
import type { Tenants } from "../peers/tenants.ts";
import { spreadOf } from "../report.ts";

const AT_ONCE = 64;
const TRIP_MS = 20;

/** How many times as long the design without groups takes, in the median of pairs. */
export async function groupsFarAway(tenants: Tenants, pairs: number, name: string): Promise<number> {
  const [one, other] = tenants.connections;
  if (!one || !other) throw new Error("two connections are needed");
  const file = fileDatabase(ledgerFileOf(tenants.state.dir, one.id));
  const open = ({ id }: OpenedConnection, group: number): Ledger => {
    const place = { connectionId: id, ledger: LEDGER, wakeAt: async () => {}, mark: markInMemory() };
    const deps = ledgerDeps(tenants.deployment, wrapD1("LEDGER_000", file.d1), place);
    return openLedger({ ...deps, bounds: { ...QUEUE_BOUNDS, group, waitMs: 60_000 } });
  };
  const grouped = { connection: one, ledger: open(one, QUEUE_BOUNDS.group) };
  const naive = { connection: other, ledger: open(other, 1) };
  try {
    const ratios: number[] = [];
    for (let pair = -1; pair < pairs; pair++) {
      faults.addLatency(pair < 0 ? 0 : TRIP_MS);
      const groupedMs = await issueTogether(grouped, `${name}-${pair}`);
      const naiveMs = await issueTogether(naive, `${name}-${pair}`);
      if (pair >= 0) ratios.push(naiveMs / groupedMs);
      faults.take();
      advance();
    }
    return spreadOf(ratios).median;
  } finally {
    faults.reset();
    file.close();
  }
}

interface Issuing {
  readonly connection: OpenedConnection;
  readonly ledger: Ledger;
}

async function issueTogether({ connection: { id, key }, ledger }: Issuing, name: string): Promise<number> {
  const caller = { connectionId: id, keyHash: hashOfKey(key), requestId: "guard" };
  const invoices = Array.from({ length: AT_ONCE }, (_, at) => {
    const body = parseExactly(JSON.stringify(peerBody(`${name}-${at}`, at)));
    return prepareInvoice(toInvoiceRequest(invoiceBody.parse(body)));
  });
  const startedAt = performance.now();
  const outcomes = await Promise.all(invoices.map((invoice) => ledger.issueInvoice(caller, invoice)));
  const tookMs = performance.now() - startedAt;
  const bad = outcomes.find(({ outcome }) => outcome !== "issued");
  if (bad) throw new Error(`an invoice was not issued: ${JSON.stringify(bad)}`);
  return tookMs;
}
