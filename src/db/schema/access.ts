/** Customers' access to their invoices, and the pages that may frame them. */
import { sql } from "drizzle-orm";
import { check, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { ofAccount, ofConnection } from "./columns.ts";
import { connection } from "./ledger.ts";

/** Without a row: on, with epoch 0. The triggers are in `0007_access_triggers.sql`. */
export const customerAccess = sqliteTable(
  "customer_access",
  {
    connectionId: text("connection_id")
      .primaryKey()
      .references(() => connection.id),
    accountId: ofAccount(),
    isOn: integer("is_on").notNull(),
    /** Part of every viewer URL; raising it ends all of them. */
    epoch: integer("epoch").notNull(),
    /** When it was last switched. */
    switchedAt: integer("switched_at"),
  },
  (table) => [
    check("customer_access_is_on", sql`${table.isOn} IN (0, 1)`),
    check("customer_access_epoch", sql`${table.epoch} >= 0`),
  ],
);

/** Registered by an owner, in addition to the origins of reported stores. */
export const allowedOrigin = sqliteTable(
  "allowed_origin",
  {
    connectionId: ofConnection(),
    accountId: ofAccount(),
    /** Canonical: lower case, IDN as punycode, without the port 443. */
    origin: text("origin").notNull(),
    addedAt: integer("added_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.connectionId, table.origin] })],
);

/**
 * Every origin reported with a store of the connection, once. Rows are never deleted, and a refusal is
 * permanent: `0021_store_origins.sql`.
 */
export const storeOrigin = sqliteTable(
  "store_origin",
  {
    connectionId: ofConnection(),
    accountId: ofAccount(),
    /** Canonical, like registered ones. */
    origin: text("origin").notNull(),
    /** The first store that had it. */
    storeId: text("store_id").notNull(),
    seenAt: integer("seen_at").notNull(),
    refusedAt: integer("refused_at"),
  },
  (table) => [primaryKey({ columns: [table.connectionId, table.origin] })],
);
