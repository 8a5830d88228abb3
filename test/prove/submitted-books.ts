/** The stored books of both sides: the issued records, and the authority's copies. */
import { verifyChain } from "../../src/domain/verifactu/chain.ts";
import type { RecordContent, SealedRecord } from "../../src/domain/verifactu/record.ts";
import { inEachLedger } from "./ledger-files.ts";
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

/** Records of every ledger, in the order of each chain. */
export function openRecords(stateDir: string): readonly StoredRecord[] {
  return inEachLedger(stateDir, (rows) =>
    rows(
      `SELECT installation_id AS installation, position, origin, connection_id AS connectionId, hash, state,
        content FROM record ORDER BY installation_id, position`,
    ).map((row) => {
      // The columns are those of the product's own schema.
      const { content, ...others } = row as unknown as StoredRecord & { readonly content: string };
      return { ...others, content: JSON.parse(content) };
    }),
  );
}

export function booksOf(records: readonly StoredRecord[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { state } of records) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

export interface ReceivedRecord {
  readonly reference?: string;
  /** The place in the chain: `first` and `linked` are correct. */
  readonly link: string;
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

/** The contradictions to "accepted, in order, once", in words. */
export function problemsOf(
  records: readonly StoredRecord[],
  received: readonly ReceivedRecord[],
  calls: readonly Call[],
): string[] {
  return [...lostCalls(records, calls), ...brokenChains(records), ...submissionProblems(records, received)];
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

/** Accepted, once at the authority, unchanged, and each after the one before it. */
export function submissionProblems(
  records: readonly Pick<StoredRecord, "origin" | "state" | "hash" | "content">[],
  received: readonly ReceivedRecord[],
): string[] {
  const theirs = Map.groupBy(received, ({ reference = "" }) => reference);
  const ours = new Set(records.map(({ content }) => content.reference));
  return [
    ...records
      .filter(({ state }) => state !== "accepted")
      .map(({ origin, state }) => `${origin} is ${state}, not accepted`),
    ...records.flatMap(({ content: { reference }, hash }) => {
      const [found, another] = theirs.get(reference) ?? [];
      if (!found) return [`${reference} is not at the authority`];
      const isSound = !another && found.hash === hash && !found.changed && found.state === "Correcto";
      return isSound ? [] : [`${reference} is at the authority as ${JSON.stringify([found, another])}`];
    }),
    ...received
      .filter(({ link }) => link !== "first" && link !== "linked")
      .map(({ reference, link }) => `${reference} came to the authority as ${link}`),
    ...received
      .filter(({ reference = "" }) => !ours.has(reference))
      .map(({ reference }) => `${reference} is at the authority and not in the books`),
  ];
}
