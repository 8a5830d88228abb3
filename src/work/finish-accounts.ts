import { type ListedAccount, listAccount, type OpenAccountDeps } from "../db/accounts/opening.ts";
import { CRON } from "../domain/limits.ts";
import { type Budget, guarded, type JobLog, rotated } from "./budget.ts";

export interface FinishAccountsDeps
  extends Pick<OpenAccountDeps, "directory" | "accountsIn" | "now">,
    JobLog {
  readonly ledgers: readonly {
    readonly ledger: string;
    /** Accounts with an unfinished opening, the least recently tried first. */
    readonly unfinished: (most: number) => Promise<readonly Omit<ListedAccount, "ledger">[]>;
    /** Records the try first: after a failure the other accounts come first next time. */
    readonly tryAgainLater: (accountId: string, now: number) => Promise<void>;
  }[];
  readonly budget: Budget;
}

/** The queries of one account; they do not depend on the owner's other accounts. */
export const QUERIES_OF_ONE = 10;

/**
 * Finishes openings that broke off: the account is listed with its owner, or stays hidden if it exceeds the
 * quota. Answers the number of accounts that remain.
 */
export async function finishAccounts(deps: FinishAccountsDeps): Promise<number> {
  const { ledgers, now, budget } = deps;
  let left = 0;
  for (const { ledger, unfinished, tryAgainLater } of rotated(ledgers, now())) {
    if (budget.isOver()) return left + 1;
    await guarded({ job: "finish_accounts", ledger }, deps, async () => {
      const found = await unfinished(CRON.items + 1);
      left += found.length;
      for (const account of found) {
        if (!budget.take(QUERIES_OF_ONE)) return;
        await guarded({ job: "finish_accounts", ledger }, deps, async () => {
          await tryAgainLater(account.id, now());
          await listAccount({ ...account, ledger }, deps);
          left -= 1;
        });
      }
    });
  }
  return left;
}
