import { type SQL, sql } from "drizzle-orm";
import type { DueAsked, DueLedger } from "../usecases/due-ports.ts";
import { databaseOn } from "./database.ts";
import { account, connection, consent } from "./schema/ledger.ts";
import { shopCallback, shopOrder } from "./schema/orders.ts";
import { exchangeRate } from "./schema/shop.ts";
import { connectionsWithWebhooks } from "./webhook-due.ts";

/** Which connections of a ledger have work that nobody waits for. */
export function dueStore(binding: D1Database): Omit<DueLedger, "ledger"> {
  const db = databaseOn(binding);
  return {
    async connectionsWithDueWork(asked) {
      const rows = await db.all<{ id: string }>(dueConnections(asked));
      return rows.map(({ id }) => id);
    },
  };
}

/**
 * One step into a partial index for each connection that has anything in it. Where there are too many, chance
 * decides: those whose work cannot be done stay due, and must not stand in the way of the others.
 */
function dueConnections({ overdueSince, today, limit }: DueAsked): SQL {
  return sql`WITH RECURSIVE
    ${connectionsIn("deferred", sql`${shopOrder.state} = 'deferred'`)},
    ${connectionsIn("before_cutoff", sql`${shopOrder.state} = 'before_cutoff'`)},
    ${connectionsIn("undecided", sql`${shopOrder.undecided} = 1`)},
    ${connectionsIn("waiting", sql`${shopOrder.waitsForRate} = 1`)},
    ${connectionsIn("dated", sql`${shopOrder.decideFrom} IS NOT NULL`)},
    standing(id, cutoff_date) AS (
      SELECT ids.id, (SELECT CASE WHEN ${consent.withdrawnAt} IS NULL THEN ${consent.cutoffDate} END
        FROM ${consent} WHERE ${consent.connectionId} = ids.id ORDER BY ${consent.grantedAt} DESC LIMIT 1)
      FROM (SELECT id FROM deferred UNION SELECT id FROM before_cutoff UNION SELECT id FROM undecided
        UNION SELECT id FROM waiting UNION SELECT id FROM dated) AS ids WHERE ids.id IS NOT NULL)
    SELECT id FROM (SELECT id FROM standing WHERE cutoff_date IS NOT NULL AND (
      id IN (SELECT id FROM deferred) OR id IN (SELECT id FROM undecided)
      OR EXISTS (SELECT 1 FROM ${shopOrder} WHERE ${shopOrder.connectionId} = standing.id
        AND ${shopOrder.state} = 'before_cutoff' AND ${shopOrder.orderDay} >= standing.cutoff_date)
      OR EXISTS (SELECT 1 FROM ${shopOrder} WHERE ${shopOrder.connectionId} = standing.id
        AND ${shopOrder.decideFrom} <= ${today})
      OR EXISTS (SELECT 1 FROM ${shopOrder} CROSS JOIN ${exchangeRate}
        ON ${exchangeRate.day} = ${shopOrder.rateDay} AND ${exchangeRate.currency} = ${shopOrder.rateCurrency}
        WHERE ${shopOrder.connectionId} = standing.id AND ${shopOrder.waitsForRate} = 1))
    UNION SELECT ${shopCallback.connectionId} FROM ${shopCallback}
      WHERE ${shopCallback.dueAt} IS NOT NULL AND ${shopCallback.dueAt} <= ${overdueSince}
    UNION ${connectionsWithWebhooks(overdueSince)}) AS due
    WHERE (SELECT ${account.frozen} FROM ${connection}
      JOIN ${account} ON ${account.id} = ${connection.accountId} WHERE ${connection.id} = due.id) = 0
    ORDER BY random() LIMIT ${limit}`;
}

function connectionsIn(name: string, condition: SQL): SQL {
  const first = (behind: SQL) =>
    sql`SELECT min(${shopOrder.connectionId}) FROM ${shopOrder} WHERE ${condition} ${behind}`;
  const set = sql.identifier(name);
  return sql`${set}(id) AS (${first(sql``)} UNION ALL
    SELECT (${first(sql`AND ${shopOrder.connectionId} > ${set}.id`)}) FROM ${set}
      WHERE ${set}.id IS NOT NULL)`;
}
