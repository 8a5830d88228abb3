import { utf8ToBytes } from "@noble/hashes/utils.js";
import type { SealedRecord } from "../../domain/verifactu/record.ts";
import type { AttemptResult } from "../../domain/verifactu/submission/answer.ts";
import {
  type Comparison,
  type FoundRecord,
  type Period,
  periodsOf,
  whoseIs,
} from "../../domain/verifactu/submission/comparison.ts";
import { matchAnswer } from "../../domain/verifactu/submission/match.ts";
import { isToCompare } from "../../domain/verifactu/submission/meaning.ts";
import { queryXml } from "../../domain/verifactu/xml/query-xml.ts";
import type { OpenAttempt, SubmitDeps } from "./submit-records.ts";

export interface Compared {
  /** By position. */
  readonly compared: ReadonlyMap<number, Comparison>;
  readonly queries: number;
}

const MOST_QUERIES = 5;
const QUERY_LIMIT_MS = 10_000;

/** The part of the attempt's lease reserved for the settlement after the queries. */
const SETTLEMENT_MS = 15_000;

/**
 * Asks the authority for the records under our duplicate keys, one after the other while the lease lasts. The
 * others stay unknown.
 */
export async function compareDuplicates(
  open: OpenAttempt,
  result: AttemptResult,
  deps: SubmitDeps,
): Promise<Compared> {
  const compared = new Map<number, Comparison>();
  let queries = 0;
  const ask: Ask = async (period, { content }) => {
    if (queries >= MOST_QUERIES || !hasTime(open, deps)) return undefined;
    queries += 1;
    const bytes = utf8ToBytes(queryXml({ ...open.of.issuer, period, key: content.key }));
    const outcome = await deps.authority.transport.submit(bytes, open.endpoint, QUERY_LIMIT_MS);
    return deps.authority.readFound(outcome);
  };
  for (const record of turned(disputed(open, result), deps.chance())) {
    compared.set(record.position, await compare(record, ask, open, deps));
  }
  return { compared, queries };
}

/** For the log; nothing where nothing was to compare. */
export function countsOf({ compared, queries }: Compared): object {
  if (compared.size === 0) return {};
  const whose = [...compared.values()];
  const count = (wanted: Comparison) => whose.filter((each) => each === wanted).length;
  return {
    queries,
    duplicates: { ours: count("ours"), foreign: count("foreign"), unknown: count("unknown") },
  };
}

/** Undefined where there was no answer, or no time to ask. */
type Ask = (period: Period, record: SealedRecord) => Promise<readonly FoundRecord[] | undefined>;

function hasTime({ chain }: OpenAttempt, { now }: SubmitDeps): boolean {
  return now() + QUERY_LIMIT_MS + SETTLEMENT_MS <= (chain.attempt?.leaseUntil ?? 0);
}

/** A response with lines that do not match the records decides about none of them. */
function disputed({ sent, message }: OpenAttempt, result: AttemptResult): readonly SealedRecord[] {
  if (result.result !== "answered") return [];
  const matched = matchAnswer(sent, result.answer.lines);
  if (!matched.ok) return [];
  const compared = matched.value.filter((each) => isToCompare(each, sent));
  const positions = new Set(compared.map(({ record }) => record.position));
  return message.records.filter(({ position }) => positions.has(position));
}

/** A random start: with more records than time allows, each gets its turn. */
function turned(records: readonly SealedRecord[], chance: number): readonly SealedRecord[] {
  const start = Math.floor(chance * records.length);
  return [...records.slice(start), ...records.slice(0, start)];
}

async function compare(
  record: SealedRecord,
  ask: Ask,
  open: OpenAttempt,
  { store }: SubmitDeps,
): Promise<Comparison> {
  const { content, position, hash } = record;
  for (const period of periodsOf(content)) {
    const found = await ask(period, record);
    if (!found) return "unknown";
    const whose = whoseIs(found, content.key, [hash]);
    if (whose === undefined) continue;
    if (whose !== "foreign") return whose;
    // The authority answers the newest record only: it may be a later one of ours.
    const hashes = await store.readHashes(open.of.installationId, position).catch(() => undefined);
    return (hashes && whoseIs(found, content.key, hashes)) ?? "unknown";
  }
  return "unknown";
}
