/** Invoices on their way to customers. Addresses are personal data: an erasure masks them. */
import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { connection, ofAccount, ofConnection } from "./ledger.ts";

export const invoiceDelivery = sqliteTable(
  "invoice_delivery",
  {
    id: text("id").primaryKey(),
    connectionId: ofConnection(),
    accountId: ofAccount(),
    /** No foreign key: the delivery stays when its invoice is retired. */
    invoiceId: text("invoice_id").notNull(),
    channel: text("channel").notNull(),
    /** In lower case; masked once it was erased. */
    address: text("address").notNull(),
    language: text("language").notNull(),
    /** JSON list. */
    formats: text("formats").notNull(),
    /** `call`, `owner`, `issued`. */
    cause: text("cause").notNull(),
    state: text("state").notNull(),
    attempts: integer("attempts").notNull(),
    /** When the next attempt is due; null once the state is final. */
    dueAt: integer("due_at"),
    queuedAt: integer("queued_at").notNull(),
    sentAt: integer("sent_at"),
    error: text("error"),
    requestId: text("request_id").notNull(),
    /** Of the last write, masking included. */
    changedAt: integer("changed_at").notNull(),
  },
  (table) => [
    index("invoice_delivery_invoice").on(table.invoiceId, table.queuedAt),
    // However many calls come at once, one delivery to an address is on its way.
    uniqueIndex("invoice_delivery_queued")
      .on(table.invoiceId, table.channel, table.address)
      .where(sql`state = 'queued'`),
    index("invoice_delivery_due").on(table.connectionId, table.dueAt).where(sql`due_at IS NOT NULL`),
    index("invoice_delivery_overdue").on(table.dueAt).where(sql`due_at IS NOT NULL`),
    check("invoice_delivery_channel", sql`${table.channel} IN ('email')`),
    check("invoice_delivery_state", sql`${table.state} IN ('queued', 'sent', 'failed')`),
    check("invoice_delivery_due_state", sql`(${table.dueAt} IS NOT NULL) = (${table.state} = 'queued')`),
    check("invoice_delivery_cause", sql`${table.cause} IN ('call', 'owner', 'issued')`),
    check("invoice_delivery_language", sql`${table.language} IN ('es', 'en')`),
  ],
);

/** Mails that calls have queued in the current minute and day, for the limit of a connection. */
export const mailCount = sqliteTable("mail_count", {
  connectionId: text("connection_id")
    .primaryKey()
    .references(() => connection.id),
  /** Minutes since the epoch. */
  minute: integer("minute").notNull(),
  inMinute: integer("in_minute").notNull(),
  /** Days since the epoch, in UTC. */
  day: integer("day").notNull(),
  inDay: integer("in_day").notNull(),
});
