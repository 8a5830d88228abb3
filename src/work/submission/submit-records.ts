import type {
  AttemptStatus,
  Evidence,
  RunRecord,
  SettleWrite,
  SubmissionStore,
  SubmissionWrite,
  SubmittingChain,
} from "../../db/submission/submission-writes.ts";
import { sha256OfBytes } from "../../domain/shared/hash.ts";
import { type Instant, instantOf } from "../../domain/shared/instant.ts";
import { assertNever, invariant } from "../../domain/shared/result.ts";
import { LIMITS } from "../../domain/verifactu/aeat-lists.ts";
import type { SealedRecord } from "../../domain/verifactu/record.ts";
import {
  type AttemptResult,
  type Comparison,
  compareFound,
  type FoundRecord,
  matchAnswer,
  type Period,
  periodsOf,
  type TransportOutcome,
} from "../../domain/verifactu/submission/answer.ts";
import {
  type ChainSubmission,
  newChainSubmission,
  type Pace,
  withFewer,
} from "../../domain/verifactu/submission/chain.ts";
import { isToCompare, type SentRecord } from "../../domain/verifactu/submission/meaning.ts";
import type { SubmissionMessage } from "../../domain/verifactu/submission/message.ts";
import {
  beginAttempt,
  nextSubmission,
  type SubmissionOrder,
} from "../../domain/verifactu/submission/next-submission.ts";
import { type Settlement, settleAttempt, withheld } from "../../domain/verifactu/submission/settle.ts";
import { operationOf } from "../../domain/verifactu/submission/state.ts";
import type { Authority } from "../../platform/authority.ts";

export interface SubmitDeps {
  readonly store: SubmissionStore;
  readonly authority: Authority;
  readonly evidence: Pick<Evidence, "keep">;
  readonly pace: Pace;
  readonly now: () => Instant;
  /** From 0 to 1. */
  readonly chance: () => number;
  readonly newOwner: () => string;
  /** Rings for an operator; facts are never a person's data. */
  readonly alertOperator: (what: string, facts: Readonly<Record<string, string>>) => void;
  readonly log: (line: object) => void;
}

/** The result of one step of a chain. */
export type ChainStep =
  /** A message was sent, or another instance came first: read again. */
  | { readonly step: "moved" }
  | { readonly step: "waits"; readonly until: Instant }
  /** Time alone changes nothing: another event has to wake the chain. */
  | { readonly step: "rests" };

/** The stored attempt of a message that may be sent. */
interface OpenAttempt {
  readonly of: SubmittingChain;
  /** With the attempt. */
  readonly chain: ChainSubmission;
  readonly seq: number;
  readonly message: SubmissionMessage;
  readonly sent: readonly SentRecord[];
  readonly endpoint: string;
}

const RESTS: ChainStep = { step: "rests" };
const MOVED: ChainStep = { step: "moved" };

/** Sends one message of the chain where one is due (verifactu: sending, 9.2 to 9.6). */
export async function submitChain(of: SubmittingChain, deps: SubmitDeps): Promise<ChainStep> {
  const endpoint = deps.authority.endpointFor(of.environment);
  if (endpoint === undefined || of.isFrozen) return RESTS;
  if (deps.authority.wantsRepresentation && !of.isRepresented) return RESTS;
  const chain = of.chain ?? newChainSubmission(deps.pace);
  // The queue is not read while nothing may be sent.
  const isIdle = chain.attempt !== undefined || isEarly(chain, of, deps.now());
  const queue = isIdle ? [] : await deps.store.readQueue(of.installationId);
  const next = nextSubmission(chain, queue, deps.now());
  switch (next.next) {
    case "nothing":
      return of.unsent > 0 ? { step: "waits", until: chain.dueAt } : RESTS;
    case "stopped":
      return RESTS;
    case "wait":
      return { step: "waits", until: next.until };
    case "withhold":
      return withhold(of, chain, next.positions, deps);
    case "send":
      return send(of, { chain, order: next, endpoint }, deps);
    default:
      return assertNever(next);
  }
}

function isEarly({ dueAt }: ChainSubmission, { unsent }: SubmittingChain, now: Instant): boolean {
  return now < dueAt && unsent < LIMITS.recordsPerMessage;
}

/** The result is not used: the next read shows it. */
async function withhold(
  { accountId, installationId, seq, unsent }: SubmittingChain,
  chain: ChainSubmission,
  positions: readonly number[],
  { store, log }: SubmitDeps,
): Promise<ChainStep> {
  const left = withFewer(chain, unsent - positions.length);
  const records = positions.map(withheld);
  await store.withhold({ accountId, installationId, seq: seq + 1, chain: left, records });
  log({ level: "info", event: "records_withheld", records: positions.length });
  return MOVED;
}

async function send(
  of: SubmittingChain,
  next: {
    readonly chain: ChainSubmission;
    readonly order: SubmissionOrder;
    readonly endpoint: string;
  },
  deps: SubmitDeps,
): Promise<ChainStep> {
  const { chain, order, endpoint } = next;
  const run = await deps.store.readRun(of.installationId, order);
  if (run.length === 0) return MOVED;
  const message = deps.authority.compose(
    run.map(({ sealed }) => sealed),
    { issuer: of.issuer, incident: order.incident },
  );
  const { pace, now } = deps;
  const begun = beginAttempt(chain, order, message, { owner: deps.newOwner(), at: now(), pace });
  const attempt: OpenAttempt = {
    of,
    chain: begun.chain,
    seq: of.seq + 1,
    message,
    sent: run.slice(0, message.records.length).map(sentRecord),
    endpoint,
  };
  if (!(await isWritten(attempt, order.takesOver, deps))) return MOVED;
  await concludeAttempt(attempt, deps);
  return MOVED;
}

/** Submit only after D1 has confirmed the attempt. */
async function isWritten(
  { of, chain, seq }: OpenAttempt,
  takesOver: string | undefined,
  { store, now }: SubmitDeps,
): Promise<boolean> {
  const { attempt } = chain;
  invariant(attempt, "an attempt that was begun");
  const { accountId, installationId } = of;
  const write = { accountId, installationId, seq, chain, attempt, at: now() };
  try {
    return (await store.begin({ ...write, ...(takesOver === undefined ? {} : { takesOver }) })) === "written";
  } catch {
    // Without an answer a read decides. A write that arrives later has no owner; its lease expires.
    return (await store.readAttempt(attempt.owner)) === "open";
  }
}

function sentRecord({ sealed, wasLost, tries }: RunRecord): SentRecord {
  const { content, position } = sealed;
  const { reference, key } = content;
  return { position, reference, key, operation: operationOf(content), wasLost, tries };
}

interface Compared {
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
async function compareDuplicates(
  open: OpenAttempt,
  result: AttemptResult,
  deps: SubmitDeps,
): Promise<Compared> {
  const compared = new Map<number, Comparison>();
  let queries = 0;
  const ask: Ask = async (period, { content }) => {
    if (queries >= MOST_QUERIES || !hasTime(open, deps)) return undefined;
    queries += 1;
    const bytes = deps.authority.query({ ...open.of.issuer, period, key: content.key });
    const outcome = await deps.authority.transport.submit(bytes, open.endpoint, QUERY_LIMIT_MS);
    return deps.authority.readFound(outcome);
  };
  for (const record of turned(disputed(open, result), deps.chance())) {
    compared.set(record.position, await compare(record, ask, open, deps));
  }
  return { compared, queries };
}

/** For the log; nothing where nothing was to compare. */
function countsOf({ compared, queries }: Compared): object {
  if (compared.size === 0) return {};
  const whose = [...compared.values()];
  const count = (comparison: Comparison) => whose.filter((each) => each === comparison).length;
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
    const whose = compareFound(found, content.key, [hash]);
    if (whose === undefined) continue;
    if (whose !== "foreign") return whose;
    // The authority answers the newest record only: it may be a later one of ours.
    const hashes = await store.readHashes(open.of.installationId, position).catch(() => undefined);
    return (hashes && compareFound(found, content.key, hashes)) ?? "unknown";
  }
  return "unknown";
}

/**
 * Sends the message of an attempt, and applies the response while the attempt is still open for this owner.
 */
async function concludeAttempt(open: OpenAttempt, deps: SubmitDeps): Promise<void> {
  const startedAt = deps.now();
  const [outcome] = await Promise.all([
    deps.authority.transport.submit(open.message.bytes, open.endpoint),
    keepEvidence(open, "request", open.message.bytes, deps),
  ]);
  const answer = outcome.outcome === "answered" ? outcome.bytes : undefined;
  const result = deps.authority.read(outcome);
  const [concluded] = await Promise.all([
    conclude(open, { result, answer }, deps),
    ...(answer ? [keepEvidence(open, "answer", answer, deps)] : []),
  ]);
  watchClock(result, startedAt, deps);
  deps.log({
    level: "info",
    event: "records_submitted",
    attempt: ownerOf(open),
    records: open.message.records.length,
    incident: open.message.incident,
    took_ms: deps.now() - startedAt,
    ...concluded,
    ...loggedResult(result, outcome),
  });
}

/** Settles the response after its duplicates were compared. */
async function conclude(open: OpenAttempt, came: Came, deps: SubmitDeps): Promise<object> {
  const comparison = await compareDuplicates(open, came.result, deps);
  const applied = await apply(open, { ...came, compared: comparison.compared }, deps);
  return { applied, ...countsOf(comparison) };
}

interface Came {
  readonly result: AttemptResult;
  readonly answer: Uint8Array | undefined;
}

const APPLICATIONS = 4;

/** True if it is written; false if another owner has taken over, or if the state is unknown. */
async function apply(
  open: OpenAttempt,
  came: Came & Pick<Compared, "compared">,
  deps: SubmitDeps,
): Promise<boolean> {
  const answerSha256 = came.answer && sha256OfBytes(came.answer);
  let current = { chain: open.chain, seq: open.seq };
  for (let tries = 0; tries < APPLICATIONS; tries += 1) {
    const settlement = settle(open, current.chain, came, deps);
    const written = await settled(open, { ...current, settlement, answerSha256, ...came }, deps);
    const status = written === "written" ? "settled" : await attemptStatusOf(open, deps);
    if (status === "abandoned") return keepLate(open, answerSha256, deps);
    if (status === "settled") alertAbout(settlement, deps);
    if (status === "settled") return true;
    current = (await currentChain(open, deps)) ?? current;
  }
  // The lease runs out, and the same records go again.
  deps.alertOperator("answer_not_applied", { attempt: ownerOf(open) });
  return false;
}

/** A batch with a lost answer may have settled it: an attempt ends once. */
function attemptStatusOf(open: OpenAttempt, { store }: SubmitDeps): Promise<AttemptStatus | undefined> {
  return store.readAttempt(ownerOf(open)).catch(() => undefined);
}

/** Another change of the chain came first: the owner has resumed it. */
async function currentChain(
  open: OpenAttempt,
  { store }: SubmitDeps,
): Promise<{ readonly chain: ChainSubmission; readonly seq: number } | undefined> {
  const chains = await store.readChains().catch(() => []);
  const found = chains.find(({ installationId }) => installationId === open.of.installationId);
  const isOurs = found?.chain?.attempt?.owner === ownerOf(open);
  return found?.chain && isOurs ? { chain: found.chain, seq: found.seq } : undefined;
}

function settle(
  open: OpenAttempt,
  chain: OpenAttempt["chain"],
  { result, compared }: Pick<Came, "result"> & Pick<Compared, "compared">,
  { now, chance, pace }: SubmitDeps,
): Settlement {
  const { sent, of } = open;
  const facts = { sent, compared, unsent: of.unsent, at: now(), chance: chance(), pace };
  const settlement = settleAttempt(chain, ownerOf(open), result, facts);
  invariant(settlement, "the attempt is the chain's own");
  return settlement;
}

async function settled(
  open: OpenAttempt,
  by: {
    readonly seq: number;
    readonly settlement: Settlement;
    readonly result: AttemptResult;
    readonly answerSha256: string | undefined;
  },
  { store, now }: SubmitDeps,
): Promise<SubmissionWrite> {
  const { accountId, installationId } = open.of;
  const write: SettleWrite = {
    ...{ accountId, installationId, seq: by.seq + 1, attemptId: ownerOf(open), at: now() },
    ...{ chain: by.settlement.chain, records: by.settlement.records, result: summaryOf(by.result) },
    ...(by.answerSha256 === undefined ? {} : { answerSha256: by.answerSha256 }),
    ...proofOf(by.result),
  };
  try {
    return await store.settle(write);
  } catch {
    // No answer: it may be in the books. An attempt ends once, so that sending it again is safe.
    return "stale";
  }
}

/** The response has no effect any longer, but remains evidence. */
async function keepLate(
  open: OpenAttempt,
  answerSha256: string | undefined,
  { alertOperator, store }: SubmitDeps,
): Promise<false> {
  alertOperator("answer_came_late", { attempt: ownerOf(open) });
  if (answerSha256 !== undefined) {
    await store.keepLateAnswer(ownerOf(open), answerSha256).catch(() => undefined);
  }
  return false;
}

/** Without R2 records are submitted all the same. */
async function keepEvidence(
  { of, chain }: OpenAttempt,
  part: "request" | "answer",
  bytes: Uint8Array,
  { evidence, alertOperator }: SubmitDeps,
): Promise<void> {
  const { accountId, installationId } = of;
  const attemptId = chain.attempt?.owner ?? "";
  try {
    await evidence.keep({ accountId, installationId, attemptId, part }, bytes);
  } catch {
    alertOperator("evidence_not_kept", { attempt: attemptId, part });
  }
}

function ownerOf({ chain }: OpenAttempt): string {
  invariant(chain.attempt, "an attempt that was begun");
  return chain.attempt.owner;
}

/** The summary kept with the attempt; the lines are in the records. */
function summaryOf(result: AttemptResult): object {
  if (result.result !== "answered") return result;
  const { state, lines } = result.answer;
  const count = (state: string) => lines.filter((line) => line.state === state).length;
  return {
    ...{ result: result.result, state, lines: lines.length, accepted: count("accepted") },
    ...{ acceptedWithErrors: count("accepted_with_errors"), rejected: count("rejected") },
  };
}

function proofOf(result: AttemptResult): Pick<SettleWrite, "csv" | "presentedAt"> {
  if (result.result !== "answered") return {};
  const { csv, presentedAt } = result.answer;
  return { ...(csv === undefined ? {} : { csv }), ...(presentedAt === undefined ? {} : { presentedAt }) };
}

function loggedResult(result: AttemptResult, outcome: TransportOutcome): object {
  const status = outcome.outcome === "answered" ? { status: outcome.status } : {};
  switch (result.result) {
    case "answered":
      return { ...summaryOf(result), ...status };
    case "fault":
      return { result: result.result, side: result.fault.side, code: result.fault.code, ...status };
    default:
      return { ...result, ...status };
  }
}

function alertAbout({ ring: alert }: Settlement, { alertOperator }: SubmitDeps): void {
  if (!alert) return;
  alertOperator(`submission_${alert.reason}`, alert.code === undefined ? {} : { code: String(alert.code) });
}

const SKEW_MS = 60_000;

/** The authority returns its time with every accepted message: a check of our own clock. */
function watchClock(result: AttemptResult, startedAt: number, { now, alertOperator }: SubmitDeps): void {
  if (result.result !== "answered" || result.answer.presentedAt === undefined) return;
  const theirs = timeOf(result.answer.presentedAt);
  if (theirs === undefined) return;
  const off = theirs < startedAt ? startedAt - theirs : Math.max(0, theirs - now());
  if (off > SKEW_MS) alertOperator("clock_off_authority", { off_ms: String(off) });
}

function timeOf(text: string): number | undefined {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)$/.test(text) ? instantOf(text) : undefined;
}
