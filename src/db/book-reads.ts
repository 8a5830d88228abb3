import { and, eq, isNull, sql } from "drizzle-orm";
import type { AnySQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Database } from "./database.ts";
import { ossRatesColumn } from "./oss-rates.ts";
import { customerAccess } from "./schema/access.ts";
import {
  account,
  apiKey,
  authorisation,
  connection,
  consent,
  installation,
  invoice,
  ledgerHead,
  record,
  series,
} from "./schema/ledger.ts";
import { profile, tagRule } from "./schema/orders.ts";
import { chainStart } from "./schema/retention.ts";
import { shopSetup } from "./schema/shop.ts";

/**
 * Account, connection, open installation, active authorisation and head of one connection, in one row. D1
 * hands the rows of a batch over as objects, so that of two columns with one name only one would arrive:
 * hence the names.
 */
export function selectSettings(db: Database, connectionId: string) {
  return db
    .select({
      accountId: named(account.id, "account_id"),
      legalName: account.legalName,
      nif: account.nif,
      address1: account.address1,
      postcode: account.postcode,
      city: account.city,
      registry: account.registry,
      timeZone: account.timeZone,
      territory: account.territory,
      defaultRegime: account.defaultRegime,
      multipleIssuers: account.multipleIssuers,
      verification: account.verification,
      issuingEndsAt: account.issuingEndsAt,
      frozen: account.frozen,
      settingsVersion: named(account.settingsVersion, "version"),
      ordinal: named(connection.ordinal, "connection_ordinal"),
      kind: connection.kind,
      name: named(connection.name, "connection_name"),
      rateLimit: connection.rateLimit,
      installationId: named(installation.id, "installation_id"),
      installationOrdinal: named(installation.ordinal, "installation_ordinal"),
      installationNumber: named(installation.number, "installation_number"),
      environment: installation.environment,
      trial: installation.trial,
      authorisationNumber: named(authorisation.number, "authorisation_number"),
      authorisationLimit: authorisation.limit,
      agreementNumber: authorisation.agreementNumber,
      setupState: named(shopSetup.state, "setup_state"),
      storeIds: shopSetup.storeIds,
      sales: named(shopSetup.sales, "sales"),
      orderStem: shopSetup.orderStem,
      ossRates: ossRatesColumn(connection.accountId),
      accessIsOn: named(customerAccess.isOn, "access_is_on"),
      epoch: named(customerAccess.epoch, "access_epoch"),
      cutoffDate: newestCutoff(connectionId),
      seq: ledgerHead.seq,
      consented: consented(connectionId),
    })
    .from(connection)
    .innerJoin(account, eq(account.id, connection.accountId))
    .leftJoin(installation, and(eq(installation.connectionId, connection.id), isNull(installation.closedAt)))
    .leftJoin(authorisation, and(eq(authorisation.accountId, account.id), isNull(authorisation.closedAt)))
    .leftJoin(shopSetup, eq(shopSetup.connectionId, connection.id))
    .leftJoin(customerAccess, eq(customerAccess.connectionId, connection.id))
    .leftJoin(ledgerHead, eq(ledgerHead.connectionId, connection.id))
    .where(eq(connection.id, connectionId));
}

/** Oldest first, as the console lists them. */
export function selectProfiles(db: Database, connectionId: string) {
  return db
    .select({
      id: profile.id,
      name: profile.name,
      channel: profile.channel,
      storeId: profile.storeId,
      stem: profile.stem,
      sales: profile.sales,
    })
    .from(profile)
    .where(eq(profile.connectionId, connectionId))
    .orderBy(profile.createdAt, profile.id);
}

export function selectTagRules(db: Database, connectionId: string) {
  return db
    .select({ tag: tagRule.tag, action: tagRule.action })
    .from(tagRule)
    .where(eq(tagRule.connectionId, connectionId))
    .orderBy(tagRule.tag);
}

export function selectKeys(db: Database, connectionId: string) {
  return db
    .select({ hash: apiKey.hash })
    .from(apiKey)
    .where(and(eq(apiKey.connectionId, connectionId), isNull(apiKey.revokedAt)));
}

/** The last number of every series of the connection: one step into the index for each. */
export function selectSeriesHeads(db: Database, connectionId: string) {
  return db
    .select({ code: series.code, ...lastOf() })
    .from(series)
    .where(
      and(
        sql`${series.accountId} =
          (SELECT ${connection.accountId} FROM ${connection} WHERE ${connection.id} = ${connectionId})`,
        eq(series.connectionId, connectionId),
      ),
    );
}

/** Number and date of the last invoice of the series around it. */
export function lastOf() {
  const last = (column: typeof invoice.number | typeof invoice.issueDate) =>
    sql`(SELECT ${column} FROM ${invoice} WHERE ${invoice.accountId} = ${series.accountId}
      AND ${invoice.series} = ${series.code} ORDER BY ${invoice.number} DESC LIMIT 1)`;
  return {
    number: sql<number | null>`${last(invoice.number)}`.as("last_number"),
    date: sql<string | null>`${last(invoice.issueDate)}`.as("last_date"),
  };
}

/** The newest record of the open installation. If all were retired, the stored start of the chain. */
export function selectChainHead(db: Database, connectionId: string) {
  const isOpen = sql`${installation.connectionId} = ${connectionId} AND ${installation.closedAt} IS NULL`;
  const { position, hash, issuerNif, number, date, generatedAt } = chainStart;
  const key = sql`json_object('issuerNif', ${issuerNif}, 'number', ${number}, 'date', ${date})`;
  return db
    .select({
      position: sql<number>`head.position`.as("head_position"),
      hash: sql<string>`head.hash`.as("head_hash"),
      content: sql<string>`head.content`.as("head_content"),
    })
    .from(
      sql`(SELECT * FROM (SELECT ${record.position} AS position, ${record.hash} AS hash,
          ${record.content} AS content
        FROM ${installation} JOIN ${record} ON ${record.installationId} = ${installation.id}
        WHERE ${isOpen} ORDER BY ${record.position} DESC LIMIT 1)
      UNION ALL SELECT * FROM (SELECT ${position}, ${hash},
          json_object('key', ${key}, 'generatedAt', ${generatedAt})
        FROM ${installation} JOIN ${chainStart} ON ${chainStart.installationId} = ${installation.id}
        WHERE ${isOpen} ORDER BY ${position} DESC LIMIT 1)) AS head`,
    )
    .orderBy(sql`head.position DESC`)
    .limit(1);
}

export function selectSettingsVersion(db: Database, connectionId: string) {
  return db
    .select({ version: account.settingsVersion })
    .from(connection)
    .innerJoin(account, eq(account.id, connection.accountId))
    .where(eq(connection.id, connectionId));
}

export type SettingsRow = Awaited<ReturnType<typeof selectSettings>>[number];

/** A column under its own name; in a left join it may be null. */
export function named<C extends AnySQLiteColumn>(column: C, name: string) {
  return sql<C["_"]["data"] | null>`${column}`.as(name);
}

/** The cutoff of the newest consent, also when that was withdrawn; null without any. */
function newestCutoff(connectionId: string) {
  return sql<string | null>`(SELECT ${consent.cutoffDate} FROM ${consent}
    WHERE ${consent.connectionId} = ${connectionId} ORDER BY ${consent.grantedAt} DESC LIMIT 1)`.as(
    "newest_cutoff",
  );
}

/** The newest consent counts; none or a withdrawn one means no. */
export function consented(connectionId: string) {
  return sql<number>`coalesce((SELECT ${consent.withdrawnAt} IS NULL FROM ${consent}
    WHERE ${consent.connectionId} = ${connectionId} ORDER BY ${consent.grantedAt} DESC LIMIT 1), 0)`.as(
    "consented",
  );
}
