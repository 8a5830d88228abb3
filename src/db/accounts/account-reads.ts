import { and, eq, inArray, sql } from "drizzle-orm";
import type { Territory } from "../../domain/invoice/settings.ts";
import type { TimeZone } from "../../domain/shared/instant.ts";
import { invariant } from "../../domain/shared/result.ts";
import type { Database } from "../database.ts";
import { fenced } from "../fence.ts";
import type { AuditEntry } from "../ledger-state.ts";
import { account, connection } from "../schema/ledger.ts";
import { auditLog } from "../schema/shop.ts";

/** An account as the console's pages show it. */
export interface AccountShown {
  readonly id: string;
  readonly legalName: string;
  readonly nif: string;
  readonly timeZone: TimeZone;
  readonly territory: Territory;
}

/** The members of a connection that all its routes need. */
export interface ConnectionShown {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
}

export interface AccountReads {
  readAccounts(accountIds: readonly string[]): Promise<readonly AccountShown[]>;
  /** Undefined if the account has no such connection. */
  readConnection(accountId: string, connectionId: string): Promise<ConnectionShown | undefined>;
  /** Writes an audit line of the account itself; the same id is written once. */
  note(accountId: string, entry: AuditEntry): Promise<void>;
}

export function accountReads(db: Database): AccountReads {
  return {
    async readAccounts(accountIds) {
      const { id, legalName, nif, timeZone, territory } = account;
      const asked = sql`(SELECT value FROM json_each(${JSON.stringify(accountIds)}))`;
      const rows = await db
        .select({ id, legalName, nif, timeZone, territory })
        .from(account)
        .where(inArray(account.id, asked));
      // The schema checks the values of both columns.
      return rows.map((row) => ({
        ...row,
        timeZone: row.timeZone as TimeZone,
        territory: row.territory as Territory,
      }));
    },
    async readConnection(accountId, connectionId) {
      const { id, kind, name } = connection;
      const [row] = await db
        .select({ id, kind, name })
        .from(connection)
        .where(and(eq(connection.id, connectionId), eq(connection.accountId, accountId)));
      return row;
    },
    async note(accountId, { facts, ...entry }) {
      const line = { accountId, connectionId: null, ...entry, facts: JSON.stringify(facts) };
      // The log refuses an existing line, which is what a retry finds.
      const added = await fenced(() => db.insert(auditLog).values(line));
      invariant(added.result === "committed" || added.result === "exists", "a line is added once");
    },
  };
}
