import type {
  OpenRun,
  RetentionStore,
  RetiringInvoice,
  SearchedBy,
} from "../../db/retention/retention-store.ts";
import type { Evidence } from "../../db/submission/submission-writes.ts";
import { wordsOf } from "../../domain/invoice/invoice-entry.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { type Budget, guarded, type JobLog, rotated } from "../budget.ts";

interface RetireDeps {
  readonly store: RetentionStore;
  readonly evidence: Pick<Evidence, "erase">;
  /** Signed files of invoices. */
  readonly facturae: { readonly erase: (invoiceIds: readonly string[]) => Promise<void> };
  readonly now: () => Instant;
  /** True when this turn has used its time. */
  readonly isOver: () => boolean;
}

const INVOICES = 100;
const RECORDS = 1_000;
const ATTEMPTS = 100;
const AUDIT_LINES = 1_000;

type Stage = (run: OpenRun, deps: RetireDeps) => Promise<number>;

/** These run after the last invoice, so that at any moment the remaining records prove the chain. */
const STAGES: readonly Stage[] = [
  (run, { store }) => store.leaveRecords(run, RECORDS),
  leaveAttempts,
  (run, { store }) => store.leaveAuditLines(run, AUDIT_LINES),
];

/**
 * Retires a year or a part of it; true when nothing remains. Progress is in the database, so it may stop and
 * continue anywhere. An invoice with an open correction waits, and the year's evidence waits with it.
 */
async function retireYear(run: OpenRun, deps: RetireDeps): Promise<boolean> {
  if (!(await isThrough(leaveInvoices, run, deps))) return false;
  if (await deps.store.hasInvoices(run)) return false;
  for (const stage of STAGES) {
    if (!(await isThrough(stage, run, deps))) return false;
  }
  await deps.store.end(run, deps.now());
  return true;
}

/** Page after page, until there is none or the turn is over. */
async function isThrough(stage: Stage, run: OpenRun, deps: RetireDeps): Promise<boolean> {
  while ((await stage(run, deps)) > 0) {
    if (deps.isOver()) return false;
  }
  return true;
}

/** The signed files first: without the row nothing refers to them. */
async function leaveInvoices(run: OpenRun, { store, facturae, now }: RetireDeps): Promise<number> {
  const page = await store.readInvoices(run, INVOICES);
  if (page.length === 0) return 0;
  const lookup = page.map((invoice) => searchedBy(run, invoice));
  const found = new Map((await store.readWords(lookup)).map(({ invoiceId, words }) => [invoiceId, words]));
  const leaving = page.map(({ invoiceId }) => ({ invoiceId, words: found.get(invoiceId) ?? [] }));
  await facturae.erase(page.map(({ invoiceId }) => invoiceId));
  await store.leaveInvoices(run, leaving, now());
  return page.length;
}

/** The order may be called otherwise today than when the invoice became an entry. */
function searchedBy({ accountId }: OpenRun, invoice: RetiringInvoice): SearchedBy {
  const { invoiceId, description = "", ...searchable } = invoice;
  const words = new Set([...wordsOf(searchable), ...wordsOf({ ...searchable, customer: description })]);
  return { invoiceId, words: [...words].map((word) => accountId + word) };
}

/** The bytes first: without the row nothing refers to them. */
async function leaveAttempts(run: OpenRun, { store, evidence }: RetireDeps): Promise<number> {
  const page = await store.readAttempts(run, ATTEMPTS);
  if (page.length === 0) return 0;
  const parts = ["request", "answer"] as const;
  await evidence.erase(
    page.flatMap(({ id: attemptId, accountId, installationId }) =>
      parts.map((part) => ({ accountId, installationId, attemptId, part })),
    ),
  );
  await store.leaveAttempts(
    run,
    page.map(({ id }) => id),
  );
  return page.length;
}

export interface RetireJobDeps extends JobLog, Pick<RetireDeps, "evidence" | "facturae"> {
  readonly ledgers: readonly { readonly ledger: string; readonly store: RetentionStore }[];
  readonly now: () => Instant;
  readonly budget: Budget;
}

/**
 * Retires the years that operators released; a failure stops no other year. Answers the number that remain.
 */
export async function retire(deps: RetireJobDeps): Promise<number> {
  const { ledgers, now, evidence, facturae, log, budget } = deps;
  const { isOver } = budget;
  let left = 0;
  for (const { ledger, store } of rotated(ledgers, now())) {
    if (isOver()) return left + 1;
    const at = { job: "retire", ledger };
    await guarded(at, deps, async () => {
      const open = await store.readOpen();
      left += open.length;
      for (const run of open) {
        if (!budget.take()) return;
        await guarded(at, deps, async () => {
          const isDone = await retireYear(run, { store, evidence, facturae, now, isOver });
          if (!isDone) return;
          left -= 1;
          log({ level: "info", event: "year_left", account_id: run.accountId, year: run.year });
        });
      }
    });
  }
  return left;
}
