import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { connection, ofAccount, ofConnection } from "./ledger.ts";

// Reports of shops, and owners' declarations about sales. Facts are JSON texts of the domain's types.

/** Guided setup and the declarations that hold for every order without a profile. One row per connection. */
export const shopSetup = sqliteTable("shop_setup", {
  connectionId: text("connection_id")
    .primaryKey()
    .references(() => connection.id),
  accountId: ofAccount(),
  /** `pending_inventory`, `pending_configuration`, `configured`. */
  state: text("state").notNull(),
  /** Null until the owner completes step 2; "" for all stores; else ids joined by commas. */
  storeIds: text("store_ids"),
  /** SalesSettings as JSON. */
  sales: text("sales").notNull(),
  /** Replaces `PED-{n}` while the connection has no profiles. */
  orderStem: text("order_stem"),
  /** When the owner chose the stores last. */
  chosenAt: integer("chosen_at"),
});

/** The module's report about itself; it affects no decision, so it raises no settings version. */
export const shopModule = sqliteTable("shop_module", {
  connectionId: text("connection_id")
    .primaryKey()
    .references(() => connection.id),
  platform: text("platform"),
  moduleVersion: text("module_version"),
  contractVersion: text("contract_version"),
  seenAt: integer("seen_at").notNull(),
});

export const shopStore = sqliteTable(
  "shop_store",
  {
    connectionId: ofConnection(),
    storeId: text("store_id").notNull(),
    name: text("name"),
    url: text("url"),
    ordersCount: integer("orders_count"),
    /** Place in the inventory, which `store_ids` follows. */
    ordinal: integer("ordinal").notNull(),
    /** When an inventory named it first; null of stores older than the console. */
    seenAt: integer("seen_at"),
  },
  (table) => [primaryKey({ columns: [table.connectionId, table.storeId] })],
);

export const shopInventory = sqliteTable("shop_inventory", {
  connectionId: text("connection_id")
    .primaryKey()
    .references(() => connection.id),
  ordersTotal: integer("orders_total"),
  receivedAt: integer("received_at").notNull(),
});

export const shopClient = sqliteTable(
  "shop_client",
  {
    connectionId: ofConnection(),
    idExternal: text("id_external").notNull(),
    facts: text("facts").notNull(),
    receivedAt: integer("received_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.connectionId, table.idExternal] }),
    index("shop_client_received").on(table.receivedAt),
  ],
);

export const shopStatus = sqliteTable(
  "shop_status",
  {
    connectionId: ofConnection(),
    idExternal: text("id_external").notNull(),
    name: text("name").notNull(),
    paid: integer("paid", { mode: "boolean" }).notNull(),
    cancelled: integer("cancelled", { mode: "boolean" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.connectionId, table.idExternal] })],
);

/** Euro reference rates, units of the currency per euro; in every ledger, so that each decides by its own. */
export const exchangeRate = sqliteTable(
  "exchange_rate",
  {
    day: text("day").notNull(),
    currency: text("currency").notNull(),
    rate: text("rate").notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.currency] })],
);

/** Everything that an owner did, in the order in which it was done; append-only. */
export const auditLog = sqliteTable(
  "audit_log",
  {
    id: text("id").primaryKey(),
    accountId: ofAccount(),
    connectionId: text("connection_id"),
    userId: text("user_id").notNull(),
    at: integer("at").notNull(),
    verb: text("verb").notNull(),
    /** JSON of the request. */
    facts: text("facts").notNull(),
    /** The order that it was about. */
    orderId: text("order_id").generatedAlwaysAs(sql`(facts ->> '$.order')`),
  },
  (table) => [
    index("audit_log_account").on(table.accountId, table.at),
    index("audit_log_verb").on(table.accountId, table.verb, table.at),
    index("audit_log_person").on(table.accountId, table.userId, table.at),
    index("audit_log_person_verb").on(table.accountId, table.userId, table.verb, table.at),
    index("audit_log_order").on(table.connectionId, table.orderId, table.at).where(sql`order_id IS NOT NULL`),
  ],
);

// Customers' access to their invoices, and the pages that may frame them.

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
