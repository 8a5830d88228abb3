/**
 * Invoices for lists, sums and search of the console, derived from the books by the object's alarm. Triggers
 * keep states and sums (`0011_invoice_entries.sql`, with the full-text table `invoice_search`, which
 * TypeScript cannot declare).
 */
import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { invoice, ofAccount, ofConnection, ofInstallation } from "./ledger.ts";

export const invoiceEntry = sqliteTable(
  "invoice_entry",
  {
    /** The rowid in `invoice_search`. A column, because an implicit rowid is not kept when rows are moved. */
    id: integer("id").primaryKey(),
    accountId: ofAccount(),
    connectionId: ofConnection(),
    invoiceId: text("invoice_id")
      .notNull()
      .references(() => invoice.id),
    /** Day, moment and place in the chain of its issue, as one text: sorts all invoices of an account. */
    place: text("place").notNull(),
    series: text("series").notNull(),
    rectifying: integer("rectifying", { mode: "boolean" }).notNull(),
    cancelled: integer("cancelled", { mode: "boolean" }).notNull(),
    /** The state of its newest record. */
    state: text("state").notNull(),
    /** Its newest record. */
    installationId: ofInstallation(),
    position: integer("position").notNull(),
    /** Cents of euros; the tax with the equivalence surcharge. */
    base: integer("base").notNull(),
    tax: integer("tax").notNull(),
    total: integer("total").notNull(),
    /** From its document; a test stays a test. */
    test: integer("test", { mode: "boolean" }).notNull().default(false),
    /** An F3: it takes the place of simplified invoices. */
    replacing: integer("replacing", { mode: "boolean" }).notNull().default(false),
    /** One of `DOCUMENT_KINDS`. */
    document: text("document").generatedAlwaysAs(
      sql`iif(cancelled, 'cancelled', iif(rectifying, 'rectifying', iif(replacing, 'replacing', 'issued')))`,
      { mode: "virtual" },
    ),
    /** Cents by which it changes the sums (`effectOf`); null: as stated. */
    countedBase: integer("counted_base"),
    countedTax: integer("counted_tax"),
    countedTotal: integer("counted_total"),
    /** The customer of its order, as its words have them. */
    orderCustomer: text("order_customer"),
  },
  (table) => [
    uniqueIndex("invoice_entry_invoice").on(table.invoiceId),
    // With any filter, a page is one stretch per state.
    index("invoice_entry_account").on(table.accountId, table.state, table.place),
    index("invoice_entry_connection").on(table.accountId, table.connectionId, table.state, table.place),
    index("invoice_entry_series").on(table.accountId, table.series, table.state, table.place),
    index("invoice_entry_document").on(table.accountId, table.document, table.state, table.place),
    index("invoice_entry_document_connection").on(
      ...([table.accountId, table.connectionId, table.document, table.state, table.place] as const),
    ),
    index("invoice_entry_document_series").on(
      ...([table.accountId, table.series, table.document, table.state, table.place] as const),
    ),
    check("invoice_entry_place", sql`${table.place} GLOB '????-??-??:*'`),
  ],
);

/** Sums of entries by day and by month. */
export const invoiceTotal = sqliteTable(
  "invoice_total",
  {
    accountId: ofAccount(),
    grain: text("grain").notNull(),
    /** `YYYY-MM-DD` or `YYYY-MM` of the issue. */
    period: text("period").notNull(),
    series: text("series").notNull(),
    rectifying: integer("rectifying", { mode: "boolean" }).notNull(),
    /** The state of the newest record; tests have the prefix `test:`, so that sums exclude them. */
    state: text("state").notNull(),
    connectionId: ofConnection(),
    invoices: integer("invoices").notNull(),
    /** The number of cancelled ones: their amounts are not in the sums. */
    cancelled: integer("cancelled").notNull(),
    base: integer("base").notNull(),
    tax: integer("tax").notNull(),
    total: integer("total").notNull(),
    /** Of these, the F3 that are not cancelled. */
    replacing: integer("replacing").notNull().default(0),
    replacingBase: integer("replacing_base").notNull().default(0),
    replacingTax: integer("replacing_tax").notNull().default(0),
    replacingTotal: integer("replacing_total").notNull().default(0),
  },
  (table) => [
    primaryKey({
      columns: [table.accountId, table.grain, table.period, table.series, table.rectifying, table.state],
    }),
    check("invoice_total_grain", sql`${table.grain} IN ('day', 'month')`),
    check("invoice_total_invoices", sql`${table.invoices} >= 0`),
  ],
);

/**
 * Accounts with entries of an earlier version, which lack words, customers of orders and effects on the sums;
 * those from this place on have them.
 */
export const entryFill = sqliteTable("entry_fill", {
  accountId: ofAccount().primaryKey(),
  place: text("place").notNull(),
});

/** The position up to which a chain's records have become entries; no row: none. */
export const entryCursor = sqliteTable("entry_cursor", {
  installationId: ofInstallation().primaryKey(),
  position: integer("position").notNull(),
});
