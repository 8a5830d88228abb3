import { type ListedAccount, listAccount, type OpenAccountDeps } from "../db/accounts/open-account.ts";
import { CRON } from "../domain/limits.ts";
import { type Budget, inTurn } from "./budget.ts";
import { guarded, type JobLog } from "./guarded.ts";

export interface FinishAccountsDeps
  extends Pick<OpenAccountDeps, "directory" | "accountsIn" | "now">,
    JobLog {
  readonly ledgers: readonly {
    readonly ledger: string;
    /** Accounts whose opening has not come to its end, the one that was tried longest ago first. */
    readonly unfinished: (most: number) => Promise<readonly Omit<ListedAccount, "ledger">[]>;
    /** Tried now: whatever goes wrong, the others come first the next time. */
    readonly tryAgainLater: (accountId: string, now: number) => Promise<void>;
  }[];
  readonly budget: Budget;
}

/** Of one account, whoever opened it and whatever else they own. */
export const QUERIES_OF_ONE = 10;

/**
 * An account whose opening broke off is listed with its owner; one too many of a person stays invisible.
 * Neither is looked at again. Answers how many it knows to be left.
 */
export async function finishAccounts(deps: FinishAccountsDeps): Promise<number> {
  const { ledgers, now, budget } = deps;
  let left = 0;
  for (const { ledger, unfinished, tryAgainLater } of inTurn(ledgers, now())) {
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
