import type { Instant } from "../domain/shared/instant.ts";
import type { Directory } from "../usecases/open-account.ts";

export interface FinishAccountsDeps {
  readonly directory: Directory;
  readonly ledgers: readonly {
    readonly ledger: string;
    readonly openedSince: (since: Instant) => Promise<readonly OpenedAccount[]>;
  }[];
  readonly now: () => Instant;
}

export interface OpenedAccount {
  readonly id: string;
  readonly nif: string;
  readonly openedAt: Instant;
}

const DAY_MS = 86_400_000;

/** An account whose directory row was lost on the way gets it; one whose NIF has another account stays invisible. */
export async function finishAccounts({ directory, ledgers, now }: FinishAccountsDeps): Promise<void> {
  for (const { ledger, openedSince } of ledgers) {
    for (const account of await openedSince(now() - DAY_MS))
      await directory.listAccount({ ...account, ledger });
  }
}
