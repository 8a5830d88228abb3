import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { RecordState } from "../../domain/invoice/invoice-view.ts";
import type { InvoiceType } from "../../domain/invoice/request.ts";
import { LISTS } from "../../domain/limits.ts";
import type { CivilDate } from "../../domain/shared/civil-date.ts";
import { plainReads, rowsAs, written } from "../database.ts";
import { installation, invoice, invoiceDocument, record } from "../schema/ledger.ts";

/** A place in the chains of a connection: before a position of one of them. Older chains come after it. */
export interface ChainPlace {
  /** The ordinal of the installation. */
  readonly chain: number;
  /** The first position that the place excludes; absent for the whole chain. */
  readonly before?: number;
}

/** Of the newest registration; `cancelled` once it was annulled. */
export type ListedState = RecordState | "cancelled";

/** All conditions must hold. Days are days of issue, both included. */
export interface InvoiceListQuery {
  readonly place?: ChainPlace;
  readonly from?: CivilDate;
  readonly to?: CivilDate;
  readonly types?: readonly InvoiceType[];
  readonly states?: readonly ListedState[];
  readonly limit: number;
}

export interface InvoiceListPage {
  /** Origins of invoices, newest first. */
  readonly origins: readonly string[];
  /** Where the list goes on; absent at its end. A page may be empty and have one. */
  readonly next?: ChainPlace;
}

/**
 * One page of a connection's invoices, in one round trip. It goes back over a bounded stretch of one chain,
 * so that its cost depends neither on the number of invoices nor on what the filter finds.
 */
export function invoiceListReads(binding: D1Database, connectionId: string) {
  const reads = plainReads(binding);
  return async (query: InvoiceListQuery): Promise<InvoiceListPage> => {
    const statements = [selectReach(connectionId, query), selectPage(connectionId, query)];
    const [reach, page] = await reads.batch(statements.map(written));
    return pageOf(rowsAs<ReachRow>(reach), rowsAs<PageRow>(page), query.limit);
  };
}

/** The stretch of a chain that one page goes over: positions between `bottom` and `upper`, without them. */
interface ReachRow {
  readonly chain: number;
  /** The position below the oldest record. */
  readonly ground: number;
  /** The same, or what the first day asked for leaves out. */
  readonly lower: number;
  readonly bottom: number;
}

interface PageRow {
  readonly position: number;
  readonly origin: string;
  readonly size: number;
}

function pageOf([reach]: readonly ReachRow[], rows: readonly PageRow[], limit: number): InvoiceListPage {
  if (!reach) return { origins: [] };
  const { chain } = reach;
  const shown = rows.slice(0, Math.min(limit, fittingIn(rows)));
  const last = shown.at(-1);
  const page = { origins: shown.map(({ origin }) => origin) };
  if (last && shown.length < rows.length) return { ...page, next: { chain, before: last.position } };
  if (reach.bottom > reach.lower) return { ...page, next: { chain, before: reach.bottom + 1 } };
  const isEnd = reach.lower > reach.ground || chain <= 1;
  return isEnd ? page : { ...page, next: { chain: chain - 1 } };
}

/** The number of rows whose texts are read together: the first one always is. */
export function fittingIn(rows: readonly { readonly size: number }[]): number {
  let characters = 0;
  const tooMany = rows.findIndex(({ size }, index) => {
    characters += size;
    return index > 0 && characters > LISTS.mostCharacters;
  });
  return tooMany < 0 ? rows.length : tooMany;
}

/** Madrid is two hours ahead of UTC in summer: its day begins as early as this. */
const EARLIEST_MIDNIGHT = sql`'-2 hours'`;
/** In the Canaries a day ends with UTC's at the latest. */
const LATEST_MIDNIGHT = sql`'+1 day'`;

/** `reach` as a table of one row, or of none without a chain. */
function reachOf(connectionId: string, { place, from, to }: InvoiceListQuery): SQL {
  const ofChain = sql`FROM ${record} WHERE ${record.installationId} = chain.id`;
  const upper = [
    sql`ends.top + 1`,
    ...(place?.before === undefined
      ? []
      : [sql`CASE ends.ordinal WHEN ${place.chain} THEN ${place.before} ELSE ends.top + 1 END`]),
    ...(to === undefined ? [] : [searched("high", sql`unixepoch(${to}, ${LATEST_MIDNIGHT})`)]),
  ];
  const lower = [
    sql`ends.ground`,
    ...(from === undefined ? [] : [searched("low", sql`unixepoch(${from}, ${EARLIEST_MIDNIGHT})`)]),
  ];
  const least = (of: SQL[]) => (of.length === 1 ? sql`${of[0]}` : sql`min(${sql.join(of, sql`, `)})`);
  const most = (of: SQL[]) => (of.length === 1 ? sql`${of[0]}` : sql`max(${sql.join(of, sql`, `)})`);
  return sql`chain AS MATERIALIZED (SELECT ${installation.id} AS id, ${installation.ordinal} AS ordinal
      FROM ${installation} WHERE ${installation.connectionId} = ${connectionId}
        ${place === undefined ? sql`` : sql`AND ${installation.ordinal} <= ${place.chain}`}
      ORDER BY ${installation.ordinal} DESC LIMIT 1),
    ends AS MATERIALIZED (SELECT chain.id AS id, chain.ordinal AS ordinal,
      coalesce((SELECT min(${record.position}) ${ofChain}), 1) - 1 AS ground,
      coalesce((SELECT max(${record.position}) ${ofChain}), 0) AS top FROM chain),
    bounds AS MATERIALIZED (SELECT ends.id AS id, ends.ordinal AS ordinal, ends.ground AS ground,
      ${least(upper)} AS upper, ${most(lower)} AS lower FROM ends),
    reach AS MATERIALIZED (SELECT *, max(lower, upper - 1 - ${LISTS.mostScanned}) AS bottom FROM bounds)`;
}

/**
 * The two positions of a chain between which its records come to an instant, by halving: moments of records
 * never decrease. It reads a row for each doubling of the chain.
 */
function searched(side: "low" | "high", at: SQL): SQL {
  const middle = sql`(step.low + step.high) / 2`;
  const isBefore = sql`unixepoch(${record.content} ->> '$.generatedAt') < ${at}`;
  return sql`(WITH RECURSIVE step (low, high) AS (SELECT ends.ground, ends.top + 1
    UNION ALL SELECT CASE WHEN ${isBefore} THEN ${middle} ELSE step.low END,
        CASE WHEN ${isBefore} THEN step.high ELSE ${middle} END
      FROM step CROSS JOIN ${record} ON ${record.installationId} = ends.id AND ${record.position} = ${middle}
      WHERE step.high - step.low > 1)
    SELECT ${sql.identifier(side)} FROM step ORDER BY high - low LIMIT 1)`;
}

function selectReach(connectionId: string, query: InvoiceListQuery): SQL {
  return sql`WITH ${reachOf(connectionId, query)} SELECT ordinal AS chain, ground, lower, bottom FROM reach`;
}

/** One more than the page, to see if there are others. The index of the chain gives the order. */
function selectPage(connectionId: string, query: InvoiceListQuery): SQL {
  const { from, to, types, states, limit } = query;
  const conditions = [
    ...(from === undefined ? [] : [sql`${invoice.issueDate} >= ${from}`]),
    ...(to === undefined ? [] : [sql`${invoice.issueDate} <= ${to}`]),
    ...(types === undefined ? [] : [sql`${invoice.invoiceType} IN ${among(types)}`]),
    ...(states === undefined ? [] : [sql`${stateOfInvoice()} IN ${among(states)}`]),
  ];
  return sql`WITH ${reachOf(connectionId, query)}
    SELECT ${record.position} AS position, ${invoice.origin} AS origin,
      length(${invoiceDocument.document}) AS size
    FROM ${record} CROSS JOIN ${invoice} ON ${invoice.id} = ${record.invoiceId}
      AND ${invoice.connectionId} = ${connectionId} AND ${invoice.origin} = ${record.origin}
    CROSS JOIN ${invoiceDocument} ON ${invoiceDocument.invoiceId} = ${invoice.id}
    WHERE ${record.installationId} = (SELECT id FROM reach)
      AND ${record.position} < (SELECT upper FROM reach) AND ${record.position} > (SELECT bottom FROM reach)
      ${sql.join(
        conditions.map((condition) => sql`AND ${condition}`),
        sql` `,
      )}
    ORDER BY ${record.position} DESC LIMIT ${limit + 1}`;
}

function among(values: readonly string[]): SQL {
  return sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;
}

const correction = alias(record, "correction");

/** As the view of an invoice has it: an annulment outranks every registration. */
function stateOfInvoice(): SQL {
  const of = (kind: "amend" | "cancel", selected: SQL) => sql`(SELECT ${selected} FROM ${record}
      AS ${sql.identifier("correction")} WHERE ${correction.connectionId} = ${invoice.connectionId}
      AND ${correction.origin} >= ${sql.raw(`'${kind}:'`)} || ${invoice.id} || ':'
      AND ${correction.origin} < ${sql.raw(`'${kind}:'`)} || ${invoice.id} || ';'
    ORDER BY ${sql.identifier("correction")}.rowid DESC LIMIT 1)`;
  return sql`coalesce(${of("cancel", sql`'cancelled'`)}, ${of("amend", sql`${correction.state}`)},
    ${record.state})`;
}
