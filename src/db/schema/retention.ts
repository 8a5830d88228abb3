/**
 * What has left the ledger, and what stays of it so that the rest still proves itself: issued rows with a
 * year whose duty of keeping is over, orders without an invoice at the request of those whom they are about.
 * What triggers make of it is in the migration that creates these tables.
 */
import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { ofAccount, ofConnection, ofInstallation } from "./columns.ts";

/** One year of an account leaves. While its row is open, and only then, the triggers let issued rows go. */
export const retentionRun = sqliteTable(
  "retention_run",
  {
    id: text("id").primaryKey(),
    accountId: ofAccount(),
    year: integer("year").notNull(),
    /** Who asked for it, and why nothing keeps the year any longer. */
    reason: text("reason").notNull(),
    /** The operator. */
    begunBy: text("begun_by").notNull(),
    begunAt: integer("begun_at").notNull(),
    endedAt: integer("ended_at"),
    /** Rows that have left so far. */
    invoices: integer("invoices").notNull().default(0),
    records: integer("records").notNull().default(0),
    orders: integer("orders").notNull().default(0),
    attempts: integer("attempts").notNull().default(0),
    auditLines: integer("audit_lines").notNull().default(0),
  },
  (table) => [
    uniqueIndex("retention_run_year").on(table.accountId, table.year),
    uniqueIndex("retention_run_open").on(table.accountId).where(sql`ended_at IS NULL`),
  ],
);

/** Where a chain begins since a year left: the last record that went, as the next one links to it. */
export const chainStart = sqliteTable(
  "chain_start",
  {
    installationId: ofInstallation(),
    position: integer("position").notNull(),
    runId: text("run_id")
      .notNull()
      .references(() => retentionRun.id),
    hash: text("hash").notNull(),
    issuerNif: text("issuer_nif").notNull(),
    number: text("number").notNull(),
    /** As the record had it: dd-mm-yyyy. */
    date: text("date").notNull(),
    generatedAt: text("generated_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.installationId, table.position] }),
    index("chain_start_run").on(table.runId),
  ],
);

/** Of a direct invoice that left: its external_id issues nothing again. */
export const spentOrigin = sqliteTable(
  "spent_origin",
  {
    connectionId: ofConnection(),
    origin: text("origin").notNull(),
    runId: text("run_id")
      .notNull()
      .references(() => retentionRun.id),
  },
  (table) => [primaryKey({ columns: [table.connectionId, table.origin] })],
);

/** Of an order that is gone: sent again, it neither comes back nor is invoiced. Nobody is named. */
export const erasedOrder = sqliteTable(
  "erased_order",
  {
    connectionId: ofConnection(),
    idExternal: text("id_external").notNull(),
    /** `asked`: its owner erased it; `aged`: nobody needed it for long; `retention`: its invoice left. */
    because: text("because").notNull(),
    erasedAt: integer("erased_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.connectionId, table.idExternal] }),
    check("erased_order_because", sql`${table.because} IN ('asked', 'aged', 'retention')`),
  ],
);
