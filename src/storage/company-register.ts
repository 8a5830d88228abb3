import { type SQL, sql } from "drizzle-orm";
import { PROOF } from "../domain/limits.ts";
import { quotaExceeded } from "../domain/quota.ts";
import { sha256Hex } from "../domain/shared/sha256.ts";
import type { CompanyRegister, VerificationStep } from "../usecases/console/verification-ports.ts";
import { companyClaims } from "./company-claims.ts";
import { type PlainReads, plainReads, rowsAs, written } from "./plain-reads.ts";
import {
  type ChangeRow,
  type ClaimRow,
  type CompanyRow,
  changeFrom,
  claimFrom,
  companyFrom,
  insertProof,
  markOfSeveral,
  type ProofRow,
  proofFrom,
  stepStatements,
} from "./register-rows.ts";

/** Of a company, or of all that wait: nobody reads more. */
const SHOWN = 50;

/** Whose each NIF is. Statements alone, so that an operator's machine speaks to any D1 database by it. */
export function companyRegister(directory: D1Database): CompanyRegister {
  const plain = plainReads(directory);
  return {
    ...companyClaims(plain),
    ...companies(plain),
    ...proofs(plain),
    step: (step) => makeStep(plain, step),
  };
}

type Companies =
  | ("companyOf" | "holderOf" | "changesOf")
  | ("unheard" | "unheardBeside" | "toldNow" | "heard");

function companies(plain: PlainReads): Pick<CompanyRegister, Companies> {
  const companyBy = async (which: SQL) => {
    const [row] = await plain.rows<CompanyRow>(sql`SELECT account_id, ledger, nif, verification, contested_at,
      closed_at, change_seq, heard_seq, of_several FROM account_directory WHERE ${which} LIMIT 1`);
    return row && companyFrom(row);
  };
  return {
    companyOf: (accountId) => companyBy(sql`account_id = ${accountId}`),
    holderOf: (nif) => companyBy(sql`nif = ${nif} AND verification IN ('verified', 'contested')`),
    async changesOf(accountId, newest = SHOWN) {
      const rows = await plain.rows<ChangeRow>(sql`SELECT * FROM (SELECT id, from_state, to_state, changed_by,
          at, facts, rowid AS place FROM verification_change WHERE account_id = ${accountId}
          ORDER BY at DESC, rowid DESC LIMIT ${Math.min(newest, SHOWN)})
        ORDER BY at, place`);
      return rows.map(changeFrom);
    },
    async unheard(limit) {
      const rows = await plain.rows<{ readonly account_id: string }>(sql`SELECT account_id
        FROM account_directory WHERE heard_seq < change_seq ORDER BY told_at LIMIT ${limit}`);
      return rows.map((row) => row.account_id);
    },
    async unheardBeside(accountId) {
      const rows = await plain.rows<{ readonly account_id: string }>(sql`SELECT DISTINCT every.account_id
        FROM account_owner AS owning
        JOIN account_owner AS every ON every.owner_id = owning.owner_id AND every.role = 'owner'
        JOIN account_directory AS unheard ON unheard.account_id = every.account_id
          AND unheard.heard_seq < unheard.change_seq
        WHERE owning.account_id = ${accountId} AND owning.role = 'owner' LIMIT ${SHOWN}`);
      return rows.map((row) => row.account_id);
    },
    async toldNow(accountId, at) {
      await plain.rows(sql`UPDATE account_directory SET told_at = ${at} WHERE account_id = ${accountId}`);
    },
    async heard(accountId, changeSeq) {
      await plain.rows(sql`UPDATE account_directory SET heard_seq = ${changeSeq}
        WHERE account_id = ${accountId} AND heard_seq < ${changeSeq}`);
    },
  };
}

type Proofs = "keepText" | "textOf" | "countTry" | "proofsOf" | "waiting";

function proofs(plain: PlainReads): Pick<CompanyRegister, Proofs> {
  return {
    async keepText({ nonce, accountId, nif, userId, madeAt }) {
      const full = sql`SELECT made_at FROM proof_text
        WHERE user_id = ${userId} AND made_at > ${madeAt - PROOF.nonceMs}
        ORDER BY made_at DESC LIMIT 1 OFFSET ${PROOF.textsPerDay - 1}`;
      const [kept, last] = await plain.batch(
        [
          sql`INSERT INTO proof_text (nonce, account_id, nif, user_id, made_at)
            SELECT ${nonce}, ${accountId}, ${nif}, ${userId}, ${madeAt} WHERE NOT EXISTS (${full})
            RETURNING nonce`,
          full,
        ].map(written),
      );
      if (rowsAs(kept).length > 0) return undefined;
      const [row] = rowsAs<{ readonly made_at: number }>(last);
      const retryAt = (row?.made_at ?? madeAt) + PROOF.nonceMs;
      return quotaExceeded("quota_proof_texts", PROOF.textsPerDay, retryAt);
    },
    async textOf(asked) {
      const [row] = await plain.rows<Omit<ProofRow, "kind" | "nonce">>(sql`SELECT account_id, nif, user_id,
        made_at FROM proof_text WHERE nonce = ${asked}`);
      if (!row) return undefined;
      const { account_id: accountId, nif, user_id: userId, made_at: madeAt } = row;
      return { nonce: asked, accountId, nif, userId, madeAt };
    },
    async countTry(userId, now) {
      const key = sha256Hex(`proofs of ${userId}`);
      const isOver = sql`since <= ${now - PROOF.triesMs}`;
      const [row] = await plain.rows<{ readonly tries: number; readonly since: number }>(sql`INSERT INTO
          sign_in_failure (email_sha256, failures, since) VALUES (${key}, 1, ${now})
        ON CONFLICT (email_sha256) DO UPDATE SET failures = CASE WHEN ${isOver} THEN 1 ELSE failures + 1 END,
          since = CASE WHEN ${isOver} THEN ${now} ELSE since END
        RETURNING failures AS tries, since`);
      if (!row || row.tries <= PROOF.tries) return undefined;
      return quotaExceeded("quota_proofs", PROOF.tries, row.since + PROOF.triesMs);
    },
    async proofsOf(accountId) {
      const rows = await plain.rows<ProofRow>(sql`SELECT * FROM proof WHERE account_id = ${accountId}
        ORDER BY made_at DESC LIMIT ${SHOWN}`);
      return rows.map(proofFrom);
    },
    async waiting() {
      const [shown, claims] = await plain.batch(
        [
          sql`SELECT proof.* FROM proof JOIN account_directory USING (account_id)
            WHERE proof.kind = 'document' AND account_directory.verification = 'in_review'
            ORDER BY proof.made_at LIMIT ${SHOWN}`,
          sql`SELECT * FROM claim WHERE settled_at IS NULL ORDER BY made_at LIMIT ${SHOWN}`,
        ].map(written),
      );
      return {
        proofs: rowsAs<ProofRow>(shown).map(proofFrom),
        claims: rowsAs<ClaimRow>(claims).map(claimFrom),
      };
    },
  };
}

async function makeStep(plain: PlainReads, step: VerificationStep): Promise<boolean> {
  const { accountId, from, to, proof } = step;
  // A company that another has proven to be is verified by a claim alone.
  const isFree = sql`NOT EXISTS (SELECT 1 FROM account_directory AS other
    WHERE other.nif = account_directory.nif AND other.account_id <> account_directory.account_id
      AND other.verification IN ('verified', 'contested'))`;
  const isShown = proof ? sql`EXISTS (SELECT 1 FROM proof WHERE proof.id = ${proof.id})` : sql`1`;
  const stands = sql`account_id = ${accountId}
    AND verification IN (SELECT value FROM json_each(${JSON.stringify(from)}))
    AND (${to} <> 'verified' OR ${isFree})`;
  const made = await plain.batch(
    [
      ...(proof ? [insertProof(proof, sql`EXISTS (SELECT 1 FROM account_directory WHERE ${stands})`)] : []),
      ...stepStatements({
        ...step,
        which: sql`${stands} AND ${isShown}`,
        ...(proof ? { proofId: proof.id } : {}),
      }),
      markOfSeveral(sql`${accountId}`),
    ].map(written),
  );
  return rowsAs(made.at(-2)).length > 0;
}
