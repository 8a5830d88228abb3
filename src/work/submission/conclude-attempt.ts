import type { AttemptStanding, SettleWrite, SubmissionWrite } from "../../db/submission/submission-ports.ts";
import { instantOf } from "../../domain/shared/instant.ts";
import { invariant } from "../../domain/shared/result.ts";
import { sha256OfBytes } from "../../domain/shared/sha256.ts";
import type { AttemptResult } from "../../domain/verifactu/submission/answer.ts";
import type { ChainSubmission } from "../../domain/verifactu/submission/chain.ts";
import { type Settlement, settleAttempt } from "../../domain/verifactu/submission/settle.ts";
import type { TransportOutcome } from "../../domain/verifactu/submission/transport.ts";
import { type Compared, compareDuplicates, countsOf } from "./compare-duplicates.ts";
import type { OpenAttempt, SubmitDeps } from "./submit-records.ts";

/**
 * Sends the message of an attempt, and applies the response while the attempt is still open for this owner.
 */
export async function concludeAttempt(open: OpenAttempt, deps: SubmitDeps): Promise<void> {
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
  deps.tell({
    level: "info",
    event: "records_submitted",
    attempt: ownerOf(open),
    records: open.message.records.length,
    incident: open.message.incident,
    took_ms: deps.now() - startedAt,
    ...concluded,
    ...told(result, outcome),
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
    const standing = written === "written" ? "settled" : await standingOf(open, deps);
    if (standing === "abandoned") return keepLate(open, answerSha256, deps);
    if (standing === "settled") ring(settlement, deps);
    if (standing === "settled") return true;
    current = (await standingChain(open, deps)) ?? current;
  }
  // The lease runs out, and the same records go again.
  deps.alarm("answer_not_applied", { attempt: ownerOf(open) });
  return false;
}

/** A batch with a lost answer may have settled it: an attempt ends once. */
function standingOf(open: OpenAttempt, { store }: SubmitDeps): Promise<AttemptStanding | undefined> {
  return store.readAttempt(ownerOf(open)).catch(() => undefined);
}

/** Another change of the chain came first: the owner has resumed it. */
async function standingChain(
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
  { alarm, store }: SubmitDeps,
): Promise<false> {
  alarm("answer_came_late", { attempt: ownerOf(open) });
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
  { evidence, alarm }: SubmitDeps,
): Promise<void> {
  const { accountId, installationId } = of;
  const attemptId = chain.attempt?.owner ?? "";
  try {
    await evidence.keep({ accountId, installationId, attemptId, part }, bytes);
  } catch {
    alarm("evidence_not_kept", { attempt: attemptId, part });
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
  const count = (wanted: string) => lines.filter((line) => line.state === wanted).length;
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

function told(result: AttemptResult, outcome: TransportOutcome): object {
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

function ring({ ring: told }: Settlement, { alarm }: SubmitDeps): void {
  if (!told) return;
  alarm(`submission_${told.reason}`, told.code === undefined ? {} : { code: String(told.code) });
}

const SKEW_MS = 60_000;

/** The authority returns its time with every accepted message: a check of our own clock. */
function watchClock(result: AttemptResult, startedAt: number, { now, alarm }: SubmitDeps): void {
  if (result.result !== "answered" || result.answer.presentedAt === undefined) return;
  const theirs = timeOf(result.answer.presentedAt);
  if (theirs === undefined) return;
  const off = theirs < startedAt ? startedAt - theirs : Math.max(0, theirs - now());
  if (off > SKEW_MS) alarm("clock_off_authority", { off_ms: String(off) });
}

function timeOf(text: string): number | undefined {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)$/.test(text) ? instantOf(text) : undefined;
}
