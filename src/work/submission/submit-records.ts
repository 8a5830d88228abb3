import type {
  Authority,
  Evidence,
  RunRecord,
  SubmissionStore,
  SubmittingChain,
} from "../../db/submission/submission-ports.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { assertNever, invariant } from "../../domain/shared/result.ts";
import { LIMITS } from "../../domain/verifactu/aeat-lists.ts";
import { beginAttempt } from "../../domain/verifactu/submission/attempt.ts";
import {
  type ChainSubmission,
  newChainSubmission,
  withFewer,
} from "../../domain/verifactu/submission/chain.ts";
import type { SentRecord } from "../../domain/verifactu/submission/meaning.ts";
import { composeMessage, type SubmissionMessage } from "../../domain/verifactu/submission/message.ts";
import { nextSubmission, type SubmissionOrder } from "../../domain/verifactu/submission/next-submission.ts";
import type { Pace } from "../../domain/verifactu/submission/pace.ts";
import { withheld } from "../../domain/verifactu/submission/record-change.ts";
import { operationOf } from "../../domain/verifactu/submission/state.ts";
import { concludeAttempt } from "./conclude-attempt.ts";

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
  readonly alarm: (what: string, facts: Readonly<Record<string, string>>) => void;
  readonly tell: (line: object) => void;
}

/** The result of one step of a chain. */
export type ChainStep =
  /** A message was sent, or another instance came first: read again. */
  | { readonly step: "moved" }
  | { readonly step: "waits"; readonly until: Instant }
  /** Nothing that time alone would change. */
  | { readonly step: "rests" };

/** The stored attempt of a message that may be sent. */
export interface OpenAttempt {
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
  { store, tell }: SubmitDeps,
): Promise<ChainStep> {
  const left = withFewer(chain, unsent - positions.length);
  const records = positions.map(withheld);
  await store.withhold({ accountId, installationId, seq: seq + 1, chain: left, records });
  tell({ level: "info", event: "records_withheld", records: positions.length });
  return MOVED;
}

async function send(
  of: SubmittingChain,
  asked: {
    readonly chain: ChainSubmission;
    readonly order: SubmissionOrder;
    readonly endpoint: string;
  },
  deps: SubmitDeps,
): Promise<ChainStep> {
  const { chain, order, endpoint } = asked;
  const run = await deps.store.readRun(of.installationId, order);
  if (run.length === 0) return MOVED;
  const message = composeMessage(
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
