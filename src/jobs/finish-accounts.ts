import type { Instant } from "../domain/shared/instant.ts";
import type { ListedAccount, OpenAccountDeps } from "../usecases/open-account.ts";

export interface FinishAccountsDeps extends Pick<OpenAccountDeps, "directory" | "now"> {
  readonly ledgers: readonly {
    readonly ledger: string;
    readonly openedSince: (since: Instant) => Promise<readonly Omit<ListedAccount, "ledger">[]>;
  }[];
}

const DAY_MS = 86_400_000;

/** An account whose opening broke off is listed with its owner; one too many of a person stays invisible. */
export async function finishAccounts({ ledgers, now, directory }: FinishAccountsDeps): Promise<void> {
  for (const { ledger, openedSince } of ledgers) {
    for (const account of await openedSince(now() - DAY_MS))
      await directory.listAccount({ ...account, ledger });
  }
}
