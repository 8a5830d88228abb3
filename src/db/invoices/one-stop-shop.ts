import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

/** Whether a tax group in that JSON is of the one-stop shop: `isOss` of the domain. */
export function hasOneStopShop(json: SQLiteColumn, path: "$.groups" | "$.breakdown"): SQL {
  return sql`EXISTS (SELECT 1 FROM json_each(${json}, ${path})
    WHERE value ->> '$.tax' = '01' AND value ->> '$.regime' = '17')`;
}
