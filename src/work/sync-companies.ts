import { mailNotices, type SyncDeps, syncCompany } from "../db/companies/sync-company.ts";
import { CRON } from "../domain/limits.ts";
import { type Budget, guarded, type JobLog } from "./budget.ts";

export interface SyncCompaniesDeps extends SyncDeps, JobLog {
  readonly budget: Budget;
}

/** The queries of one company; they do not depend on the owner's number of companies. */
export const QUERIES_OF_ONE = 36;

/**
 * Sends company changes to ledgers that missed them, such as an operator's. Answers the number that remain.
 */
export async function syncCompanies(deps: SyncCompaniesDeps): Promise<number> {
  const { register, budget, now } = deps;
  const found = await register.unsynced(CRON.items + 1);
  let left = found.length;
  for (const accountId of found) {
    if (!budget.take(QUERIES_OF_ONE)) return left;
    await guarded({ job: "hear_companies", database: "directory" }, deps, async () => {
      await register.noteTry(accountId, now());
      await syncCompany(accountId, deps);
      left -= 1;
    });
  }
  return left;
}

/** Tries mails about claims again that the mailer did not take. Answers the number that remain. */
export async function mailClaimNotices(deps: SyncCompaniesDeps): Promise<number> {
  const { budget } = deps;
  return budget.take(QUERIES_OF_NOTICES) ? mailNotices(deps, { isOver: () => budget.isOver() }) : 0;
}

const QUERIES_OF_NOTICES = 3;
