/** Invoices that people are writing. They are no part of the books, and hold data of customers. */

import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { ofAccount } from "./ledger.ts";

export const invoiceDraft = sqliteTable(
  "invoice_draft",
  {
    id: text("id").primaryKey(),
    accountId: ofAccount(),
    /** The page's id of the request that made it: a repeat makes no second draft. */
    madeBy: text("made_by").notNull(),
    /** Rises with each save, so that of two people one is told. */
    version: integer("version").notNull(),
    /** DraftContent as JSON. */
    content: text("content").notNull(),
    savedBy: text("saved_by").notNull(),
    savedAt: integer("saved_at").notNull(),
  },
  (table) => [
    uniqueIndex("invoice_draft_made").on(table.accountId, table.madeBy),
    index("invoice_draft_listed").on(table.accountId, table.savedAt, table.id),
    index("invoice_draft_aged").on(table.savedAt),
    check("invoice_draft_version", sql`${table.version} >= 1`),
  ],
);
