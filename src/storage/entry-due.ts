import { type SQL, sql } from "drizzle-orm";
import { entryCursor } from "./schema/invoice-entry.ts";
import { installation, record } from "./schema/ledger.ts";

/** Connections with a record made before then that is no entry yet: one step into the index for each chain. */
export function connectionsWithoutEntries(overdueSince: number): SQL {
  const madeAt = sql`unixepoch(${record.content} ->> '$.generatedAt') * 1000`;
  return sql`SELECT ${installation.connectionId} FROM ${installation}
    LEFT JOIN ${entryCursor} ON ${entryCursor.installationId} = ${installation.id}
    WHERE EXISTS (SELECT 1 FROM ${record} WHERE ${record.installationId} = ${installation.id}
      AND ${record.position} = coalesce(${entryCursor.position}, 0) + 1 AND ${madeAt} <= ${overdueSince})`;
}
