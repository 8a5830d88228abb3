import { and, eq, sql } from "drizzle-orm";
import type { Instant } from "../domain/shared/instant.ts";
import type { AccountStore, ListedAccount } from "../usecases/open-account.ts";
import type { ConnectionStore, NewConnection } from "../usecases/open-connection.ts";
import { databaseOn } from "./database.ts";
import { accountOpening } from "./schema/account-opening.ts";
import { account, apiKey, connection, installation } from "./schema/ledger.ts";
import { beginSetup, insertAudit } from "./shop-writes.ts";

export interface UnfinishedAccounts {
  unfinished(most: number): Promise<Omit<ListedAccount, "ledger">[]>;
  tryAgainLater(accountId: string, now: Instant): Promise<void>;
}

/** Accounts and connections of one ledger. */
export function accountStore(binding: D1Database): AccountStore & ConnectionStore & UnfinishedAccounts {
  const db = databaseOn(binding);
  return {
    async openAccount(opened) {
      const { id: accountId, openedAt: triedAt } = opened;
      await db.batch([
        db.insert(account).values(opened).onConflictDoNothing({ target: account.id }),
        db.insert(accountOpening).values({ accountId, triedAt }).onConflictDoNothing(),
      ]);
    },
    async endOpening(accountId) {
      await db.delete(accountOpening).where(eq(accountOpening.accountId, accountId));
    },
    async unfinished(most) {
      const { id, nif, openedAt, openedBy } = account;
      return db
        .select({ id, nif, openedAt, openedBy })
        .from(accountOpening)
        .innerJoin(account, eq(account.id, accountOpening.accountId))
        .orderBy(accountOpening.triedAt)
        .limit(most);
    },
    async tryAgainLater(accountId, now) {
      await db.update(accountOpening).set({ triedAt: now }).where(eq(accountOpening.accountId, accountId));
    },
    async markMultipleIssuers(accountId) {
      const unmarked = and(eq(account.id, accountId), eq(account.multipleIssuers, false));
      await db.update(account).set({ multipleIssuers: true }).where(unmarked);
    },
    async openConnection({ firstKey, installation: first, guided, line, ...opened }: NewConnection) {
      const { id: connectionId, accountId, openedAt } = opened;
      const nextOrdinal = sql<number>`(SELECT 1 + coalesce(max(${connection.ordinal}), 0) FROM ${connection}
        WHERE ${connection.accountId} = ${accountId})`;
      await db.batch([
        db.insert(connection).values({ ...opened, ordinal: nextOrdinal }),
        db.insert(apiKey).values({ ...firstKey, connectionId, createdAt: openedAt }),
        db.insert(installation).values({ ...first, accountId, connectionId, ordinal: 1, openedAt }),
        ...(guided ? [beginSetup(db, { accountId, connectionId })] : []),
        ...(line ? [insertAudit(db, { accountId, connectionId }, line)] : []),
      ]);
    },
  };
}
