import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { connection, ofAccount, ofConnection } from "./ledger.ts";

// A shop that a connection takes orders from in the shop's own form: deliveries, documents and fetching.

/** The shop of a connection. Its owner sets the first columns; the object's own work sets the others. */
export const shop = sqliteTable(
  "shop",
  {
    connectionId: text("connection_id")
      .primaryKey()
      .references(() => connection.id),
    accountId: ofAccount(),
    platform: text("platform").notNull(),
    /** Base address of its API; null while nothing is fetched. */
    url: text("url"),
    /** Part of the address at which it delivers. */
    nonce: text("nonce").notNull(),
    /** The address before; it lives until then. */
    previousNonce: text("previous_nonce"),
    previousUntil: integer("previous_until"),
    /** SealedSecret as JSON: signs deliveries. */
    secret: text("secret"),
    previousSecret: text("previous_secret"),
    /** SealedSecret of each field as JSON; null while nothing is fetched. */
    credentials: text("credentials"),
    /**
     * Another one with each address, set of credentials and connection: what began before it is discarded.
     */
    access: text("access").notNull().default(""),
    /** ShopSettings as JSON. */
    settings: text("settings").notNull(),
    /** Raised with the settings: documents mapped under an older version are mapped again. */
    settingsVersion: integer("settings_version").notNull(),
    createdAt: integer("created_at").notNull(),

    /** When the next work other than single fetches is due. */
    dueAt: integer("due_at"),
    /** ShopTables as JSON, as the shop answered last. */
    tables: text("tables"),
    tablesAt: integer("tables_at"),
    /** When they are read next; null if at once. */
    tablesDueAt: integer("tables_due_at"),
    /** ShopTest as JSON. */
    tested: text("tested"),
    testedAt: integer("tested_at"),
    deliveredAt: integer("delivered_at"),
    fetchedAt: integer("fetched_at"),
    /** Since when every fetch has failed, and the last cause. */
    failingSince: integer("failing_since"),
    failure: text("failure"),
    /** Failed calls in a row, and until when the whole shop is left alone after them. */
    failures: integer("failures").notNull().default(0),
    pausedUntil: integer("paused_until"),
    /** The shop has refused the credentials; nothing is fetched until new ones are tested. */
    credentialsRefusedAt: integer("credentials_refused_at"),
    reconciledAt: integer("reconciled_at"),
    /** Failed reconciles in a row. */
    reconcileFailures: integer("reconcile_failures").notNull(),
    /** The newest modification that a reconcile has seen. */
    seenUntil: integer("seen_until"),
    /** Deliveries with a wrong signature. */
    forged: integer("forged").notNull(),
    forgedAt: integer("forged_at"),
    /** The UTC day, as days since 1970, whose deliveries and kept bytes are counted. */
    countedDay: integer("counted_day").notNull().default(0),
    dayDeliveries: integer("day_deliveries").notNull().default(0),
    dayBytes: integer("day_bytes").notNull().default(0),
  },
  (table) => [
    index("shop_due").on(table.dueAt).where(sql`due_at IS NOT NULL`),
    check("shop_platform", sql`${table.platform} IN ('woocommerce', 'shopify', 'prestashop', 'magento')`),
  ],
);

/** A message of a shop, by the shop's own id of it: a repeat is recognised for as long as its row lives. */
export const shopDelivery = sqliteTable(
  "shop_delivery",
  {
    connectionId: ofConnection(),
    deliveryId: text("delivery_id").notNull(),
    topic: text("topic").notNull(),
    sha256: text("sha256").notNull(),
    sizeBytes: integer("size_bytes").notNull(),
    outcome: text("outcome").notNull(),
    /** The reason why the delivery is unreadable, as JSON. */
    why: text("why"),
    /** The order that it is about: its body is erased with that order. */
    orderId: text("order_id"),
    /** As sent, in base64; larger ones are in R2 under the key. */
    body: text("body"),
    bodyKey: text("body_key"),
    receivedAt: integer("received_at").notNull(),
    /** How often it came again. */
    repeats: integer("repeats").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.connectionId, table.deliveryId] }),
    index("shop_delivery_log").on(table.connectionId, table.receivedAt, table.deliveryId),
    index("shop_delivery_aged").on(table.receivedAt),
    index("shop_delivery_body")
      .on(table.receivedAt)
      .where(sql`outcome <> 'decided' AND (body IS NOT NULL OR body_key IS NOT NULL)`),
    index("shop_delivery_order").on(table.connectionId, table.orderId).where(sql`order_id IS NOT NULL`),
    check("shop_delivery_outcome", sql`${table.outcome} IN ('accepted', 'decided', 'ignored', 'unreadable')`),
  ],
);

/** The newest documents of each order in the shop's form: it is mapped again from them. */
export const shopDocument = sqliteTable(
  "shop_document",
  {
    connectionId: ofConnection(),
    /** As the order is called: `shop_order.id_external`. */
    idExternal: text("id_external").notNull(),
    /** The shop's own status. */
    status: text("status"),
    /** JSON of the documents; larger ones are in R2 under the key. */
    documents: text("documents"),
    bodyKey: text("body_key"),
    sha256: text("sha256").notNull(),
    /** `posted`, `fetched`. */
    source: text("source").notNull(),
    /** When the shop changed the order last. */
    modifiedAt: integer("modified_at"),
    receivedAt: integer("received_at").notNull(),
    /** `shop.settings_version` of the mapping; of a shop that was disconnected `OF_EARLIER_SHOP`. */
    settingsVersion: integer("settings_version").notNull(),
    /** The facts that the shop lacks or contradicts (`Missing`), as JSON. */
    missing: text("missing").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.connectionId, table.idExternal] }),
    index("shop_document_mapped").on(table.connectionId, table.settingsVersion, table.idExternal),
    index("shop_document_status").on(table.connectionId, table.status),
    index("shop_document_received").on(table.connectionId, table.receivedAt),
    index("shop_document_lacking").on(table.connectionId, table.receivedAt).where(sql`missing <> '[]'`),
  ],
);

/** An order that is to be fetched; the row goes when its documents are stored. */
export const shopFetch = sqliteTable(
  "shop_fetch",
  {
    connectionId: ofConnection(),
    /** As the shop's API calls the order. */
    nativeId: text("native_id").notNull(),
    /** `delivery`, `reconcile`, `owner`, `backfill`. */
    because: text("because").notNull(),
    dueAt: integer("due_at").notNull(),
    /** Raised with each hint: a fetch ends only the hints that came before it. */
    hints: integer("hints").notNull(),
    attempts: integer("attempts").notNull(),
    failingSince: integer("failing_since"),
    failure: text("failure"),
  },
  (table) => [
    primaryKey({ columns: [table.connectionId, table.nativeId] }),
    index("shop_fetch_due").on(table.connectionId, table.dueAt),
    index("shop_fetch_overdue").on(table.dueAt),
  ],
);

/** A search for earlier orders; at most one per connection. Its figures are in `shop_count`. */
export const shopBackfill = sqliteTable(
  "shop_backfill",
  {
    connectionId: text("connection_id")
      .primaryKey()
      .references(() => connection.id),
    /** `listing`, `listed`, `confirmed`, `done`. */
    state: text("state").notNull(),
    /** The day of the oldest order that is looked for. */
    since: text("since").notNull(),
    /** Where the next page begins; null before the first. */
    page: text("page"),
    /** No further page is asked for: the last one was read, or the list is full. */
    isListed: integer("is_listed", { mode: "boolean" }).notNull().default(false),
    /** More orders exist than one backfill takes. */
    hasMore: integer("has_more", { mode: "boolean" }).notNull(),
    begunAt: integer("begun_at").notNull(),
    confirmedAt: integer("confirmed_at"),
    /** When its next step is due; null while the owner looks at the list, and at the end. */
    dueAt: integer("due_at"),
    failure: text("failure"),
    /** Failed steps in a row. */
    attempts: integer("attempts").notNull(),
  },
  (table) => [
    index("shop_backfill_due").on(table.dueAt).where(sql`due_at IS NOT NULL`),
    check("shop_backfill_state", sql`${table.state} IN ('listing', 'listed', 'confirmed', 'done')`),
  ],
);

/** An order that a backfill found, with what it would become. */
export const shopBackfillOrder = sqliteTable(
  "shop_backfill_order",
  {
    connectionId: ofConnection(),
    nativeId: text("native_id").notNull(),
    place: integer("place").notNull(),
    /** The state that it would have; null until it is looked at. */
    would: text("would"),
    /** BackfillOutlook as JSON; null until it is looked at. */
    outlook: text("outlook"),
    confirmed: integer("confirmed", { mode: "boolean" }).notNull(),
    /** When its fetch was asked for, and when that fetch was answered. */
    handedAt: integer("handed_at"),
    decidedAt: integer("decided_at"),
    /** The fetch ended and no order came of it; the outlook has the failure. */
    givenUp: integer("given_up", { mode: "boolean" }).notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.connectionId, table.nativeId] }),
    index("shop_backfill_given_up").on(table.connectionId, table.place).where(sql`given_up = 1`),
    index("shop_backfill_place").on(table.connectionId, table.place),
    index("shop_backfill_would").on(table.connectionId, table.would, table.place),
    index("shop_backfill_unseen").on(table.connectionId, table.place).where(sql`outlook IS NULL`),
    index("shop_backfill_confirmed")
      .on(table.connectionId, table.place)
      .where(sql`confirmed = 1 AND handed_at IS NULL`),
    index("shop_backfill_handed")
      .on(table.connectionId, table.nativeId)
      .where(sql`handed_at IS NOT NULL AND decided_at IS NULL`),
  ],
);

/** Rows counted by triggers, so that no page counts them: how many of a connection have the name. */
export const shopCount = sqliteTable(
  "shop_count",
  {
    connectionId: ofConnection(),
    /**
     * `status`: documents by the shop's status. `found`, `confirmed`, `decided`, `given_up`: orders of the
     * backfill by what they would become, with an empty name while they are not looked at. Those given up are
     * among the decided.
     */
    kind: text("kind").notNull(),
    name: text("name").notNull(),
    count: integer("count").notNull(),
  },
  (table) => [primaryKey({ columns: [table.connectionId, table.kind, table.name] })],
);

/**
 * Webhooks that are to be made or removed at a shop. One row of a connection keeps those of its shop for as
 * long as they are wanted; a row of a disconnected shop goes with the last of its webhooks.
 */
export const shopWebhookTask = sqliteTable(
  "shop_webhook_task",
  {
    connectionId: ofConnection(),
    /** Empty to keep those of the connected shop; else the nonce of the address whose webhooks go. */
    nonce: text("nonce").notNull(),
    /** Address of this service's API, below which the shop's address is. */
    apiUrl: text("api_url"),
    /** The disconnected shop as JSON (`RemovedShop`), its credentials sealed. */
    removed: text("removed"),
    dueAt: integer("due_at"),
    /** Raised with each request: a run ends only those that came before it. */
    requests: integer("requests").notNull(),
    begunAt: integer("begun_at").notNull(),
    /** When the shop had all of them last. */
    madeAt: integer("made_at"),
    attempts: integer("attempts").notNull(),
    failure: text("failure"),
  },
  (table) => [
    primaryKey({ columns: [table.connectionId, table.nonce] }),
    index("shop_webhook_task_due").on(table.dueAt).where(sql`due_at IS NOT NULL`),
  ],
);

/**
 * Keys of bodies in R2 that no row names: triggers note those whose rows are gone, and a body that is about
 * to be stored is noted until its row is. Cron erases them.
 */
export const shopDroppedBody = sqliteTable("shop_dropped_body", {
  key: text("key").primaryKey(),
  /** From when it may be erased. */
  dueAt: integer("due_at").notNull().default(0),
});
