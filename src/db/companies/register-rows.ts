import { type SQL, sql } from "drizzle-orm";
import { verificationOf } from "../../domain/connection/verification.ts";
import { invariant } from "../../domain/shared/result.ts";
import { fromOwnJson } from "../database.ts";
import {
  type Claim,
  PROOF_KINDS,
  type Proof,
  type RegisteredCompany,
  type VerificationChange,
  type VerificationStep,
} from "./verification-ports.ts";

/** Rows of the directory's part of companies, in the names of their columns. */
export interface CompanyRow {
  readonly account_id: string;
  readonly ledger: string;
  readonly nif: string;
  readonly verification: string;
  readonly contested_at: number | null;
  readonly change_seq: number;
  readonly heard_seq: number;
  readonly of_several: number;
}

export interface ProofRow {
  readonly id: string;
  readonly account_id: string;
  readonly nif: string;
  readonly user_id: string;
  readonly kind: string;
  readonly nonce: string | null;
  readonly sha256: string | null;
  readonly facts: string;
  readonly made_at: number;
}

export interface ClaimRow {
  readonly id: string;
  readonly account_id: string;
  readonly nif: string;
  readonly claimant_id: string;
  readonly claimant_account_id: string;
  readonly proof_id: string;
  readonly made_at: number;
  readonly contested_at: number | null;
  readonly settled_at: number | null;
  readonly outcome: string | null;
  readonly handed_at: number | null;
  readonly owners_told_at: number | null;
  readonly claimant_told_at: number | null;
}

export interface ChangeRow {
  readonly id: string;
  readonly seq: number;
  readonly from_state: string;
  readonly to_state: string;
  readonly changed_by: string;
  readonly at: number;
  readonly facts: string;
}

export function companyFrom(row: CompanyRow): RegisteredCompany {
  const { account_id: accountId, ledger, nif, contested_at: contestedAt, change_seq: changeSeq } = row;
  return {
    ...{ accountId, ledger, nif, verification: verificationOf(row.verification), changeSeq },
    ...{ heardSeq: row.heard_seq, isOfSeveral: row.of_several === 1 },
    ...(contestedAt === null ? {} : { contestedAt }),
  };
}

export function proofFrom(row: ProofRow): Proof {
  const { id, account_id: accountId, nif, user_id: userId, nonce, sha256, made_at: madeAt } = row;
  const kind = PROOF_KINDS.find((one) => one === row.kind);
  invariant(kind, "the schema checks the kinds of proofs");
  return {
    ...{ id, accountId, nif, userId, kind, facts: fromOwnJson(row.facts), madeAt },
    ...(nonce === null ? {} : { nonce }),
    ...(sha256 === null ? {} : { sha256 }),
  };
}

export function claimFrom(row: ClaimRow): Claim {
  const { id, account_id: accountId, nif, claimant_id: claimantId, proof_id: proofId } = row;
  const { contested_at: contestedAt, settled_at: settledAt, outcome } = row;
  return {
    ...{ id, accountId, nif, claimantId, claimantAccountId: row.claimant_account_id, proofId },
    madeAt: row.made_at,
    ...(contestedAt === null ? {} : { contestedAt }),
    ...(settledAt === null ? {} : { settledAt }),
    ...(outcome === "granted" || outcome === "rejected" ? { outcome } : {}),
    isHandedOver: row.handed_at !== null,
    isToldToOwners: row.owners_told_at !== null,
    isToldToClaimant: row.claimant_told_at !== null,
  };
}

export function changeFrom(row: ChangeRow): VerificationChange {
  const { id, seq, from_state: from, to_state: to, changed_by: by, at, facts } = row;
  return { id, seq, from: verificationOf(from), to: verificationOf(to), by, at, facts: fromOwnJson(facts) };
}

/** Inserts only if `stands` holds. */
export function insertProof(proof: Proof, stands: SQL): SQL {
  const { id, accountId, nif, userId, kind, nonce = null, sha256 = null, facts, madeAt } = proof;
  return sql`INSERT INTO proof (id, account_id, nif, user_id, kind, nonce, sha256, facts, made_at)
    SELECT ${id}, ${accountId}, ${nif}, ${userId}, ${kind}, ${nonce}, ${sha256}, ${JSON.stringify(facts)},
      ${madeAt} WHERE ${stands}
      AND NOT EXISTS (SELECT 1 FROM proof WHERE proof.nonce IS NOT NULL AND proof.nonce = ${nonce})`;
}

export interface Stepping extends Pick<VerificationStep, "id" | "to" | "by" | "at" | "facts"> {
  /** Condition on rows of `account_directory`. */
  readonly which: SQL;
  readonly proofId?: string;
  readonly claimId?: string;
}

/** The line of a change, and the change: in this order, and both or neither. */
export function stepStatements({ which, ...step }: Stepping): SQL[] {
  const { id, to, by, at, facts, proofId = null, claimId = null } = step;
  const contestedAt = to === "contested" ? at : null;
  return [
    sql`INSERT INTO verification_change
        (id, account_id, seq, from_state, to_state, changed_by, proof_id, claim_id, facts, at)
      SELECT ${id}, account_id, change_seq + 1, verification, ${to}, ${by}, ${proofId}, ${claimId},
        ${JSON.stringify(facts)}, ${at} FROM account_directory WHERE ${which}`,
    sql`UPDATE account_directory SET verification = ${to}, contested_at = ${contestedAt},
      change_seq = change_seq + 1 WHERE ${which} RETURNING account_id`,
  ];
}

/**
 * Marks these accounts as ones with several issuers (FAQ 4 of the AEAT): verified accounts of the same
 * owners, limited by `which` (`owning`). It follows from a change by an owner or from a proof.
 */
export function markOfSeveral(accountId: SQL, which = sql`1`): SQL {
  return sql`UPDATE account_directory SET of_several = 1, change_seq = change_seq + 1
    WHERE of_several = 0 AND verification IN ('verified', 'contested') AND account_id IN (
      SELECT owned.account_id FROM account_owner AS owned WHERE owned.role = 'owner' AND owned.owner_id IN (
        SELECT owning.owner_id FROM account_owner AS owning
        JOIN account_owner AS every ON every.owner_id = owning.owner_id AND every.role = 'owner'
        JOIN account_directory AS proven ON proven.account_id = every.account_id
          AND proven.verification IN ('verified', 'contested')
        WHERE owning.account_id = ${accountId} AND owning.role = 'owner' AND ${which}
        GROUP BY owning.owner_id HAVING count(*) > 1))`;
}

/** Makes the ledger due for an update without a verification step. */
export function raiseSeq(which: SQL): SQL {
  return sql`UPDATE account_directory SET change_seq = change_seq + 1 WHERE ${which}`;
}
