import type { Instant } from "../domain/shared/instant.ts";
import { type ListedAccount, listAccount, type OpenAccountDeps } from "../usecases/open-account.ts";

export interface FinishAccountsDeps extends Pick<OpenAccountDeps, "directory" | "accountsIn" | "now"> {
  readonly ledgers: readonly {
    readonly ledger: string;
    readonly openedSince: (since: Instant) => Promise<readonly Omit<ListedAccount, "ledger">[]>;
  }[];
}

const DAY_MS = 86_400_000;

/**
 * An account whose opening broke off is listed with its owner and marked where the owner has several; one
 * whose NIF has another account stays invisible.
 */
export async function finishAccounts({ ledgers, now, ...deps }: FinishAccountsDeps): Promise<void> {
  for (const { ledger, openedSince } of ledgers) {
    for (const account of await openedSince(now() - DAY_MS)) await listAccount({ ...account, ledger }, deps);
  }
}
