import type { DueOrders, LedgerState, OrdersFound, OrdersQuery, OrdersRead } from "../../db/ledger-state.ts";
import { isStopped } from "../../domain/invoice/settings.ts";
import { isSameValue } from "../../domain/shared/hash.ts";
import { type Instant, localTime, type TimeZone } from "../../domain/shared/instant.ts";
import { namedFault } from "../../platform/log.ts";
import type { Released } from "../../work/due-work.ts";
import { batchOf, closeDraft, type LedgerDraft, openDraft } from "../core/ledger-draft.ts";
import { admitted, type QueuedCall, type Settler, settle, type Tries } from "../core/settle.ts";
import type { DecisionDeps } from "../issue/draft-records.ts";
import { type IssuingDeps, watchClock } from "../issue/settle-invoices.ts";
import { isSameOrder } from "./decide-order.ts";
import { decideInstruction } from "./decide-orders.ts";
import { type DecidedOrder, lookupOf, type OrderInstruction } from "./order-outcomes.ts";

/** The findings of a group of orders over its tries. */
interface OrderAttempt extends Tries {
  read: OrdersRead | undefined;
  /** Invoice ids and annulment hashes of this group. */
  readonly createdInGroup: Set<string>;
  /** Orders that this group has created: found after a lost batch, they still count as new. */
  readonly created: Set<string>;
  /** What is read was read behind a fence of this call. */
  isClosed: boolean;
}

/**
 * Orders: one trip reads everything about them and proves that the settings in memory are current. Another
 * trip commits the results. An unchanged order writes nothing; an owner's answer to it sends the fence alone.
 */
export function orderSettler(
  deps: IssuingDeps,
  read?: OrdersFound,
): Settler<OrderInstruction, DecidedOrder, OrderAttempt> {
  return {
    begin: () => ({
      ...{ read, createdInGroup: new Set(), created: new Set() },
      ...{ isClosed: false, lost: 0, brokenLinks: 0 },
    }),
    open: (group, attempt) => open(group, attempt, deps),
    attempt: (group, attempt) => attemptIn(group, attempt, deps),
  };
}

async function open(
  group: readonly OrderInstruction[],
  attempt: OrderAttempt,
  { cache }: IssuingDeps,
): Promise<void> {
  if (cache.books) return;
  attempt.read = await cache.load({ origins: [], orders: lookupIn(group) });
}

/** Before a connection is loaded the issuer's zone is not known. */
const ZONES: readonly TimeZone[] = ["Europe/Madrid", "Atlantic/Canary"];

function lookupIn(group: readonly OrderInstruction[], books?: LedgerState): OrdersQuery {
  return lookupOf(group, books ? [books.settings.timeZone] : ZONES);
}

async function attemptIn(
  group: readonly OrderInstruction[],
  attempt: OrderAttempt,
  deps: IssuingDeps,
): Promise<readonly DecidedOrder[] | undefined> {
  if (group.length === 0) return [];
  const { cache } = deps;
  const books = cache.usableState();
  if (!attempt.read) {
    const found = aheadOf(group, deps) ?? (await cache.findOrders(lookupIn(group, books)));
    if (found.settingsVersion !== books.settings.version) {
      cache.forget();
      return undefined;
    }
    attempt.read = found;
  }
  return decideAndCommit(group, books, attempt, deps);
}

/** What was read for an order alone, if this object has changed no order since. */
function aheadOf([first, ...others]: readonly OrderInstruction[], { cache }: IssuingDeps) {
  if (first?.kind !== "submit" || others.length > 0) return undefined;
  return first.ahead?.orderChanges === cache.orderChanges ? first.ahead.found : undefined;
}

/**
 * Reads what the order needs while other calls are served. Its turn reads again if this object has changed an
 * order since; another instance's change breaks the fence of the batch. A cold memory needs the queue.
 */
export async function withReadAhead(
  instruction: OrderInstruction,
  { cache }: IssuingDeps,
): Promise<OrderInstruction> {
  const { books, orderChanges } = cache;
  if (!books || instruction.kind !== "submit") return instruction;
  const found = await cache.findOrders(lookupIn([instruction], books), { trips: 0 });
  return { ...instruction, ahead: { found, orderChanges } };
}

async function decideAndCommit(
  group: readonly OrderInstruction[],
  books: LedgerState,
  attempt: OrderAttempt,
  deps: IssuingDeps,
): Promise<readonly DecidedOrder[] | undefined> {
  const now = deps.now();
  let working = openDraft(books, knownFrom(attempt.read), now);
  const decided: DecidedOrder[] = [];
  for (const instruction of group) {
    const { working: next, ...one } = decideOne(instruction, working, {
      ...deps,
      createdInGroup: attempt.createdInGroup,
    });
    decided.push(one);
    working = next;
  }
  const replies = decided.map((one) => withCreated(one, attempt));
  const { writes, audits, shopWrites, questionOutcomes } = working;
  const others = audits.length + shopWrites.length + questionOutcomes.length;
  const isUnchanged = writes.size === 0 && others === 0;
  // What is on its way from an ended instance must not undo these answers: the fence keeps it out.
  const isFenceNeeded =
    (!attempt.isClosed && decided.some(isOwnersAnswer)) ||
    (!deps.cache.hasPassedFence && decided.some(saysUnknown));
  if (isUnchanged && !isFenceNeeded) return replies;
  watchClock(books, now, deps);
  for (const { outcome } of decided) noteCreated(outcome, working, attempt);
  return (await commit(group, working, books, attempt, deps)) ? replies : undefined;
}

function isOwnersAnswer({ kind, outcome }: DecidedOrder): boolean {
  if (kind === "rectify") return outcome.outcome === "replayed";
  return (kind === "answer" || kind === "together") && outcome.outcome === "taken";
}

/** As for direct invoices: the order that is said not to exist may still be on its way, too. */
function saysUnknown({ outcome }: DecidedOrder): boolean {
  return outcome.outcome === "refused" && outcome.refusal.code === "order_not_found";
}

/** A fault of ours in one decision affects only that order. */
function decideOne(
  instruction: OrderInstruction,
  working: LedgerDraft,
  deps: DecisionDeps & Pick<IssuingDeps, "alertOperator">,
): ReturnType<typeof decideInstruction> {
  try {
    return decideInstruction(instruction, working, deps);
  } catch (error) {
    const fault = namedFault(error);
    deps.alertOperator("order_broken", fault);
    return { kind: instruction.kind, outcome: { outcome: "failed", cause: fault.error }, working };
  }
}

async function commit(
  group: readonly OrderInstruction[],
  working: LedgerDraft,
  books: LedgerState,
  attempt: OrderAttempt,
  { cache }: IssuingDeps,
): Promise<boolean> {
  const seq = books.seq + 1;
  const lookup = { origins: [], orders: lookupIn(group, books) };
  const settled = await cache.commit(batchOf(working, seq), closeDraft(books, working, seq), lookup);
  if (settled.result === "committed") {
    // Kept rates raise the version of the settings, which memory does not know.
    if (working.keptRates.length > 0) cache.forget();
    return true;
  }
  attempt.read = settled.result === "lost" ? settled.found : undefined;
  attempt.isClosed = settled.result === "lost";
  if (settled.result === "lost" && hasLanded(working, settled.found)) return false;
  // Nothing of this batch exists: a similar row was made by another instance.
  attempt.createdInGroup.clear();
  attempt.created.clear();
  if (settled.result === "lost") attempt.lost += 1;
  attempt.brokenLinks = settled.result === "link" ? attempt.brokenLinks + 1 : 0;
  // Some data in memory is older than the database.
  if (settled.result === "exists") cache.forget();
  return false;
}

/** A batch is committed whole or not at all. Equal rows may come from another instance; invoices cannot. */
function hasLanded({ writes, newInvoices }: LedgerDraft, { orders, invoices }: OrdersRead): boolean {
  const stored = new Map(orders.map((order) => [order.idExternal, order]));
  const known = new Set(invoices.map(({ view }) => view.invoiceId));
  if (!newInvoices.every(({ view }) => known.has(view.invoiceId))) return false;
  return [...writes.values()].every(({ order }) => {
    const found = stored.get(order.idExternal);
    return found !== undefined && isSameOrder(found, order);
  });
}

function knownFrom(read: OrdersRead | undefined) {
  const { invoices = [], orders = [], erased = [], rates = [], statuses = {} } = read ?? {};
  return {
    invoices: new Map(invoices.map((invoice) => [invoice.view.origin, invoice])),
    retiredOrigins: new Map(),
    numbered: new Map(),
    orders: new Map(orders.map((order) => [order.idExternal, order])),
    erased: new Map(erased.map((order) => [order.idExternal, order])),
    rates,
    statuses,
  };
}

/** A preview creates nothing. */
function noteCreated(
  outcome: DecidedOrder["outcome"],
  { writes }: LedgerDraft,
  { created }: OrderAttempt,
): void {
  if (outcome.outcome !== "taken" || !outcome.created) return;
  const { idExternal } = outcome.order;
  if (writes.has(idExternal)) created.add(idExternal);
}

/** Only the first of a group has created an order, also if its batch was found after it got lost. */
function withCreated(decided: DecidedOrder, { created }: OrderAttempt): DecidedOrder {
  if (decided.kind === "preview" || decided.kind === "rectify") return decided;
  const { outcome } = decided;
  if (outcome.outcome !== "taken" || outcome.created) return decided;
  const isOurs = created.delete(outcome.order.idExternal);
  return isOurs ? { ...decided, outcome: { ...outcome, created: true } } : decided;
}

/** Orders decided in one turn of the queue: it bounds how long requests wait. */
export const CHUNK = 25;

/** The work of one run of the alarm: an order that stays due must not keep it busy. */
interface ReleaseRun {
  readonly decided: Set<string>;
  /** Still due after their decision: the next run tries again. */
  readonly passedOver: Set<string>;
}

export function beginRun(): ReleaseRun {
  return { decided: new Set(), passedOver: new Set() };
}

const DONE: Released = { outcome: "released", isDone: true };

/** Due orders that were read without a turn of the queue. */
interface ReadAhead {
  readonly found: OrdersFound;
  readonly due: DueOrders;
  readonly orderChanges: number;
}

/**
 * Reads the next chunk while other calls are served, so that they wait for its batch only. Undefined if the
 * consent must be read first, which needs the queue.
 */
export async function readAhead(
  { cache, now }: IssuingDeps,
  run: ReleaseRun,
  chunk = CHUNK,
): Promise<ReadAhead | undefined> {
  const { books, orderChanges } = cache;
  if (!books?.settings.consented) return undefined;
  const due = nextDue(books, run, chunk, now());
  return { found: await cache.findDueOrders(due, { trips: 0 }), due, orderChanges };
}

function nextDue(
  { settings, selling }: LedgerState,
  { passedOver }: ReleaseRun,
  limit: number,
  now: Instant,
): DueOrders {
  const { date: today } = localTime(now, settings.timeZone);
  return { cutoffDate: selling.cutoffDate, today, except: [...passedOver], limit };
}

/**
 * Decides the oldest due orders in one turn of the queue, with the consent and cutoff of that moment. The
 * database keeps what is still due, so a crash forgets nothing.
 */
export async function releaseChunk(
  deps: IssuingDeps,
  run: ReleaseRun,
  ahead?: ReadAhead,
  chunk = CHUNK,
): Promise<Released> {
  const { cache } = deps;
  // A missing consent is read again: it may have been given to another instance.
  if (!cache.books?.settings.consented) await cache.load();
  const books = cache.usableState();
  const { settings } = books;
  if (!settings.consented || !settings.installation || isStopped(settings, deps.now())) return DONE;
  const due = nextDue(books, run, chunk, deps.now());
  const isCurrent = ahead?.orderChanges === cache.orderChanges && isSameValue(ahead.due, due);
  const found = isCurrent ? ahead.found : await cache.findDueOrders(due);
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
