/** Who signs in, in the directory database: tables of the library that signs people in, and ours. */
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

/** Links that were sent, such as the one that changes a password. */
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

/** What was tried for one e-mail address or person; by a hash, because most addresses belong to nobody. */
export const signInFailure = sqliteTable(
  "sign_in_failure",
  {
    emailSha256: text("email_sha256").primaryKey(),
    failures: integer("failures").notNull(),
    since: integer("since").notNull(),
  },
  (table) => [index("sign_in_failure_since").on(table.since)],
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
    /** Accepted or taken back: the link does nothing any more. */
    endedAt: integer("ended_at"),
  },
  (table) => [
    uniqueIndex("invitation_token").on(table.tokenSha256),
    index("invitation_account").on(table.accountId, table.createdAt),
    index("invitation_expires").on(table.expiresAt),
    index("invitation_inviter").on(table.invitedBy, table.createdAt),
    index("invitation_receiver").on(sql`lower(email)`, table.createdAt),
    check("invitation_role", sql`${table.role} IN ('owner', 'accountant')`),
  ],
);
