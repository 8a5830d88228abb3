/** Both sides' books, read where they are kept: what was issued, and what the authority has of it. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { verifyChain } from "../../src/domain/verifactu/chain.ts";
import type { RecordContent, SealedRecord } from "../../src/domain/verifactu/record.ts";
import type { Demo } from "./local-product.ts";
import type { Call } from "./submission-calls.ts";

export interface StoredRecord {
  readonly installation: string;
  readonly position: number;
  readonly origin: string;
  readonly connectionId: string;
  readonly hash: string;
  readonly state: string;
  readonly content: RecordContent;
}

/** Of every ledger, in the order of each chain. */
export async function openRecords(stateDir: string): Promise<readonly StoredRecord[]> {
  const folder = join(stateDir, "wrangler/v3/d1/miniflare-D1DatabaseObject");
  return readdirSync(folder)
    .filter((name) => name.endsWith(".sqlite") && name !== "metadata.sqlite")
    .flatMap((name) => recordsIn(join(folder, name)));
}

function recordsIn(path: string): StoredRecord[] {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const [table] = database.prepare("SELECT name FROM sqlite_master WHERE name = 'record'").all();
    if (!table) return [];
    const rows = database.prepare(`SELECT installation_id AS installation, position, origin,
      connection_id AS connectionId, hash, state, content FROM record ORDER BY installation_id, position`);
    return rows.all().map((row) => {
      // The columns are those of the product's own schema.
      const { content, ...others } = row as unknown as StoredRecord & { readonly content: string };
      return { ...others, content: JSON.parse(content) };
    });
  } finally {
    database.close();
  }
}

export function booksOf(records: readonly StoredRecord[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { state } of records) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

export interface ReceivedRecord {
  readonly reference?: string;
  readonly hash: string;
  readonly state: string;
  readonly received: number;
  readonly changed: boolean;
}

export async function receivedOf({ authority_url: url }: Demo): Promise<readonly ReceivedRecord[]> {
  const { chains } = (await (await fetch(`${url}/records`)).json()) as {
    chains: { records: ReceivedRecord[] }[];
  };
  return chains.flatMap(({ records }) => records);
}

/** Whatever contradicts "accepted, in order, once", in words. */
export function problemsOf(
  records: readonly StoredRecord[],
  received: readonly ReceivedRecord[],
  calls: readonly Call[],
): string[] {
  return [
    ...lostCalls(records, calls),
    ...records
      .filter(({ state }) => state !== "accepted")
      .map(({ origin, state }) => `${origin} is ${state}, not accepted`),
    ...brokenChains(records),
    ...unequalBooks(records, received),
  ];
}

/** Each call that was acknowledged has issued one invoice. */
function lostCalls(records: readonly StoredRecord[], calls: readonly Call[]): string[] {
  const counts = Map.groupBy(records, ({ connectionId, origin }) => `${connectionId} ${origin}`);
  return calls.flatMap(({ connectionId, path, id }) => {
    const origin = `${path.endsWith("invoice") ? "direct" : "order"}:${id}`;
    const found = counts.get(`${connectionId} ${origin}`)?.length ?? 0;
    return found === 1 ? [] : [`${origin} has ${found} records`];
  });
}

function brokenChains(records: readonly StoredRecord[]): string[] {
  const chains = Map.groupBy(records, ({ installation }) => installation);
  return [...chains].flatMap(([installation, chain]) => {
    const verified = verifyChain(
      chain.map(({ content, position, hash }): SealedRecord => ({ content, position, hash })),
    );
    return verified.ok
      ? []
      : [`${installation} breaks at ${verified.error.position}: ${verified.error.fault}`];
  });
}

/** Once at the authority, unchanged, accepted, and in the order of the chain. */
function unequalBooks(records: readonly StoredRecord[], received: readonly ReceivedRecord[]): string[] {
  const theirs = Map.groupBy(received, ({ reference = "" }) => reference);
  const unequal = records.flatMap(({ content: { reference }, hash }) => {
    const [found, another] = theirs.get(reference) ?? [];
    if (!found) return [`${reference} is not at the authority`];
    const isSound = !another && found.hash === hash && !found.changed && found.state === "Correcto";
    return isSound ? [] : [`${reference} is at the authority as ${JSON.stringify([found, another])}`];
  });
  const unknown = received.length - new Set(records.map(({ content }) => content.reference)).size;
  return unknown === 0 ? unequal : [...unequal, `${unknown} records too many at the authority`];
}
