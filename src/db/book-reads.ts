import { and, eq, isNull, sql } from "drizzle-orm";
import type { AnySQLiteColumn } from "drizzle-orm/sqlite-core";
import {
  destinationsOf,
  type ForeignSales,
  type Profile,
  type SalesSettings,
  UNDECLARED,
} from "../domain/billing/sales-settings.ts";
import { orderStem, type StemPlace, stemIn } from "../domain/billing/series.ts";
import type { InvoiceLook } from "../domain/brand/look.ts";
import { isProven } from "../domain/connection/company.ts";
import { SETUP_STATES, type Setup, UNGUIDED } from "../domain/connection/setup.ts";
import { issuerOf } from "../domain/invoice/contact.ts";
import { detailsIn } from "../domain/invoice/issuer.ts";
import type { UsualTerms } from "../domain/invoice/payment-terms.ts";
import type { IssuingSettings, Territory } from "../domain/invoice/settings.ts";
import type { MailSwitch } from "../domain/mailing/mail-switch.ts";
import type { TagRule } from "../domain/order/context.ts";
import { civilDate } from "../domain/shared/civil-date.ts";
import { decimal } from "../domain/shared/decimal.ts";
import type { TimeZone } from "../domain/shared/instant.ts";
import { invariant } from "../domain/shared/result.ts";
import { ACCESS_UNTOUCHED, type CustomerAccess } from "../domain/viewer/access.ts";
import { type Database, fromOwnJson, recordFromJson } from "./database.ts";
import type { Bound } from "./kept-reads.ts";
import type { AdmissionFacts, LedgerState, SellingSettings, SeriesHead } from "./ledger-state.ts";
import { mailSwitchFrom } from "./mailing/mailing-reads.ts";
import { ossRatesColumn, ossRatesFrom } from "./rates/rate-store.ts";
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
import { rememberedAnswer } from "./schema/review.ts";
import { customerAccess, shopSetup } from "./schema/shop.ts";
import { shop, shopWebhookTask } from "./schema/shops.ts";

/** The NIF and the details of a company, as columns of its account. */
export const COMPANY_COLUMNS = { nif: account.nif, ...detailsIn(account) };

/** How the company is reached and paid, as columns of its account. */
export const CONTACT_COLUMNS = {
  email: account.email,
  phone: account.phone,
  province: account.province,
  firstName: account.firstName,
  surname1: account.surname1,
  surname2: account.surname2,
  terms: account.terms,
};

/** The look of its invoices. */
export const LOOK_COLUMNS = { footer: account.footer, look: account.look };

/**
 * Account, connection, open installation, active authorisation and head of one connection, in one row. D1
 * hands the rows of a batch over as objects, so that of two columns with one name only one would arrive:
 * hence the names.
 */
export function selectSettings(db: Database, connectionId: Bound) {
  return db
    .select({
      accountId: named(account.id, "account_id"),
      ...COMPANY_COLUMNS,
      ...CONTACT_COLUMNS,
      ...LOOK_COLUMNS,
      timeZone: account.timeZone,
      territory: account.territory,
      multipleIssuers: account.multipleIssuers,
      verification: account.verification,
      issuingEndsAt: account.issuingEndsAt,
      frozen: account.frozen,
      settingsVersion: named(account.settingsVersion, "version"),
      ordinal: named(connection.ordinal, "connection_ordinal"),
      kind: connection.kind,
      name: named(connection.name, "connection_name"),
      rateLimit: connection.rateLimit,
      mailing: named(connection.mailing, "connection_mailing"),
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
      // Webhooks of a shop that was disconnected are still to be removed there.
      hasShop: sql<number>`EXISTS (SELECT 1 FROM ${shop} WHERE ${shop.connectionId} = ${connectionId})
        OR EXISTS (SELECT 1 FROM ${shopWebhookTask}
          WHERE ${shopWebhookTask.connectionId} = ${connectionId})`.as("has_shop"),
      shopAccess: named(shop.access, "shop_access"),
      remembers: sql<number>`EXISTS (SELECT 1 FROM ${rememberedAnswer}
        WHERE ${rememberedAnswer.connectionId} = ${connectionId})`.as("remembers"),
    })
    .from(connection)
    .innerJoin(account, eq(account.id, connection.accountId))
    .leftJoin(installation, and(eq(installation.connectionId, connection.id), isNull(installation.closedAt)))
    .leftJoin(authorisation, and(eq(authorisation.accountId, account.id), isNull(authorisation.closedAt)))
    .leftJoin(shopSetup, eq(shopSetup.connectionId, connection.id))
    .leftJoin(customerAccess, eq(customerAccess.connectionId, connection.id))
    .leftJoin(ledgerHead, eq(ledgerHead.connectionId, connection.id))
    .leftJoin(shop, eq(shop.connectionId, connection.id))
    .where(eq(connection.id, connectionId));
}

/** Oldest first, as the console lists them. */
export function selectProfiles(db: Database, connectionId: Bound) {
  return db
    .select({
      id: profile.id,
      name: profile.name,
      channel: profile.channel,
      storeId: profile.storeId,
      stem: profile.stem,
      sales: profile.sales,
      mailing: profile.mailing,
    })
    .from(profile)
    .where(eq(profile.connectionId, connectionId))
    .orderBy(profile.createdAt, profile.id);
}

export function selectTagRules(db: Database, connectionId: Bound) {
  return db
    .select({ tag: tagRule.tag, action: tagRule.action })
    .from(tagRule)
    .where(eq(tagRule.connectionId, connectionId))
    .orderBy(tagRule.tag);
}

export function selectKeys(db: Database, connectionId: Bound) {
  return db
    .select({ hash: apiKey.hash })
    .from(apiKey)
    .where(and(eq(apiKey.connectionId, connectionId), isNull(apiKey.revokedAt)));
}

/** The last number of every series of the connection: one step into the index for each. */
export function selectSeriesHeads(db: Database, connectionId: Bound) {
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

/** The newest record of the open installation; then, or alone after retirement, the start of its chain. */
export function selectChainHead(db: Database, connectionId: Bound) {
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
    .orderBy(sql`head.position DESC`);
}

export function selectSettingsVersion(db: Database, connectionId: Bound) {
  return db
    .select({ version: account.settingsVersion, look: account.look })
    .from(connection)
    .innerJoin(account, eq(account.id, connection.accountId))
    .where(eq(connection.id, connectionId));
}

type SettingsRow = Awaited<ReturnType<typeof selectSettings>>[number];

/** A column under its own name; in a left join it may be null. */
export function named<C extends AnySQLiteColumn>(column: C, name: string) {
  return sql<C["_"]["data"] | null>`${column}`.as(name);
}

/** The cutoff of the newest consent, also when that was withdrawn; null without any. */
function newestCutoff(connectionId: Bound) {
  return sql<string | null>`(SELECT ${consent.cutoffDate} FROM ${consent}
    WHERE ${consent.connectionId} = ${connectionId} ORDER BY ${consent.grantedAt} DESC LIMIT 1)`.as(
    "newest_cutoff",
  );
}

/** The newest consent counts; none or a withdrawn one means no. */
export function consented(connectionId: Bound) {
  return sql<number>`coalesce((SELECT ${consent.withdrawnAt} IS NULL FROM ${consent}
    WHERE ${consent.connectionId} = ${connectionId} ORDER BY ${consent.grantedAt} DESC LIMIT 1), 0)`.as(
    "consented",
  );
}

interface BookRows {
  readonly settings: SettingsRow;
  readonly keys: readonly { readonly hash: string }[];
  readonly series: readonly {
    readonly code: string;
    readonly number: number | null;
    readonly date: string | null;
  }[];
  readonly profiles: readonly ProfileRow[];
  readonly tagRules: readonly { readonly tag: string; readonly action: string }[];
  readonly head: { readonly position: number; readonly hash: string; readonly content: string } | undefined;
}

export function booksOf(rows: BookRows): LedgerState {
  const { settings, keys, series, head } = rows;
  const content = head ? recordFromJson(head.content) : undefined;
  return {
    admission: gateOf(settings, keys),
    settings: settingsOf(settings),
    selling: sellingOf(rows),
    ...lookFrom(settings),
    frozen: settings.frozen !== 0,
    ...(settings.hasShop === 1 ? { hasShop: true } : {}),
    ...(settings.shopAccess === null ? {} : { shopAccess: settings.shopAccess }),
    seq: settings.seq ?? 0,
    ...(head && content
      ? {
          chain: {
            position: head.position,
            hash: head.hash,
            key: content.key,
            generatedAt: content.generatedAt,
          },
        }
      : {}),
    series: series.flatMap(seriesHead),
  };
}

function gateOf(row: SettingsRow, keys: BookRows["keys"]): AdmissionFacts {
  return {
    keyHashes: keys.map((key) => key.hash),
    rateLimit: row.rateLimit ?? undefined,
    sendsTests: row.trial === true || !isProven(row.verification),
    connectionKind: row.kind,
    setup: setupOf(row),
    access: accessOf(row),
    originsBeingRemoved: [],
    refusedOrigins: [],
  };
}

export function accessOf(row: {
  readonly accessIsOn: number | null;
  readonly epoch: number | null;
}): CustomerAccess {
  if (row.accessIsOn === null || row.epoch === null) return ACCESS_UNTOUCHED;
  return { isOn: row.accessIsOn === 1, epoch: row.epoch };
}

/** A connection without a row was opened without guide. */
export function setupOf(row: {
  readonly setupState: string | null;
  readonly storeIds: string | null;
}): Setup {
  if (row.setupState === null) return UNGUIDED;
  const state = SETUP_STATES.find((one) => one === row.setupState);
  invariant(state, "a setup is in one of its states");
  return { state, storeIds: row.storeIds };
}

function settingsOf(row: SettingsRow): IssuingSettings {
  return {
    version: row.settingsVersion ?? 0,
    accountId: row.accountId ?? "",
    issuer: issuerOf(row),
    ...termsFrom(row),
    ...(row.footer === null ? {} : { footer: row.footer }),
    timeZone: asTimeZone(row.timeZone),
    territory: asTerritory(row.territory),
    defaultRegime: row.defaultRegime,
    multipleIssuers: row.multipleIssuers,
    ...authorisationOf(row),
    connectionOrdinal: row.ordinal ?? 0,
    connectionKind: row.kind,
    consented: row.consented === 1,
    verified: isProven(row.verification),
    ...(row.issuingEndsAt === null ? {} : { issuingEndsAt: row.issuingEndsAt }),
    ...mailingOf(row),
    ...installationOf(row),
  };
}

export function lookFrom({ look }: { readonly look: string | null }): { readonly look?: InvoiceLook } {
  return look === null ? {} : { look: fromOwnJson<InvoiceLook>(look) };
}

export function termsFrom({ terms }: { readonly terms: string | null }): Pick<IssuingSettings, "terms"> {
  return terms === null ? {} : { terms: fromOwnJson<UsualTerms>(terms) };
}

/** The switch of a connection or a profile; absent while it is off. */
export function mailingOf(row: { readonly mailing: string | null }): { readonly mailing?: MailSwitch } {
  const mailing = mailSwitchFrom(row.mailing);
  return mailing ? { mailing } : {};
}

function authorisationOf(row: SettingsRow): Pick<IssuingSettings, "authorisation"> {
  const { authorisationNumber: number, authorisationLimit: limit, agreementNumber } = row;
  if (number === null || limit === null) return {};
  return {
    authorisation: {
      number,
      limit: decimal(limit),
      ...(agreementNumber === null ? {} : { agreementNumber }),
    },
  };
}

function installationOf(row: SettingsRow): Pick<IssuingSettings, "installation"> {
  const { installationId: id, installationOrdinal: ordinal, installationNumber: number } = row;
  if (id === null || ordinal === null || number === null) return {};
  const environment = row.environment === "production" ? "production" : "test";
  return { installation: { id, ordinal, number, environment, trial: row.trial === true } };
}

/** A series row without an invoice cannot exist: it is written in the batch of its first number. */
function seriesHead(row: BookRows["series"][number]): SeriesHead[] {
  if (row.number === null || row.date === null) return [];
  return [{ code: row.code, number: row.number, date: civilDate(row.date) }];
}

/** The schema checks the values of these columns. */
function asTimeZone(text: string): TimeZone {
  return text as TimeZone;
}

function asTerritory(text: string): Territory {
  return text as Territory;
}

export type ProfileRow = Awaited<ReturnType<typeof selectProfiles>>[number];

interface SellingRows {
  readonly settings: SettingsRow;
  readonly profiles: readonly ProfileRow[];
  readonly tagRules: readonly { readonly tag: string; readonly action: string }[];
}

/** No order is dated on it: without any consent nothing is decided by it either. */
const NO_CUTOFF = civilDate("2099-12-31");

function sellingOf({ settings, profiles, tagRules }: SellingRows): SellingSettings {
  const owner = {
    connectionOrdinal: settings.ordinal ?? 0,
    installationOrdinal: settings.installationOrdinal ?? 1,
    trial: settings.trial === true,
  };
  return {
    connectionName: settings.name ?? "",
    profiles: profiles.map((row) => profileFrom(row, owner)),
    sales: salesFrom(settings.sales),
    stem: settings.orderStem === null ? orderStem(owner) : stemIn(settings.orderStem, owner),
    keptRates: ossRatesFrom(settings.ossRates),
    tagRules: tagRules.map(({ tag, action }) => ({ tag, action: action as TagRule["action"] })),
    cutoffDate: settings.cutoffDate === null ? NO_CUTOFF : civilDate(settings.cutoffDate),
    selectedStores: selectedStores(settings.storeIds),
    ...(settings.remembers === 1 ? { remembers: true } : {}),
  };
}

const AS_DECLARED: StemPlace = { installationOrdinal: 1 };

/** The stem is the declared one, unless an installation is named. */
export function profileFrom(row: ProfileRow, place: StemPlace = AS_DECLARED): Profile {
  const { id, name, channel, storeId, stem, sales } = row;
  return {
    id,
    name,
    ...(channel === null ? {} : { channel }),
    ...(storeId === null ? {} : { storeId }),
    stem: stemIn(stem, place),
    sales: salesFrom(sales),
    ...mailingOf(row),
  };
}

/** Settings are added over time; an old row has only the earlier ones. */
export function salesFrom(json: string | null): SalesSettings {
  return json === null ? UNDECLARED : { ...UNDECLARED, ...withDestinations(fromOwnJson<StoredSales>(json)) };
}

/** Older rows have one value for all destinations. */
export interface StoredSales extends Partial<SalesSettings> {
  readonly foreignSales?: ForeignSales;
}

export function withDestinations({ foreignSales, ...sales }: StoredSales): Partial<SalesSettings> {
  if (foreignSales === undefined) return sales;
  return { ...sales, destinations: { ...destinationsOf(foreignSales), ...sales.destinations } };
}

function selectedStores(storeIds: string | null): SellingSettings["selectedStores"] {
  if (storeIds === null) return null;
  return storeIds === "" ? "all" : storeIds.split(",");
}
