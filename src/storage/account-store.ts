import { and, eq, gte, sql } from "drizzle-orm";
import type { Instant } from "../domain/shared/instant.ts";
import type { AccountStore, ListedAccount } from "../usecases/open-account.ts";
import type { ConnectionStore, NewConnection } from "../usecases/open-connection.ts";
import { databaseOn } from "./database.ts";
import { account, apiKey, connection, installation } from "./schema/ledger.ts";
import { beginSetup, insertAudit } from "./shop-writes.ts";

export interface RecentAccounts {
  openedSince(since: Instant): Promise<Omit<ListedAccount, "ledger">[]>;
}

/** Accounts and connections of one ledger. */
export function accountStore(binding: D1Database): AccountStore & ConnectionStore & RecentAccounts {
  const db = databaseOn(binding);
  return {
    async openAccount(opened) {
      await db.insert(account).values(opened).onConflictDoNothing({ target: account.id });
    },
    async openedSince(since) {
      const { id, nif, openedAt, openedBy } = account;
      return db.select({ id, nif, openedAt, openedBy }).from(account).where(gte(account.openedAt, since));
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
