import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

// The directory database: the ledger and the owners of each account.

export const accountDirectory = sqliteTable(
  "account_directory",
  {
    accountId: text("account_id").primaryKey(),
    nif: text("nif").notNull(),
    ledger: text("ledger").notNull(),
    openedAt: integer("opened_at").notNull(),
    closedAt: integer("closed_at"),
    /** Unknown of accounts older than this column, which are verified. */
    openedBy: text("opened_by"),
    /** Older accounts, from before proofs of NIF, are verified. */
    verification: text("verification").notNull().default("verified"),
    contestedAt: integer("contested_at"),
    /** Raised with every change that the ledger must learn; `heardSeq` follows. */
    changeSeq: integer("change_seq").notNull().default(0),
    heardSeq: integer("heard_seq").notNull().default(0),
    /** The last try to update the ledger, so that a failing one does not block the others. */
    toldAt: integer("told_at").notNull().default(0),
    /** Verified, and an owner of it has another such account: once so, for ever. */
    isOfSeveral: integer("of_several", { mode: "boolean" }).notNull().default(false),
  },
  (table) => [
    // One verified account per NIF, open or closed: the AEAT's key is NIF + number + date.
    uniqueIndex("account_directory_verified_nif")
      .on(table.nif)
      .where(sql`verification IN ('verified', 'contested')`),
    index("account_directory_opener").on(table.openedBy, table.openedAt),
    index("account_directory_unheard").on(table.toldAt).where(sql`heard_seq < change_seq`),
    check("account_directory_ledger", sql`length(${table.ledger}) = 3`),
  ],
);

export const accountOwner = sqliteTable(
  "account_owner",
  {
    accountId: text("account_id")
      .notNull()
      .references(() => accountDirectory.accountId),
    ownerId: text("owner_id").notNull(),
    /** `accountant` reads everything and changes nothing. */
    role: text("role").notNull().default("owner"),
    /** The owner who offers ownership, until it is taken or declined. */
    offeredBy: text("offered_by"),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.ownerId] }),
    index("account_owner_owner").on(table.ownerId),
  ],
);

// Sign-in tables of the directory database: those of the library, and ours.

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

/** A person's authenticator app: the sealed secret, and what its codes were used for. */
export const secondFactor = sqliteTable(
  "second_factor",
  {
    userId: text("user_id")
      .primaryKey()
      .references(() => user.id, { onDelete: "cascade" }),
    sealed: text("sealed").notNull(),
    createdAt: integer("created_at").notNull(),
    /** The first code; until then no sign-in asks for one. */
    confirmedAt: integer("confirmed_at"),
    /** The 30 seconds of the last accepted code: it and earlier codes are refused. */
    lastStep: integer("last_step").notNull().default(0),
    /** The session, the link or the change for which the last code was accepted. */
    usedBy: text("used_by"),
  },
  (table) => [index("second_factor_pending").on(table.createdAt).where(sql`confirmed_at IS NULL`)],
);

/** A code for a person without the app; its row goes when it is used. */
export const recoveryCode = sqliteTable(
  "recovery_code",
  {
    userId: text("user_id")
      .notNull()
      .references(() => secondFactor.userId, { onDelete: "cascade" }),
    codeSha256: text("code_sha256").notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.codeSha256] })],
);

/**
 * The mailbox of a login, by a keyed hash: quotas count all logins of one mailbox. The row outlives the login
 * until its uses have left the quotas.
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
    /** The mailbox of the address: invitations are counted by it. */
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

// Ownership of NIFs, in the directory database: proofs and decisions. Append-only.

/** The text that a person signs for a company: it holds for a day, for that person, company and NIF. */
export const proofText = sqliteTable(
  "proof_text",
  {
    nonce: text("nonce").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accountDirectory.accountId),
    nif: text("nif").notNull(),
    userId: text("user_id").notNull(),
    madeAt: integer("made_at").notNull(),
    /** The hash of the first bytes submitted with it; no other bytes are accepted. */
    sha256: text("sha256"),
    /** The time from which nothing remains to do: a document was deleted from R2, a signature stays. */
    settledAt: integer("settled_at"),
  },
  (table) => [
    index("proof_text_person").on(table.userId, table.madeAt),
    index("proof_text_kept").on(table.madeAt).where(sql`sha256 IS NOT NULL AND settled_at IS NULL`),
    index("proof_text_unused").on(table.madeAt).where(sql`sha256 IS NULL`),
  ],
);

/** The proofs and their submitters. An operator must still read a document. */
export const proof = sqliteTable(
  "proof",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accountDirectory.accountId),
    nif: text("nif").notNull(),
    userId: text("user_id").notNull(),
    kind: text("kind").notNull(),
    nonce: text("nonce").references(() => proofText.nonce),
    /** The hash of the bytes in R2: the signed document, or the signature. */
    sha256: text("sha256"),
    /** JSON of the certificate's statements, or of the operator's case. */
    facts: text("facts").notNull().default("{}"),
    madeAt: integer("made_at").notNull(),
  },
  (table) => [
    index("proof_account").on(table.accountId, table.madeAt),
    index("proof_made").on(table.madeAt),
    uniqueIndex("proof_nonce").on(table.nonce),
    check("proof_kind", sql`${table.kind} IN ('certificate', 'document', 'operator')`),
  ],
);

/** Every change of an account's verification, with its author and its basis. */
export const verificationChange = sqliteTable(
  "verification_change",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accountDirectory.accountId),
    /** The account's `change_seq` of this line: a ledger knows the lines up to one. */
    seq: integer("seq").notNull(),
    fromState: text("from_state").notNull(),
    toState: text("to_state").notNull(),
    /** The user, or `operator` with a name in `facts`. */
    changedBy: text("changed_by").notNull(),
    proofId: text("proof_id").references(() => proof.id),
    claimId: text("claim_id"),
    facts: text("facts").notNull().default("{}"),
    at: integer("at").notNull(),
  },
  (table) => [uniqueIndex("verification_change_account").on(table.accountId, table.seq)],
);

/** A proof of a NIF that a verified account holds. */
export const claim = sqliteTable(
  "claim",
  {
    id: text("id").primaryKey(),
    /** The account that is claimed. */
    accountId: text("account_id")
      .notNull()
      .references(() => accountDirectory.accountId),
    nif: text("nif").notNull(),
    claimantId: text("claimant_id").notNull(),
    /** The claimant's own company of that NIF. */
    claimantAccountId: text("claimant_account_id").notNull(),
    proofId: text("proof_id")
      .notNull()
      .references(() => proof.id),
    madeAt: integer("made_at").notNull(),
    /** When the account became contested; null while an operator has not read the document. */
    contestedAt: integer("contested_at"),
    settledAt: integer("settled_at"),
    outcome: text("outcome"),
    /** The owners when the claim was granted, for their notification. */
    formerOwners: text("former_owners"),
    /** The time when the former owners' keys and secrets had ended. */
    handedAt: integer("handed_at"),
    /** When the owners were notified of the claim, and the claimant of the result. */
    ownersToldAt: integer("owners_told_at"),
    claimantToldAt: integer("claimant_told_at"),
  },
  (table) => [
    index("claim_account").on(table.accountId, table.madeAt),
    index("claim_proof").on(table.proofId),
    // One open claim per claiming company.
    uniqueIndex("claim_open").on(table.claimantAccountId).where(sql`settled_at IS NULL`),
    index("claim_unsettled").on(table.madeAt).where(sql`settled_at IS NULL`),
    check("claim_outcome", sql`${table.outcome} IS NULL OR ${table.outcome} IN ('granted', 'rejected')`),
  ],
);

/** Mails about a claim that are not handed to the mailer yet, one per receiver. */
export const claimNotice = sqliteTable(
  "claim_notice",
  {
    claimId: text("claim_id")
      .notNull()
      .references(() => claim.id),
    notice: text("notice").notNull(),
    userId: text("user_id").notNull(),
    /** When the event of the mail happened. */
    eventAt: integer("event_at").notNull(),
    tries: integer("tries").notNull().default(0),
    dueAt: integer("due_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.claimId, table.notice, table.userId] }),
    index("claim_notice_due").on(table.dueAt),
  ],
);
