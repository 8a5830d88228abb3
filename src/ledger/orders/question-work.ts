import type { JobOrder, OpenJob } from "../../db/orders/question-job.ts";
import { timely } from "../../db/store-calls.ts";
import { rememberedChange } from "../../domain/order/together.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { LedgerCore } from "../core/core.ts";
import type { OwnerVerbs } from "../core/owner-verbs.ts";
import { admitted, type QueuedCall, settle } from "../core/settle.ts";
import type { DecidedOrder, OrderInstruction } from "./order-outcomes.ts";
import { CHUNK, orderSettler } from "./settle-orders.ts";

/** Orders that are read at once; each turn of the queue decides `CHUNK` of them. */
const STEP = 100;
const BUDGET_MS = 30_000;
const AGAIN_MS = 30_000;

/**
 * Gives the answers of open jobs to their orders and writes what is remembered. Each outcome is in the batch
 * of its order, so that a run after a crash goes on with the rest. Answers when to go on.
 */
export async function answerQuestions(core: LedgerCore, owner: OwnerVerbs): Promise<Instant | undefined> {
  const { now } = core.deps;
  const questions = timely(core.deps.store.questions, core.deps);
  const startedAt = now();
  while (now() - startedAt < BUDGET_MS) {
    const open = await questions.readOpen(STEP);
    if (!open) return undefined;
    const isDone =
      open.orders.length > 0
        ? await answerStep(open, core, questions)
        : await endJob(open, { core, owner, questions });
    if (!isDone) return now() + AGAIN_MS;
  }
  return now();
}

type Questions = LedgerCore["deps"]["store"]["questions"];

async function answerStep(
  { job, orders }: OpenJob,
  core: LedgerCore,
  questions: Questions,
): Promise<boolean> {
  for (let at = 0; at < orders.length; at += CHUNK) {
    const chunk = orders.slice(at, at + CHUNK);
    const calls = chunk.map(
      (order): QueuedCall<OrderInstruction, DecidedOrder> => admitted(instructionOf(job, order)),
    );
    const settled = await core.runExclusive(async () => ({
      replies: await settle(calls, orderSettler(core.deps), core.deps),
    }));
    if (!("replies" in settled)) return false;
    const { replies } = settled;
    const outcomes = replies.map((reply) => ("kind" in reply ? reply.outcome : reply));
    if (outcomes.some(({ outcome }) => outcome === "unavailable")) return false;
    // A fault of ours in one order must not keep the others waiting.
    const failed = chunk.filter((_, index) => outcomes[index]?.outcome === "failed");
    if (failed.length > 0) {
      const ids = failed.map(({ idExternal }) => idExternal);
      await questions.fail(job.id, ids);
    }
  }
  return true;
}

function instructionOf(job: OpenJob["job"], { idExternal, changedAt, apart }: JobOrder): OrderInstruction {
  const { id: jobId, userId, question, answer } = job;
  return {
    kind: "together",
    ...{ userId, idExternal, answers: [answer], requestId: `question:${jobId}` },
    ofQuestion: { jobId, question, changedAt, apart },
  };
}

interface Ending {
  readonly core: LedgerCore;
  readonly owner: OwnerVerbs;
  readonly questions: Questions;
}

/** What is remembered is declared for every profile that took one of the orders. */
async function endJob({ job }: OpenJob, { core, owner, questions }: Ending): Promise<boolean> {
  const change = job.remember ? rememberedChange(job.answer) : undefined;
  const { question, reason } = job;
  for (const { profileId, orders: uses } of change ? await questions.takenBy(job.id) : []) {
    if (!change) continue;
    const of = profileId === null ? {} : { profileId };
    const answered = [{ question, uses, change, ...(reason ? { reason } : {}) }];
    const outcome = await owner.act(job.userId, { verb: "declare_sales", change, answered, ...of });
    if (outcome.outcome !== "done" && outcome.outcome !== "refused") return false;
  }
  await questions.end(job.id, core.deps.now());
  return true;
}
