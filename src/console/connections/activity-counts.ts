import { type SQL, sql } from "drizzle-orm";
import { invoice, series } from "../../db/schema/ledger.ts";
import { shopOrder } from "../../db/schema/orders.ts";
import { ORDER_STATES } from "../../domain/order/decision.ts";
import { MOST_COUNTED, type Month } from "./connection-ports.ts";

/** Every step goes into the index by state and moment, so that older orders cost nothing. */
const STATES = JSON.stringify(ORDER_STATES);

/** The newest order of a connection. */
export function lastOrderAt(connectionId: SQL): SQL<number | null> {
  return sql<number | null>`(SELECT max((SELECT max(${shopOrder.orderedAt}) FROM ${shopOrder}
    WHERE ${shopOrder.connectionId} = ${connectionId} AND ${shopOrder.state} = states.value))
    FROM json_each(${STATES}) AS states)`;
}

/** Orders of the month, no further than can be told. */
export function ordersSince(connectionId: SQL, { beginsAt }: Month): SQL<number> {
  return sql<number>`(SELECT count(*) FROM (SELECT 1 FROM json_each(${STATES}) AS states
    CROSS JOIN ${shopOrder} WHERE ${shopOrder.connectionId} = ${connectionId}
      AND ${shopOrder.state} = states.value AND ${shopOrder.orderedAt} >= ${beginsAt}
    LIMIT ${MOST_COUNTED + 1}))`;
}

/** The last number of the series around it. */
export function lastNumber(): SQL<number | null> {
  return sql<number | null>`(SELECT ${invoice.number} FROM ${invoice}
    WHERE ${ofSeries()} ORDER BY ${invoice.number} DESC LIMIT 1)`;
}

/**
 * How many numbers of the series around it are older than the month: dates never fall as numbers rise, so the
 * place is found by halving, in as many steps as its digits have bits, whatever is stored.
 */
export function numbersBefore({ firstDay }: Month): SQL<number> {
  const middle = sql.raw("(low + high) / 2");
  const isBefore = sql`(SELECT ${invoice.issueDate} < ${firstDay} FROM ${invoice}
    WHERE ${ofSeries()} AND ${invoice.number} = ${middle})`;
  return sql<number>`(WITH RECURSIVE halves(low, high) AS (
      SELECT 0, 1 + coalesce(${lastNumber()}, 0)
      UNION ALL
      SELECT iif(${isBefore}, ${middle}, low), iif(${isBefore}, high, ${middle}) FROM halves
        WHERE high - low > 1)
    SELECT low FROM halves ORDER BY high - low LIMIT 1)`;
}

function ofSeries(): SQL {
  return sql`${invoice.accountId} = ${series.accountId} AND ${invoice.series} = ${series.code}`;
}
