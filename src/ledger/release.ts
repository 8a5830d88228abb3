import { localTime } from "../domain/shared/instant.ts";
import type { OrderInstruction } from "../usecases/order-instruction.ts";
import type { AnswerOutcome } from "../usecases/order-outcomes.ts";
import type { Call } from "./call.ts";
import { settle } from "./settle.ts";
import type { IssuingDeps } from "./settle-invoices.ts";
import { orderCourse } from "./settle-orders.ts";

/** How many orders are decided in one turn of the queue: requests wait no longer than that takes. */
export const CHUNK = 25;

export interface Released {
  readonly outcome: "released";
  readonly count: number;
  /** Nothing is left that could be decided now. */
  readonly isDone: boolean;
}

const DONE: Released = { outcome: "released", count: 0, isDone: true };

/**
 * Decides the oldest orders that are due, in one turn of the queue: consent and cutoff are those of that
 * moment. What is left is what the database still has due, so that a crash forgets nothing.
 */
export async function releaseChunk(deps: IssuingDeps, chunk = CHUNK): Promise<Released> {
  const { keeper } = deps;
  if (!keeper.books) await keeper.load();
  const books = keeper.usableBooks();
  if (!books.settings.consented) return DONE;
  const { date: today } = localTime(deps.now(), books.settings.timeZone);
  const found = await keeper.findDueOrders({ cutoffDate: books.selling.cutoffDate, today, limit: chunk });
  if (found.settingsVersion !== books.settings.version) {
    keeper.forget();
    return { ...DONE, isDone: false };
  }
  if (found.orders.length === 0) return DONE;
  const calls = found.orders.map(({ idExternal }) => again(idExternal));
  const outcomes = await settle(calls, orderCourse(deps, found), deps);
  const count = outcomes.filter(({ outcome }) => outcome === "taken").length;
  // One that cannot be decided stays due, and must not keep the object busy.
  return { outcome: "released", count, isDone: count === 0 || found.orders.length < chunk };
}

function again(idExternal: string): Call<OrderInstruction, AnswerOutcome> {
  return { item: { kind: "again", idExternal, requestId: "release" }, refusedBy: () => undefined };
}
