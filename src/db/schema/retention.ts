/**
 * Retired and erased rows, and the traces that keep the rest verifiable: years after their duty of keeping,
 * and orders without an invoice at a person's request. Their triggers are in the migration that creates these
 * tables.
 */
import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { ofAccount, ofConnection, ofInstallation } from "./ledger.ts";

/**
 * The retirement of one year of an account. Only while its row is open do the triggers allow the deletion of
 * issued rows.
 */
export const retentionRun = sqliteTable(
  "retention_run",
  {
    id: text("id").primaryKey(),
    accountId: ofAccount(),
    year: integer("year").notNull(),
    /** Why the year may be deleted. */
    reason: text("reason").notNull(),
    /** The operator. */
    begunBy: text("begun_by").notNull(),
    begunAt: integer("begun_at").notNull(),
    endedAt: integer("ended_at"),
    /** Rows deleted so far. */
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

/** The start of a chain after a retired year: the last deleted record, to which the next one links. */
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

/** Retired direct invoices: their external_id never issues again. */
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

/** Erased orders: sent again, they are neither stored nor invoiced. No personal data. */
export const erasedOrder = sqliteTable(
  "erased_order",
  {
    connectionId: ofConnection(),
    idExternal: text("id_external").notNull(),
    /** `asked`: its owner erased it; `aged`: unused for long; `retention`: its invoice was retired. */
    because: text("because").notNull(),
    erasedAt: integer("erased_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.connectionId, table.idExternal] }),
    check("erased_order_because", sql`${table.because} IN ('asked', 'aged', 'retention')`),
  ],
);
