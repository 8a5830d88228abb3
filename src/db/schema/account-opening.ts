import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { account } from "./ledger.ts";

/** Accounts that are not in the directory yet; cron finishes interrupted openings. */
export const accountOpening = sqliteTable(
  "account_opening",
  {
    accountId: text("account_id")
      .primaryKey()
      .references(() => account.id),
    triedAt: integer("tried_at").notNull(),
  },
  (table) => [index("account_opening_tried").on(table.triedAt)],
);
