import { type SQL, sql } from "drizzle-orm";
import { PROOF } from "../../domain/limits.ts";
import { quotaExceeded } from "../../domain/quota.ts";
import { type PlainReads, rowsAs, written } from "../database.ts";
import { counterOf, loginsOf } from "../logins-of.ts";
import { type ClaimRow, claimFrom, type ProofRow, proofFrom } from "./register-rows.ts";
import type { CompanyRegister } from "./verification-ports.ts";

/** The limit of one list, of a company or of all waiting ones. */
const SHOWN = 50;

type Proofs =
  | ("countTry" | "keepText" | "textOf" | "shownWith" | "reserveText" | "proofsOf" | "waiting" | "waitingOf")
  | ("endedTexts" | "settleText" | "forgetUnused");

/** Signed texts and submitted proofs. */
export function companyProofs(plain: PlainReads): Pick<CompanyRegister, Proofs> {
  return {
    ...endings(plain),
    async keepText({ nonce, accountId, nif, userId, madeAt }) {
      const full = sql`SELECT made_at FROM proof_text
        WHERE user_id IN ${loginsOf(userId)} AND made_at > ${madeAt - PROOF.nonceMs}
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
      const isOver = sql`since <= ${now - PROOF.triesMs}`;
      const [row] = await plain.rows<{ readonly tries: number; readonly since: number }>(sql`INSERT INTO
          sign_in_failure (email_sha256, failures, since) VALUES (${counterOf("proofs", userId)}, 1, ${now})
        ON CONFLICT (email_sha256) DO UPDATE SET failures = CASE WHEN ${isOver} THEN 1 ELSE failures + 1 END,
          since = CASE WHEN ${isOver} THEN ${now} ELSE since END
        RETURNING failures AS tries, since`);
      if (!row || row.tries <= PROOF.tries) return undefined;
      return quotaExceeded("quota_proofs", PROOF.tries, row.since + PROOF.triesMs);
    },
    async shownWith(nonce) {
      const [row] = await plain.rows<ProofRow & { readonly claims: number }>(sql`SELECT proof.*,
        EXISTS (SELECT 1 FROM claim WHERE claim.proof_id = proof.id) AS claims
        FROM proof WHERE nonce = ${nonce}`);
      return row && { proof: proofFrom(row), isClaim: row.claims === 1 };
    },
    async reserveText({ kind, nonce, sha256, madeAt }) {
      const settledAt = kind === "document" ? null : madeAt;
      const reserved = await plain.rows(sql`UPDATE proof_text
        SET sha256 = ${sha256}, settled_at = coalesce(settled_at, ${settledAt})
        WHERE nonce = ${nonce} AND (sha256 IS NULL OR sha256 = ${sha256})
          AND NOT EXISTS (SELECT 1 FROM proof WHERE proof.nonce = proof_text.nonce) RETURNING nonce`);
      return reserved.length > 0;
    },
    async proofsOf(accountId) {
      const rows = await plain.rows<ProofRow>(sql`SELECT * FROM proof WHERE account_id = ${accountId}
        ORDER BY made_at DESC LIMIT ${SHOWN}`);
      return rows.map(proofFrom);
    },
    async waitingOf(accountId) {
      const [row] = await plain.rows<{ readonly id: string | null }>(sql`SELECT
        ${newestDocument(sql`company.account_id`)} AS id FROM account_directory AS company
        WHERE company.account_id = ${accountId} AND company.verification = 'in_review'`);
      return row?.id ?? undefined;
    },
    async waiting() {
      // Ordered so that the oldest proof of each person comes before the second one of any.
      const [shown, claims] = await plain.batch(
        [
          sql`SELECT proof.* FROM proof JOIN account_directory AS company USING (account_id)
            WHERE company.verification = 'in_review' AND proof.id = ${newestDocument(sql`company.account_id`)}
            ORDER BY row_number() OVER (PARTITION BY proof.user_id ORDER BY proof.made_at), proof.made_at
            LIMIT ${SHOWN}`,
          sql`SELECT * FROM claim WHERE settled_at IS NULL
            ORDER BY row_number() OVER (PARTITION BY claimant_id ORDER BY made_at), made_at LIMIT ${SHOWN}`,
        ].map(written),
      );
      return {
        proofs: rowsAs<ProofRow>(shown).map(proofFrom),
        claims: rowsAs<ClaimRow>(claims).map(claimFrom),
      };
    },
  };
}

function endings(plain: PlainReads): Pick<CompanyRegister, "endedTexts" | "settleText" | "forgetUnused"> {
  return {
    async endedTexts(before, limit) {
      const newest = newestDocument(sql`text.account_id`);
      const isRead = sql`CASE WHEN claim.id IS NOT NULL THEN claim.settled_at IS NOT NULL
        ELSE company.verification <> 'in_review' OR proof.id IS NOT ${newest} END`;
      const rows = await plain.rows<EndedRow>(sql`SELECT text.nonce, text.account_id
        FROM proof_text AS text JOIN account_directory AS company ON company.account_id = text.account_id
          LEFT JOIN proof ON proof.nonce = text.nonce LEFT JOIN claim ON claim.proof_id = proof.id
        WHERE text.sha256 IS NOT NULL AND text.settled_at IS NULL
          AND CASE WHEN proof.id IS NULL THEN text.made_at < ${before} ELSE ${isRead} END
        ORDER BY text.made_at LIMIT ${limit}`);
      return rows.map(({ nonce, account_id: accountId }) => ({ nonce, accountId }));
    },
    async settleText(nonce, at) {
      const isNamed = sql`EXISTS (SELECT 1 FROM proof WHERE proof.nonce = ${nonce})`;
      await plain.batch(
        [
          sql`DELETE FROM proof_text WHERE nonce = ${nonce} AND NOT ${isNamed}`,
          sql`UPDATE proof_text SET settled_at = ${at} WHERE nonce = ${nonce} AND settled_at IS NULL`,
        ].map(written),
      );
    },
    async forgetUnused(before, limit) {
      const gone = await plain.rows(sql`DELETE FROM proof_text WHERE nonce IN (SELECT nonce FROM proof_text
        WHERE sha256 IS NULL AND made_at < ${before} ORDER BY made_at LIMIT ${limit}) RETURNING nonce`);
      return gone.length;
    },
  };
}

interface EndedRow {
  readonly nonce: string;
  readonly account_id: string;
}

/** The last one shown of a company to prove its NIF: an operator reads no other. */
export function newestDocument(accountId: SQL): SQL {
  return sql`(SELECT last.id FROM proof AS last WHERE last.account_id = ${accountId}
    AND last.kind = 'document' AND NOT EXISTS (SELECT 1 FROM claim WHERE claim.proof_id = last.id)
    ORDER BY last.made_at DESC, last.rowid DESC LIMIT 1)`;
}
