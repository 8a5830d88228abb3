import { type SQL, sql } from "drizzle-orm";
import { databaseOn, plainReads, rowsAs, type Written, written } from "../database.ts";
import { eraseOrders } from "../orders/order-reads.ts";
import { account, connection } from "../schema/ledger.ts";
import { shopOrder } from "../schema/orders.ts";
import { shopClient } from "../schema/shop.ts";
import type { Aged, AgedStore } from "./retention-store.ts";

/** Finds rows by age through their own indexes. Frozen accounts are skipped. */
export function agedStore(binding: D1Database): AgedStore {
  const reads = plainReads(binding);
  const db = databaseOn(binding);
  const counted = async (count: SQL, ...statements: readonly Written[]) => {
    const [many] = await reads.batch([written(count), ...statements]);
    return rowsAs<{ readonly many: number }>(many)[0]?.many ?? 0;
  };
  return {
    forgetOrders(asked) {
      const orders = agedOrders(asked);
      return counted(
        sql`SELECT count(*) AS many FROM (${orders})`,
        ...eraseOrders(db, orders, { because: "aged", at: asked.at }).map((statement) => statement.toSQL()),
      );
    },
    forgetClients(asked) {
      const clients = sql`SELECT ${shopClient}.rowid AS client FROM ${shopClient}
        WHERE ${shopClient.receivedAt} < ${asked.before} AND ${isThawed(sql`${shopClient.connectionId}`)}
        ORDER BY ${shopClient.receivedAt} LIMIT ${asked.limit}`;
      return counted(
        sql`SELECT count(*) AS many FROM (${clients})`,
        written(sql`DELETE FROM ${shopClient} WHERE ${shopClient}.rowid IN (${clients})`),
      );
    },
  };
}

/** The condition of the partial index. Orders that wait for their owner or a new decision are kept. */
function agedOrders({ before, limit }: Aged): SQL {
  return sql`SELECT ${shopOrder.connectionId} AS connection_id, ${shopOrder.idExternal} AS id_external
    FROM ${shopOrder}
    WHERE ${shopOrder.state} IN ('stored', 'before_cutoff', 'store_not_selected', 'cancelled')
      AND ${shopOrder.soldFingerprint} IS NULL AND ${shopOrder.changedAt} < ${before}
      AND ${shopOrder.undecided} = 0 AND ${isThawed(sql`${shopOrder.connectionId}`)}
    ORDER BY ${shopOrder.changedAt} LIMIT ${limit}`;
}

function isThawed(connectionId: SQL): SQL {
  return sql`(SELECT ${account.frozen} FROM ${connection}
    JOIN ${account} ON ${account.id} = ${connection.accountId} WHERE ${connection.id} = ${connectionId}) = 0`;
}
