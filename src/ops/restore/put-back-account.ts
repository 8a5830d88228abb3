/**
 * The account's rows after a moment, as SQL for a ledger restored to that moment. Existing rows are not
 * changed, so the same text can be run again.
 */
import { literal } from "../remote-database.ts";
import { allRows, pagesOf, putBackBooks } from "./put-back-books.ts";
import { eraseAgain } from "./put-back-erasures.ts";
import {
  deleteStale,
  insertAbsent,
  insertAllAbsent,
  type Row,
  stepUp,
  updateAllDifferent,
  updateDifferent,
} from "./sql-text.ts";
import { BOOKS, LAST, ofAccount, REMOVABLE, SETTINGS, type Table, TIMED } from "./tables.ts";

export interface PutBackRequest {
  readonly accountId: string;
  /** Epoch milliseconds: the moment that the ledger is restored to, or one before it. */
  readonly since: number;
  readonly now: number;
}

/** A margin: rows may be dated earlier than written, by other clocks or while they wait. */
export const CLOCKS_MS = 600_000;

/** Settings are short rows. */
const SETTINGS_PAGE = 500;

/** Statement by statement, each of which D1 takes alone. The account must be frozen, here and there. */
export async function* putBackAccount(db: D1Database, given: PutBackRequest): AsyncGenerator<string> {
  const request = { ...given, since: given.since - CLOCKS_MS };
  const its = (table: Table) => ({ where: ofAccount(table), values: [request.accountId] });
  for (const table of SETTINGS) {
    yield* putBackSettings(table, await allRows(db, table, { ...its(table), page: SETTINGS_PAGE }), request);
  }
  const connections = await allRows(db, CONNECTION, its(CONNECTION));
  yield* stepHeads(await allRows(db, BOOKS.head, its(BOOKS.head)), request);
  for (const { id } of connections) yield* putBackBooks(db, { ...request, connectionId: String(id) });
  for (const { id } of connections) yield* eraseAgain(db, { ...request, connectionId: String(id) });
  for (const table of TIMED) {
    const { where, values } = its(table);
    const instants = Array<number>(table.instants).fill(request.since);
    const newer = pagesOf(db, table, {
      where: `${where} AND ${table.changed}`,
      values: [...values, ...instants],
    });
    for await (const rows of newer) yield* insertOrUpdate(table, rows);
  }
  for (const table of LAST) {
    for await (const rows of pagesOf(db, table, its(table))) yield* insertOrUpdate(table, rows);
  }
  yield* settle(await allRows(db, ACCOUNT, its(ACCOUNT)));
}

const named = (name: string) => {
  const found = SETTINGS.find((table) => table.name === name);
  if (!found) throw new Error(`${name} is among the settings`);
  return found;
};
const ACCOUNT = named("account");
const CONNECTION = named("connection");

/** The directory's state of an account: of two rows the one with the newer change counts. */
const HEARD = ["verification", "issuing_ends_at", "heard_seq"];
/** Set by freezing and thawing, and raised at the end. */
const NOT_SETTINGS = ["frozen", "settings_version", ...HEARD];

function* putBackSettings(
  table: Table,
  rows: readonly Row[],
  { accountId }: PutBackRequest,
): Generator<string> {
  if (REMOVABLE.has(table.name)) yield* deleteStale(table, accountId, rows);
  const columns = table.columns.filter((column) => table !== ACCOUNT || !NOT_SETTINGS.includes(column));
  if (table.name === "api_key") return yield* replayKeys(table, rows);
  yield* updateAllDifferent(table, rows, columns);
  // One grant or authorisation is in force at a time, so the old one ends before the new one is inserted.
  yield* insertAllAbsent(table, table === ACCOUNT ? rows.map((row) => ({ ...row, frozen: 1 })) : rows);
  if (table === ACCOUNT) yield* rows.map(syncLater);
}

function syncLater(row: Row): string {
  const set = HEARD.map((column) => `${column} = ${literal(row[column])}`).join(", ");
  const { id, heard_seq: seq } = row;
  return `UPDATE account SET ${set} WHERE id = ${literal(id)} AND heard_seq < ${literal(seq)}`;
}

/** In the order of history: few are alive at once, and with the last one all viewer URLs would end. */
function* replayKeys(table: Table, rows: readonly Row[]): Generator<string> {
  const events = rows.flatMap((row) => [
    { at: Number(row.created_at), sql: insertAbsent(table, { ...row, revoked_at: null }) },
    {
      at: Number(row.revoked_at ?? Number.POSITIVE_INFINITY),
      sql: updateDifferent(table, row, table.columns),
    },
  ]);
  for (const { sql } of events.toSorted((a, b) => a.at - b.at)) yield* sql;
}

/**
 * Nothing passes the fence of a frozen account, not even this: the account is thawed for these statements.
 * Its objects have noted more than the restored books hold, and issue nothing.
 */
function* stepHeads(heads: readonly Row[], { accountId }: PutBackRequest): Generator<string> {
  if (heads.length === 0) return;
  const account = `WHERE id = ${literal(accountId)}`;
  const version = `(SELECT settings_version FROM account ${account})`;
  yield `UPDATE account SET frozen = 0 ${account}`;
  for (const head of heads) yield stepUp(BOOKS.head, head, { settings_version: version });
  yield `UPDATE account SET frozen = 1 ${account}`;
}

function* insertOrUpdate(table: Table, rows: readonly Row[]): Generator<string> {
  yield* insertAllAbsent(table, rows);
  yield* updateAllDifferent(table, rows, table.columns);
}

/** Decisions made before the restore are invalidated, and waiting orders are decided again. */
function* settle(accounts: readonly Row[]): Generator<string> {
  for (const { id, settings_version: version } of accounts) {
    yield `UPDATE shop_order SET undecided = 1, unmailed = coalesce(unmailed, 'once') WHERE state = 'held'
      AND connection_id IN (SELECT id FROM connection WHERE account_id = ${literal(id)})`;
    yield `UPDATE account SET settings_version = 1 + max(settings_version, ${literal(version)})
      WHERE id = ${literal(id)}`;
  }
}
