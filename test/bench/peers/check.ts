/** The same questions to every contender's file, after it was killed: nothing lost, nothing doubled, no gap. */
import { createHash } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { proofStore } from "../../../src/db/books/proof-store.ts";
import { brokenChecks } from "../../../src/domain/proof/checks.ts";
import { beginVerification, isDone, verifyPage } from "../../../src/work/books/verify-books.ts";
import { fileDatabase } from "../../support/worlds/sqlite-d1.ts";
import { ledgerFileOf } from "../books/state.ts";
import type { Acknowledged, Contender } from "./contender.ts";
import type { Tenants } from "./tenants.ts";

type Stored = Omit<Acknowledged, "tenant"> & { readonly tenant: string };

/** Throws with the problem. */
export async function checkProduct(contender: Contender, { state, connections }: Tenants): Promise<void> {
  const [first] = connections;
  const file = fileDatabase(ledgerFileOf(state.dir, first?.id ?? ""));
  try {
    const stored = file.sqlite
      .prepare(
        `SELECT connection_id AS tenant, substr(origin, 8) AS externalId, number, total_eur * 100 AS totalCents
        FROM invoice WHERE origin LIKE 'direct:%' ORDER BY connection_id, number`,
      )
      .all() as unknown as Stored[];
    for (const [index, { id }] of connections.entries()) {
      checkBooks(
        contender,
        index,
        stored.filter(({ tenant }) => tenant === id),
      );
      const store = proofStore(file.d1, id);
      const books = await store.readBooks();
      if (!books) throw new Error(`no books of ${id}`);
      let verified = beginVerification(books);
      while (!isDone(verified)) verified = await verifyPage(verified, store);
      const broken = brokenChecks(verified.tally);
      if (broken.length > 0) throw new Error(`${contender.name}: ${broken.join(", ")} of ${id}`);
    }
  } finally {
    file.close();
  }
}

export function checkPlain(contender: Contender, path: string, tenants: number): void {
  const file = new DatabaseSync(path, { readOnly: true });
  try {
    const stored = file
      .prepare(
        `SELECT tenant_id AS tenant, external_id AS externalId, number, total_cents AS totalCents
        FROM invoice ORDER BY tenant_id, number`,
      )
      .all() as unknown as Stored[];
    const records = file.prepare("SELECT * FROM record WHERE tenant_id = ? ORDER BY position");
    for (let index = 0; index < tenants; index++) {
      const ofTenant = stored.filter(({ tenant }) => tenant === `t${index}`);
      checkBooks(contender, index, ofTenant);
      checkChain(records.all(`t${index}`) as unknown as PlainRecord[], ofTenant.length);
    }
  } finally {
    file.close();
  }
}

/** Numbers 1 to n, each external id once, and every acknowledged answer as it was given. */
function checkBooks({ name, acknowledged }: Contender, index: number, stored: readonly Stored[]): void {
  const gap = stored.findIndex(({ number }, at) => number !== at + 1);
  if (gap >= 0)
    throw new Error(`${name}: number ${stored[gap]?.number} of tenant ${index} at place ${gap + 1}`);
  const byId = new Map(stored.map((one) => [one.externalId, one]));
  if (byId.size !== stored.length) throw new Error(`${name}: an external id twice`);
  for (const { tenant, externalId, number, totalCents } of acknowledged) {
    if (tenant !== index) continue;
    const found = byId.get(externalId);
    const isSame = found && found.number === number && Math.round(found.totalCents) === totalCents;
    if (!isSame) throw new Error(`${name}: ${externalId} was acknowledged and is not there as it was`);
  }
}

interface PlainRecord {
  readonly position: number;
  readonly previous_hash: string;
  readonly hash: string;
  readonly content: string;
}

function checkChain(records: readonly PlainRecord[], invoices: number): void {
  if (records.length !== invoices)
    throw new Error(`plain: ${records.length} records of ${invoices} invoices`);
  let before = "";
  for (const [at, { position, previous_hash: previous, hash, content }] of records.entries()) {
    const made = createHash("sha256").update(content).digest("hex").toUpperCase();
    if (position !== at + 1 || previous !== before || hash !== made)
      throw new Error(`plain: chain breaks at ${at + 1}`);
    before = hash;
  }
}
