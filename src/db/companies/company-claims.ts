import { type SQL, sql } from "drizzle-orm";
import { OPERATOR } from "../../domain/connection/activity-areas.ts";
import { type PlainReads, rowsAs, written } from "../database.ts";
import {
  type ClaimRow,
  claimFrom,
  insertProof,
  markOfSeveral,
  raiseSeq,
  stepStatements,
} from "./register-rows.ts";
import type { ClaimReceivers, CompanyRegister, Receiver } from "./verification-ports.ts";

type Claims = "claim" | "claimById" | "openClaimOf" | "contest" | "settle";
type Following = "claimantOf" | "toFollow" | "newOwnersOf" | "receiversOf" | "noteTold";

/** Claims: another company proves the NIF of a verified one. */
export function companyClaims(plain: PlainReads): Pick<CompanyRegister, Claims | Following> {
  const claimBy = async (which: SQL) => {
    const [row] = await plain.rows<ClaimRow>(sql`SELECT * FROM claim WHERE ${which} LIMIT 1`);
    return row && claimFrom(row);
  };
  return {
    ...whatFollows(plain),
    async claim({ id, nif, claimantId, claimantAccountId, proof, isProven }) {
      const held = sql`nif = ${nif} AND account_id <> ${claimantAccountId}
        AND verification IN ('verified', 'contested')`;
      const isFirst = sql`NOT EXISTS (SELECT 1 FROM claim
        WHERE claimant_account_id = ${claimantAccountId} AND settled_at IS NULL)`;
      const stands = sql`EXISTS (SELECT 1 FROM account_directory WHERE ${held}) AND ${isFirst}`;
      const contestedAt = isProven ? proof.madeAt : null;
      const made = await plain.batch(
        [
          insertProof(proof, stands),
          sql`INSERT INTO claim (id, account_id, nif, claimant_id, claimant_account_id, proof_id, made_at,
              contested_at)
            SELECT ${id}, account_id, nif, ${claimantId}, ${claimantAccountId}, ${proof.id}, ${proof.madeAt},
              ${contestedAt} FROM account_directory
            WHERE ${held} AND EXISTS (SELECT 1 FROM proof WHERE proof.id = ${proof.id}) RETURNING account_id`,
          ...(isProven
            ? stepStatements({
                ...{ id: `${id}:contested`, to: "contested", by: claimantId, at: proof.madeAt, facts: {} },
                ...{ proofId: proof.id, claimId: id, which: isContestable(id) },
              }).concat(raiseSeq(claimedBy(sql`claim.id = ${id}`)))
            : []),
        ].map(written),
      );
      return rowsAs<{ readonly account_id: string }>(made[1])[0]?.account_id;
    },
    claimById: (claimId) => claimBy(sql`id = ${claimId}`),
    openClaimOf: (claimant) => claimBy(sql`claimant_account_id = ${claimant} AND settled_at IS NULL`),
    async contest({ claimId, stepId, at, facts }) {
      const [, , contested] = await plain.batch(
        [
          ...stepStatements({
            ...{ id: stepId, to: "contested", by: OPERATOR, at, facts, claimId },
            which: isContestable(claimId),
          }),
          sql`UPDATE claim SET contested_at = ${at}
            WHERE id = ${claimId} AND contested_at IS NULL AND settled_at IS NULL RETURNING id`,
          // The owners are notified, even if another claim contested it before.
          raiseSeq(claimedBy(sql`claim.id = ${claimId} AND claim.settled_at IS NULL`)),
        ].map(written),
      );
      return rowsAs(contested).length > 0;
    },
    async settle({ claimId, stepId, at, facts, outcome }) {
      const isNow = sql`claim.id = ${claimId} AND claim.settled_at = ${at} AND claim.outcome = ${outcome}`;
      const claimed = sql`(SELECT account_id FROM claim WHERE ${isNow})`;
      const isLast = sql`NOT EXISTS (SELECT 1 FROM claim AS other WHERE other.account_id = ${claimed}
        AND other.contested_at IS NOT NULL AND other.settled_at IS NULL)`;
      const made = await plain.batch(
        [
          sql`UPDATE claim SET settled_at = ${at}, outcome = ${outcome},
              former_owners = CASE WHEN ${outcome} = 'granted' THEN (SELECT json_group_array(owner_id)
                FROM account_owner WHERE account_owner.account_id = claim.account_id
                  AND role = 'owner' AND owner_id <> claimant_id) END
            WHERE id = ${claimId} AND settled_at IS NULL AND (${outcome} = 'rejected'
              OR contested_at IS NOT NULL AND ${isKnown} AND ${isOwner})
            RETURNING id`,
          // A grant settles the other claims too; a refusal does not affect them.
          ...(outcome === "granted" ? transferStatements(claimed, isNow, at) : []),
          ...stepStatements({
            ...{ id: stepId, to: "verified", by: OPERATOR, at, facts, claimId },
            which: sql`account_id = ${claimed} AND verification = 'contested' AND ${isLast}`,
          }),
          markOfSeveral(claimed),
          // The claimants are notified of any new state.
          raiseSeq(sql`account_id = ${claimed}`),
        ].map(written),
      );
      return rowsAs(made[0]).length > 0;
    },
  };
}

/** The people who may decide a claim, and the people to notify. */
function whatFollows(plain: PlainReads): Pick<CompanyRegister, Following> {
  return {
    async claimantOf({ id }) {
      const [row] = await plain.rows<{ readonly known: number; readonly owner: number }>(
        sql`SELECT ${isKnown} AS known, ${isOwner} AS owner FROM claim WHERE id = ${id}`,
      );
      return { isKnown: row?.known === 1, isOwner: row?.owner === 1 };
    },
    async toFollow(accountId, most) {
      const rows = await plain.rows<ClaimRow>(sql`SELECT * FROM claim WHERE account_id = ${accountId}
        AND (outcome = 'granted' AND handed_at IS NULL OR outcome IS NOT NULL AND claimant_told_at IS NULL
          OR outcome IS NULL AND contested_at IS NOT NULL AND owners_told_at IS NULL)
        ORDER BY made_at LIMIT ${most}`);
      return rows.map(claimFrom);
    },
    async newOwnersOf(claimId) {
      const rows = await plain.rows<{ readonly owner_id: string }>(sql`SELECT owning.owner_id FROM claim
        JOIN account_owner AS owning ON owning.account_id = claim.account_id AND owning.role = 'owner'
        WHERE claim.id = ${claimId}
          AND owning.owner_id NOT IN (SELECT value FROM json_each(claim.former_owners))`);
      return rows.map((row) => row.owner_id);
    },
    async receiversOf({ id }, which) {
      const rows = await plain.rows<{ readonly email: string; readonly language: string | null }>(sql`SELECT
          user.email, user.language FROM claim ${RECEIVERS[which]}
        WHERE claim.id = ${id} ORDER BY user.id LIMIT 50`);
      return rows.map(({ email, language }): Receiver => ({ email, language: language ?? undefined }));
    },
    async noteTold(claimId, which, at) {
      const column = TOLD[which];
      const noted = await plain.rows(sql`UPDATE claim SET ${column} = ${at}
        WHERE id = ${claimId} AND ${column} IS NULL RETURNING id`);
      return noted.length > 0;
    },
  };
}

const RECEIVERS: Readonly<Record<ClaimReceivers, SQL>> = {
  owners: sql`JOIN account_owner AS owning ON owning.account_id = claim.account_id AND owning.role = 'owner'
    JOIN user ON user.id = owning.owner_id`,
  former_owners: sql`JOIN json_each(claim.former_owners) AS former JOIN user ON user.id = former.value`,
  claimant: sql`JOIN user ON user.id = claim.claimant_id`,
};

const TOLD: Readonly<Record<ClaimReceivers, SQL>> = {
  owners: sql`owners_told_at`,
  former_owners: sql`handed_at`,
  claimant: sql`claimant_told_at`,
};

/** For a row of `claim`: a claimant who is no longer an owner has no say in it. */
const isKnown = sql`EXISTS (SELECT 1 FROM user WHERE user.id = claim.claimant_id)`;
const isOwner = sql`EXISTS (SELECT 1 FROM account_owner AS own WHERE own.owner_id = claim.claimant_id
  AND own.account_id = claim.claimant_account_id AND own.role = 'owner')`;

function claimedBy(which: SQL): SQL {
  return sql`account_id = (SELECT claim.account_id FROM claim WHERE ${which})`;
}

function isContestable(claimId: string): SQL {
  return sql`verification = 'verified'
    AND ${claimedBy(sql`claim.id = ${claimId} AND claim.settled_at IS NULL`)}`;
}

/** The claimant becomes the only owner: members, links and offers end, and the account is open again. */
function transferStatements(claimed: SQL, isNow: SQL, at: number): readonly SQL[] {
  return [
    sql`UPDATE claim SET settled_at = ${at}, outcome = 'rejected',
        contested_at = coalesce(contested_at, ${at})
      WHERE account_id = ${claimed} AND settled_at IS NULL`,
    sql`DELETE FROM account_owner WHERE account_id = ${claimed}`,
    sql`INSERT INTO account_owner (account_id, owner_id, role)
      SELECT account_id, claimant_id, 'owner' FROM claim WHERE ${isNow}`,
    sql`UPDATE invitation SET ended_at = ${at} WHERE account_id = ${claimed} AND ended_at IS NULL`,
    sql`UPDATE account_directory SET closed_at = NULL WHERE account_id = ${claimed}`,
  ];
}
