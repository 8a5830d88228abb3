/** Sign-in tables of the directory database: those of the library, and ours. */
import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { accountDirectory } from "./directory.ts";

const instant = (name: string) => integer(name, { mode: "timestamp_ms" });

export const user = sqliteTable("user", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  email: text("email").notNull().unique(),
  emailVerified: integer("email_verified", { mode: "boolean" }).notNull().default(false),
  image: text("image"),
  createdAt: instant("created_at").notNull(),
  updatedAt: instant("updated_at").notNull(),
  /** In which mails are written; of the last sign-in. */
  language: text("language"),
});

const ofUser = () =>
  text("user_id")
    .notNull()
    .references(() => user.id, { onDelete: "cascade" });

export const session = sqliteTable(
  "session",
  {
    id: text("id").primaryKey(),
    expiresAt: instant("expires_at").notNull(),
    token: text("token").notNull().unique(),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
    ipAddress: text("ip_address"),
    userAgent: text("user_agent"),
    userId: ofUser(),
  },
  (table) => [index("session_user").on(table.userId), index("session_expires").on(table.expiresAt)],
);

/** A way to sign in: the password's hash with its parameters. The library calls it "account". */
export const credential = sqliteTable(
  "credential",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id").notNull(),
    providerId: text("provider_id").notNull(),
    userId: ofUser(),
    accessToken: text("access_token"),
    refreshToken: text("refresh_token"),
    idToken: text("id_token"),
    accessTokenExpiresAt: instant("access_token_expires_at"),
    refreshTokenExpiresAt: instant("refresh_token_expires_at"),
    scope: text("scope"),
    password: text("password"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [index("credential_user").on(table.userId)],
);

/** The challenge that a passkey must sign. */
export const verification = sqliteTable(
  "verification",
  {
    id: text("id").primaryKey(),
    identifier: text("identifier").notNull(),
    value: text("value").notNull(),
    expiresAt: instant("expires_at").notNull(),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [
    index("verification_identifier").on(table.identifier),
    index("verification_expires").on(table.expiresAt),
  ],
);

export const passkey = sqliteTable(
  "passkey",
  {
    id: text("id").primaryKey(),
    name: text("name"),
    publicKey: text("public_key").notNull(),
    userId: ofUser(),
    credentialID: text("credential_id").notNull(),
    counter: integer("counter").notNull(),
    deviceType: text("device_type").notNull(),
    backedUp: integer("backed_up", { mode: "boolean" }).notNull(),
    transports: text("transports"),
    createdAt: instant("created_at"),
    aaguid: text("aaguid"),
  },
  (table) => [index("passkey_user").on(table.userId), index("passkey_credential").on(table.credentialID)],
);

/**
 * Counts of tries and mails, per address and sender and per address. The keys are keyed hashes, because most
 * addresses belong to no user.
 */
export const signInFailure = sqliteTable(
  "sign_in_failure",
  {
    /** The counted key: an address with a sender or device, an address's mails, or a person's proofs. */
    keySha256: text("email_sha256").primaryKey(),
    failures: integer("failures").notNull(),
    since: integer("since").notNull(),
    /** The hash of the address, for any kind of count. */
    accountHash: text("account_hash"),
    /** Before then nothing more is tried. */
    freeAt: integer("free_at").notNull().default(0),
    /** The last try that was admitted. */
    takenBy: text("taken_by"),
  },
  (table) => [
    index("sign_in_failure_since").on(table.since),
    index("sign_in_failure_account").on(table.accountHash),
  ],
);

/**
 * A mailed link that works once: for a first password, a new password, a new address, or to restore the old
 * one. The text typed at sign-up is kept for a while after the end.
 */
export const identityLink = sqliteTable(
  "identity_link",
  {
    tokenSha256: text("token_sha256").primaryKey(),
    kind: text("kind").notNull(),
    /** The mailed address, or the address that the link restores. */
    email: text("email").notNull(),
    userId: text("user_id").references(() => user.id, { onDelete: "cascade" }),
    name: text("name"),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [
    index("identity_link_email").on(table.email),
    index("identity_link_user").on(table.userId),
    index("identity_link_expires").on(table.expiresAt),
    check("identity_link_kind", sql`${table.kind} IN ('sign_up', 'password', 'new_email', 'old_email')`),
    check("identity_link_whose", sql`(${table.kind} = 'sign_up') = (${table.userId} IS NULL)`),
  ],
);

/**
 * Which mailbox a login was made with, by a keyed hash: quotas count all logins of one mailbox. It outlives
 * the login until what that did counts no more.
 */
export const loginMailbox = sqliteTable(
  "login_mailbox",
  {
    userId: text("user_id").primaryKey(),
    mailboxHash: text("mailbox_hash").notNull(),
    /** When the login was deleted. */
    endedAt: integer("ended_at"),
  },
  (table) => [
    index("login_mailbox_hash").on(table.mailboxHash),
    index("login_mailbox_ended").on(table.endedAt).where(sql`ended_at IS NOT NULL`),
  ],
);

/** A browser of an earlier sign-in; by the hash of its cookie. */
export const knownDevice = sqliteTable(
  "known_device",
  {
    idSha256: text("id_sha256").primaryKey(),
    userId: ofUser(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [
    index("known_device_user").on(table.userId, table.createdAt),
    index("known_device_expires").on(table.expiresAt),
  ],
);

/** Events of a person's sign-in methods. */
export const identityEvent = sqliteTable(
  "identity_event",
  {
    id: text("id").primaryKey(),
    userId: ofUser(),
    event: text("event").notNull(),
    at: integer("at").notNull(),
    /** The number of events in a merged line. */
    count: integer("count").notNull().default(1),
    /** The browser, such as `Firefox, Windows`. */
    device: text("device"),
  },
  (table) => [
    index("identity_event_user").on(table.userId, table.at),
    index("identity_event_at").on(table.at),
  ],
);

/** A link that lets one person into one account. */
export const invitation = sqliteTable(
  "invitation",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accountDirectory.accountId),
    tokenSha256: text("token_sha256").notNull(),
    email: text("email").notNull(),
    role: text("role").notNull(),
    invitedBy: text("invited_by").notNull(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    acceptedBy: text("accepted_by"),
    /** Accepted or withdrawn: the link no longer works. */
    endedAt: integer("ended_at"),
    /** Of the address, as invitations to it are counted. */
    mailbox: text("mailbox"),
  },
  (table) => [
    uniqueIndex("invitation_token").on(table.tokenSha256),
    index("invitation_account").on(table.accountId, table.createdAt),
    index("invitation_expires").on(table.expiresAt),
    index("invitation_inviter").on(table.invitedBy, table.createdAt),
    index("invitation_receiver").on(table.mailbox, table.createdAt),
    check("invitation_role", sql`${table.role} IN ('owner', 'accountant')`),
  ],
);
