import { type SQL, sql } from "drizzle-orm";
import { CONNECTOR } from "../../domain/connection/activity-areas.ts";
import { LEFT_BEHIND } from "../../domain/limits.ts";
import { originOfStore } from "../../domain/viewer/origin.ts";
import { type Database, rowParameters } from "../database.ts";
import type { FencedStatement } from "../fence.ts";
import type { ShopBatch } from "../ledger-state.ts";
import { storeOrigin } from "../schema/access.ts";
import { auditLog, shopStore } from "../schema/shop.ts";
import { type BoundedTable, newWithRoom, type ShopOwner } from "./shop-writes.ts";

const ORIGINS: BoundedTable = {
  table: storeOrigin,
  connectionId: storeOrigin.connectionId,
  id: storeOrigin.origin,
  most: LEFT_BEHIND.origins,
};

export interface OriginStatements {
  /** Origins older than their recording: without an activity line. */
  readonly beforeStores: readonly FencedStatement[];
  /** New ones, each with its line of the activity. */
  readonly behindStores: readonly FencedStatement[];
}

/** Origins of the reported stores, around the statements that write the stores. */
export function keepOrigins(db: Database, owner: ShopOwner, batch: ShopBatch): OriginStatements {
  const { connectionId } = owner;
  const rows = batch.stores.flatMap(({ id, url }) => {
    const origin = url === undefined ? undefined : originOfStore(url);
    if (url === undefined || origin === undefined) return [];
    return [[connectionId, origin, id, url, JSON.stringify({ origin, store_id: id })]];
  });
  const sources = rowParameters(rows).map((json) => newOfStores(json, connectionId));
  return {
    beforeStores: sources.map((news) => {
      const known = sql`(SELECT ${shopStore.seenAt} FROM ${shopStore} WHERE ${isItsStore(owner)})`;
      return insertOrigins(db, owner, { news, seenAt: sql`coalesce(${known}, ${batch.at})` });
    }),
    behindStores: sources.flatMap((news) => [
      insertLines(db, owner, { news, at: batch.at }),
      insertOrigins(db, owner, { news, seenAt: sql`${batch.at}` }),
    ]),
  };
}

/** Each new origin once, with the first store that has it. */
function newOfStores(json: string, connectionId: string): SQL {
  const standing = sql`(SELECT min(key) AS key, value FROM json_each(${json})
    WHERE EXISTS (SELECT 1 FROM ${shopStore} WHERE ${isItsStore({ connectionId })}
      AND ${shopStore.url} = value ->> 3)
    GROUP BY value ->> 1)`;
  return newWithRoom(standing, ORIGINS, connectionId);
}

function isItsStore({ connectionId }: Pick<ShopOwner, "connectionId">): SQL {
  return sql`${shopStore.connectionId} = ${connectionId} AND ${shopStore.storeId} = value ->> 2`;
}

interface NewOrigins {
  readonly news: SQL;
}

function insertOrigins(
  db: Database,
  { accountId }: ShopOwner,
  { news, seenAt }: NewOrigins & { readonly seenAt: SQL },
): FencedStatement {
  return db.insert(storeOrigin).select(
    sql`SELECT value ->> 0, ${accountId}, value ->> 1, value ->> 2, ${seenAt}, NULL
        FROM ${news} ORDER BY key`,
  );
}

function insertLines(
  db: Database,
  { accountId, connectionId }: ShopOwner,
  { news, at }: NewOrigins & { readonly at: number },
): FencedStatement {
  // The id names the origin, so that its line exists once.
  return db.insert(auditLog).select(
    sql`SELECT 'report_origin:' || ${connectionId} || ':' || (value ->> 1), ${accountId}, ${connectionId},
          ${CONNECTOR}, ${at}, 'report_origin', value ->> 4
        FROM ${news} ORDER BY key`,
  );
}
