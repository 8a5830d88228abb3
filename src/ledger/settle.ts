import type { RandomBytes } from "../domain/connection/ids.ts";
import type { Instant } from "../domain/shared/instant.ts";
import { invariant } from "../domain/shared/result.ts";
import type { SoftwareConfig } from "../domain/verifactu/software.ts";
import { decideInTurn, type Outcome } from "../usecases/decide-group.ts";
import { citedBy, externalIdOf, type Instruction } from "../usecases/instruction.ts";
import type { Books, StoredInvoice } from "../usecases/ports.ts";
import { clockLag, closedBooks, openBooks, type WorkingBooks } from "../usecases/working-books.ts";
import { type BookKeeper, Unavailable } from "./book-keeper.ts";

export interface SettleDeps {
  readonly keeper: BookKeeper;
  readonly now: () => Instant;
  readonly random: RandomBytes;
  readonly software: SoftwareConfig;
  /** Number of the ledger, part of every id made in it. */
  readonly ledger: string;
  /** Waits a random while, so that two instances do not meet again at once. */
  readonly jitter: () => Promise<void>;
  /** Rings for an operator; facts are never a person's data. */
  readonly alarm: (what: string, facts: Readonly<Record<string, string>>) => void;
}

const ATTEMPTS = 5;
const CLOCK_TOLERANCE_MS = 60_000;

/** What a group learns while it is decided again and again. */
interface Attempt {
  readonly invoices: Map<string, StoredInvoice>;
  /** external_ids that were looked for: one that is not among the invoices does not exist. */
  readonly read: Set<string>;
  readonly made: Set<string>;
  /** Batches of this group whose outcome was unknown and then closed as "not committed". */
  lost: number;
  brokenLinks: number;
}

/**
 * Settles a group: decide in turn, confirm what is refused, commit once. Whatever changed meanwhile is read and
 * decided again, and no answer is given before the group's batch is known to be in the books.
 */
export async function settle(
  group: readonly Instruction[],
  opening: readonly StoredInvoice[] | undefined,
  deps: SettleDeps,
): Promise<readonly Outcome[]> {
  const attempt: Attempt = { invoices: new Map(), read: new Set(), made: new Set(), lost: 0, brokenLinks: 0 };
  if (opening) learn(attempt, everyIdOf(group), opening);
  for (let tries = 0; tries < ATTEMPTS; tries++) {
    if (tries > 0) await deps.jitter();
    const books = await obtain(group, attempt, deps);
    if (!books) continue;
    if (books.frozen) throw new Unavailable("account_frozen");
    const outcomes = await decideAndCommit(group, books, attempt, deps);
    if (outcomes) return outcomes;
    if (attempt.lost >= 2)
      return group.length > 1 ? singly(group, deps) : fail(group, "poisonous_batch", deps);
    if (attempt.brokenLinks >= 2) return fail(group, "broken_link", deps);
  }
  throw new Unavailable("contended");
}

/** Books to decide on: cold ones are loaded together with all that the group asks for, in one read. */
async function obtain(
  group: readonly Instruction[],
  attempt: Attempt,
  deps: SettleDeps,
): Promise<Books | undefined> {
  const { keeper } = deps;
  if (!keeper.books) learn(attempt, everyIdOf(group), await keeper.load(everyIdOf(group)));
  const { books } = keeper;
  if (!books) throw new Unavailable("unknown_connection");
  const needed = neededIdsOf(group, keeper).filter((externalId) => !attempt.read.has(externalId));
  if (needed.length === 0) return books;
  const current = await look(needed, books, attempt, deps);
  return current ? books : undefined;
}

/** Undefined when something else came first: the group is decided again. */
async function decideAndCommit(
  group: readonly Instruction[],
  books: Books,
  attempt: Attempt,
  deps: SettleDeps,
): Promise<readonly Outcome[] | undefined> {
  const now = deps.now();
  const working = openBooks(books, attempt.invoices, now);
  const { random, software, ledger } = deps;
  const outcomes = decideInTurn(group, working, { random, software, ledger, made: attempt.made });
  const unconfirmed = group
    .filter((_, index) => outcomes[index]?.outcome === "refused")
    .map(externalIdOf)
    .filter((externalId) => !attempt.read.has(externalId));
  if (unconfirmed.length > 0) {
    const before = attempt.invoices.size;
    const current = await look(unconfirmed, books, attempt, deps);
    if (!current || attempt.invoices.size > before) return undefined;
  }
  if (working.newRecords.length === 0) return outcomes;
  if (clockLag(books, now) > CLOCK_TOLERANCE_MS)
    deps.alarm("clock_behind_chain", { lag_ms: String(clockLag(books, now)) });
  return (await commit(group, working, books, attempt, deps)) ? outcomes : undefined;
}

async function commit(
  group: readonly Instruction[],
  working: WorkingBooks,
  books: Books,
  attempt: Attempt,
  deps: SettleDeps,
): Promise<boolean> {
  const seq = books.seq + 1;
  const { settings, newSeries, newInvoices, newRecords } = working;
  const batch = { seq, settings, newSeries, invoices: newInvoices, records: newRecords };
  const everyId = everyIdOf(group);
  const settled = await deps.keeper.commit(batch, closedBooks(books, working, seq), everyId);
  if (settled.result === "committed") return true;
  attempt.read.clear();
  attempt.invoices.clear();
  switch (settled.result) {
    case "lost":
      learn(attempt, everyId, settled.invoices);
      if (!settled.invoices.some((invoice) => isMade(invoice, attempt))) attempt.lost += 1;
      break;
    case "exists": {
      const current = await look(everyId, books, attempt, deps);
      // Nothing of ours exists, so something else in memory is behind.
      if (current && attempt.invoices.size === 0) deps.keeper.forget();
      break;
    }
    case "link":
      attempt.brokenLinks += 1;
      break;
    default:
      attempt.brokenLinks = 0;
  }
  return false;
}

/** Reads invoices; false when the settings changed meanwhile, which forgets the books. */
async function look(
  externalIds: readonly string[],
  books: Books,
  attempt: Attempt,
  deps: SettleDeps,
): Promise<boolean> {
  let found: Awaited<ReturnType<BookKeeper["find"]>>;
  try {
    found = await deps.keeper.find(externalIds);
  } catch {
    throw new Unavailable("d1");
  }
  learn(attempt, externalIds, found.invoices);
  if (found.settingsVersion === books.settings.version) return true;
  deps.keeper.forget();
  attempt.read.clear();
  attempt.invoices.clear();
  return false;
}

function learn(attempt: Attempt, externalIds: readonly string[], invoices: readonly StoredInvoice[]): void {
  for (const externalId of externalIds) attempt.read.add(externalId);
  for (const invoice of invoices) attempt.invoices.set(invoice.view.externalId, invoice);
}

/** Whether the batch that got no answer is the one that made this. */
function isMade({ view }: StoredInvoice, attempt: Attempt): boolean {
  return attempt.made.has(view.alta.record.hash) || attempt.made.has(view.cancellation?.record.hash ?? "");
}

/** The poisonous one of a group is found by sending each alone; its neighbours get their answers. */
async function singly(group: readonly Instruction[], deps: SettleDeps): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const instruction of group) outcomes.push(...(await settle([instruction], undefined, deps)));
  return outcomes;
}

function fail(group: readonly Instruction[], cause: string, deps: SettleDeps): readonly Outcome[] {
  invariant(cause !== "", "a failure has a cause");
  deps.alarm(cause, { group: String(group.length) });
  return group.map(() => ({ outcome: "failed", cause }));
}

function everyIdOf(group: readonly Instruction[]): string[] {
  return [...new Set(group.flatMap((instruction) => [externalIdOf(instruction), ...citedBy(instruction)]))];
}

/** What memory has not: cited invoices, and external_ids that are known to exist already. */
function neededIdsOf(group: readonly Instruction[], keeper: BookKeeper): string[] {
  const needed = group.flatMap((instruction) => {
    const own = externalIdOf(instruction);
    const cited = citedBy(instruction);
    return cited.length > 0 || keeper.remembers(own) ? [own, ...cited] : [];
  });
  return [...new Set(needed)];
}
