import { type SQL, sql } from "drizzle-orm";
import { entryCursor } from "../schema/invoice-entry.ts";
import { installation, record } from "../schema/ledger.ts";

/** A step into the chains of records for each chain that has any. */
export function recordedChains(): SQL {
  const first = (behind: SQL) => sql`SELECT min(${record.installationId}) FROM ${record} ${behind}`;
  const set = sql.identifier("recorded");
  return sql`${set}(id) AS (${first(sql``)} UNION ALL
    SELECT (${first(sql`WHERE ${record.installationId} > ${set}.id`)}) FROM ${set}
      WHERE ${set}.id IS NOT NULL)`;
}

/** Connections whose first record after the chain's cursor is older than `overdueSince`. */
export function connectionsWithoutEntries(overdueSince: number): SQL {
  const madeAt = sql`unixepoch(${record.content} ->> '$.generatedAt') * 1000`;
  return sql`SELECT ${installation.connectionId} FROM recorded
    CROSS JOIN ${installation} ON ${installation.id} = recorded.id
    LEFT JOIN ${entryCursor} ON ${entryCursor.installationId} = recorded.id
    WHERE EXISTS (SELECT 1 FROM ${record} WHERE ${record.installationId} = recorded.id
      AND ${record.position} = coalesce(${entryCursor.position}, 0) + 1 AND ${madeAt} <= ${overdueSince})`;
}
