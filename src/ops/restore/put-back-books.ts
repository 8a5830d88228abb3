import { insertAbsent, type Row, stepUp, updateDifferent } from "./sql-text.ts";
import { BOOKS, type Table } from "./tables.ts";

interface Connection {
  readonly connectionId: string;
  readonly since: number;
}

interface Chain {
  readonly installationId: string;
  readonly since: number;
  /** The position of the first record that may be missing. */
  readonly from: number;
}

/** A message is answered or given up within minutes. */
const MESSAGE_MS = 86_400_000;

/** One chain after the other: a closed chain takes no record, so each is filled before it is closed. */
export async function* putBackBooks(
  db: D1Database,
  { connectionId, since }: Connection,
): AsyncGenerator<string> {
  const { installation, series } = BOOKS;
  const its = { where: "connection_id = ?", values: [connectionId] };
  const installations = await allRows(db, installation, { ...its, order: ["ordinal"] });
  for (const row of installations) {
    const installationId = String(row.id);
    yield* insertAbsent(installation, { ...row, closed_at: null });
    const ofChain = { where: "installation_id = ?", values: [installationId] };
    const ofConnection = {
      where: "connection_id = ? AND installation_id = ?",
      values: [connectionId, installationId],
    };
    for await (const code of rowsOf(db, series, ofConnection)) yield* insertAbsent(series, code);
    const chain = { installationId, since, from: await firstSince(db, installationId, since) };
    yield* putBackRecords(db, chain);
    yield* putBackStates(db, chain);
    for (const submission of await allRows(db, BOOKS.submission, ofChain))
      yield stepUp(BOOKS.submission, submission);
    yield* putBackAttempts(db, chain);
    yield* updateDifferent(installation, row, installation.columns);
  }
}

/**
 * Times never decrease in a chain: a binary search finds the first position at or after the moment. Retired
 * records come before all existing ones.
 */
async function firstSince(db: D1Database, installationId: string, since: number): Promise<number> {
  const end = await one(db, "SELECT max(position) AS position FROM record WHERE installation_id = ?", [
    installationId,
  ]);
  let [low, high] = [1, Number(end?.position ?? 0) + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const at = await one(
      db,
      "SELECT content ->> '$.generatedAt' AS at FROM record WHERE installation_id = ? AND position = ?",
      [installationId, middle],
    );
    if (Date.parse(String(at?.at)) >= since) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Each record follows its invoice; the states follow after all records. */
async function* putBackRecords(db: D1Database, { installationId, from }: Chain): AsyncGenerator<string> {
  const newer = { where: "installation_id = ? AND position >= ?", values: [installationId, from] };
  for await (const records of pagesOf(db, BOOKS.record, newer)) {
    const ids = [JSON.stringify([...new Set(records.map((row) => String(row.invoice_id)))])];
    const oneOf = "IN (SELECT value FROM json_each(?))";
    const invoices = await allRows(db, BOOKS.invoice, { where: `id ${oneOf}`, values: ids });
    const theirs = { where: `invoice_id ${oneOf}`, values: ids };
    const documents = await allRows(db, BOOKS.document, theirs);
    const links = await allRows(db, BOOKS.link, theirs);
    for (const row of records) {
      const isIts = (other: Row) => (other.invoice_id ?? other.id) === row.invoice_id;
      for (const found of invoices.filter(isIts)) yield* insertAbsent(BOOKS.invoice, found);
      for (const found of documents.filter(isIts)) yield* insertAbsent(BOOKS.document, found);
      for (const found of links.filter(isIts)) yield* insertAbsent(BOOKS.link, found);
      yield* insertAbsent(BOOKS.record, asWritten(row));
    }
  }
}

function asWritten(row: Row): Row {
  const state = row.state === "not_submitted" ? row.state : "pending_submission";
  return { ...row, state, standing: null, changed_seq: null };
}

/** States that may have changed since: of new records, sent ones, and those the owner has checked. */
async function* putBackStates(
  db: D1Database,
  { installationId, since, from }: Chain,
): AsyncGenerator<string> {
  const sent = await one(
    db,
    `SELECT min(from_position) AS position FROM submission_attempt
      WHERE installation_id = ? AND started_at >= ?`,
    [installationId, since - MESSAGE_MS],
  );
  const first = Math.min(from, Number(sent?.position ?? from));
  const ofChain = [installationId, first];
  const changed = [
    { where: "installation_id = ? AND position >= ?", values: ofChain },
    {
      where: "installation_id = ? AND position < ? AND state IN ('accepted_with_errors', 'rejected')",
      values: ofChain,
    },
  ];
  for (const rows of changed) {
    for await (const row of rowsOf(db, BOOKS.record, rows))
      yield* updateDifferent(BOOKS.record, row, ["state", "standing", "changed_seq"]);
  }
}

/** Inserts each attempt open and in its order, then its end, as the triggers require. */
async function* putBackAttempts(db: D1Database, { installationId, since }: Chain): AsyncGenerator<string> {
  const { attempt } = BOOKS;
  const ending = ["ended_at", "result", "csv", "presented_at", "answer_sha256"];
  const open = Object.fromEntries(ending.map((column) => [column, null]));
  const newer = {
    where: "installation_id = ? AND started_at >= ?",
    values: [installationId, since - MESSAGE_MS],
    order: ["started_at", "id"],
  };
  for await (const row of rowsOf(db, attempt, newer)) {
    yield* insertAbsent(attempt, { ...row, ...open });
    yield* updateDifferent(attempt, row, ending);
  }
}

async function one(
  db: D1Database,
  sql: string,
  values: readonly (string | number)[],
): Promise<Row | undefined> {
  const { results } = await db
    .prepare(sql)
    .bind(...values)
    .all<Row>();
  return results[0];
}

interface Rows {
  readonly where: string;
  readonly values: readonly (string | number)[];
  /** Unique columns that order the pages; by default the key of the table. */
  readonly order?: readonly string[];
  /** Rows of a page, where they are short. */
  readonly page?: number;
}

/** Documents reach megabytes: few at a time. */
const PAGE = 50;

/** A page at a time, so that neither side holds all of them. */
export async function* rowsOf(db: D1Database, table: Table, request: Rows): AsyncGenerator<Row> {
  for await (const page of pagesOf(db, table, request)) yield* page;
}

export async function* pagesOf(db: D1Database, table: Table, request: Rows): AsyncGenerator<readonly Row[]> {
  const { where, values, order = table.key, page = PAGE } = request;
  let after: Row | undefined;
  for (;;) {
    const behind = after ? ` AND (${order.join(", ")}) > (${order.map(() => "?").join(", ")})` : "";
    const sql = `SELECT ${table.columns.join(", ")} FROM ${table.name} WHERE (${where})${behind}
      ORDER BY ${order.join(", ")} LIMIT ${page}`;
    const last = after;
    const given = last ? [...values, ...order.map((column) => last[column] ?? null)] : values;
    const { results } = await db
      .prepare(sql)
      .bind(...given)
      .all<Row>();
    yield results;
    after = results.at(-1);
    if (results.length < page) return;
  }
}

export async function allRows(db: D1Database, table: Table, request: Rows): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const page of pagesOf(db, table, request)) rows.push(...page);
  return rows;
}
