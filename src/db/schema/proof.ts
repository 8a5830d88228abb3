/** Ownership of NIFs, in the directory database: proofs and decisions. Append-only. */
import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { accountDirectory } from "./directory.ts";

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
