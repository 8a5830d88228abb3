import type { Row } from "./sql-text.ts";
import type { Table } from "./tables.ts";

export interface Rows {
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
export async function* rowsOf(db: D1Database, table: Table, asked: Rows): AsyncGenerator<Row> {
  for await (const page of pagesOf(db, table, asked)) yield* page;
}

export async function* pagesOf(db: D1Database, table: Table, asked: Rows): AsyncGenerator<readonly Row[]> {
  const { where, values, order = table.key, page = PAGE } = asked;
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

export async function allRows(db: D1Database, table: Table, asked: Rows): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const page of pagesOf(db, table, asked)) rows.push(...page);
  return rows;
}
