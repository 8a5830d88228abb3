import type {
  CommitResult,
  InvoiceLookup,
  InvoicesFound,
  LedgerState,
  NumberedInvoice,
  StoredInvoice,
} from "../../db/ledger-state.ts";
import type { RandomBytes } from "../../domain/connection/ids.ts";
import { directOrigin } from "../../domain/invoice/origin.ts";
import { givenBackTo } from "../../domain/invoice/recorded-invoice.ts";
import { differencesOf } from "../../domain/invoice/rectifiable.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { SoftwareConfig } from "../../domain/verifactu/software.ts";
import { type LedgerCache, onlyInvoices } from "../core/ledger-cache.ts";
import { batchOf, clockLag, closeDraft, knowing, type LedgerDraft, openDraft } from "../core/ledger-draft.ts";
import type { Settler, SettlingDeps, Tries } from "../core/settle.ts";
import { type DecidedInstruction, decideInOrder } from "./decide-group.ts";
import { citedBy, type Instruction, isDone, ownAmong, ownOf } from "./instruction.ts";

export interface IssuingDeps extends SettlingDeps {
  readonly now: () => Instant;
  readonly random: RandomBytes;
  readonly software: SoftwareConfig;
  /** Number of the ledger, part of every id made in it. */
  readonly ledger: string;
}

const CLOCK_TOLERANCE_MS = 60_000;

/** The findings of a group over its tries. */
interface Attempt extends Tries {
  readonly invoices: Map<string, StoredInvoice>;
  /** Years of retired invoices, by origin. */
  readonly retiredOrigins: Map<string, number>;
  /** By full number: invoices of the account. */
  readonly numbered: Map<string, NumberedInvoice>;
  /** Origins and ids that were looked up: if not among the invoices, they do not exist. */
  readonly read: Set<string>;
  /** Invoice ids and annulment hashes that a lost batch may have made: once found, they are not replays. */
  readonly createdInGroup: Set<string>;
}

/** Direct invoices: decide in order, confirm refusals, commit once. */
export function invoiceSettler(deps: IssuingDeps): Settler<Instruction, DecidedInstruction, Attempt> {
  return {
    begin: newAttempt,
    open: (group, attempt) => open(group, attempt, deps),
    attempt: (group, attempt) => attemptIn(group, attempt, deps),
  };
}

function newAttempt(): Attempt {
  const known = {
    invoices: new Map(),
    retiredOrigins: new Map(),
    numbered: new Map(),
    read: new Set<string>(),
  };
  return { ...known, createdInGroup: new Set(), lost: 0, brokenLinks: 0 };
}

/** Cold books are loaded in one read, together with everything that the group needs. */
async function open(group: readonly Instruction[], attempt: Attempt, { cache }: IssuingDeps): Promise<void> {
  if (cache.books) return;
  const lookup = everythingOf(group);
  // A cancellation may be told that there is no invoice: the fence then costs no trip of its own.
  const isLastWord = group.some(({ kind }) => kind === "cancel");
  rememberFound(attempt, lookup, await cache.load(onlyInvoices(lookup), { isLastWord }));
}

async function attemptIn(
  group: readonly Instruction[],
  attempt: Attempt,
  deps: IssuingDeps,
): Promise<readonly DecidedInstruction[] | undefined> {
  if (group.length === 0) return [];
  const books = deps.cache.usableState();
  const isRead =
    (await readMissing(neededBy(group, deps.cache), books, attempt, deps)) &&
    (await readMissing(givenBackIn(group, attempt), books, attempt, deps)) &&
    (await readMissing(actingIn(group, attempt), books, attempt, deps));
  return isRead ? decideAndCommit(group, books, attempt, deps) : undefined;
}

async function decideAndCommit(
  group: readonly Instruction[],
  books: LedgerState,
  attempt: Attempt,
  deps: IssuingDeps,
): Promise<readonly DecidedInstruction[] | undefined> {
  const { random, software, ledger } = deps;
  const now = deps.now();
  const working = openDraft(books, knowing(attempt.invoices, attempt.retiredOrigins, attempt.numbered), now);
  const outcomes = decideInOrder(group, working, {
    random,
    software,
    ledger,
    createdInGroup: attempt.createdInGroup,
  });
  const refused = group.filter((_, index) => outcomes[index]?.outcome.outcome === "refused");
  const known = attempt.invoices.size + attempt.retiredOrigins.size;
  const isConfirmed = await readMissing(together(refused.map(ownOf)), books, attempt, deps);
  if (!isConfirmed || attempt.invoices.size + attempt.retiredOrigins.size > known) return undefined;
  const isFenceNeeded = !deps.cache.hasPassedFence && outcomes.some(saysUnknown);
  if (working.newRecords.length === 0 && !isFenceNeeded) return outcomes;
  watchClock(books, now, deps);
  return (await commit(group, working, books, attempt, deps)) ? outcomes : undefined;
}

/**
 * An instance that ended may have left this invoice on its way to the database. It must not come after the
 * answer that it does not exist, so the fence alone is sent.
 */
function saysUnknown({ outcome }: DecidedInstruction): boolean {
  return outcome.outcome === "refused" && outcome.refusal.code === "invoice_not_found";
}

/** If the clock lags the chain by more than a moment, an operator is alerted. */
export function watchClock(
  books: LedgerState,
  now: Instant,
  { alertOperator }: Pick<IssuingDeps, "alertOperator">,
): void {
  const lag = clockLag(books, now);
  if (lag > CLOCK_TOLERANCE_MS) alertOperator("clock_behind_chain", { lag_ms: String(lag) });
}

async function commit(
  group: readonly Instruction[],
  working: LedgerDraft,
  books: LedgerState,
  attempt: Attempt,
  deps: IssuingDeps,
): Promise<boolean> {
  const { cache } = deps;
  const seq = books.seq + 1;
  const batch = batchOf(working, seq);
  const lookup = everythingOf(group);
  const settled = await cache.commit(batch, closeDraft(books, working, seq), onlyInvoices(lookup));
  if (settled.result === "committed") return true;
  forgetFound(attempt);
  if (settled.result === "lost") rememberLost(lookup, settled.found, attempt);
  else await rememberRefused(settled.result, group, books, attempt, deps);
  return false;
}

/** The batch without an answer is in what was read after it, or will never be committed. */
function rememberLost(lookup: InvoiceLookup, found: InvoicesFound, attempt: Attempt): void {
  rememberFound(attempt, lookup, found);
  if (found.invoices.some((invoice) => isMade(invoice, attempt))) return;
  attempt.createdInGroup.clear();
  attempt.lost += 1;
}

async function rememberRefused(
  result: Exclude<CommitResult, "committed">,
  group: readonly Instruction[],
  books: LedgerState,
  attempt: Attempt,
  deps: IssuingDeps,
): Promise<void> {
  // Nothing of this batch exists: a similar invoice was made by another instance.
  attempt.createdInGroup.clear();
  attempt.brokenLinks = result === "link" ? attempt.brokenLinks + 1 : 0;
  if (result !== "exists") return;
  await readMissing(everythingOf(group), books, attempt, deps);
  // Nothing of the group exists or existed, so other data in memory is outdated.
  const { invoices, retiredOrigins } = attempt;
  const isKnown = (each: Instruction) =>
    isDone(each, ownAmong(each, invoices)) ||
    ownOf(each).origins.some((origin) => retiredOrigins.has(origin));
  const writing = group.filter(isWriting);
  if (!writing.some(isKnown)) deps.cache.forget();
}

function isWriting(instruction: Instruction): boolean {
  const { kind } = instruction;
  if (kind === "rectify" || kind === "by_hand") return instruction.act !== undefined;
  return kind !== "preview";
}

/** Reads what is still missing; false if the settings changed since, which forgets the books. */
async function readMissing(
  { origins, invoiceIds = [], replacedOnes = [], numbers = [] }: InvoiceLookup,
  books: LedgerState,
  attempt: Attempt,
  { cache }: IssuingDeps,
): Promise<boolean> {
  const isUnread = (name: string) => !attempt.read.has(name);
  const unread = {
    origins: origins.filter(isUnread),
    invoiceIds: invoiceIds.filter(isUnread),
    replacedOnes: replacedOnes.filter((origin) => isUnread(aroundOf(origin))),
    numbers: numbers.filter((number) => isUnread(numberOf(number))),
  };
  if (Object.values(unread).every((names) => names.length === 0)) return true;
  const found = await cache.find(unread);
  rememberFound(attempt, unread, found);
  if (found.settingsVersion === books.settings.version) return true;
  cache.forget();
  forgetFound(attempt);
  return false;
}

function rememberFound(
  attempt: Attempt,
  lookup: InvoiceLookup,
  { invoices, retiredOrigins, numbered }: InvoicesFound,
): void {
  const { origins, invoiceIds = [], replacedOnes = [], numbers = [] } = lookup;
  const read = [...origins, ...invoiceIds, ...replacedOnes.map(aroundOf), ...numbers.map(numberOf)];
  for (const name of read) attempt.read.add(name);
  for (const invoice of numbered) attempt.numbered.set(invoice.fullNumber, invoice);
  for (const invoice of invoices) attempt.invoices.set(invoice.view.origin, invoice);
  for (const { origin, year } of retiredOrigins) attempt.retiredOrigins.set(origin, year);
}

/** An invoice may be known without the invoices around it. */
function aroundOf(origin: string): string {
  return `around ${origin}`;
}

/** The prefix keeps a number apart from an equal id. */
function numberOf(number: string): string {
  return `number ${number}`;
}

function forgetFound(attempt: Attempt): void {
  attempt.read.clear();
  attempt.invoices.clear();
  attempt.retiredOrigins.clear();
  attempt.numbered.clear();
}

/** True if the batch without an answer made this invoice. */
function isMade({ view }: StoredInvoice, { createdInGroup: made }: Attempt): boolean {
  return made.has(view.invoiceId) || view.corrections.some(({ record }) => made.has(record.hash));
}

function together(parts: readonly InvoiceLookup[]): InvoiceLookup {
  return {
    origins: [...new Set(parts.flatMap(({ origins }) => origins))],
    invoiceIds: [...new Set(parts.flatMap(({ invoiceIds = [] }) => invoiceIds))],
    replacedOnes: [...new Set(parts.flatMap(({ replacedOnes = [] }) => replacedOnes))],
    numbers: [...new Set(parts.flatMap(({ numbers = [] }) => numbers))],
  };
}

function everythingOf(group: readonly Instruction[]): InvoiceLookup {
  return together(group.flatMap((instruction) => [ownOf(instruction), citedBy(instruction)]));
}

/** Invoices that get amounts back from a cancelled one; only reading it shows which. */
function givenBackIn(group: readonly Instruction[], { invoices }: Attempt): InvoiceLookup {
  const parts = group.flatMap((instruction) =>
    cancels(instruction) ? (ownAmong(instruction, invoices) ?? []) : [],
  );
  return { origins: parts.flatMap((part) => givenBackTo(part.rectifiable).map(directOrigin)) };
}

/** Rectifications of an invoice whose lines go back: they say what went back before. */
function actingIn(group: readonly Instruction[], { invoices }: Attempt): InvoiceLookup {
  const targets = group.flatMap((instruction) =>
    instruction.kind === "rectify"
      ? [...invoices.values()].filter(({ view }) => view.invoiceId === instruction.invoiceId)
      : [],
  );
  const acting = targets.flatMap(({ rectifiable }) => differencesOf(rectifiable));
  return { origins: acting.map(({ externalId }) => directOrigin(externalId)) };
}

function cancels(instruction: Instruction): boolean {
  if (instruction.kind === "cancel") return true;
  if (instruction.kind === "rectify") return instruction.rectification.what === "void";
  return instruction.kind === "correct" && instruction.correction.correction === "annul";
}

/**
 * Data missing in memory: cited invoices, external_ids known to exist, and those of previews, because no
 * batch checks them. The read also proves that the settings in memory are current.
 */
function neededBy(group: readonly Instruction[], cache: LedgerCache): InvoiceLookup {
  const needed = group.flatMap((instruction) => {
    const own = ownOf(instruction);
    const cited = citedBy(instruction);
    const { origins, invoiceIds = [], numbers = [] } = cited;
    const isCiting = origins.length + invoiceIds.length + numbers.length > 0;
    const isRead = isCiting || !isWriting(instruction);
    return isRead || own.origins.some((origin) => cache.remembers(origin)) ? [own, cited] : [];
  });
  return together(needed);
}
