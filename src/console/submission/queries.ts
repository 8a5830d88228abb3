import { type SQL, sql } from "drizzle-orm";
import { type PlainReads, plainReads, written } from "../../db/database.ts";
import { account, connection, installation, record } from "../../db/schema/ledger.ts";
import { chainSubmission } from "../../db/schema/submission.ts";
import {
  type AttemptPage,
  type AttemptsQuery,
  type StatusMoment,
  type StatusRead,
  type SubmissionStatus,
  statusFrom,
  statusStatements,
  submissionStatusOf,
  submissionStatusStore,
} from "../../db/submission/submission-status.ts";
import { isRepresented, isUnsubmitted } from "../../db/submission/submission-writes.ts";
import type { Instant, TimeZone } from "../../domain/shared/instant.ts";
import { ourFault } from "../../domain/verifactu/submission/meaning.ts";

/** Submission state of an account's records. */
export function submissionReads(binding: D1Database): SubmissionReads {
  const reads = plainReads(binding);
  return {
    readStandings: (accountId) => readStatuses(reads, accountId),
    readNotice: (accountId, wantsRepresentation) => readNotice(reads, accountId, wantsRepresentation),
    readAttempts: (connectionId, query) => submissionStatusStore(binding, connectionId).readAttempts(query),
  };
}

async function readStatuses(reads: PlainReads, accountId: string): Promise<readonly ConnectionStatus[]> {
  const connections = await reads.rows<ConnectionStatus["connection"]>(
    sql`SELECT ${connection.id} AS id, ${connection.name} AS name FROM ${connection}
      WHERE ${connection.accountId} = ${accountId} ORDER BY ${connection.ordinal}`,
  );
  if (connections.length === 0) return [];
  const statements = connections.flatMap(({ id }) => statusStatements(id, accountId));
  const rows = await reads.batch(statements.map(written));
  return connections.flatMap((one, index) => {
    const status = statusFrom(rows.slice(3 * index, 3 * index + 3));
    return status ? [{ connection: one, standing: status }] : [];
  });
}

interface NoticeRow {
  readonly time_zone: TimeZone;
  readonly is_represented: number;
  readonly stopped: number;
  readonly since: number | null;
  readonly unsent: number;
}

/** Counts records only during an incident or without the grant; otherwise it reads no records. */
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

/** Submission state of one connection's records. */
interface ConnectionStatus {
  readonly connection: { readonly id: string; readonly name: string };
  readonly standing: StatusRead;
}

/** Data of the notice on every page. */
interface NoticeRead {
  readonly timeZone: TimeZone;
  readonly isRepresented: boolean;
  /** Waiting records of chains that an incident has stopped. */
  readonly stopped: { readonly unsent: number; readonly since?: Instant };
  /** All waiting records; counted only if the notice may need it. */
  readonly unsent: number;
}

/** Submission of one account's records. Every method is one D1 round trip, or two. */
export interface SubmissionReads {
  readStandings(accountId: string): Promise<readonly ConnectionStatus[]>;
  /** Undefined if the account does not exist. */
  readNotice(accountId: string, wantsRepresentation: boolean): Promise<NoticeRead | undefined>;
  readAttempts(connectionId: string, query: AttemptsQuery): Promise<AttemptPage>;
}

export interface ViewedStatus extends SubmissionStatus {
  readonly connection: ConnectionStatus["connection"];
  /** Records declined because of a fault of ours, which may be sent again. */
  readonly resendable: number;
}

export function viewStatuses(
  read: readonly ConnectionStatus[],
  moment: StatusMoment,
): readonly ViewedStatus[] {
  return read.map(({ connection, standing }) => ({
    connection,
    resendable: resendableIn(standing),
    ...submissionStatusOf(standing, moment),
  }));
}

function resendableIn({ chains }: ConnectionStatus["standing"]): number {
  const declined = chains.flatMap((chain) => chain.rejected);
  return declined
    .filter(({ code }) => ourFault(code) !== undefined)
    .reduce((sum, { records }) => sum + records, 0);
}

/** The notice at the top of every page. */
type Notice =
  | { readonly notice: "representation"; readonly unsent: number }
  | { readonly notice: "unsent"; readonly unsent: number; readonly since: number };

/**
 * Article 16.4 Orden HAC/1177/2024: shown from the first failure until no record is unsent. A missing grant
 * comes first, because without it nothing is submitted.
 */
export function noticeOf(
  read: NoticeRead,
  { wantsRepresentation }: Pick<StatusMoment, "wantsRepresentation">,
) {
  const { stopped, unsent, isRepresented } = read;
  if (wantsRepresentation && !isRepresented) {
    return unsent > 0 ? ({ notice: "representation", unsent } as const) : undefined;
  }
  if (stopped.unsent === 0 || stopped.since === undefined) return undefined;
  return { notice: "unsent", unsent: stopped.unsent, since: stopped.since } as const satisfies Notice;
}
