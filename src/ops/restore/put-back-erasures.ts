import { literal } from "../remote-database.ts";
import { pagesOf, rowsOf } from "./put-back-books.ts";
import { keepOnly, type Row } from "./sql-text.ts";
import { ERASURES, type Table } from "./tables.ts";

interface Connection {
  readonly accountId: string;
  readonly connectionId: string;
  readonly since: number;
  readonly now: number;
}

/** Ids of customers are short. */
const IDS = 5_000;

/**
 * Data erased since the moment are back after a restore and are erased again. This comes before newer orders,
 * because a readmitted order is refused while it counts as erased. Retired years need their own run.
 */
export async function* eraseAgain(db: D1Database, request: Connection): AsyncGenerator<string> {
  yield* admitAgain(db, request);
  yield* eraseOrders(db, request);
  yield* eraseClients(db, request);
}

/** A readmission leaves only its line in the log, which names the order. */
async function* admitAgain(
  db: D1Database,
  { accountId, connectionId, since }: Connection,
): AsyncGenerator<string> {
  const { results } = await db
    .prepare(
      `SELECT DISTINCT order_id AS id FROM audit_log
        WHERE account_id = ? AND verb = 'admit_order' AND at >= ? AND connection_id = ?
          AND NOT EXISTS (SELECT 1 FROM erased_order
            WHERE erased_order.connection_id = audit_log.connection_id AND id_external = order_id)
        ORDER BY 1`,
    )
    .bind(accountId, since, connectionId)
    .all<{ readonly id: string }>();
  for (const { id } of results) {
    yield `DELETE FROM erased_order WHERE ${isOrder(connectionId, id)} AND because <> 'retention'`;
  }
}

/** As in the first erasure: the trace is written before the order is deleted. */
async function* eraseOrders(db: D1Database, { connectionId, since }: Connection): AsyncGenerator<string> {
  const newer = {
    where: "connection_id = ? AND erased_at >= ? AND because <> 'retention'",
    values: [connectionId, since],
  };
  for await (const row of rowsOf(db, ERASURES.order, newer)) {
    const its = isOrder(connectionId, String(row.id_external));
    // Erased before, admitted, and erased once more.
    yield `DELETE FROM erased_order WHERE ${its} AND because <> 'retention'
      AND erased_at <> ${literal(row.erased_at)}`;
    yield eraseUnlessInvoiced(row, its);
    const isErased = `EXISTS (SELECT 1 FROM erased_order WHERE ${its})`;
    yield `DELETE FROM shop_order_sent WHERE ${its} AND ${isErased}`;
    yield* eraseDocuments({ connectionId, idExternal: String(row.id_external) }, isErased);
    yield `DELETE FROM shop_order WHERE ${its} AND ${isErased}`;
  }
}

/** What the shop itself has sent of the order; triggers note bodies that are kept elsewhere. */
function* eraseDocuments(
  { connectionId, idExternal }: { readonly connectionId: string; readonly idExternal: string },
  isErased: string,
): Generator<string> {
  const its = (column: string) =>
    `connection_id = ${literal(connectionId)} AND ${column} = ${literal(idExternal)} AND ${isErased}`;
  yield `DELETE FROM shop_document WHERE ${its("id_external")}`;
  yield `UPDATE shop_delivery SET body = NULL, body_key = NULL, why = NULL WHERE ${its("order_id")}`;
  yield `DELETE FROM shop_fetch WHERE ${its("native_id")}`;
}

/** A connection that had never issued may have issued between restore and freeze: its invoice is kept. */
function eraseUnlessInvoiced(row: Row, its: string): string {
  const { name, columns } = ERASURES.order;
  const origin = literal(`order:${row.id_external}`);
  return `INSERT INTO ${name} (${columns.join(", ")})
    SELECT ${columns.map((column) => literal(row[column])).join(", ")}
    WHERE NOT EXISTS (SELECT 1 FROM ${name} WHERE ${its})
      AND NOT EXISTS (SELECT 1 FROM invoice
        WHERE connection_id = ${literal(row.connection_id)} AND origin = ${origin})
      AND NOT EXISTS (SELECT 1 FROM shop_order WHERE ${its} AND sold_fingerprint IS NOT NULL)`;
}

/** No row names an erased customer, so the remaining ones are named; shops may report others later. */
async function* eraseClients(db: D1Database, { connectionId, now }: Connection): AsyncGenerator<string> {
  const { client } = ERASURES;
  const keys: Table = { ...client, columns: client.key };
  const theirs = { where: "connection_id = ?", values: [connectionId], page: IDS };
  async function* pages(): AsyncGenerator<readonly string[]> {
    for await (const rows of pagesOf(db, keys, theirs)) yield rows.map((row) => String(row.id_external));
  }
  yield* keepOnly(client, connectionId, { pages: pages(), more: `received_at <= ${now}` });
}

function isOrder(connectionId: string, idExternal: string): string {
  return `connection_id = ${literal(connectionId)} AND id_external = ${literal(idExternal)}`;
}
