import { type SQL, sql } from "drizzle-orm";
import { verificationOf } from "../../domain/connection/verification.ts";
import { PERSON } from "../../domain/limits.ts";
import { type QuotaRefusal, quotaExceeded } from "../../domain/quota.ts";
import { err, invariant, ok } from "../../domain/shared/result.ts";
import { plainReads, rowsAs, written } from "../database.ts";
import { loginsOf } from "../logins-of.ts";
import type { Directory } from "./open-account.ts";

const DAY_MS = 86_400_000;

export function directoryStore(binding: D1Database): Directory {
  const plain = plainReads(binding);
  return {
    async listAccount({ id: accountId, nif, ledger, openedAt, openedBy }) {
      const isItself = sql`SELECT 1 FROM account_directory WHERE account_id = ${accountId}`;
      const twin = twinOf(accountId, openedBy);
      const [, , , listed, counted] = await plain.batch(
        [
          sql`INSERT INTO account_directory (account_id, nif, ledger, opened_at, opened_by, verification)
            SELECT ${accountId}, ${nif}, ${ledger}, ${openedAt}, ${openedBy}, 'unverified'
            WHERE ${mayOpen(openedBy, openedAt)} AND NOT EXISTS (${twin}) AND NOT EXISTS (${isItself})`,
          // Only with the new listing: a removed owner must not return through a retry.
          sql`INSERT INTO account_owner (account_id, owner_id, role) SELECT account_id, ${openedBy}, 'owner'
            FROM account_directory WHERE account_id = ${accountId}
              AND NOT EXISTS (SELECT 1 FROM account_owner AS known WHERE known.account_id = ${accountId})`,
          // An account listed before proofs of NIF existed: its ledger must learn that it is proven.
          sql`UPDATE account_directory SET change_seq = 1
            WHERE account_id = ${accountId} AND change_seq = 0 AND verification = 'verified'`,
          sql`SELECT account_id FROM account_directory WHERE account_id = ${accountId} UNION ALL ${twin}`,
          counts(openedBy, openedAt),
        ].map(written),
      );
      const [known] = rowsAs<{ readonly account_id: string }>(listed);
      if (known) return ok(known.account_id);
      const refusal = refusalFrom(rowsAs(counted));
      invariant(refusal, "what was refused was too much when it was counted");
      return err(refusal);
    },
    async companyQuota(personId, now) {
      return refusalFrom(await plain.rows(counts(personId, now)));
    },
    async openedBy(personId, nif) {
      const rows = await plain.rows<OpenedRow>(sql`SELECT opened.account_id, opened.verification,
          EXISTS (SELECT 1 FROM account_owner AS own WHERE own.account_id = opened.account_id
            AND own.owner_id = ${personId} AND own.role = 'owner') AND opened.closed_at IS NULL AS theirs
        FROM account_directory AS opened WHERE opened.opened_by = ${personId} AND opened.nif = ${nif}
        ORDER BY opened.opened_at`);
      return rows.map(({ account_id: id, verification, theirs }) => ({
        ...{ id, verification: verificationOf(verification), isTheirs: theirs === 1 },
      }));
    },
  };
}

interface OpenedRow {
  readonly account_id: string;
  readonly verification: string;
  readonly theirs: number;
}

/** The same opening in another ledger: ids of it differ by that alone. */
function twinOf(accountId: string, personId: string): SQL {
  return sql`SELECT twin.account_id FROM account_directory AS twin WHERE twin.opened_by = ${personId}
    AND substr(twin.account_id, 6) = ${accountId.slice(5)} AND twin.account_id <> ${accountId}`;
}

/** The limit of unverified accounts of a person; higher once one of theirs is verified. */
function mostUnverified(personId: string): SQL {
  return sql`CASE WHEN EXISTS (SELECT 1 FROM account_owner AS owning
      JOIN account_directory AS owned ON owned.account_id = owning.account_id
      WHERE owning.owner_id IN ${loginsOf(personId)} AND owning.role = 'owner'
        AND owned.verification IN ('verified', 'contested'))
    THEN ${PERSON.unverifiedCompaniesOnceVerified} ELSE ${PERSON.unverifiedCompanies} END`;
}

function unverified(personId: string): SQL {
  return sql`(SELECT count(*) FROM account_directory AS opened WHERE opened.opened_by IN ${loginsOf(personId)}
    AND opened.verification IN ('unverified', 'in_review') AND opened.closed_at IS NULL)`;
}

/** When the one was opened that has to be a day old before another is. */
function lastOfDay(personId: string, now: number): SQL {
  return sql`(SELECT opened.opened_at FROM account_directory AS opened
    WHERE opened.opened_by IN ${loginsOf(personId)}
    AND opened.opened_at > ${now - DAY_MS} ORDER BY opened.opened_at DESC
    LIMIT 1 OFFSET ${PERSON.companiesPerDay - 1})`;
}

function mayOpen(personId: string, now: number): SQL {
  return sql`${unverified(personId)} < ${mostUnverified(personId)} AND ${lastOfDay(personId, now)} IS NULL`;
}

interface Counts {
  readonly unverified: number;
  readonly most: number;
  readonly last_of_day: number | null;
}

function counts(personId: string, now: number): SQL {
  return sql`SELECT ${unverified(personId)} AS unverified, ${mostUnverified(personId)} AS most,
    ${lastOfDay(personId, now)} AS last_of_day`;
}

function refusalFrom([row]: readonly unknown[]): QuotaRefusal | undefined {
  const { unverified: opened, most, last_of_day: last } = row as Counts;
  if (last !== null) return quotaExceeded("quota_companies_day", PERSON.companiesPerDay, last + DAY_MS);
  return opened >= most ? quotaExceeded("quota_companies", most) : undefined;
}
