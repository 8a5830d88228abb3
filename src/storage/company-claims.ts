import { type SQL, sql } from "drizzle-orm";
import { OPERATOR } from "../usecases/console/activity-areas.ts";
import type { CompanyRegister } from "../usecases/console/verification-ports.ts";
import { type PlainReads, rowsAs, written } from "./plain-reads.ts";
import { type ClaimRow, claimFrom, insertProof, markOfSeveral, stepStatements } from "./register-rows.ts";

type Claims =
  | ("claim" | "claimById" | "openClaimOf" | "contest")
  | ("settle" | "toHandOver" | "formerOwnersOf" | "handedOver");

/** Somebody proves to be whom a verified company says it is. */
export function companyClaims(plain: PlainReads): Pick<CompanyRegister, Claims> {
  const claimBy = async (which: SQL) => {
    const [row] = await plain.rows<ClaimRow>(sql`SELECT * FROM claim WHERE ${which} LIMIT 1`);
    return row && claimFrom(row);
  };
  return {
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
              })
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
              OR contested_at IS NOT NULL AND EXISTS (SELECT 1 FROM user WHERE user.id = claimant_id))
            RETURNING id`,
          // Who is granted it settles with the others by it; who is refused leaves the others to be settled.
          ...(outcome === "granted" ? transferStatements(claimed, isNow, at) : []),
          ...stepStatements({
            ...{ id: stepId, to: "verified", by: OPERATOR, at, facts, claimId },
            which: sql`account_id = ${claimed} AND verification = 'contested' AND ${isLast}`,
          }),
          markOfSeveral(claimed),
        ].map(written),
      );
      return rowsAs(made[0]).length > 0;
    },
    async toHandOver(accountId) {
      const rows = await plain.rows<ClaimRow>(sql`SELECT * FROM claim WHERE account_id = ${accountId}
        AND outcome = 'granted' AND handed_at IS NULL ORDER BY settled_at LIMIT 10`);
      return rows.map(claimFrom);
    },
    async formerOwnersOf(claimId) {
      const rows = await plain.rows<{ readonly email: string; readonly language: string | null }>(sql`SELECT
          user.email, user.language FROM claim JOIN json_each(claim.former_owners) AS former
          JOIN user ON user.id = former.value
        WHERE claim.id = ${claimId} ORDER BY user.id LIMIT 50`);
      return rows.map(({ email, language }) => ({ email, language: language ?? undefined }));
    },
    async handedOver(claimId, at) {
      await plain.rows(sql`UPDATE claim SET handed_at = ${at} WHERE id = ${claimId} AND handed_at IS NULL`);
    },
  };
}

function isContestable(claimId: string): SQL {
  return sql`verification = 'verified' AND account_id = (SELECT claim.account_id FROM claim
    WHERE claim.id = ${claimId} AND claim.settled_at IS NULL)`;
}

/** Nobody but the claimant has anything left of it: members, links and offers end, and it is open again. */
function transferStatements(claimed: SQL, isNow: SQL, at: number): readonly SQL[] {
  return [
    sql`UPDATE claim SET settled_at = ${at}, outcome = 'rejected',
        contested_at = coalesce(contested_at, ${at})
      WHERE account_id = ${claimed} AND settled_at IS NULL`,
    sql`DELETE FROM account_owner WHERE account_id = ${claimed}`,
    sql`INSERT INTO account_owner (account_id, owner_id, role)
      SELECT account_id, claimant_id, 'owner' FROM claim WHERE ${isNow}`,
    sql`UPDATE invitation SET ended_at = ${at} WHERE account_id = ${claimed} AND ended_at IS NULL`,
    sql`UPDATE account_directory SET closed_at = NULL, change_seq = change_seq + 1
      WHERE account_id = ${claimed}`,
  ];
}
