/** Orders of shops, and the owners' declarations about invoicing. Facts are JSON. */
import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { customerKeySql } from "../../domain/order/customer-key.ts";
import { connection, ofAccount, ofConnection } from "./ledger.ts";

/** One row per order: its newest facts, the decision and the owner's answers. */
export const shopOrder = sqliteTable(
  "shop_order",
  {
    connectionId: ofConnection(),
    idExternal: text("id_external").notNull(),
    state: text("state").notNull(),
    orderedAt: integer("ordered_at").notNull(),
    /** The civil day of `ordered_at` in the issuer's zone, which the cutoff is compared with. */
    orderDay: text("order_day").notNull(),
    /** The last day on which its invoice is in time. */
    dueDate: text("due_date").notNull(),
    status: text("status"),
    /** The day of the rate that converts it; null in euros. */
    rateDay: text("rate_day"),
    rateCurrency: text("rate_currency"),
    /** Held for nothing but a rate that is still to be published, or for that among others. */
    waitsForRate: integer("waits_for_rate", { mode: "boolean" }).notNull(),
    /** The day on which it is decided again: until then its date lies ahead. */
    decideFrom: text("decide_from"),
    /** True if the settings of its decision have changed: it is decided again automatically. */
    undecided: integer("undecided", { mode: "boolean" }).notNull(),
    /** Unused. It is kept, because without it the table, its triggers and indexes would be built again. */
    wasCandidate: integer("was_candidate", { mode: "boolean" }).notNull(),
    /** OrderFacts, with every event that was ever received. */
    facts: text("facts").notNull(),
    sentSha256: text("sent_sha256").notNull(),
    reasons: text("reasons").notNull(),
    warnings: text("warnings").notNull(),
    answers: text("answers").notNull(),
    /** ActedEvent list: an event acts once. */
    acted: text("acted").notNull(),
    /** The fingerprint of the facts of the first invoice. */
    soldFingerprint: text("sold_fingerprint"),
    createdAt: integer("created_at").notNull(),
    changedAt: integer("changed_at").notNull(),
    requestId: text("request_id").notNull(),
    /** `seq` of the head when it came to be held as it is; null while it is not held. */
    heldSeq: integer("held_seq"),
    /** From the facts: in their own columns, an index can sum them. */
    currency: text("currency").notNull().default(""),
    total: text("total").notNull().default(""),
    /** Not mailed when issued: `once` for the next decision, `until_issued` for the whole invoice. */
    unmailed: text("unmailed"),
    /** The question that it asks while it is held (`domain/order/question.ts`). */
    question: text("question"),
    /** Read out of the facts, for lists and their indexes. */
    reference: text("reference").generatedAlwaysAs(sql`(facts ->> '$.reference')`),
    storeId: text("store_id").generatedAlwaysAs(sql`(facts ->> '$.storeId')`),
    /** The customer, as the shop calls them. */
    clientId: text("client_id").generatedAlwaysAs(sql`(facts ->> '$.client.idExternal')`),
    /** The customer's company, or else the whole name, and the surname: folded, for the search. */
    customer: text("customer").generatedAlwaysAs(
      sql.raw(
        `nullif(${customerKeySql(
          "coalesce(nullif(trim(facts ->> '$.client.company'), ''), " +
            "coalesce(facts ->> '$.client.firstName', '') || ' ' || " +
            "coalesce(facts ->> '$.client.lastName', ''))",
        )}, '')`,
      ),
    ),
    surname: text("surname").generatedAlwaysAs(
      sql.raw(`nullif(${customerKeySql("facts ->> '$.client.lastName'")}, '')`),
    ),
    /** The first of its reasons; it sorts the review queue. */
    heldFor: text("held_for").generatedAlwaysAs(sql`(reasons ->> '$[0].code')`),
  },
  (table) => [
    primaryKey({ columns: [table.connectionId, table.idExternal] }),
    index("shop_order_listed").on(table.connectionId, table.state, table.orderedAt, table.idExternal),
    // The list of the API: a page is one stretch per state.
    index("shop_order_changed").on(table.connectionId, table.state, table.changedAt, table.idExternal),
    index("shop_order_store")
      .on(table.connectionId, table.storeId, table.state, table.orderedAt, table.idExternal)
      .where(sql`store_id IS NOT NULL`),
    index("shop_order_reference").on(table.connectionId, table.reference).where(sql`reference IS NOT NULL`),
    index("shop_order_customer").on(table.connectionId, table.customer).where(sql`customer IS NOT NULL`),
    index("shop_order_surname").on(table.connectionId, table.surname).where(sql`surname IS NOT NULL`),
    index("shop_order_held_for")
      .on(table.connectionId, table.heldFor, table.dueDate, table.idExternal)
      .where(sql`state = 'held'`),
    // Holds all that is summed of orders without an invoice: however many wait, no row is looked at.
    index("shop_order_waiting")
      .on(
        table.connectionId,
        table.state,
        table.orderDay,
        table.currency,
        table.rateDay,
        table.total,
        table.soldFingerprint,
      )
      .where(sql`state IN ('deferred', 'before_cutoff', 'held') AND sold_fingerprint IS NULL`),
    index("shop_order_question")
      .on(table.connectionId, table.question, table.dueDate, table.idExternal)
      .where(sql`question IS NOT NULL`),
    index("shop_order_held_seq").on(table.connectionId, table.heldSeq).where(sql`held_seq IS NOT NULL`),
    index("shop_order_deferred")
      .on(table.connectionId, table.orderedAt, table.idExternal)
      .where(sql`state = 'deferred'`),
    index("shop_order_before_cutoff")
      .on(table.connectionId, table.orderDay)
      .where(sql`state = 'before_cutoff'`),
    index("shop_order_held")
      .on(table.connectionId, table.dueDate, table.idExternal)
      .where(sql`state = 'held'`),
    index("shop_order_undecided").on(table.connectionId, table.orderedAt).where(sql`undecided = 1`),
    index("shop_order_unselected").on(table.connectionId).where(sql`state = 'store_not_selected'`),
    index("shop_order_dated").on(table.connectionId, table.decideFrom).where(sql`decide_from IS NOT NULL`),
    index("shop_order_client").on(table.connectionId, table.clientId).where(sql`client_id IS NOT NULL`),
    // Finds unused orders by age.
    index("shop_order_settled")
      .on(table.changedAt)
      .where(
        sql.raw(
          "state IN ('stored', 'before_cutoff', 'store_not_selected', 'cancelled')" +
            " AND sold_fingerprint IS NULL",
        ),
      ),
    index("shop_order_rate")
      .on(table.connectionId, table.rateDay, table.rateCurrency)
      .where(sql`waits_for_rate = 1`),
    check(
      "shop_order_state",
      sql`${table.state} IN ('stored', 'deferred', 'before_cutoff', 'store_not_selected', 'held', 'invoiced',
        'partially_rectified', 'rectified', 'cancelled')`,
    ),
  ],
);

/** Progress of the orders that waited at the owner's consent; triggers count. */
export const orderRelease = sqliteTable("order_release", {
  connectionId: text("connection_id")
    .primaryKey()
    .references(() => connection.id),
  accountId: ofAccount(),
  consentId: text("consent_id").notNull(),
  total: integer("total").notNull(),
  invoiced: integer("invoiced").notNull(),
  held: integer("held").notNull(),
  /** Decided, and neither of the two. */
  settled: integer("settled").notNull(),
  changedAt: integer("changed_at").notNull(),
});

/** The newest body of each order, as its connector sent it; apart, because nothing is decided from it. */
export const shopOrderSent = sqliteTable(
  "shop_order_sent",
  {
    connectionId: ofConnection(),
    idExternal: text("id_external").notNull(),
    sent: text("sent").notNull(),
  },
  (table) => [primaryKey({ columns: [table.connectionId, table.idExternal] })],
);

/** Sales of a channel or a store with their own numbering and treatment. */
export const profile = sqliteTable(
  "profile",
  {
    id: text("id").primaryKey(),
    accountId: ofAccount(),
    connectionId: ofConnection(),
    name: text("name").notNull(),
    channel: text("channel"),
    storeId: text("store_id"),
    stem: text("stem").notNull(),
    /** SalesSettings as JSON. */
    sales: text("sales").notNull(),
    createdAt: integer("created_at").notNull(),
    /** MailSwitch as JSON; null while its invoices are not mailed when issued. */
    mailing: text("mailing"),
  },
  (table) => [
    index("profile_connection").on(table.connectionId),
    // In the account series_stem keeps them apart, those for tests and the others each among their own.
    uniqueIndex("profile_stem").on(table.connectionId, table.stem),
  ],
);

/** Codes of series, without their year, that the stems of an account have taken: four for each stem. */
export const seriesStem = sqliteTable(
  "series_stem",
  {
    accountId: ofAccount(),
    code: text("code").notNull(),
    stem: text("stem").notNull(),
    connectionId: ofConnection(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.code] })],
);

/** The effect of a tag, as confirmed by the owner. */
export const tagRule = sqliteTable(
  "tag_rule",
  {
    connectionId: ofConnection(),
    accountId: ofAccount(),
    /** As tags are compared: trimmed, NFC, case folded. */
    tag: text("tag").notNull(),
    action: text("action").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.connectionId, table.tag] }),
    check("tag_rule_action", sql`${table.action} IN ('hold', 'ignore')`),
  ],
);

/** Rates of the one-stop shop that are missing in the rate table, declared by the owner. */
export const ossRate = sqliteTable(
  "oss_rate",
  {
    accountId: ofAccount(),
    /** As in the rate table: a member state, or one of its regions after a colon. */
    area: text("area").notNull(),
    rate: text("rate").notNull(),
    from: text("from_date").notNull(),
    keptAt: integer("kept_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.area, table.rate] })],
);

/** The shop's address for requests to send its orders. */
export const shopCallback = sqliteTable(
  "shop_callback",
  {
    connectionId: text("connection_id")
      .primaryKey()
      .references(() => connection.id),
    accountId: ofAccount(),
    url: text("url").notNull(),
    secret: text("secret").notNull(),
    /** Valid with the current one while the shop changes to it. */
    previousSecret: text("previous_secret"),
    /** The last request; null before the first. A retry keeps it. */
    deliveryId: text("delivery_id"),
    askedAt: integer("asked_at"),
    attempts: integer("attempts").notNull(),
    dueAt: integer("due_at"),
    lastAt: integer("last_at"),
    /** CallOutcome as JSON. */
    lastOutcome: text("last_outcome"),
  },
  (table) => [index("shop_callback_due").on(table.dueAt).where(sql`due_at IS NOT NULL`)],
);
