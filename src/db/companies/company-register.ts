import { type SQL, sql } from "drizzle-orm";
import { OPERATOR } from "../../domain/connection/activity-areas.ts";
import { NOTICE, PROOF } from "../../domain/limits.ts";
import { quotaExceeded } from "../../domain/quota.ts";
import { type PlainReads, plainReads, rowsAs, written } from "../database.ts";
import { counterOf, loginsOf } from "../people/logins-of.ts";
import {
  type ChangeRow,
  type ClaimNotice,
  type ClaimReceivers,
  type ClaimRow,
  type CompanyRegister,
  type CompanyRow,
  changeFrom,
  claimFrom,
  companyFrom,
  type DueNotice,
  insertProof,
  markOfSeveral,
  type ProofRow,
  proofFrom,
  raiseSeq,
  stepStatements,
  type VerificationStep,
} from "./registered-company.ts";

/** The limit of one list, of a company or of all waiting ones. */
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
  | ("unsynced" | "unsyncedRelated" | "noteTry" | "markSynced" | "markUnsynced" | "raiseAbove");

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
    async unsynced(limit) {
      const rows = await plain.rows<{ readonly account_id: string }>(sql`SELECT account_id
        FROM account_directory WHERE heard_seq < change_seq ORDER BY told_at LIMIT ${limit}`);
      return rows.map((row) => row.account_id);
    },
    async unsyncedRelated(accountId) {
      const rows = await plain.rows<{ readonly account_id: string }>(sql`SELECT DISTINCT every.account_id
        FROM account_owner AS owning
        JOIN account_owner AS every ON every.owner_id = owning.owner_id AND every.role = 'owner'
        JOIN account_directory AS unheard ON unheard.account_id = every.account_id
          AND unheard.heard_seq < unheard.change_seq
        WHERE owning.account_id = ${accountId} AND owning.role = 'owner' LIMIT ${SHOWN}`);
      return rows.map((row) => row.account_id);
    },
    async noteTry(accountId, at) {
      await plain.rows(sql`UPDATE account_directory SET told_at = ${at} WHERE account_id = ${accountId}`);
    },
    async markSynced(accountId, changeSeq) {
      await plain.rows(sql`UPDATE account_directory SET heard_seq = ${changeSeq}
        WHERE account_id = ${accountId} AND heard_seq < ${changeSeq}`);
    },
    async raiseAbove(accountId, heardSeq) {
      await plain.rows(sql`UPDATE account_directory SET change_seq = ${heardSeq} + 1
        WHERE account_id = ${accountId} AND change_seq <= ${heardSeq}`);
    },
    async markUnsynced(accountIds) {
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
  const condition = sql`account_id = ${accountId}
    AND verification IN (SELECT value FROM json_each(${JSON.stringify(from)}))
    AND (${to} <> 'verified' OR ${isFree}) AND ${isRead}`;
  const proofId = proof?.id ?? read?.proofId;
  const made = await plain.batch(
    [
      ...(proof
        ? [insertProof(proof, sql`EXISTS (SELECT 1 FROM account_directory WHERE ${condition})`)]
        : []),
      ...stepStatements({
        ...step,
        which: sql`${condition} AND ${isShown}`,
        ...(proofId === undefined ? {} : { proofId }),
      }),
      markOfSeveral(sql`${accountId}`),
    ].map(written),
  );
  return rowsAs(made.at(-2)).length > 0;
}

type Proofs =
  | ("countTry" | "keepText" | "textOf" | "shownWith" | "reserveText" | "proofsOf" | "waiting" | "waitingOf")
  | ("endedTexts" | "settleText" | "forgetUnused");

/** Signed texts and submitted proofs. */
function companyProofs(plain: PlainReads): Pick<CompanyRegister, Proofs> {
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
    async textOf(nonce) {
      const [row] = await plain.rows<Omit<ProofRow, "kind" | "nonce">>(sql`SELECT account_id, nif, user_id,
        made_at FROM proof_text WHERE nonce = ${nonce}`);
      if (!row) return undefined;
      const { account_id: accountId, nif, user_id: userId, made_at: madeAt } = row;
      return { nonce, accountId, nif, userId, madeAt };
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
    async waiting(from = 0) {
      const page = sql`LIMIT ${SHOWN} OFFSET ${from}`;
      // Ordered so that the oldest proof of each person comes before the second one of any. A contested
      // company stops issuing, so its claim comes before all.
      const [shown, claims] = await plain.batch(
        [
          sql`SELECT proof.*, count(*) OVER () AS many
            FROM proof JOIN account_directory AS company USING (account_id)
            WHERE company.verification = 'in_review' AND proof.id = ${newestDocument(sql`company.account_id`)}
            ORDER BY row_number() OVER (PARTITION BY proof.user_id ORDER BY proof.made_at), proof.made_at,
              proof.id ${page}`,
          sql`SELECT *, count(*) OVER () AS many FROM claim WHERE settled_at IS NULL
            ORDER BY contested_at IS NULL, contested_at,
              row_number() OVER (PARTITION BY claimant_id ORDER BY made_at), made_at, id ${page}`,
        ].map(written),
      );
      const [proofs, waiting] = [rowsAs<ProofRow & Counted>(shown), rowsAs<ClaimRow & Counted>(claims)];
      const more = (rows: readonly Counted[]) =>
        (rows[0]?.many ?? 0) - Math.min(rows[0]?.many ?? 0, from + SHOWN);
      return {
        proofs: proofs.map(proofFrom),
        claims: waiting.map(claimFrom),
        more: { proofs: more(proofs), claims: more(waiting) },
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

/** With the number of all rows, of which a page is read. */
interface Counted {
  readonly many: number;
}

interface EndedRow {
  readonly nonce: string;
  readonly account_id: string;
}

/** The last one shown of a company to prove its NIF: an operator reads no other. */
function newestDocument(accountId: SQL): SQL {
  return sql`(SELECT last.id FROM proof AS last WHERE last.account_id = ${accountId}
    AND last.kind = 'document' AND NOT EXISTS (SELECT 1 FROM claim WHERE claim.proof_id = last.id)
    ORDER BY last.made_at DESC, last.rowid DESC LIMIT 1)`;
}

type Claims = "claim" | "claimById" | "openClaimOf" | "contest" | "settle";
type Following =
  | "claimantOf"
  | "toFollow"
  | "isNewestGranted"
  | "newOwnersOf"
  | "openNotices"
  | "dueNotices"
  | "endNotices";

/** Claims: another company proves the NIF of a verified one. */
function companyClaims(plain: PlainReads): Pick<CompanyRegister, Claims | Following> {
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
      const condition = sql`EXISTS (SELECT 1 FROM account_directory WHERE ${held}) AND ${isFirst}`;
      const contestedAt = isProven ? proof.madeAt : null;
      const made = await plain.batch(
        [
          insertProof(proof, condition),
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
    async isNewestGranted(claimId) {
      // A grant settles all open claims, so one that is granted later was made later, under any clock.
      const later = await plain.rows(sql`SELECT later.id FROM claim JOIN claim AS later
          ON later.account_id = claim.account_id AND later.rowid > claim.rowid AND later.outcome = 'granted'
        WHERE claim.id = ${claimId} LIMIT 1`);
      return later.length === 0;
    },
    async newOwnersOf(claimId) {
      const rows = await plain.rows<{ readonly owner_id: string }>(sql`SELECT owning.owner_id FROM claim
        JOIN account_owner AS owning ON owning.account_id = claim.account_id AND owning.role = 'owner'
        WHERE claim.id = ${claimId}
          AND owning.owner_id NOT IN (SELECT value FROM json_each(claim.former_owners))`);
      return rows.map((row) => row.owner_id);
    },
    async openNotices({ claimId, which, notice, at }) {
      const column = TOLD[which];
      const isFirst = sql`claim.id = ${claimId} AND claim.${column} IS NULL`;
      const [, noted] = await plain.batch(
        [
          sql`INSERT INTO claim_notice (claim_id, notice, user_id, event_at, due_at)
            SELECT claim.id, ${notice}, user.id,
              coalesce(claim.settled_at, claim.contested_at, claim.made_at), ${at}
            FROM claim ${RECEIVERS[which]} WHERE ${isFirst} ORDER BY user.id LIMIT ${SHOWN}`,
          sql`UPDATE claim SET ${column} = ${at} WHERE ${isFirst} RETURNING id`,
        ].map(written),
      );
      return rowsAs(noted).length > 0;
    },
    async dueNotices(now, accountId) {
      const ofCompany =
        accountId === undefined
          ? sql`TRUE`
          : sql`claim_id IN (SELECT id FROM claim WHERE account_id = ${accountId})`;
      const [, found] = await plain.batch(
        [
          sql`DELETE FROM claim_notice WHERE notice = 'company_contested' AND due_at <= ${now}
            AND claim_id IN (SELECT id FROM claim WHERE settled_at IS NOT NULL)`,
          sql`UPDATE claim_notice SET tries = tries + 1, due_at = ${now + NOTICE.againMs}
            WHERE rowid IN (SELECT rowid FROM claim_notice WHERE due_at <= ${now} AND ${ofCompany}
              ORDER BY due_at LIMIT ${SHOWN})
            RETURNING claim_id, notice, user_id, event_at, tries,
              (SELECT email FROM user WHERE user.id = claim_notice.user_id) AS email,
              (SELECT language FROM user WHERE user.id = claim_notice.user_id) AS language`,
        ].map(written),
      );
      return rowsAs<NoticeRow>(found).map(noticeFrom);
    },
    async endNotices(notices) {
      const ended = notices.map(({ claimId, notice, userId }) => [claimId, notice, userId]);
      await plain.rows(sql`DELETE FROM claim_notice WHERE (claim_id, notice, user_id) IN
        (SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(${JSON.stringify(ended)}))`);
    },
  };
}

interface NoticeRow {
  readonly claim_id: string;
  readonly notice: ClaimNotice;
  readonly user_id: string;
  readonly event_at: number;
  readonly tries: number;
  readonly email: string | null;
  readonly language: string | null;
}

function noticeFrom({ claim_id: claimId, user_id: userId, event_at: eventAt, ...row }: NoticeRow): DueNotice {
  const { notice, tries, email, language } = row;
  return {
    claimId,
    notice,
    userId,
    eventAt,
    tries,
    email: email ?? undefined,
    language: language ?? undefined,
  };
}

const RECEIVERS: Readonly<Record<ClaimReceivers, SQL>> = {
  owners: sql`JOIN account_owner AS owning ON owning.account_id = claim.account_id AND owning.role = 'owner'
    JOIN user ON user.id = owning.owner_id`,
  former_owners: sql`JOIN json_each(claim.former_owners) AS former JOIN user ON user.id = former.value
    AND NOT EXISTS (SELECT 1 FROM account_owner AS owning WHERE owning.account_id = claim.account_id
      AND owning.owner_id = user.id AND owning.role = 'owner')`,
  claimant: sql`JOIN user ON user.id = claim.claimant_id`,
};

const TOLD: Readonly<Record<ClaimReceivers, SQL>> = {
  owners: sql`owners_told_at`,
  former_owners: sql`handed_at`,
  claimant: sql`claimant_told_at`,
};

/** A condition on a row of `claim`: its claimant still has a login. */
const isKnown = sql`EXISTS (SELECT 1 FROM user WHERE user.id = claim.claimant_id)`;
/** Likewise: its claimant still owns the claiming company, else the claim is not granted. */
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
