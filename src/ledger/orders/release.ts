import { isStopped } from "../../domain/invoice/settings.ts";
import { localTime } from "../../domain/shared/instant.ts";
import type { Released } from "../../work/due-work.ts";
import { admitted, type QueuedCall, settle } from "../core/settle.ts";
import type { IssuingDeps } from "../issue/settle-invoices.ts";
import type { DecidedOrder, OrderInstruction } from "./order-outcomes.ts";
import { orderSettler } from "./settle-orders.ts";

/** Orders decided in one turn of the queue: it bounds how long requests wait. */
export const CHUNK = 25;

/** The work of one run of the alarm: an order that stays due must not keep it busy. */
export interface ReleaseRun {
  readonly decided: Set<string>;
  /** Still due after their decision: the next run tries again. */
  readonly passedOver: Set<string>;
}

export function beginRun(): ReleaseRun {
  return { decided: new Set(), passedOver: new Set() };
}

const DONE: Released = { outcome: "released", isDone: true };

/**
 * Decides the oldest due orders in one turn of the queue, with the consent and cutoff of that moment. The
 * database keeps what is still due, so a crash forgets nothing.
 */
export async function releaseChunk(deps: IssuingDeps, run: ReleaseRun, chunk = CHUNK): Promise<Released> {
  const { cache } = deps;
  // A missing consent is read again: it may have been given to another instance.
  if (!cache.books?.settings.consented) await cache.load();
  const { settings, selling } = cache.usableState();
  if (!settings.consented || !settings.installation || isStopped(settings, deps.now())) return DONE;
  const { date: today } = localTime(deps.now(), settings.timeZone);
  const { cutoffDate } = selling;
  const found = await cache.findDueOrders({ cutoffDate, today, except: [...run.passedOver], limit: chunk });
  if (found.settingsVersion !== settings.version) {
    cache.forget();
    return { ...DONE, isDone: false };
  }
  const ids = found.orders.map(({ idExternal }) => idExternal);
  const fresh = ids.filter((id) => !run.decided.has(id));
  if (fresh.length > 0) await settle(fresh.map(redecide), orderSettler(deps, found), deps);
  for (const id of ids) (run.decided.has(id) ? run.passedOver : run.decided).add(id);
  return { ...DONE, isDone: ids.length < chunk };
}

function redecide(idExternal: string): QueuedCall<OrderInstruction, DecidedOrder> {
  return admitted({ kind: "again", idExternal, requestId: "release" });
}
