import { eq, type SQL, sql } from "drizzle-orm";
import { PERSON } from "../domain/limits.ts";
import { type QuotaRefusal, quotaExceeded } from "../domain/quota.ts";
import type { Directory } from "../usecases/open-account.ts";
import { databaseOn } from "./database.ts";
import { accountDirectory, accountOwner } from "./schema/directory.ts";

const DAY_MS = 86_400_000;

export function directoryStore(binding: D1Database): Directory {
  const db = databaseOn(binding);
  const quotaOf = async (personId: string, now: number) => refusalFrom(await db.all(counts(personId, now)));
  return {
    async listAccount({ id: accountId, nif, ledger, openedAt, openedBy }) {
      const owner = sql`SELECT ${accountDirectory.accountId}, ${openedBy}, 'owner', NULL
        FROM ${accountDirectory} WHERE ${accountDirectory.accountId} = ${accountId}`;
      const [, , rows] = await db.batch([
        db
          .insert(accountDirectory)
          .select(sql`SELECT ${accountId}, ${nif}, ${ledger}, ${openedAt}, NULL, ${openedBy}, 'unverified',
            NULL, 0, 0, 0, 0 WHERE ${mayOpen(openedBy, openedAt)}`)
          .onConflictDoNothing(),
        db.insert(accountOwner).select(owner).onConflictDoNothing(),
        db.select().from(accountDirectory).where(eq(accountDirectory.accountId, accountId)),
      ]);
      return rows.length === 1 ? undefined : quotaOf(openedBy, openedAt);
    },
    companyQuota: quotaOf,
  };
}

/** How many unverified ones the person may have: more once one of theirs is verified. */
function mostUnverified(personId: string): SQL {
  return sql`CASE WHEN EXISTS (SELECT 1 FROM account_owner AS owning
      JOIN account_directory AS owned ON owned.account_id = owning.account_id
      WHERE owning.owner_id = ${personId} AND owning.role = 'owner'
        AND owned.verification IN ('verified', 'contested'))
    THEN ${PERSON.unverifiedCompaniesOnceVerified} ELSE ${PERSON.unverifiedCompanies} END`;
}

function unverified(personId: string): SQL {
  return sql`(SELECT count(*) FROM account_directory AS opened WHERE opened.opened_by = ${personId}
    AND opened.verification IN ('unverified', 'in_review') AND opened.closed_at IS NULL)`;
}

/** When the one was opened that has to be a day old before another is. */
function lastOfDay(personId: string, now: number): SQL {
  return sql`(SELECT opened.opened_at FROM account_directory AS opened WHERE opened.opened_by = ${personId}
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
