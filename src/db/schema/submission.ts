/** Submission of records to the AEAT, and webhooks about it. The records are in `ledger.ts`. */
import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { installation, ofAccount, ofConnection, ofInstallation } from "./ledger.ts";

/** The submission state of one chain; no row before its first message. */
export const chainSubmission = sqliteTable("chain_submission", {
  installationId: text("installation_id")
    .primaryKey()
    .references(() => installation.id),
  connectionId: ofConnection(),
  accountId: ofAccount(),
  /** Raised with every change: a write decided on an older state fails as a whole. */
  seq: integer("seq").notNull(),
  waitSeconds: integer("wait_seconds").notNull(),
  dueAt: integer("due_at").notNull(),
  failures: integer("failures").notNull(),
  affectedTo: integer("affected_to").notNull(),
  incidentSince: integer("incident_since"),
  answeredAt: integer("answered_at"),
  /** Stop as JSON. */
  stopped: text("stopped"),
  /** Isolation as JSON. */
  isolation: text("isolation"),
});

/** Every message that was or may have been sent, written before; kept as evidence of failures. */
export const submissionAttempt = sqliteTable(
  "submission_attempt",
  {
    /** A random id; only its holder may apply the response. */
    id: text("id").primaryKey(),
    installationId: ofInstallation(),
    connectionId: ofConnection(),
    accountId: ofAccount(),
    fromPosition: integer("from_position").notNull(),
    toPosition: integer("to_position").notNull(),
    incident: integer("incident", { mode: "boolean" }).notNull(),
    resend: integer("resend", { mode: "boolean" }).notNull(),
    /** SHA-256 of the message's bytes, lower-case hex; the bytes are in R2 under the id. */
    requestSha256: text("request_sha256").notNull(),
    startedAt: integer("started_at").notNull(),
    leaseUntil: integer("lease_until").notNull(),
    endedAt: integer("ended_at"),
    /** The result, as JSON. */
    result: text("result"),
    /** CSV: the AEAT's proof that it took the message. */
    csv: text("csv"),
    presentedAt: text("presented_at"),
    /** SHA-256 of the response's bytes; the only column that may be set after the end. */
    answerSha256: text("answer_sha256"),
  },
  (table) => [
    uniqueIndex("submission_attempt_open").on(table.installationId).where(sql`ended_at IS NULL`),
    index("submission_attempt_started").on(table.installationId, table.startedAt),
    // Messages that held a certain record.
    index("submission_attempt_from").on(table.installationId, table.fromPosition),
  ],
);

/** The issuer's signed grant: without it nothing is sent to the real authority. */
export const representation = sqliteTable(
  "representation",
  {
    id: text("id").primaryKey(),
    accountId: ofAccount(),
    /** SHA-256 of the signed document, lower-case hex. */
    documentSha256: text("document_sha256").notNull(),
    signedBy: text("signed_by").notNull(),
    signedOn: text("signed_on").notNull(),
    storedBy: text("stored_by").notNull(),
    storedAt: integer("stored_at").notNull(),
    withdrawnAt: integer("withdrawn_at"),
  },
  (table) => [
    uniqueIndex("representation_standing").on(table.accountId).where(sql`withdrawn_at IS NULL`),
    index("representation_account").on(table.accountId, table.storedAt),
  ],
);

/** A caller's address for webhook events. */
export const webhookEndpoint = sqliteTable(
  "webhook_endpoint",
  {
    id: text("id").primaryKey(),
    connectionId: ofConnection(),
    accountId: ofAccount(),
    url: text("url").notNull(),
    secret: text("secret").notNull(),
    /** Valid with the current one while the receiver changes to it. */
    previousSecret: text("previous_secret"),
    /** JSON list of event types. */
    events: text("events").notNull(),
    createdAt: integer("created_at").notNull(),
    /** Held orders up to here have been delivered or queued. */
    heldSeq: integer("held_seq").notNull(),
    /** Why it is called no more; null while it is. */
    endedAt: integer("ended_at"),
    endedBecause: text("ended_because"),
  },
  (table) => [
    index("webhook_endpoint_connection").on(table.connectionId),
    index("webhook_endpoint_alive").on(table.connectionId).where(sql`ended_at IS NULL`),
  ],
);

/** The position of an endpoint in a chain; no row: the beginning. */
export const webhookCursor = sqliteTable(
  "webhook_cursor",
  {
    endpointId: text("endpoint_id")
      .notNull()
      .references(() => webhookEndpoint.id),
    installationId: ofInstallation(),
    /** Records up to here have produced their `issued` events. */
    position: integer("position").notNull(),
    /** State changes up to here: number of the change, and place within it. */
    changedSeq: integer("changed_seq").notNull(),
    changedPosition: integer("changed_position").notNull(),
  },
  (table) => [primaryKey({ columns: [table.endpointId, table.installationId] })],
);

/** A message to an endpoint, made when its cursor passes the event; the owner's log of deliveries. */
export const webhookDelivery = sqliteTable(
  "webhook_delivery",
  {
    /** The `webhook-id` of all its attempts. */
    id: text("id").primaryKey(),
    endpointId: text("endpoint_id")
      .notNull()
      .references(() => webhookEndpoint.id),
    connectionId: ofConnection(),
    event: text("event").notNull(),
    /** The subject and its version: each endpoint gets every subject once. */
    subject: text("subject").notNull(),
    body: text("body").notNull(),
    askedAt: integer("asked_at").notNull(),
    attempts: integer("attempts").notNull(),
    dueAt: integer("due_at"),
    lastAt: integer("last_at"),
    /** CallOutcome as JSON. */
    lastOutcome: text("last_outcome"),
  },
  (table) => [
    uniqueIndex("webhook_delivery_subject").on(table.endpointId, table.event, table.subject),
    index("webhook_delivery_due").on(table.endpointId, table.dueAt).where(sql`due_at IS NOT NULL`),
    index("webhook_delivery_log").on(table.endpointId, table.askedAt),
    check("webhook_delivery_attempts", sql`${table.attempts} >= 0`),
  ],
);
