import { type StoreCallsDeps, timely } from "../../db/store-calls.ts";
import type { EndpointStatus, WebhookStatus, WebhookStore } from "../../db/webhooks/webhook-reads.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { KEPT_MS } from "../../domain/webhook/delivery.ts";
import {
  type DeliverWebhooksDeps,
  deliverTo,
  type EnqueueDeps,
  enqueuePages,
  type Lane,
  type LaneEnd,
  newPages,
} from "./deliver-webhooks.ts";

export interface WebhookWorkDeps
  extends Omit<EnqueueDeps, "webhooks">,
    Omit<DeliverWebhooksDeps, "webhooks">,
    StoreCallsDeps {
  readonly store: { readonly webhooks: WebhookStore };
}

/**
 * Other work of the alarm waits for the end of a run: no attempt is begun after this, and one takes 10
 * s.
 */
const BUDGET_MS = 15_000;
/** Calls open at once, one for each endpoint at least: the runtime lets six, and other work needs some. */
const CALLS_AT_ONCE = 4;
/** The pause of a failing endpoint that has more deliveries due. */
const REST_MS = 30_000;
/** The wait while the deployment may call nobody; the sweep of a corrected one finds what is due. */
const UNREACHABLE_MS = 3_600_000;
const STEP = 200;
const DAY_MS = 86_400_000;

interface WebhookRun {
  /** The next run; undefined if no work remains. */
  readonly nextRunAt: Instant | undefined;
  /** True if an endpoint is subscribed. */
  readonly hasSubscribers: boolean;
}

/** Results of one run that the database does not store. */
interface Run {
  readonly lanes: ReadonlyMap<string, LaneEnd>;
  /** Expired rows remain for the next step. */
  readonly isCleaned: boolean;
}

/**
 * Creates deliveries for new events, makes the due calls and answers the next run. It needs neither
 * queue nor fence: two concurrent alarms or instances still deliver each event once.
 */
export async function doWebhooks(deps: WebhookWorkDeps): Promise<WebhookRun> {
  const webhooks = timely(deps.store.webhooks, deps);
  const startedAt = deps.now();
  const isOver = () => deps.now() - startedAt >= BUDGET_MS;
  const enqueued = await enqueueAll(await webhooks.readStatus(), isOver, { ...deps, webhooks });
  if (enqueued.frozen || enqueued.webhooks.length === 0)
    return { nextRunAt: undefined, hasSubscribers: false };
  const lanes = await deliverAll(enqueued, isOver, { ...deps, webhooks });
  const hasEnded = hasToStop(enqueued) || [...lanes.values()].includes("ended");
  const stopped = hasEnded ? await stopAll(webhooks, isOver, deps.now()) : 0;
  const before = deps.now() - KEPT_MS;
  const isOld = enqueued.webhooks.some((webhook) => oldestOf(webhook) < before);
  const forgotten = isOld ? await webhooks.forget(before, STEP) : 0;
  const isChanged = lanes.size > 0 || stopped > 0 || forgotten > 0;
  const status = isChanged ? await webhooks.readStatus() : enqueued;
  return {
    nextRunAt: nextOf(status, { lanes, isCleaned: forgotten < STEP }, deps.now()),
    hasSubscribers: true,
  };
}

async function enqueueAll(
  first: WebhookStatus,
  isOver: () => boolean,
  deps: EnqueueDeps & { readonly webhooks: WebhookStore },
): Promise<WebhookStatus> {
  let status = first;
  while (!status.frozen && !isOver()) {
    const pages = newPages(status);
    if (pages.length === 0 || !(await enqueuePages(pages, status, deps))) break;
    status = await deps.webhooks.readStatus();
  }
  return status;
}

/** All endpoints side by side. A failing lane throws only after the others have finished. */
async function deliverAll(
  { webhooks }: WebhookStatus,
  isOver: () => boolean,
  deps: DeliverWebhooksDeps,
): Promise<ReadonlyMap<string, LaneEnd>> {
  const at = deps.now();
  const due = webhooks.filter(({ ended, nextDueAt }) => !ended && nextDueAt !== undefined && nextDueAt <= at);
  const lane: Lane = { width: Math.max(1, Math.floor(CALLS_AT_ONCE / due.length)), isOver };
  const ends = await Promise.allSettled(due.map((webhook) => deliverTo(webhook, lane, deps)));
  const broken = ends.find((end) => end.status === "rejected");
  if (broken) throw broken.reason;
  const laneEnds = ends.flatMap((end) => (end.status === "fulfilled" ? [end.value] : []));
  return new Map(due.map(({ endpointId }, index) => [endpointId, laneEnds[index] ?? "over"]));
}

async function stopAll(webhooks: WebhookStore, isOver: () => boolean, at: Instant): Promise<number> {
  let stopped = await webhooks.stop(at, STEP);
  for (let step = stopped; step === STEP && !isOver(); stopped += step) step = await webhooks.stop(at, STEP);
  return stopped;
}

function nextOf(status: WebhookStatus, run: Run, now: Instant): Instant | undefined {
  const { webhooks, frozen } = status;
  if (frozen || webhooks.length === 0) return undefined;
  const next = webhooks.flatMap((webhook) => [
    ...(dueOf(webhook, run, now) ?? []),
    Math.max(oldestOf(webhook) + KEPT_MS, run.isCleaned ? now + DAY_MS : now + REST_MS),
  ]);
  const hasNewPages = newPages(status).length > 0;
  const soonest = Math.min(...next, ...(hasNewPages ? [now] : []));
  return Number.isFinite(soonest) ? soonest : undefined;
}

function dueOf(webhook: EndpointStatus, { lanes }: Run, now: Instant): [Instant] | undefined {
  const { endpointId, ended, nextDueAt } = webhook;
  if (nextDueAt === undefined) return undefined;
  if (nextDueAt > now && !ended) return [nextDueAt];
  switch (lanes.get(endpointId)) {
    case "down":
      return [now + REST_MS];
    case "barred":
      return [now + UNREACHABLE_MS];
    default:
      return [now];
  }
}

/** When the oldest thing was made that is forgotten one day; never where there is none. */
function oldestOf({ oldestAt, ended }: EndpointStatus): Instant {
  return oldestAt ?? ended?.at ?? Number.POSITIVE_INFINITY;
}

function hasToStop({ webhooks }: WebhookStatus): boolean {
  return webhooks.some(({ ended, nextDueAt }) => ended && nextDueAt !== undefined);
}
