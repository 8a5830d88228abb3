import { and, desc, eq, sql } from "drizzle-orm";
import { type Database, fromOwnJson } from "../../db/database.ts";
import { consent } from "../../db/schema/ledger.ts";
import { auditLog } from "../../db/schema/shop.ts";
import { representation } from "../../db/schema/submission.ts";
import type { ConsentEvidence } from "../../domain/connection/consent.ts";
import { type CivilDate, civilDate } from "../../domain/shared/civil-date.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { RepresentationShown } from "../company/company-store.ts";
import { present } from "../connections/queries.ts";

/** Limit of shown consents and grants; older ones remain in the audit log. */
const MOST_SHOWN = 50;

export function evidenceReads(db: Database): EvidenceReads {
  return {
    async read(accountId, connectionId) {
      const [consents, grants] = await db.batch([
        selectConsents(db, accountId, connectionId),
        db
          .select()
          .from(representation)
          .where(eq(representation.accountId, accountId))
          .orderBy(desc(representation.storedAt))
          .limit(MOST_SHOWN),
      ]);
      return {
        consents: consents.map(consentFrom),
        grants: grants.map(({ accountId: _, signedOn, withdrawnAt, ...row }) => ({
          ...row,
          signedOn: civilDate(signedOn),
          ...present({ withdrawnAt }),
        })),
      };
    },
  };
}

/** The cutoff of the audit line: the owner may later move the consent's own cutoff. */
function selectConsents(db: Database, accountId: string, connectionId: string) {
  const { id, grantedBy, grantedAt, textVersion, cutoffDate, withdrawnAt, evidence } = consent;
  const line = sql`'give_consent:' || ${consent.connectionId} || ':' || ${id}`;
  return db
    .select({
      id: sql<string>`${id}`.as("consent_id"),
      ...{ grantedBy, grantedAt, textVersion, cutoffDate, withdrawnAt, evidence },
      agreedDate: sql<string | null>`${auditLog.facts} ->> '$.cutoff_date'`.as("agreed_date"),
    })
    .from(consent)
    .leftJoin(auditLog, eq(auditLog.id, line))
    .where(and(eq(consent.connectionId, connectionId), eq(consent.accountId, accountId)))
    .orderBy(desc(consent.grantedAt))
    .limit(MOST_SHOWN);
}

function consentFrom(row: Awaited<ReturnType<typeof selectConsents>>[number]): ConsentGiven {
  const { id, grantedBy: givenBy, grantedAt: givenAt, textVersion, withdrawnAt } = row;
  const evidence = fromOwnJson<Partial<ConsentEvidence>>(row.evidence);
  return {
    ...{ id, givenBy, givenAt, textVersion },
    cutoffDate: civilDate(row.agreedDate ?? row.cutoffDate),
    ...present({ withdrawnAt }),
    ...(isWhole(evidence) ? { evidence } : {}),
  };
}

function isWhole(evidence: Partial<ConsentEvidence>): evidence is ConsentEvidence {
  return evidence.textSha256 !== undefined;
}

/** A consent with its evidence. */
export interface ConsentGiven {
  readonly id: string;
  readonly givenBy: string;
  readonly givenAt: Instant;
  readonly textVersion: string;
  /** The cutoff at the time of the consent, not the current one. */
  readonly cutoffDate: CivilDate;
  readonly withdrawnAt?: Instant;
  /** Absent for consents given outside setup. */
  readonly evidence?: ConsentEvidence;
}

export interface GrantSigned extends RepresentationShown {
  readonly id: string;
}

export interface EvidenceReads {
  /** The connection's consents and the account's grants, newest first, withdrawn ones included. */
  read(accountId: string, connectionId: string): Promise<EvidenceReading>;
}

export interface EvidenceReading {
  readonly consents: readonly ConsentGiven[];
  readonly grants: readonly GrantSigned[];
}
