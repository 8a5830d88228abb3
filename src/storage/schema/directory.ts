/** The directory database: which account lives in which ledger, and whose it is. */
import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

export const accountDirectory = sqliteTable(
  "account_directory",
  {
    accountId: text("account_id").primaryKey(),
    /** One account per NIF: the AEAT's key is NIF + number + date. */
    nif: text("nif").notNull(),
    ledger: text("ledger").notNull(),
    openedAt: integer("opened_at").notNull(),
    closedAt: integer("closed_at"),
  },
  (table) => [
    uniqueIndex("account_directory_nif").on(table.nif),
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
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.ownerId] }),
    index("account_owner_owner").on(table.ownerId),
  ],
);
