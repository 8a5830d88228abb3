import { type SQL, sql } from "drizzle-orm";
import { type PlainReads, plainReads, written } from "../../db/plain-reads.ts";
import { account, connection, installation, record } from "../../db/schema/ledger.ts";
import { chainSubmission } from "../../db/schema/submission.ts";
import { standingFrom, standingStatements, standingStore } from "../../db/submission/standing-store.ts";
import { isRepresented, isUnsubmitted } from "../../db/submission/submission-conditions.ts";
import type { TimeZone } from "../../domain/shared/instant.ts";
import type { ConnectionStanding, NoticeRead, SubmissionReads } from "./submission-ports.ts";

/** How the records of an account reach the authority. */
export function submissionReads(binding: D1Database): SubmissionReads {
  const reads = plainReads(binding);
  return {
    readStandings: (accountId) => readStandings(reads, accountId),
    readNotice: (accountId, wantsRepresentation) => readNotice(reads, accountId, wantsRepresentation),
    readAttempts: (connectionId, asked) => standingStore(binding, connectionId).readAttempts(asked),
  };
}

async function readStandings(reads: PlainReads, accountId: string): Promise<readonly ConnectionStanding[]> {
  const connections = await reads.rows<ConnectionStanding["connection"]>(
    sql`SELECT ${connection.id} AS id, ${connection.name} AS name FROM ${connection}
      WHERE ${connection.accountId} = ${accountId} ORDER BY ${connection.ordinal}`,
  );
  if (connections.length === 0) return [];
  const statements = connections.flatMap(({ id }) => standingStatements(id, accountId));
  const rows = await reads.batch(statements.map(written));
  return connections.flatMap((one, index) => {
    const standing = standingFrom(rows.slice(3 * index, 3 * index + 3));
    return standing ? [{ connection: one, standing }] : [];
  });
}

interface NoticeRow {
  readonly time_zone: TimeZone;
  readonly is_represented: number;
  readonly stopped: number;
  readonly since: number | null;
  readonly unsent: number;
}

/**
 * Records are counted where there is an incident, or where a signature is missing; else nothing is read of
 * them.
 */
async function readNotice(
  reads: PlainReads,
  accountId: string,
  wantsRepresentation: boolean,
): Promise<NoticeRead | undefined> {
  const [row] = await reads.rows<NoticeRow>(sql`WITH
    issuer AS (SELECT ${account.timeZone} AS time_zone, ${isRepresented(account.id)} AS is_represented
      FROM ${account} WHERE ${account.id} = ${accountId}),
    chains AS (SELECT ${installation.id} AS id, ${chainSubmission.incidentSince} AS since,
        CASE WHEN ${chainSubmission.incidentSince} IS NOT NULL OR ${isUnsigned(wantsRepresentation)}
          THEN (SELECT count(*) FROM ${record}
            WHERE ${record.installationId} = ${installation.id} AND ${isUnsubmitted()}) ELSE 0 END AS unsent
      FROM ${connection} CROSS JOIN ${installation} ON ${installation.connectionId} = ${connection.id}
      LEFT JOIN ${chainSubmission} ON ${chainSubmission.installationId} = ${installation.id}
      WHERE ${connection.accountId} = ${accountId})
    SELECT issuer.time_zone, issuer.is_represented,
      coalesce((SELECT sum(unsent) FROM chains WHERE since IS NOT NULL), 0) AS stopped,
      (SELECT min(since) FROM chains WHERE unsent > 0) AS since,
      coalesce((SELECT sum(unsent) FROM chains), 0) AS unsent FROM issuer`);
  if (!row) return undefined;
  const { time_zone: timeZone, is_represented, stopped, since, unsent } = row;
  return {
    timeZone,
    isRepresented: is_represented === 1,
    stopped: { unsent: stopped, ...(since === null ? {} : { since }) },
    unsent,
  };
}

function isUnsigned(wantsRepresentation: boolean): SQL {
  return wantsRepresentation ? sql`(SELECT is_represented FROM issuer) = 0` : sql`0`;
}
