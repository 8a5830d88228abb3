/** Whose a NIF is, in the directory database: what was shown of it, and what was decided. Appended only. */
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
    /** Of the only bytes that may be shown with it, once somebody has begun to show them. */
    sha256: text("sha256"),
    /** From when on nothing is left to be done about them: a document has left R2, a signature stays. */
    settledAt: integer("settled_at"),
  },
  (table) => [
    index("proof_text_person").on(table.userId, table.madeAt),
    index("proof_text_kept").on(table.madeAt).where(sql`sha256 IS NOT NULL AND settled_at IS NULL`),
    index("proof_text_unused").on(table.madeAt).where(sql`sha256 IS NULL`),
  ],
);

/** What was shown, and by whom. A document still has to be read by an operator. */
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
    /** Of the bytes in R2: the signed document, or the signature. */
    sha256: text("sha256"),
    /** JSON of what the certificate says of itself, or the operator of the case. */
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

/** Every change of an account's verification: who made it, and on what. */
export const verificationChange = sqliteTable(
  "verification_change",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accountDirectory.accountId),
    /** The account's `change_seq` with it: a ledger has heard of the lines up to one. */
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

/** Somebody proves a NIF that a verified account holds. */
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
    /** Whose the account was when the claim was granted: they are told. */
    formerOwners: text("former_owners"),
    /** When the former owners' keys and secrets were gone. */
    handedAt: integer("handed_at"),
    /** When the owners were told that it is contested, and the claimant what became of it. */
    ownersToldAt: integer("owners_told_at"),
    claimantToldAt: integer("claimant_told_at"),
  },
  (table) => [
    index("claim_account").on(table.accountId, table.madeAt),
    index("claim_proof").on(table.proofId),
    // One claim at a time of one company.
    uniqueIndex("claim_open").on(table.claimantAccountId).where(sql`settled_at IS NULL`),
    index("claim_unsettled").on(table.madeAt).where(sql`settled_at IS NULL`),
    check("claim_outcome", sql`${table.outcome} IS NULL OR ${table.outcome} IN ('granted', 'rejected')`),
  ],
);
