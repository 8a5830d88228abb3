/** The directory database: the ledger and the owners of each account. */
import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

export const accountDirectory = sqliteTable(
  "account_directory",
  {
    accountId: text("account_id").primaryKey(),
    nif: text("nif").notNull(),
    ledger: text("ledger").notNull(),
    openedAt: integer("opened_at").notNull(),
    closedAt: integer("closed_at"),
    /** Unknown of accounts older than this column, which are verified. */
    openedBy: text("opened_by"),
    /** Older accounts, from before proofs of NIF, are verified. */
    verification: text("verification").notNull().default("verified"),
    contestedAt: integer("contested_at"),
    /** Raised with every change that the ledger must learn; `heardSeq` follows. */
    changeSeq: integer("change_seq").notNull().default(0),
    heardSeq: integer("heard_seq").notNull().default(0),
    /** The last try to update the ledger, so that a failing one does not block the others. */
    toldAt: integer("told_at").notNull().default(0),
    /** Verified, and an owner of it has another such account: once so, for ever. */
    isOfSeveral: integer("of_several", { mode: "boolean" }).notNull().default(false),
  },
  (table) => [
    // One verified account per NIF, open or closed: the AEAT's key is NIF + number + date.
    uniqueIndex("account_directory_verified_nif")
      .on(table.nif)
      .where(sql`verification IN ('verified', 'contested')`),
    index("account_directory_opener").on(table.openedBy, table.openedAt),
    index("account_directory_unheard").on(table.toldAt).where(sql`heard_seq < change_seq`),
    check("account_directory_ledger", sql`length(${table.ledger}) = 3`),
  ],
);

export const accountOwner = sqliteTable(
  "account_owner",
  {
    accountId: text("account_id")
      .notNull()
      .references(() => accountDirectory.accountId),
    ownerId: text("owner_id").notNull(),
    /** `accountant` reads everything and changes nothing. */
    role: text("role").notNull().default("owner"),
    /** The owner who offers ownership, until it is taken or declined. */
    offeredBy: text("offered_by"),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.ownerId] }),
    index("account_owner_owner").on(table.ownerId),
  ],
);
