import { type SQL, sql } from "drizzle-orm";
import { type PlainReads, plainReads, rowsAs, written } from "../database.ts";
import { companyClaims } from "./company-claims.ts";
import { companyProofs, newestDocument } from "./company-proofs.ts";
import {
  type ChangeRow,
  type CompanyRow,
  changeFrom,
  companyFrom,
  insertProof,
  markOfSeveral,
  raiseSeq,
  stepStatements,
} from "./register-rows.ts";
import type { CompanyRegister, VerificationStep } from "./verification-ports.ts";

/** The limit of one company's list. */
const SHOWN = 50;

/**
 * The owner of each NIF. It uses plain statements, so that operators' commands can run it on any D1 database.
 */
export function companyRegister(directory: D1Database): CompanyRegister {
  const plain = plainReads(directory);
  return {
    ...companyClaims(plain),
    ...companies(plain),
    ...companyProofs(plain),
    step: (step) => makeStep(plain, step),
  };
}

type Companies =
  | ("companyOf" | "holderOf" | "changesOf" | "changesBetween")
  | ("unheard" | "unheardBeside" | "toldNow" | "heard" | "hearAgain");

function companies(plain: PlainReads): Pick<CompanyRegister, Companies> {
  const companyBy = async (which: SQL) => {
    const [row] = await plain.rows<CompanyRow>(sql`SELECT account_id, ledger, nif, verification, contested_at,
      change_seq, heard_seq, of_several FROM account_directory WHERE ${which} LIMIT 1`);
    return row && companyFrom(row);
  };
  return {
    companyOf: (accountId) => companyBy(sql`account_id = ${accountId}`),
    holderOf: (nif) => companyBy(sql`nif = ${nif} AND verification IN ('verified', 'contested')`),
    async changesOf(accountId) {
      const rows = await plain.rows<ChangeRow>(sql`SELECT * FROM verification_change
        WHERE account_id = ${accountId} ORDER BY seq DESC LIMIT ${SHOWN}`);
      return rows.map(changeFrom).toReversed();
    },
    async changesBetween(accountId, { after, upTo, most }) {
      const rows = await plain.rows<ChangeRow>(sql`SELECT * FROM verification_change
        WHERE account_id = ${accountId} AND seq > ${after} AND seq <= ${upTo} ORDER BY seq LIMIT ${most}`);
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
    async hearAgain(accountIds) {
      const which = sql`account_id IN (SELECT value FROM json_each(${JSON.stringify(accountIds)}))`;
      await plain.rows(raiseSeq(which));
    },
  };
}

async function makeStep(plain: PlainReads, step: VerificationStep): Promise<boolean> {
  const { accountId, from, to, proof, read } = step;
  // A company that another has proven to be is verified by a claim alone.
  const isFree = sql`NOT EXISTS (SELECT 1 FROM account_directory AS other
    WHERE other.nif = account_directory.nif AND other.account_id <> account_directory.account_id
      AND other.verification IN ('verified', 'contested'))`;
  // The operator decides only about documents that were read; an unread document prevents the decision.
  const isRead = read
    ? sql`(CASE WHEN verification = 'in_review' THEN ${newestDocument(sql`account_directory.account_id`)} END)
        IS ${read.proofId ?? null}`
    : sql`1`;
  const isShown = proof ? sql`EXISTS (SELECT 1 FROM proof WHERE proof.id = ${proof.id})` : sql`1`;
  const stands = sql`account_id = ${accountId}
    AND verification IN (SELECT value FROM json_each(${JSON.stringify(from)}))
    AND (${to} <> 'verified' OR ${isFree}) AND ${isRead}`;
  const proofId = proof?.id ?? read?.proofId;
  const made = await plain.batch(
    [
      ...(proof ? [insertProof(proof, sql`EXISTS (SELECT 1 FROM account_directory WHERE ${stands})`)] : []),
      ...stepStatements({
        ...step,
        which: sql`${stands} AND ${isShown}`,
        ...(proofId === undefined ? {} : { proofId }),
      }),
      markOfSeveral(sql`${accountId}`),
    ].map(written),
  );
  return rowsAs(made.at(-2)).length > 0;
}
