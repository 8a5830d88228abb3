import { and, eq, lt, type SQL, sql } from "drizzle-orm";
import { COMPANY } from "../../domain/limits.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { HandedOver } from "../companies/hand-over.ts";
import { type Database, databaseOn, fromOwnJson } from "../database.ts";
import { accountOpening } from "../schema/account-opening.ts";
import { account, apiKey, connection, installation } from "../schema/ledger.ts";
import { beginSetupOf, insertAuditOf } from "../shop/shop-writes.ts";
import type { AccountStore, ListedAccount } from "./open-account.ts";
import type { ConnectionStore, NewConnection } from "./open-connection.ts";

interface SecretRow {
  readonly id: string;
  readonly keys: string;
  readonly webhooks: string;
  readonly callback: number;
  readonly representation: number;
}

export interface UnfinishedAccounts {
  unfinished(most: number): Promise<Omit<ListedAccount, "ledger">[]>;
  tryAgainLater(accountId: string, now: Instant): Promise<void>;
}

export interface SecretStore {
  /** What is alive and was not made by these owners alone. */
  secretsOf(accountId: string, owners: readonly string[]): Promise<HandedOver>;
}

/** Accounts and connections of one ledger. */
export function accountStore(
  binding: D1Database,
): AccountStore & ConnectionStore & UnfinishedAccounts & SecretStore {
  const db = databaseOn(binding);
  return {
    async openAccount(opened) {
      const { id: accountId, openedAt: triedAt } = opened;
      const unproven = { ...opened, verification: "unverified" };
      await db.batch([
        db.insert(account).values(unproven).onConflictDoNothing({ target: account.id }),
        db.insert(accountOpening).values({ accountId, triedAt }).onConflictDoNothing(),
      ]);
    },
    secretsOf: (accountId, owners) => secretsOf(db, accountId, owners),
    async endOpening(accountId) {
      await db.delete(accountOpening).where(eq(accountOpening.accountId, accountId));
    },
    async unfinished(most) {
      const { id, nif, openedAt, openedBy } = account;
      return db
        .select({ id, nif, openedAt, openedBy })
        .from(accountOpening)
        .innerJoin(account, eq(account.id, accountOpening.accountId))
        .orderBy(accountOpening.triedAt)
        .limit(most);
    },
    async tryAgainLater(accountId, now) {
      await db.update(accountOpening).set({ triedAt: now }).where(eq(accountOpening.accountId, accountId));
    },
    async hearVerification({ accountId, verification, issuingEndsAt = null, isOfSeveral, changeSeq }) {
      const least = isOfSeveral ? 1 : 0;
      // A late message is ignored after a newer one.
      const isNewer = and(eq(account.id, accountId), lt(account.heardSeq, changeSeq));
      // A change raises the version of the settings, which a repeat must not do.
      const differs = sql`(${account.verification} <> ${verification}
        OR ${account.issuingEndsAt} IS NOT ${issuingEndsAt} OR ${account.multipleIssuers} < ${least})`;
      await db.batch([
        db
          .update(account)
          .set({ verification, issuingEndsAt, ...(isOfSeveral ? { multipleIssuers: true } : {}) })
          .where(and(isNewer, differs)),
        db.update(account).set({ heardSeq: changeSeq }).where(isNewer),
      ]);
    },
    openConnection: (connection) => openConnection(db, connection),
  };
}

async function openConnection(
  db: Database,
  { firstKey, installation: first, guided, line, ...opened }: NewConnection,
): ReturnType<ConnectionStore["openConnection"]> {
  const { id: connectionId, accountId, openedAt, kind, name, rateLimit } = opened;
  const isTrial = sql`EXISTS (SELECT 1 FROM account WHERE id = ${accountId}
    AND ${opensForTests(first.environment)})`;
  const [made, , , [sort]] = await db.batch([
    db
      .insert(connection)
      .select(sql`SELECT ${connectionId}, ${accountId},
        (SELECT 1 + coalesce(max(known.ordinal), 0) FROM connection AS known
          WHERE known.account_id = ${accountId}), ${kind}, ${name}, ${rateLimit}, ${openedAt}
        WHERE (SELECT count(*) FROM connection AS known WHERE known.account_id = ${accountId}
            AND EXISTS (SELECT 1 FROM installation
              WHERE connection_id = known.id AND trial = 1) = ${isTrial})
          < iif(${isTrial}, ${COMPANY.connectionsForTests}, ${COMPANY.connections})`)
      .returning({ id: connection.id }),
    // Each with the connection, or not at all.
    db
      .insert(apiKey)
      .select(
        madeWith(
          connectionId,
          sql`${firstKey.id}, id, ${firstKey.hash}, ${openedAt}, NULL, ${firstKey.tail ?? null}`,
        ),
      ),
    db.insert(installation).select(openedInstallation(connectionId, { ...first, openedAt })),
    db
      .select({ isForTests: sql<number>`${isTrial}` })
      .from(account)
      .where(eq(account.id, accountId)),
    ...(guided ? [beginSetupOf(db, connectionId)] : []),
    ...(line ? [insertAuditOf(db, connectionId, line)] : []),
  ]);
  if (made.length > 0) return "opened";
  return sort?.isForTests === 1 ? "full_of_tests" : "full";
}

/**
 * The audit log names the makers: of a first key, who opened its connection; of a secret, all who made or
 * renewed it. A secret without such a line counts as somebody else's.
 */
async function secretsOf(db: Database, accountId: string, owners: readonly string[]): Promise<HandedOver> {
  const theirs = sql`(SELECT value FROM json_each(${JSON.stringify(owners)}))`;
  const isTheirs = sql`user_id IN ${theirs}`;
  const lines = (which: SQL) => sql`FROM audit_log WHERE audit_log.account_id = connection.account_id
    AND audit_log.connection_id = connection.id AND ${which}`;
  const openedKey = sql`(SELECT ${isTheirs} FROM audit_log
    WHERE audit_log.id = 'open_key:' || connection.id || ':' || api_key.id)`;
  const openedConnection = sql`(SELECT min(${isTheirs}) ${lines(sql`verb = 'open_connection'`)}
    AND api_key.created_at = connection.opened_at)`;
  const madeWebhook = sql`(SELECT min(${isTheirs}) * max(verb = 'register_webhook')
    ${lines(sql`verb IN ('register_webhook', 'rotate_webhook_secret')`)}
    AND facts ->> '$.webhook' = webhook_endpoint.id)`;
  // A new address keeps the secret of the first registration.
  const madeCallback = sql`(SELECT min(${isTheirs}) ${lines(sql`verb = 'register_callback'`)}
    AND audit_log.rowid >
      (SELECT coalesce(max(audit_log.rowid), 0) ${lines(sql`verb = 'remove_callback'`)}))`;
  const rows = await db.all<SecretRow>(sql`SELECT id,
      (SELECT json_group_array(hash) FROM api_key WHERE connection_id = connection.id AND revoked_at IS NULL
        AND NOT coalesce(${openedKey}, ${openedConnection}, 0)) AS keys,
      (SELECT json_group_array(id) FROM webhook_endpoint WHERE connection_id = connection.id
        AND ended_at IS NULL AND NOT coalesce(${madeWebhook}, 0)) AS webhooks,
      EXISTS (SELECT 1 FROM shop_callback WHERE connection_id = connection.id)
        AND NOT coalesce(${madeCallback}, 0) AS callback,
      EXISTS (SELECT 1 FROM representation WHERE account_id = connection.account_id
        AND withdrawn_at IS NULL AND stored_by NOT IN ${theirs}) AS representation
    FROM connection WHERE account_id = ${accountId} ORDER BY ordinal`);
  return {
    hasRepresentation: rows.some(({ representation }) => representation === 1),
    connections: rows.map(({ id, keys, webhooks, callback }) => ({
      ...{
        connectionId: id,
        keys: fromOwnJson<string[]>(keys),
        webhooks: fromOwnJson<string[]>(webhooks),
      },
      hasCallback: callback === 1,
    })),
  };
}

function madeWith(connectionId: string, columns: SQL): SQL {
  return sql`SELECT ${columns} FROM ${connection} WHERE ${connection.id} = ${connectionId}`;
}

/** In production an issuer with an unproven NIF gets test connections. */
function opensForTests(environment: NewConnection["installation"]["environment"]): SQL {
  return sql`(${environment} = 'production' AND account.verification IN ('unverified', 'in_review'))`;
}

function openedInstallation(
  connectionId: string,
  { id, number, environment, openedAt }: NewConnection["installation"] & { readonly openedAt: number },
): SQL {
  const isTrial = opensForTests(environment);
  return sql`SELECT ${id}, connection.account_id, connection.id, 1, ${number},
      CASE WHEN ${isTrial} THEN 'test' ELSE ${environment} END, ${isTrial}, ${openedAt}, NULL
    FROM connection JOIN account ON account.id = connection.account_id
    WHERE connection.id = ${connectionId}`;
}
