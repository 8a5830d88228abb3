import { and, eq, ne, sql } from "drizzle-orm";
import type { Directory } from "../usecases/open-account.ts";
import { databaseOn } from "./database.ts";
import { accountDirectory, accountOwner } from "./schema/directory.ts";

export function directoryStore(binding: D1Database): Directory {
  const db = databaseOn(binding);
  return {
    async listAccount({ id: accountId, nif, ledger, openedAt, openedBy }) {
      const listed = db.select().from(accountDirectory).where(eq(accountDirectory.accountId, accountId));
      const owner = sql`SELECT ${accountDirectory.accountId}, ${openedBy}, 'owner' FROM ${accountDirectory}
        WHERE ${accountDirectory.accountId} = ${accountId}`;
      const [, , rows] = await db.batch([
        db.insert(accountDirectory).values({ accountId, nif, ledger, openedAt }).onConflictDoNothing(),
        db.insert(accountOwner).select(owner).onConflictDoNothing(),
        listed,
      ]);
      return rows.length === 1;
    },
    async addOwner(accountId, ownerId) {
      await db.insert(accountOwner).values({ accountId, ownerId }).onConflictDoNothing();
    },
    async isTaken(nif) {
      const rows = await db
        .select({ accountId: accountDirectory.accountId })
        .from(accountDirectory)
        .where(eq(accountDirectory.nif, nif));
      return rows.length > 0;
    },
    async otherOf(ownerId, accountId) {
      const [other] = await db
        .select({ accountId: accountDirectory.accountId, ledger: accountDirectory.ledger })
        .from(accountOwner)
        .innerJoin(accountDirectory, eq(accountDirectory.accountId, accountOwner.accountId))
        .where(
          and(
            eq(accountOwner.ownerId, ownerId),
            eq(accountOwner.role, "owner"),
            ne(accountOwner.accountId, accountId),
          ),
        )
        .limit(1);
      return other;
    },
    async accountsOf(ownerId) {
      return db
        .select({ accountId: accountDirectory.accountId, ledger: accountDirectory.ledger })
        .from(accountOwner)
        .innerJoin(accountDirectory, eq(accountDirectory.accountId, accountOwner.accountId))
        .where(and(eq(accountOwner.ownerId, ownerId), eq(accountOwner.role, "owner")));
    },
  };
}
