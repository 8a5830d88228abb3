import { sql } from "drizzle-orm";
import { plainReads } from "../database.ts";

/** True if a person of the account has confirmed the address, which is in lower case. */
export async function isProvenAddress(
  directory: D1Database,
  accountId: string,
  address: string,
): Promise<boolean> {
  const rows = await plainReads(directory).rows(sql`SELECT 1 FROM user
    JOIN account_owner ON account_owner.owner_id = user.id AND account_owner.account_id = ${accountId}
    WHERE user.email = ${address} AND user.email_verified = 1 LIMIT 1`);
  return rows.length > 0;
}
