import type { RandomBytes } from "../domain/connection/ids.ts";
import { partTargetsOf } from "../domain/invoice/decide-cancellation.ts";
import type { Instant } from "../domain/shared/instant.ts";
import type { SoftwareConfig } from "../domain/verifactu/software.ts";
import { decideInTurn, type Outcome } from "../usecases/decide-group.ts";
import { citedBy, externalIdOf, type Instruction } from "../usecases/instruction.ts";
import type { Books, CommitResult, StoredInvoice } from "../usecases/ports.ts";
import { clockLag, closedBooks, openBooks, type WorkingBooks } from "../usecases/working-books.ts";
import type { BookKeeper } from "./book-keeper.ts";
import type { Course, SettlingDeps, Tries } from "./settle.ts";

export interface IssuingDeps extends SettlingDeps {
  readonly now: () => Instant;
  readonly random: RandomBytes;
  readonly software: SoftwareConfig;
  /** Number of the ledger, part of every id made in it. */
  readonly ledger: string;
}

const CLOCK_TOLERANCE_MS = 60_000;

/** What a group learns while it is decided again and again. */
interface Attempt extends Tries {
  readonly invoices: Map<string, StoredInvoice>;
  /** external_ids that were looked for: one that is not among the invoices does not exist. */
  readonly read: Set<string>;
  /** Invoice ids and annulment hashes that a lost batch may have made: once found, they are no replay. */
  readonly made: Set<string>;
}

/** Direct invoices: decide in turn, confirm what is refused, commit once. */
export function issuingCourse(deps: IssuingDeps): Course<Instruction, Outcome, Attempt> {
  return {
    begin: newAttempt,
    open: (group, attempt) => open(group, attempt, deps),
    attempt: (group, attempt) => attemptIn(group, attempt, deps),
  };
}

function newAttempt(): Attempt {
  return { invoices: new Map(), read: new Set(), made: new Set(), lost: 0, brokenLinks: 0 };
}

/** Cold books are loaded together with all that the group asks for, in one read. */
async function open(group: readonly Instruction[], attempt: Attempt, { keeper }: IssuingDeps): Promise<void> {
  if (!keeper.books) learn(attempt, everyIdOf(group), await keeper.load(everyIdOf(group)));
}

async function attemptIn(
  group: readonly Instruction[],
  attempt: Attempt,
  deps: IssuingDeps,
): Promise<readonly Outcome[] | undefined> {
  if (group.length === 0) return [];
  const books = deps.keeper.usableBooks();
  const isRead =
    (await look(neededIdsOf(group, deps.keeper), books, attempt, deps)) &&
    (await look(givenBackTo(group, attempt), books, attempt, deps));
  return isRead ? decideAndCommit(group, books, attempt, deps) : undefined;
}

async function decideAndCommit(
  group: readonly Instruction[],
  books: Books,
  attempt: Attempt,
  deps: IssuingDeps,
): Promise<readonly Outcome[] | undefined> {
  const { random, software, ledger } = deps;
  const now = deps.now();
  const working = openBooks(books, attempt.invoices, now);
  const outcomes = decideInTurn(group, working, { random, software, ledger, made: attempt.made });
  const refused = group.filter((_, index) => outcomes[index]?.outcome === "refused");
  const known = attempt.invoices.size;
  const isConfirmed = await look(refused.map(externalIdOf), books, attempt, deps);
  if (!isConfirmed || attempt.invoices.size > known) return undefined;
  if (working.newRecords.length === 0) return outcomes;
  const lag = clockLag(books, now);
  if (lag > CLOCK_TOLERANCE_MS) deps.alarm("clock_behind_chain", { lag_ms: String(lag) });
  return (await commit(group, working, books, attempt, deps)) ? outcomes : undefined;
}

async function commit(
  group: readonly Instruction[],
  working: WorkingBooks,
  books: Books,
  attempt: Attempt,
  deps: IssuingDeps,
): Promise<boolean> {
  const { keeper } = deps;
  const seq = books.seq + 1;
  const { settings, newSeries, newInvoices, newRecords } = working;
  const batch = { seq, settings, newSeries, invoices: newInvoices, records: newRecords };
  const everyId = everyIdOf(group);
  const settled = await keeper.commit(batch, closedBooks(books, working, seq), everyId);
  if (settled.result === "committed") return true;
  unlearn(attempt);
  if (settled.result === "lost") learnLost(everyId, settled.invoices, attempt);
  else await learnRefused(settled.result, group, books, attempt, deps);
  return false;
}

/** The batch that got no answer is in what was read after it, or never will be. */
function learnLost(
  externalIds: readonly string[],
  invoices: readonly StoredInvoice[],
  attempt: Attempt,
): void {
  learn(attempt, externalIds, invoices);
  if (invoices.some((invoice) => isMade(invoice, attempt))) return;
  attempt.made.clear();
  attempt.lost += 1;
}

async function learnRefused(
  result: Exclude<CommitResult, "committed">,
  group: readonly Instruction[],
  books: Books,
  attempt: Attempt,
  deps: IssuingDeps,
): Promise<void> {
  // Nothing of this batch exists: whatever looks like it, another instance made.
  attempt.made.clear();
  attempt.brokenLinks = result === "link" ? attempt.brokenLinks + 1 : 0;
  if (result !== "exists") return;
  await look(everyIdOf(group), books, attempt, deps);
  // Nothing that was asked for exists, so something else in memory is behind.
  if (!group.some((instruction) => isDone(instruction, attempt))) deps.keeper.forget();
}

/** Reads what was not read yet; false when the settings changed meanwhile, which forgets the books. */
async function look(
  externalIds: readonly string[],
  books: Books,
  attempt: Attempt,
  { keeper }: IssuingDeps,
): Promise<boolean> {
  const unread = externalIds.filter((externalId) => !attempt.read.has(externalId));
  if (unread.length === 0) return true;
  const found = await keeper.find(unread);
  learn(attempt, unread, found.invoices);
  if (found.settingsVersion === books.settings.version) return true;
  keeper.forget();
  unlearn(attempt);
  return false;
}

function learn(attempt: Attempt, externalIds: readonly string[], invoices: readonly StoredInvoice[]): void {
  for (const externalId of externalIds) attempt.read.add(externalId);
  for (const invoice of invoices) attempt.invoices.set(invoice.view.externalId, invoice);
}

function unlearn(attempt: Attempt): void {
  attempt.read.clear();
  attempt.invoices.clear();
}

/** Whether the batch that got no answer is the one that made this. */
function isMade({ view }: StoredInvoice, { made }: Attempt): boolean {
  return made.has(view.invoiceId) || made.has(view.cancellation?.record.hash ?? "");
}

function isDone(instruction: Instruction, { invoices }: Attempt): boolean {
  const stored = invoices.get(externalIdOf(instruction));
  return instruction.kind === "cancel" ? stored?.view.cancellation !== undefined : stored !== undefined;
}

function everyIdOf(group: readonly Instruction[]): string[] {
  return [...new Set(group.flatMap((instruction) => [externalIdOf(instruction), ...citedBy(instruction)]))];
}

/** Invoices that a cancelled part gives back to; only reading the part tells which. */
function givenBackTo(group: readonly Instruction[], { invoices }: Attempt): string[] {
  return group.flatMap((instruction) => {
    const part = instruction.kind === "cancel" ? invoices.get(instruction.externalId) : undefined;
    return part ? partTargetsOf(part.rectifiable) : [];
  });
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
