import type { Books } from "../../db/ledger-state.ts";
import type { OrdersFound, OrdersRead, OrdersWanted } from "../../db/order-state.ts";
import type { TimeZone } from "../../domain/shared/instant.ts";
import { isSameValue } from "../../domain/shared/same-value.ts";
import type { Course, Tries } from "../core/settle.ts";
import { batchOf, closedBooks, openBooks, type WorkingBooks } from "../core/working-books.ts";
import type { DecisionDeps } from "../issue/number-invoice.ts";
import { type IssuingDeps, watchClock } from "../issue/settle-invoices.ts";
import { decideInstruction } from "./decide-orders.ts";
import { type OrderInstruction, wantedBy } from "./order-instruction.ts";
import type { InstructionOutcome } from "./order-outcomes.ts";

/** What a group of orders learns while it is decided again and again. */
interface OrderAttempt extends Tries {
  read: OrdersRead | undefined;
  /** Invoice ids and annulment hashes of this group. */
  readonly made: Set<string>;
  /** Orders that this group has created: found after a lost batch, they are new all the same. */
  readonly created: Set<string>;
}

/**
 * Orders: everything about them is read in one trip, which also proves that the settings in memory are those
 * of today, and what they come to is committed in another. An order that nothing changes writes nothing.
 */
export function orderCourse(
  deps: IssuingDeps,
  read?: OrdersFound,
): Course<OrderInstruction, InstructionOutcome, OrderAttempt> {
  return {
    begin: () => ({ read, made: new Set(), created: new Set(), lost: 0, brokenLinks: 0 }),
    open: (group, attempt) => open(group, attempt, deps),
    attempt: (group, attempt) => attemptIn(group, attempt, deps),
  };
}

async function open(
  group: readonly OrderInstruction[],
  attempt: OrderAttempt,
  { keeper }: IssuingDeps,
): Promise<void> {
  if (keeper.books) return;
  attempt.read = await keeper.load({ origins: [], orders: wantedIn(group) });
}

/** Of a connection that is not loaded yet the issuer's zone is not known. */
const ZONES: readonly TimeZone[] = ["Europe/Madrid", "Atlantic/Canary"];

function wantedIn(group: readonly OrderInstruction[], books?: Books): OrdersWanted {
  return wantedBy(group, books ? [books.settings.timeZone] : ZONES);
}

async function attemptIn(
  group: readonly OrderInstruction[],
  attempt: OrderAttempt,
  deps: IssuingDeps,
): Promise<readonly InstructionOutcome[] | undefined> {
  if (group.length === 0) return [];
  const { keeper } = deps;
  const books = keeper.usableBooks();
  if (!attempt.read) {
    const found = await keeper.findOrders(wantedIn(group, books));
    if (found.settingsVersion !== books.settings.version) {
      keeper.forget();
      return undefined;
    }
    attempt.read = found;
  }
  return decideAndCommit(group, books, attempt, deps);
}

async function decideAndCommit(
  group: readonly OrderInstruction[],
  books: Books,
  attempt: OrderAttempt,
  deps: IssuingDeps,
): Promise<readonly InstructionOutcome[] | undefined> {
  const now = deps.now();
  let working = openBooks(books, knownFrom(attempt.read), now);
  const outcomes: InstructionOutcome[] = [];
  for (const instruction of group) {
    const decided = decideOne(instruction, working, { ...deps, made: attempt.made });
    outcomes.push(decided.outcome);
    working = decided.working;
  }
  const told = outcomes.map((outcome) => withCreated(outcome, attempt));
  if (working.writes.size === 0 && working.audits.length === 0) return told;
  watchClock(books, now, deps);
  for (const outcome of outcomes) noteCreated(outcome, working, attempt);
  return (await commit(group, working, books, attempt, deps)) ? told : undefined;
}

/** A fault of ours in one decision is that order's alone. */
function decideOne(
  instruction: OrderInstruction,
  working: WorkingBooks,
  deps: DecisionDeps & Pick<IssuingDeps, "alarm">,
): ReturnType<typeof decideInstruction> {
  try {
    return decideInstruction(instruction, working, deps);
  } catch (error) {
    const cause = error instanceof Error ? error.name : "unknown";
    deps.alarm("order_broken", { error: cause });
    return { outcome: { outcome: "failed", cause }, working };
  }
}

async function commit(
  group: readonly OrderInstruction[],
  working: WorkingBooks,
  books: Books,
  attempt: OrderAttempt,
  { keeper }: IssuingDeps,
): Promise<boolean> {
  const seq = books.seq + 1;
  const wanted = { origins: [], orders: wantedIn(group, books) };
  const settled = await keeper.commit(batchOf(working, seq), closedBooks(books, working, seq), wanted);
  if (settled.result === "committed") {
    // They raise the version of the settings, which memory does not know.
    if (working.keptRates.length > 0) keeper.forget();
    return true;
  }
  attempt.read = settled.result === "lost" ? settled.found : undefined;
  if (settled.result === "lost" && hasLanded(working, settled.found)) return false;
  // Nothing of this batch exists: whatever looks like it, another instance made.
  attempt.made.clear();
  attempt.created.clear();
  if (settled.result === "lost") attempt.lost += 1;
  attempt.brokenLinks = settled.result === "link" ? attempt.brokenLinks + 1 : 0;
  // Something in memory is behind what the database has.
  if (settled.result === "exists") keeper.forget();
  return false;
}

/** A batch is in the books whole or not at all. Equal rows may be another instance's; invoices are not. */
function hasLanded({ writes, newInvoices }: WorkingBooks, { orders, invoices }: OrdersRead): boolean {
  const stored = new Map(orders.map((order) => [order.idExternal, order]));
  const known = new Set(invoices.map(({ view }) => view.invoiceId));
  if (!newInvoices.every(({ view }) => known.has(view.invoiceId))) return false;
  return [...writes.values()].every(({ order }) => {
    const found = stored.get(order.idExternal);
    return found !== undefined && isSameValue(found, order);
  });
}

function knownFrom(read: OrdersRead | undefined) {
  const { invoices = [], orders = [], erased = [], rates = [], statuses = {} } = read ?? {};
  return {
    invoices: new Map(invoices.map((invoice) => [invoice.view.origin, invoice])),
    spent: new Map(),
    numbered: new Map(),
    orders: new Map(orders.map((order) => [order.idExternal, order])),
    erased: new Map(erased.map((order) => [order.idExternal, order])),
    rates,
    statuses,
  };
}

/** A preview creates nothing. */
function noteCreated(outcome: InstructionOutcome, { writes }: WorkingBooks, { created }: OrderAttempt): void {
  if (outcome.outcome !== "taken" || !outcome.created) return;
  const { idExternal } = outcome.order;
  if (writes.has(idExternal)) created.add(idExternal);
}

/** Only the first of a group has created an order, also when its batch had to be looked for. */
function withCreated(outcome: InstructionOutcome, { created }: OrderAttempt): InstructionOutcome {
  if (outcome.outcome !== "taken" || outcome.created) return outcome;
  const isOurs = created.delete(outcome.order.idExternal);
  return isOurs ? { ...outcome, created: true } : outcome;
}
