import { timely, Unavailable, type UnavailableOutcome, waitsForOperator } from "../db/store-calls.ts";
import type { SubmittingChain } from "../db/submission/submission-writes.ts";
import { nextCallAt } from "../domain/callback/pull-callback.ts";
import type { CallbackUrlPolicy } from "../domain/callback/url.ts";
import type { Instant } from "../domain/shared/instant.ts";
import { namedFault } from "../platform/log.ts";
import { FOR_EVER, type QuietPeriod } from "./alarm-clock.ts";
import { type CallbackBook, deliverCallback, type SendMessage } from "./callback/deliver-callback.ts";
import { doEntries, ENTRY_LAG_MS, type EntryWorkDeps } from "./entries/make-entries.ts";
import { doMailing, type MailWorkDeps } from "./mailing/deliver-mails.ts";
import { type ChainStep, type SubmitDeps, submitChain } from "./submission/submit-records.ts";
import { doWebhooks, type WebhookWorkDeps } from "./webhooks/webhook-work.ts";

export interface Released {
  readonly outcome: "released";
  /** Nothing is left that could be decided now. */
  readonly isDone: boolean;
}

type Failure = UnavailableOutcome | { readonly outcome: "failed" };

/** Work that needs turns of the queue. */
export interface DueWork {
  readonly hasOrders: boolean;
  /** An answer to several orders is not yet given to all of them. */
  readonly hasQuestions: boolean;
  /** Undefined when nothing is on its way. */
  readonly callbackDueAt: Instant | undefined;
  /** Undefined when no mail is on its way. */
  readonly mailDueAt: Instant | undefined;
}

/** The work of a connected shop; the object provides what it needs of the queue. */
export type DoShop = () => Promise<Instant | undefined>;

export interface DueWorkDeps
  extends Omit<WebhookWorkDeps, "store">,
    Omit<EntryWorkDeps, "store">,
    Omit<MailWorkDeps, "store"> {
  readonly store: WebhookWorkDeps["store"] & EntryWorkDeps["store"] & MailWorkDeps["store"];
  readonly now: () => Instant;
  /** Releases one chunk in the queue; other outcomes mean that it was not possible. */
  readonly release: () => Promise<Released | Failure>;
  /** Gives owners' answers to the orders of a question; answers when to go on. */
  readonly answer: () => Promise<Instant | undefined>;
  /** One read outside the queue. Undefined if the state is not known: then both kinds of work are tried. */
  readonly findDue: () => Promise<DueWork | Failure | undefined>;
  readonly book: CallbackBook;
  readonly doShop: DoShop;
  readonly send: SendMessage;
  /** Undefined while the deployment's own hosts are unknown: no address is called. */
  readonly callbackPolicy: CallbackUrlPolicy | undefined;
  /** From 0 to 1. */
  readonly chance: () => number;
  readonly alertOperator: (what: string, facts: Readonly<Record<string, string>>) => void;
  readonly log: (line: object) => void;
  /** Undefined where nothing is submitted. */
  readonly submission: SubmissionDeps | undefined;
}

/** Dependencies of the submission. */
export type SubmissionDeps = Omit<SubmitDeps, "now" | "chance" | "alertOperator" | "log">;

interface RunResult {
  /** The next run; undefined if no work remains. */
  readonly nextRunAt: Instant | undefined;
  readonly quietPeriod: QuietPeriod;
}

/** Nothing is done before an operator has acted; the sweep wakes it then. */
export const AT_REST: RunResult = { nextRunAt: undefined, quietPeriod: { until: 0, unsent: 0 } };

/** After this time the alarm is set again, so that no run lasts too long. */
const BUDGET_MS = 60_000;
const AGAIN_MS = 30_000;
/** The wait while the deployment may call nobody. */
const UNREACHABLE_MS = 3_600_000;

/**
 * Does the due work and answers the next run. It never throws: failed work is tried again. A frozen account
 * gets none; after thawing the sweep wakes it.
 */
export async function doDueWork(deps: DueWorkDeps): Promise<RunResult> {
  const idle: Submitted = { nextRunAt: undefined, until: 0, unsent: 0, hasMoved: false };
  let [submitted, hasSubscribers] = [idle, true];
  const submit = async () => {
    submitted = await submitAll(deps);
    return submitted.nextRunAt;
  };
  const log = async () => {
    const run = await doWebhooks(deps);
    hasSubscribers = run.hasSubscribers;
    return run.nextRunAt;
  };
  const due = deps.findDue();
  const answered = guarded(async () => answerDue(deps, await due), deps);
  const released = guarded(async () => {
    const found = await due;
    // A release decides orders again, so it comes after the answers to them.
    if (asksToAnswer(found)) await answered;
    return releaseDue(deps, found);
  }, deps);
  const sent = guarded(submit, deps);
  let hasMailEvents = false;
  const mail = async () => {
    // Mails come behind issuing and submission.
    await Promise.all([released, sent]);
    const run = await mailDue(deps, await due);
    hasMailEvents = run.hasEvents;
    return run.nextRunAt;
  };
  // Side by side, so that one slow receiver delays no other work.
  const times = await Promise.all([
    answered,
    released,
    guarded(async () => callDue(deps, await due), deps),
    sent,
    guarded(mail, deps),
    guarded(log, deps),
    guarded(() => doEntries(deps), deps),
    guarded(deps.doShop, deps),
  ]);
  // New answers of the authority go to webhook subscribers at once.
  const hasNews = (submitted.hasMoved && hasSubscribers) || hasMailEvents;
  const notifyAt = hasNews ? deps.now() : undefined;
  // With subscribers, new records are reported at once; list entries may lag.
  const until = hasSubscribers ? 0 : Math.min(submitted.until, deps.now() + ENTRY_LAG_MS);
  return { nextRunAt: earliest([...times, notifyAt]), quietPeriod: { until, unsent: submitted.unsent } };
}

async function submitAll(deps: DueWorkDeps): Promise<Submitted> {
  const { submission, now } = deps;
  if (!submission) return { nextRunAt: undefined, until: FOR_EVER, unsent: 0, hasMoved: false };
  const startedAt = now();
  const store = timely(submission.store, deps);
  return submitDue({ ...deps, ...submission, store }, () => now() - startedAt < BUDGET_MS);
}

/** While the state is not known no order can be decided; the release then asks for another run. */
async function answerDue(
  { answer, now }: DueWorkDeps,
  due: DueWork | Failure | undefined,
): Promise<Instant | undefined> {
  if (due === undefined) return undefined;
  if ("outcome" in due) return now() + AGAIN_MS;
  return asksToAnswer(due) ? answer() : undefined;
}

function asksToAnswer(due: DueWork | Failure | undefined): boolean {
  return due !== undefined && "hasQuestions" in due && due.hasQuestions;
}

async function releaseDue(
  deps: DueWorkDeps,
  due: DueWork | Failure | undefined,
): Promise<Instant | undefined> {
  if (due === undefined) return releaseAll(deps);
  if ("outcome" in due) return deps.now() + AGAIN_MS;
  return due.hasOrders ? releaseAll(deps) : undefined;
}

async function callDue(deps: DueWorkDeps, due: DueWork | Failure | undefined): Promise<Instant | undefined> {
  if (due === undefined) return callShop(deps);
  if ("outcome" in due) return deps.now() + AGAIN_MS;
  const { callbackDueAt: at } = due;
  return at !== undefined && at <= deps.now() ? callShop(deps) : nextCall(at, deps);
}

async function releaseAll({ release, now }: DueWorkDeps): Promise<Instant | undefined> {
  const startedAt = now();
  while (now() - startedAt < BUDGET_MS) {
    const chunk = await release();
    if (chunk.outcome === "unavailable" && waitsForOperator(chunk)) return undefined;
    if (chunk.outcome !== "released") return now() + AGAIN_MS;
    if (chunk.isDone) return undefined;
  }
  return now();
}

/** An order that was released in this run may have queued a mail since. */
async function mailDue(deps: DueWorkDeps, due: DueWork | Failure | undefined): ReturnType<typeof doMailing> {
  if (due && !("outcome" in due) && !due.hasOrders) {
    const { mailDueAt: nextRunAt } = due;
    if (nextRunAt === undefined || nextRunAt > deps.now()) return { nextRunAt, hasEvents: false };
  }
  return doMailing(deps);
}

async function callShop(deps: DueWorkDeps): Promise<Instant | undefined> {
  const { book, send, callbackPolicy: policy, now, chance, log } = deps;
  const delivery = policy && (await deliverCallback({ book, send, policy, now, chance }));
  if (!delivery) {
    const next = await book.change(({ callback }) => ({ callback, value: nextCallAt(callback) }));
    return nextCall(next, deps);
  }
  log({ level: "info", event: "shop_called", ...delivery.outcome, attempt: delivery.attempt });
  return delivery.nextAt;
}

/** Without the own hosts no address is called; a corrected deployment's sweep finds what is due. */
function nextCall(
  at: Instant | undefined,
  { callbackPolicy: policy, now }: DueWorkDeps,
): Instant | undefined {
  return policy || at === undefined ? at : Math.max(at, now() + UNREACHABLE_MS);
}

async function guarded(
  act: () => Promise<Instant | undefined>,
  { alertOperator, now }: DueWorkDeps,
): Promise<Instant | undefined> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof Unavailable && waitsForOperator(error.outcome)) return undefined;
    alertOperator("due_work_failed", namedFault(error));
    return now() + AGAIN_MS;
  }
}

function earliest(times: readonly (Instant | undefined)[]): Instant | undefined {
  const known = times.filter((at) => at !== undefined);
  return known.length > 0 ? Math.min(...known) : undefined;
}

interface Submitted extends QuietPeriod {
  /** The next run; undefined if time alone changes nothing. */
  readonly nextRunAt: Instant | undefined;
  /** At least one message was sent. */
  readonly hasMoved: boolean;
}

/** The limit of one run; it also ends a loop of stale reads. */
const ROUNDS = 100;

/** Sends the due records of every chain of the connection, message after message, while there is time. */
async function submitDue(deps: SubmitDeps, hasTime: () => boolean): Promise<Submitted> {
  for (let rounds = 0; rounds < ROUNDS && hasTime(); rounds += 1) {
    const chains = await deps.store.readChains();
    const steps = await Promise.all(chains.map((chain) => lookAt(chain, deps)));
    if (steps.every(({ step }) => step !== "moved"))
      return { ...restOf(chains, steps, deps.now()), hasMoved: rounds > 0 };
  }
  return { nextRunAt: deps.now(), until: 0, unsent: 0, hasMoved: true };
}

async function lookAt(chain: SubmittingChain, deps: SubmitDeps): Promise<ChainStep> {
  const isIdle = chain.unsent === 0 && chain.chain?.attempt === undefined;
  return isIdle ? { step: "rests" } : submitChain(chain, deps);
}

function restOf(
  chains: readonly SubmittingChain[],
  steps: readonly ChainStep[],
  now: Instant,
): Omit<Submitted, "hasMoved"> {
  const waits = steps.flatMap((step) => (step.step === "waits" ? [Math.max(step.until, now)] : []));
  // An idle chain can send at `dueAt`; a stopped chain with records waits for its owner.
  const lulls = chains.map(({ chain, unsent }) => (unsent === 0 ? (chain?.dueAt ?? 0) : FOR_EVER));
  return {
    nextRunAt: waits.length > 0 ? Math.min(...waits) : undefined,
    until: Math.min(...waits, ...(waits.length > 0 ? [] : lulls), FOR_EVER),
    unsent: chains.reduce((sum, chain) => sum + (mayHurry(chain) ? chain.unsent : 0), 0),
  };
}

/** A full message need not wait, unless it is a failure or an attempt that it waits for. */
function mayHurry({ chain }: SubmittingChain): boolean {
  return !chain?.attempt && !chain?.stopped && (chain?.failures ?? 0) === 0;
}
