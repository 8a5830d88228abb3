import { sql } from "drizzle-orm";
import {
  check,
  foreignKey,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";

// One D1 ledger with all data of its accounts. Amounts are decimal text, days `YYYY-MM-DD`, instants epoch
// milliseconds. The refusals of the triggers are in `migrations/ledger/0001_append_only.sql`.

/** An issuer (obligado tributario). Settings: every change raises `settings_version`. */
export const account = sqliteTable(
  "account",
  {
    id: text("id").primaryKey(),
    legalName: text("legal_name").notNull(),
    nif: text("nif").notNull(),
    address1: text("address1").notNull(),
    postcode: text("postcode").notNull(),
    city: text("city").notNull(),
    timeZone: text("time_zone").notNull(),
    territory: text("territory").notNull(),
    defaultRegime: text("default_regime").notNull().default("01"),
    /** The entry in the commercial register, printed at the foot of invoices. */
    registry: text("registry"),
    /** How customers reach the issuer, and the parts of a person's name. */
    email: text("email"),
    phone: text("phone"),
    province: text("province"),
    firstName: text("first_name"),
    surname1: text("surname_1"),
    surname2: text("surname_2"),
    /** UsualTerms as JSON; null where none are set. */
    terms: text("terms"),
    /** The owner's text at the foot of invoices. */
    footer: text("footer"),
    /** InvoiceLook as JSON: no part of an invoice, so that a change raises no version. */
    look: text("look"),
    multipleIssuers: integer("multiple_issuers", { mode: "boolean" }).notNull().default(false),
    /** The directory's verification state; older accounts, from before proofs of NIF, are verified. */
    verification: text("verification").notNull().default("verified"),
    /** A contested account stops issuing then, unless an operator settles the claim first. */
    issuingEndsAt: integer("issuing_ends_at"),
    /** The directory's `change_seq` of these two; an older change is ignored. */
    heardSeq: integer("heard_seq").notNull().default(0),
    frozen: integer("frozen").notNull().default(0),
    settingsVersion: integer("settings_version").notNull().default(1),
    openedAt: integer("opened_at").notNull(),
    /** The person who opened it; the directory, written later, needs it too. */
    openedBy: text("opened_by").notNull(),
  },
  (table) => [
    index("account_opened").on(table.openedAt),
    check("account_territory", sql`${table.territory} IN ('peninsula', 'canarias', 'ceuta_melilla')`),
    check("account_time_zone", sql`${table.timeZone} IN ('Europe/Madrid', 'Atlantic/Canary')`),
    check("account_frozen", sql`${table.frozen} IN (0, 1)`),
  ],
);

export const connection = sqliteTable(
  "connection",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => account.id),
    /** One sequence for all kinds in the account, never reused: it names the series. */
    ordinal: integer("ordinal").notNull(),
    kind: text("kind").notNull(),
    name: text("name").notNull(),
    /** Requests a minute; 0 switches the limit off, null takes the default of the configuration. */
    rateLimit: integer("rate_limit"),
    openedAt: integer("opened_at").notNull(),
    /** MailSwitch as JSON; null while invoices are not mailed when issued. */
    mailing: text("mailing"),
  },
  (table) => [uniqueIndex("connection_ordinal").on(table.accountId, table.ordinal)],
);

export const apiKey = sqliteTable(
  "api_key",
  {
    id: text("id").primaryKey(),
    connectionId: text("connection_id")
      .notNull()
      .references(() => connection.id),
    /** SHA-256 of the whole key, hex. */
    hash: text("hash").notNull(),
    createdAt: integer("created_at").notNull(),
    revokedAt: integer("revoked_at"),
    /** The last characters, for recognition by its owner; null for keys older than the console. */
    tail: text("tail"),
  },
  (table) => [index("api_key_connection").on(table.connectionId)],
);

/** Consents by owners; the newest row of a connection counts. */
export const consent = sqliteTable(
  "consent",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => account.id),
    connectionId: text("connection_id")
      .notNull()
      .references(() => connection.id),
    grantedBy: text("granted_by").notNull(),
    grantedAt: integer("granted_at").notNull(),
    textVersion: text("text_version").notNull(),
    cutoffDate: text("cutoff_date").notNull(),
    withdrawnAt: integer("withdrawn_at"),
    /** JSON of the owner's declaration: common tax rules apply, and no SII. */
    declaration: text("declaration").notNull().default("{}"),
    /** JSON of the evidence: the hash of the displayed text, its series, the caller's address. */
    evidence: text("evidence").notNull().default("{}"),
  },
  (table) => [index("consent_connection").on(table.connectionId, table.grantedAt)],
);

/** Authorisation of the AEAT for simplified invoices above the limits. One active per account. */
export const authorisation = sqliteTable(
  "authorisation",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => account.id),
    number: text("number").notNull(),
    limit: text("limit_eur").notNull(),
    /** NumRegistroAcuerdoFacturacion, 1-15 characters, where the AEAT gave one. */
    agreementNumber: text("agreement_number"),
    activeFrom: integer("active_from").notNull(),
    closedAt: integer("closed_at"),
  },
  (table) => [
    uniqueIndex("authorisation_active").on(table.accountId).where(sql`closed_at IS NULL`),
    index("authorisation_account").on(table.accountId, table.activeFrom),
  ],
);

/** NumeroInstalacion: the chain, its positions and its series belong to it. */
export const installation = sqliteTable(
  "installation",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => account.id),
    connectionId: text("connection_id")
      .notNull()
      .references(() => connection.id),
    /** 1 for the first of the connection; it decides the letter in the series codes. */
    ordinal: integer("ordinal").notNull(),
    number: text("number").notNull(),
    environment: text("environment").notNull(),
    /** For an unverified issuer in production: for tests only, permanently. */
    trial: integer("trial", { mode: "boolean" }).notNull().default(false),
    openedAt: integer("opened_at").notNull(),
    closedAt: integer("closed_at"),
  },
  (table) => [
    uniqueIndex("installation_number").on(table.number),
    uniqueIndex("installation_ordinal").on(table.connectionId, table.ordinal),
    uniqueIndex("installation_open").on(table.connectionId).where(sql`closed_at IS NULL`),
    check("installation_environment", sql`${table.environment} IN ('test', 'production')`),
  ],
);

/** The fence: one row per connection, written first in every batch. */
export const ledgerHead = sqliteTable("ledger_head", {
  connectionId: text("connection_id")
    .primaryKey()
    .references(() => connection.id),
  accountId: text("account_id")
    .notNull()
    .references(() => account.id),
  seq: integer("seq").notNull(),
  settingsVersion: integer("settings_version").notNull(),
});

/** A series code belongs to one installation of one connection for ever. */
export const series = sqliteTable(
  "series",
  {
    accountId: text("account_id")
      .notNull()
      .references(() => account.id),
    code: text("code").notNull(),
    connectionId: text("connection_id")
      .notNull()
      .references(() => connection.id),
    installationId: text("installation_id")
      .notNull()
      .references(() => installation.id),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.code] })],
);

export const invoice = sqliteTable(
  "invoice",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id").notNull(),
    connectionId: text("connection_id")
      .notNull()
      .references(() => connection.id),
    origin: text("origin").notNull(),
    series: text("series").notNull(),
    number: integer("number").notNull(),
    fullNumber: text("full_number").notNull(),
    issueDate: text("issue_date").notNull(),
    invoiceType: text("invoice_type").notNull(),
    totalEur: text("total_eur").notNull(),
    documentSha256: text("document_sha256").notNull(),
    requestId: text("request_id").notNull(),
  },
  (table) => [
    uniqueIndex("invoice_origin").on(table.connectionId, table.origin),
    uniqueIndex("invoice_number").on(table.accountId, table.series, table.number),
    foreignKey({ columns: [table.accountId, table.series], foreignColumns: [series.accountId, series.code] }),
    // Makes (account, full number) as unique as (account, series, number), without an index of its own.
    check(
      "invoice_full_number",
      sql`${table.fullNumber} = ${table.series} || '-' || printf('%06d', ${table.number})`,
    ),
    check("invoice_number_positive", sql`${table.number} >= 1`),
    check("invoice_issue_date", sql`${table.issueDate} IS date(${table.issueDate})`),
  ],
);

/** The immutable JSON document of an invoice; apart, so that closed years can move to R2. */
export const invoiceDocument = sqliteTable("invoice_document", {
  invoiceId: text("invoice_id")
    .primaryKey()
    .references(() => invoice.id),
  document: text("document").notNull(),
});

/** Links between invoices: rectifies or replaces, with the amounts taken per tax group. */
export const invoiceLink = sqliteTable(
  "invoice_link",
  {
    invoiceId: text("invoice_id")
      .notNull()
      .references(() => invoice.id),
    targetId: text("target_id")
      .notNull()
      .references(() => invoice.id),
    kind: text("kind").notNull(),
    /** JSON of the tax groups taken from the target (difference), else `[]`. */
    taken: text("taken").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.targetId, table.invoiceId] }),
    index("invoice_link_invoice").on(table.invoiceId),
    check("invoice_link_kind", sql`${table.kind} IN ('difference', 'substitution', 'replacement')`),
  ],
);

export const record = sqliteTable(
  "record",
  {
    installationId: text("installation_id")
      .notNull()
      .references(() => installation.id),
    position: integer("position").notNull(),
    connectionId: text("connection_id").notNull(),
    accountId: text("account_id").notNull(),
    origin: text("origin").notNull(),
    /**
     * A trigger proves that it exists: a foreign key would make SQLite plan a scan of records per invoice.
     */
    invoiceId: text("invoice_id").notNull(),
    kind: text("kind").notNull(),
    previousHash: text("previous_hash").notNull(),
    hash: text("hash").notNull(),
    /** The sealed literals as JSON, without hash and position. */
    content: text("content").notNull(),
    /** Why a cancellation was asked; empty for ALTA. */
    reason: text("reason").notNull().default(""),
    requestId: text("request_id").notNull(),
    /** Submission: from here on columns change. */
    state: text("state").notNull().default("pending_submission"),
    /** The authority's answer and its consequences, as JSON. */
    standing: text("standing"),
    /** `seq` of its chain's submission when it came to its end; null before. */
    changedSeq: integer("changed_seq"),
  },
  (table) => [
    primaryKey({ columns: [table.installationId, table.position] }),
    uniqueIndex("record_origin").on(table.connectionId, table.origin),
    index("record_unsubmitted")
      .on(table.installationId, table.position)
      .where(sql`state IN ('pending_submission', 'submitted')`),
    index("record_changed")
      .on(table.installationId, table.changedSeq, table.position)
      .where(sql`changed_seq IS NOT NULL`),
    // Few rows, among them all that an owner must check.
    index("record_declined")
      .on(table.installationId, table.position)
      .where(sql`state IN ('accepted_with_errors', 'rejected')`),
    check("record_kind", sql`${table.kind} IN ('ALTA', 'ANULACION')`),
    check("record_position", sql`${table.position} >= 1`),
    check("record_hash", sql`length(${table.hash}) = 64 AND ${table.hash} NOT GLOB '*[^0-9A-F]*'`),
  ],
);

// Foreign keys to the owner of a row, for the tables of the other files.

export const ofConnection = () =>
  text("connection_id")
    .notNull()
    .references(() => connection.id);

export const ofAccount = () =>
  text("account_id")
    .notNull()
    .references(() => account.id);

export const ofInstallation = () =>
  text("installation_id")
    .notNull()
    .references(() => installation.id);

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
