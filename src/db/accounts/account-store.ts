import { and, eq, inArray, lt, type SQL, sql } from "drizzle-orm";
import { isProven, verificationOf } from "../../domain/connection/company.ts";
import { BY_HAND } from "../../domain/connection/kind.ts";
import type { Territory } from "../../domain/invoice/settings.ts";
import { COMPANY, PERSON } from "../../domain/limits.ts";
import { type QuotaRefusal, quotaExceeded } from "../../domain/quota.ts";
import { sha256Hex } from "../../domain/shared/hash.ts";
import type { Instant, TimeZone } from "../../domain/shared/instant.ts";
import { err, invariant, ok } from "../../domain/shared/result.ts";
import type { HandedOver } from "../companies/sync-company.ts";
import { type Database, databaseOn, fromOwnJson, plainReads, rowsAs, written } from "../database.ts";
import { fenced } from "../fence.ts";
import type { AuditEntry } from "../ledger-state.ts";
import { loginsOf } from "../people/logins-of.ts";
import { account, accountOpening, apiKey, connection, installation } from "../schema/ledger.ts";
import { auditLog } from "../schema/shop.ts";
import { beginSetupOf, insertAuditOf } from "../shop/shop-writes.ts";
import type { AccountStore, ConnectionStore, Directory, ListedAccount, NewConnection } from "./opening.ts";

interface SecretRow {
  readonly id: string;
  readonly keys: string;
  readonly webhooks: string;
  readonly callback_secret: string | null;
  readonly representation: string | null;
  readonly shop_nonce: string | null;
}

interface UnfinishedAccounts {
  unfinished(most: number): Promise<Omit<ListedAccount, "ledger">[]>;
  tryAgainLater(accountId: string, now: Instant): Promise<void>;
}

interface SecretStore {
  /** The secrets in force that other people than these owners made or renewed. */
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
    async updateVerification({ accountId, verification, issuingEndsAt = null, isOfSeveral, changeSeq }) {
      const least = isOfSeveral ? 1 : 0;
      const loses = isProven(verification)
        ? sql`FALSE`
        : sql`${account.verification} IN ('verified', 'contested')`;
      // A late message is ignored after a newer one.
      const isNewer = and(eq(account.id, accountId), lt(account.heardSeq, changeSeq), sql`NOT (${loses})`);
      // A change raises the version of the settings, which a repeat must not do.
      const differs = sql`(${account.verification} <> ${verification}
        OR ${account.issuingEndsAt} IS NOT ${issuingEndsAt} OR ${account.multipleIssuers} < ${least})`;
      const [, [now]] = await db.batch([
        db
          .update(account)
          .set({ verification, issuingEndsAt, ...(isOfSeveral ? { multipleIssuers: true } : {}) })
          .where(and(isNewer, differs)),
        db
          .update(account)
          .set({ heardSeq: sql`CASE WHEN ${isNewer} THEN ${changeSeq} ELSE heard_seq END` })
          .where(eq(account.id, accountId))
          .returning({
            heardSeq: account.heardSeq,
            differs: sql<number>`${differs}`.as("differs"),
            loses: sql<number>`${loses}`.as("loses"),
          }),
      ]);
      if (!now || (now.heardSeq === changeSeq && now.differs === 0)) return { outcome: "synced" };
      return now.loses === 1 ? { outcome: "loses" } : { outcome: "later", heardSeq: now.heardSeq };
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
  const isSameSort = sql`EXISTS (SELECT 1 FROM installation
    WHERE connection_id = known.id AND trial = 1) = ${isTrial}`;
  // The one for invoices by hand counts in no quota: there is one of each sort.
  const mayOpen =
    kind === BY_HAND
      ? sql`NOT EXISTS (SELECT 1 FROM connection AS known WHERE known.account_id = ${accountId}
          AND known.kind = ${BY_HAND} AND ${isSameSort})`
      : sql`(SELECT count(*) FROM connection AS known WHERE known.account_id = ${accountId}
            AND known.kind <> ${BY_HAND} AND ${isSameSort})
          < iif(${isTrial}, ${COMPANY.connectionsForTests}, ${COMPANY.connections})`;
  const [made, [sort]] = await db.batch([
    db
      .insert(connection)
      .select(sql`SELECT ${connectionId}, ${accountId},
        (SELECT 1 + coalesce(max(known.ordinal), 0) FROM connection AS known
          WHERE known.account_id = ${accountId}), ${kind}, ${name}, ${rateLimit}, ${openedAt}, NULL
        WHERE ${mayOpen}`)
      .returning({ id: connection.id }),
    db
      .select({ isForTests: sql<number>`${isTrial}` })
      .from(account)
      .where(eq(account.id, accountId)),
    // Each with the connection, or not at all.
    db.insert(installation).select(openedInstallation(connectionId, { ...first, openedAt })),
    ...(firstKey ? [insertFirstKey(db, connectionId, { ...firstKey, openedAt })] : []),
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
  // A new address keeps the secret of the first registration. A put-back keeps times, not the order of rows.
  const madeCallback = sql`(SELECT min(${isTheirs}) ${lines(sql`verb = 'register_callback'`)}
    AND coalesce((audit_log.at, audit_log.rowid) > (SELECT at, rowid ${lines(sql`verb = 'remove_callback'`)}
      ORDER BY at DESC, rowid DESC LIMIT 1), TRUE))`;
  const madeShop = sql`(SELECT min(${isTheirs}) ${lines(sql`verb IN ('connect_shop', 'rotate_shop_secret')`)}
    AND coalesce((audit_log.at, audit_log.rowid) > (SELECT at, rowid ${lines(sql`verb = 'disconnect_shop'`)}
      ORDER BY at DESC, rowid DESC LIMIT 1), TRUE))`;
  const rows = await db.all<SecretRow>(sql`SELECT id,
      (SELECT json_group_array(hash) FROM api_key WHERE connection_id = connection.id AND revoked_at IS NULL
        AND NOT coalesce(${openedKey}, ${openedConnection}, 0)) AS keys,
      (SELECT json_group_array(id) FROM webhook_endpoint WHERE connection_id = connection.id
        AND ended_at IS NULL AND NOT coalesce(${madeWebhook}, 0)) AS webhooks,
      (SELECT secret FROM shop_callback WHERE connection_id = connection.id
        AND NOT coalesce(${madeCallback}, 0)) AS callback_secret,
      (SELECT nonce FROM shop WHERE connection_id = connection.id
        AND NOT coalesce(${madeShop}, 0)) AS shop_nonce,
      (SELECT document_sha256 FROM representation WHERE account_id = connection.account_id
        AND withdrawn_at IS NULL AND stored_by NOT IN ${theirs}) AS representation
    FROM connection WHERE account_id = ${accountId} ORDER BY ordinal`);
  // The representation is the account's: each row has it.
  const representation = rows[0]?.representation ?? null;
  return {
    ...(representation === null ? {} : { representationSha256: representation }),
    connections: rows.map(({ id, keys, webhooks, callback_secret: secret, shop_nonce: shopNonce }) => ({
      ...{
        connectionId: id,
        keys: fromOwnJson<string[]>(keys),
        webhooks: fromOwnJson<string[]>(webhooks),
      },
      ...(secret === null ? {} : { callbackSecretSha256: sha256Hex(secret) }),
      ...(shopNonce === null ? {} : { shopNonce }),
    })),
  };
}

function insertFirstKey(
  db: Database,
  connectionId: string,
  { id, hash, tail, openedAt }: NonNullable<NewConnection["firstKey"]> & Pick<NewConnection, "openedAt">,
) {
  const columns = sql`${id}, id, ${hash}, ${openedAt}, NULL, ${tail ?? null}`;
  return db.insert(apiKey).select(madeWith(connectionId, columns));
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
      const ids = sql`(SELECT value FROM json_each(${JSON.stringify(accountIds)}))`;
      const rows = await db
        .select({ id, legalName, nif, timeZone, territory })
        .from(account)
        .where(inArray(account.id, ids));
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

const DAY_MS = 86_400_000;

export function directoryStore(binding: D1Database): Directory {
  const plain = plainReads(binding);
  return {
    async listAccount({ id: accountId, nif, ledger, openedAt, openedBy }) {
      const isItself = sql`SELECT 1 FROM account_directory WHERE account_id = ${accountId}`;
      const twin = twinOf(accountId, openedBy);
      const [, , , listed, counted] = await plain.batch(
        [
          sql`INSERT INTO account_directory (account_id, nif, ledger, opened_at, opened_by, verification)
            SELECT ${accountId}, ${nif}, ${ledger}, ${openedAt}, ${openedBy}, 'unverified'
            WHERE ${mayOpen(openedBy, openedAt)} AND NOT EXISTS (${twin}) AND NOT EXISTS (${isItself})`,
          // Only with the new listing: a removed owner must not return through a retry.
          sql`INSERT INTO account_owner (account_id, owner_id, role) SELECT account_id, ${openedBy}, 'owner'
            FROM account_directory WHERE account_id = ${accountId}
              AND NOT EXISTS (SELECT 1 FROM account_owner AS known WHERE known.account_id = ${accountId})`,
          // An account listed before proofs of NIF existed: its ledger must learn that it is proven.
          sql`UPDATE account_directory SET change_seq = 1
            WHERE account_id = ${accountId} AND change_seq = 0 AND verification = 'verified'`,
          sql`SELECT account_id FROM account_directory WHERE account_id = ${accountId} UNION ALL ${twin}`,
          counts(openedBy, openedAt),
        ].map(written),
      );
      const [known] = rowsAs<{ readonly account_id: string }>(listed);
      if (known) return ok(known.account_id);
      const refusal = refusalFrom(rowsAs(counted));
      invariant(refusal, "what was refused was too much when it was counted");
      return err(refusal);
    },
    async companyQuota(personId, now) {
      return refusalFrom(await plain.rows(counts(personId, now)));
    },
    async openedBy(personId, nif) {
      const rows = await plain.rows<OpenedRow>(sql`SELECT opened.account_id, opened.verification,
          EXISTS (SELECT 1 FROM account_owner AS own WHERE own.account_id = opened.account_id
            AND own.owner_id = ${personId} AND own.role = 'owner') AND opened.closed_at IS NULL AS theirs
        FROM account_directory AS opened WHERE opened.opened_by = ${personId} AND opened.nif = ${nif}
        ORDER BY opened.opened_at`);
      return rows.map(({ account_id: id, verification, theirs }) => ({
        ...{ id, verification: verificationOf(verification), isTheirs: theirs === 1 },
      }));
    },
  };
}

interface OpenedRow {
  readonly account_id: string;
  readonly verification: string;
  readonly theirs: number;
}

/** The same opening in another ledger: ids of it differ by that alone. */
function twinOf(accountId: string, personId: string): SQL {
  return sql`SELECT twin.account_id FROM account_directory AS twin WHERE twin.opened_by = ${personId}
    AND substr(twin.account_id, 6) = ${accountId.slice(5)} AND twin.account_id <> ${accountId}`;
}

/** The limit of unverified accounts of a person; higher once one of theirs is verified. */
function mostUnverified(personId: string): SQL {
  return sql`CASE WHEN EXISTS (SELECT 1 FROM account_owner AS owning
      JOIN account_directory AS owned ON owned.account_id = owning.account_id
      WHERE owning.owner_id IN ${loginsOf(personId)} AND owning.role = 'owner'
        AND owned.verification IN ('verified', 'contested'))
    THEN ${PERSON.unverifiedCompaniesOnceVerified} ELSE ${PERSON.unverifiedCompanies} END`;
}

function unverified(personId: string): SQL {
  return sql`(SELECT count(*) FROM account_directory AS opened WHERE opened.opened_by IN ${loginsOf(personId)}
    AND opened.verification IN ('unverified', 'in_review') AND opened.closed_at IS NULL)`;
}

/** When the one was opened that has to be a day old before another is. */
function lastOfDay(personId: string, now: number): SQL {
  return sql`(SELECT opened.opened_at FROM account_directory AS opened
    WHERE opened.opened_by IN ${loginsOf(personId)}
    AND opened.opened_at > ${now - DAY_MS} ORDER BY opened.opened_at DESC
    LIMIT 1 OFFSET ${PERSON.companiesPerDay - 1})`;
}

function mayOpen(personId: string, now: number): SQL {
  return sql`${unverified(personId)} < ${mostUnverified(personId)} AND ${lastOfDay(personId, now)} IS NULL`;
}

interface Counts {
  readonly unverified: number;
  readonly most: number;
  readonly last_of_day: number | null;
}

function counts(personId: string, now: number): SQL {
  return sql`SELECT ${unverified(personId)} AS unverified, ${mostUnverified(personId)} AS most,
    ${lastOfDay(personId, now)} AS last_of_day`;
}

function refusalFrom([row]: readonly unknown[]): QuotaRefusal | undefined {
  const { unverified: opened, most, last_of_day: last } = row as Counts;
  if (last !== null) return quotaExceeded("quota_companies_day", PERSON.companiesPerDay, last + DAY_MS);
  return opened >= most ? quotaExceeded("quota_companies", most) : undefined;
}
