import { and, asc, desc, eq, gt, gte, lt, lte, or, type SQL, sql } from "drizzle-orm";
import { named } from "../../db/book-reads.ts";
import { type Database, fromOwnJson } from "../../db/database.ts";
import { connection } from "../../db/schema/ledger.ts";
import { auditLog } from "../../db/schema/shop.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { shownFacts } from "../../domain/shared/shown-text.ts";

/** Breaks ties between audit lines of the same instant. */
const ROW = sql<number>`${auditLog}.rowid`;

export function activityReads(db: Database): ActivityReads {
  return {
    async page(accountId, query) {
      return pageFrom(await selectLines(db, accountId, query), query);
    },
    async people(accountId) {
      const rows = await db
        .select({ userId: sql<string>`people.user_id`.as("person") })
        .from(sql`(${peopleOf(accountId)}) AS people`)
        .where(sql`people.user_id IS NOT NULL`);
      return rows.map(({ userId }) => userId);
    },
  };
}

/** Skips from one user id to the next in the index, so that the cost depends on people, not lines. */
function peopleOf(accountId: string): SQL {
  const next = (than: SQL) => sql`(SELECT min(${auditLog.userId}) FROM ${auditLog}
    WHERE ${auditLog.accountId} = ${accountId} AND ${auditLog.userId} > ${than})`;
  return sql`WITH RECURSIVE person(user_id) AS (
      SELECT ${next(sql`''`)} UNION ALL SELECT ${next(sql`person.user_id`)} FROM person
        WHERE person.user_id IS NOT NULL)
    SELECT user_id FROM person`;
}

function selectLines(db: Database, accountId: string, query: ActivityQuery) {
  const within = and(
    eq(auditLog.accountId, accountId),
    query.userId === undefined ? undefined : eq(auditLog.userId, query.userId),
    query.from === undefined ? undefined : gte(auditLog.at, query.from),
    query.before === undefined ? undefined : lt(auditLog.at, query.before),
    beyondPlace(query),
  );
  return db
    .select({
      row: ROW.as("log_row"),
      id: sql<string>`${auditLog.id}`.as("line_id"),
      at: auditLog.at,
      userId: auditLog.userId,
      verb: auditLog.verb,
      facts: auditLog.facts,
      connectionId: auditLog.connectionId,
      connectionName: named(connection.name, "connection_name"),
    })
    .from(auditLog)
    .leftJoin(
      connection,
      and(eq(connection.id, auditLog.connectionId), eq(connection.accountId, auditLog.accountId)),
    )
    .where(query.verbs === undefined ? within : ofVerbs(query, query.verbs, within))
    .orderBy(...ordered(query))
    .limit(query.limit + 1);
}

/** Reads at most one page per verb through its index, then sorts the lines. */
function ofVerbs(query: ActivityQuery, verbs: readonly string[], within: SQL | undefined): SQL {
  const order = sql.join([...ordered(query)], sql`, `);
  return sql`${ROW} IN (SELECT line.value FROM json_each(${JSON.stringify(verbs)}) AS sought
    CROSS JOIN json_each((SELECT json_group_array(found.line) FROM (
      SELECT ${ROW} AS line FROM ${auditLog} WHERE ${within} AND ${auditLog.verb} = sought.value
      ORDER BY ${order} LIMIT ${query.limit + 1}) AS found)) AS line)`;
}

function isNewer({ place }: ActivityQuery): boolean {
  return place?.side === "newer";
}

function ordered(query: ActivityQuery): readonly SQL[] {
  return isNewer(query) ? [asc(auditLog.at), asc(ROW)] : [desc(auditLog.at), desc(ROW)];
}

function beyondPlace(query: ActivityQuery): SQL | undefined {
  if (!query.place) return undefined;
  const { at, row } = query.place.than;
  const [beyond, upTo] = isNewer(query) ? [gt, gte] : [lt, lte];
  return and(upTo(auditLog.at, at), or(beyond(auditLog.at, at), beyond(ROW, row)));
}

type LineRow = Awaited<ReturnType<typeof selectLines>>[number];

function pageFrom(rows: readonly LineRow[], query: ActivityQuery): ActivityPage {
  const isCut = rows.length > query.limit;
  const shown = rows.slice(0, query.limit);
  if (isNewer(query)) shown.reverse();
  const [first, last] = [shown[0], shown.at(-1)];
  const hasNewer = isNewer(query) ? isCut : query.place !== undefined;
  const hasOlder = isNewer(query) || isCut;
  return {
    lines: shown.map(lineFrom),
    ...(first && hasNewer ? { newer: placeOf(first) } : {}),
    ...(last && hasOlder ? { older: placeOf(last) } : {}),
  };
}

function placeOf({ at, row }: LineRow) {
  return { at, row };
}

function lineFrom({ id, at, userId, verb, facts, connectionId, connectionName }: LineRow): ActivityLine {
  return {
    ...{ id, at, userId, verb, facts: shownFacts(fromOwnJson(facts)) },
    ...(connectionId === null ? {} : { connection: { id: connectionId, name: connectionName ?? "" } }),
  };
}

interface ActivityLine {
  readonly id: string;
  readonly at: Instant;
  readonly userId: string;
  readonly verb: string;
  readonly facts: Readonly<Record<string, string>>;
  /** Absent if the change concerns the account itself. */
  readonly connection?: { readonly id: string; readonly name: string };
}

/** The line at a page's edge; several lines may have the same instant, so `row` decides. */
export interface ActivityPlace {
  readonly at: Instant;
  readonly row: number;
}

export interface ActivityQuery {
  readonly userId?: string;
  /** Absent: all verbs. */
  readonly verbs?: readonly string[];
  /** `from` is included, `before` is not. */
  readonly from?: Instant;
  readonly before?: Instant;
  readonly place?: { readonly side: "older" | "newer"; readonly than: ActivityPlace };
  readonly limit: number;
}

interface ActivityPage {
  /** Newest first. */
  readonly lines: readonly ActivityLine[];
  readonly newer?: ActivityPlace;
  readonly older?: ActivityPlace;
}

export interface ActivityReads {
  page(accountId: string, query: ActivityQuery): Promise<ActivityPage>;
  /** Ids of all users in the audit log, each found by one index step. */
  people(accountId: string): Promise<readonly string[]>;
}
