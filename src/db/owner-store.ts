import { and, asc, desc, eq, isNull, or, type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { UNDECLARED } from "../domain/billing/sales-settings.ts";
import { codesOfStem, declaredStem, type TakenStem, trialStem } from "../domain/billing/series.ts";
import type { PullCallback } from "../domain/callback/pull-callback.ts";
import type { TagRule } from "../domain/order/context.ts";
import { civilDate } from "../domain/shared/civil-date.ts";
import { reportedOrigins } from "../domain/viewer/origin.ts";
import { addressFrom, reportedFrom, selectOrigins, selectReportedOrigins } from "./access/access-reads.ts";
import {
  accessOf,
  consented,
  mailingOf,
  named,
  profileFrom,
  salesFrom,
  selectProfiles,
  selectTagRules,
  setupOf,
} from "./book-reads.ts";
import { type Database, fromOwnJson } from "./database.ts";
import { type FencedStatement, fence, fencedBatch } from "./fence.ts";
import type { Bound } from "./kept-reads.ts";
import type { ChangeOwner, DeliveryQuery, ErasureReads, OwnerReading, OwnerStore } from "./ledger-state.ts";
import { ossRatesColumn, ossRatesFrom } from "./rates/rate-store.ts";
import { connection, consent, installation, series } from "./schema/ledger.ts";
import { profile, seriesStem, shopCallback, shopOrder } from "./schema/orders.ts";
import { customerAccess, shopSetup, shopStore } from "./schema/shop.ts";
import { chainSubmission, representation } from "./schema/submission.ts";
import { insertAudit, isNewStore } from "./shop/shop-writes.ts";
import { backfillFrom, selectBackfill } from "./shops/backfill-store.ts";
import { connectedShop, selectShop, selectWaitingFetches, shopDueOf } from "./shops/shop-row.ts";
import { selectDueWebhooks } from "./shops/webhook-store.ts";
import { endpointFrom, selectDelivery, selectEndpoints } from "./webhooks/webhook-reads.ts";

export function ownerStore(db: Database, { read }: ErasureReads, connectionId: string): OwnerStore {
  return {
    readErasable: (query) => read(connectionId, query),
    readOwner: (delivery) => readOwner(db, connectionId, delivery),
    recordChange: ({ write, audit, userId, at }, decidedOn) => {
      const { accountId, installation: open } = decidedOn.settings;
      const owner = { accountId, connectionId, trial: open?.trial ?? false };
      return fencedBatch(db, [
        fence(db, connectionId, decidedOn),
        // Before the change: the line of a repeat is there already, and the batch says so.
        ...(audit ? [insertAudit(db, owner, audit)] : []),
        ...write(db, owner, { userId, at }),
      ]);
    },
  };
}

async function readOwner(
  db: Database,
  connectionId: string,
  query: DeliveryQuery = { id: "" },
): Promise<OwnerReading | undefined> {
  const [[row], stores, profiles, tagRules, taken, codes, [callback], [agreed], origins, reported, ...hooks] =
    await db.batch([
      selectConnection(db, connectionId),
      db
        .select({
          id: shopStore.storeId,
          url: shopStore.url,
          seenAt: shopStore.seenAt,
          isNew: isNewStore(),
        })
        .from(shopStore)
        .leftJoin(shopSetup, eq(shopSetup.connectionId, shopStore.connectionId))
        .where(eq(shopStore.connectionId, connectionId))
        .orderBy(asc(shopStore.ordinal)),
      selectProfiles(db, connectionId),
      selectTagRules(db, connectionId),
      selectTakenStems(db, connectionId),
      selectNumberedCodes(db, connectionId),
      db.select().from(shopCallback).where(eq(shopCallback.connectionId, connectionId)),
      db
        .select({ cutoffDate: consent.cutoffDate, withdrawnAt: consent.withdrawnAt })
        .from(consent)
        .where(eq(consent.connectionId, connectionId))
        .orderBy(desc(consent.grantedAt))
        .limit(1),
      selectOrigins(db, connectionId),
      selectReportedOrigins(db, connectionId),
      selectEndpoints(db, connectionId),
      selectDelivery(db, connectionId, query),
      selectShop(db, connectionId),
      selectWaitingFetches(db, connectionId),
      selectBackfill(db, connectionId),
      selectDueWebhooks(db, connectionId),
    ]);
  if (!row) return undefined;
  const [webhooks, [delivery], ...ofShop] = hooks;
  return {
    connectionKind: row.kind,
    connectionName: row.name ?? "",
    setup: setupOf(row),
    consented: row.consented === 1,
    storeIds: stores.map(({ id }) => id),
    hasNewStores: stores.some(({ isNew }) => isNew === 1),
    ...{ sales: salesFrom(row.sales), ...mailingOf(row) },
    ...(row.orderStem === null ? {} : { orderStem: row.orderStem }),
    profiles: profiles.map((one) => profileFrom(one)),
    // The schema checks the values of this column.
    tagRules: tagRules.map(({ tag, action }) => ({ tag, action: action as TagRule["action"] })),
    keptRates: ossRatesFrom(row.ossRates),
    taken: taken.map(takenStem),
    numberedCodes: numberedCodes(codes),
    callback: callback && callbackOf(callback),
    ...(agreed ? { consent: consentOf(agreed) } : {}),
    access: accessOf(row),
    origins: origins.map(({ origin }) => origin),
    storeOrigins: reportedOrigins(reported.map(reportedFrom), stores.map(addressFrom)),
    ...(row.representation === null ? {} : { representation: row.representation }),
    isSubmissionStopped: row.stopped === 1,
    webhooks: webhooks.map(endpointFrom),
    ...(delivery ? { delivery: deliveryOf(delivery) } : {}),
    ...shopReading(...ofShop),
  };
}

/** The connected shop and the work that is due for it. */
function shopReading(
  [row]: Awaited<ReturnType<typeof selectShop>>,
  fetches: Awaited<ReturnType<typeof selectWaitingFetches>>,
  [backfill]: Awaited<ReturnType<typeof selectBackfill>>,
  [dueWebhooks]: Awaited<ReturnType<typeof selectDueWebhooks>>,
): Pick<OwnerReading, "shop" | "shopDue" | "backfill"> {
  if (!row) return {};
  return {
    ...{ shop: connectedShop(row), shopDue: shopDueOf(row, fetches, dueWebhooks?.apiUrl) },
    ...(backfill ? { backfill: backfillFrom(backfill) } : {}),
  };
}

function selectConnection(db: Database, connectionId: string) {
  return db
    .select({
      kind: connection.kind,
      name: named(connection.name, "connection_name"),
      setupState: named(shopSetup.state, "setup_state"),
      storeIds: shopSetup.storeIds,
      sales: named(shopSetup.sales, "sales"),
      mailing: named(connection.mailing, "connection_mailing"),
      orderStem: shopSetup.orderStem,
      chosenAt: shopSetup.chosenAt,
      ossRates: ossRatesColumn(connection.accountId),
      accessIsOn: named(customerAccess.isOn, "access_is_on"),
      epoch: named(customerAccess.epoch, "access_epoch"),
      consented: consented(connectionId),
      representation: representation.documentSha256,
      stopped: sql<number>`EXISTS (SELECT 1 FROM ${installation}
        JOIN ${chainSubmission} ON ${chainSubmission.installationId} = ${installation.id}
        WHERE ${installation.connectionId} = ${connection.id} AND ${chainSubmission.stopped} IS NOT NULL)`.as(
        "is_stopped",
      ),
    })
    .from(connection)
    .leftJoin(
      representation,
      and(eq(representation.accountId, connection.accountId), isNull(representation.withdrawnAt)),
    )
    .leftJoin(shopSetup, eq(shopSetup.connectionId, connection.id))
    .leftJoin(customerAccess, eq(customerAccess.connectionId, connection.id))
    .where(eq(connection.id, connectionId));
}

/** Stems of tests and others never meet, so that each is asked among its own. */
function isForTests(connectionId: SQLiteColumn | string): SQL<number> {
  return sql<number>`EXISTS (SELECT 1 FROM ${installation}
    WHERE ${installation.connectionId} = ${connectionId} AND ${installation.trial} = 1)`;
}

/** Four rows per stem: the row of the bare code represents all. */
export function selectTakenStems(db: Database, connectionId: string) {
  return db
    .select({
      stem: seriesStem.stem,
      trial: isForTests(connectionId).as("is_trial"),
      where: sql<string | null>`coalesce(${profile.name}, ${connection.name})`.as("stem_owner"),
    })
    .from(seriesStem)
    .leftJoin(
      profile,
      and(
        eq(profile.connectionId, seriesStem.connectionId),
        sql`${seriesStem.stem} IN (${profile.stem}, 'T-' || ${profile.stem})`,
      ),
    )
    .innerJoin(connection, eq(connection.id, seriesStem.connectionId))
    .where(
      and(
        isOfAccount(seriesStem.accountId, connectionId),
        eq(seriesStem.code, seriesStem.stem),
        sql`${isForTests(seriesStem.connectionId)} = ${isForTests(connectionId)}`,
      ),
    );
}

export function selectNumberedCodes(db: Database, connectionId: string) {
  return db
    .select({ code: series.code, trial: installation.trial })
    .from(series)
    .innerJoin(installation, eq(installation.id, series.installationId))
    .where(
      and(
        isOfAccount(series.accountId, connectionId),
        sql`${installation.trial} = ${isForTests(connectionId)}`,
      ),
    );
}

/** The other connection may be any of the account. */
function isOfAccount(accountId: SQLiteColumn, connectionId: string): SQL {
  const own = alias(connection, "own");
  return sql`${accountId} = (SELECT ${own.accountId} FROM ${connection} AS ${sql.identifier("own")}
    WHERE ${own.id} = ${connectionId})`;
}

type TakenRow = Awaited<ReturnType<typeof selectTakenStems>>[number];

/** The stem that the owner declared; series of tests have a prefix. */
export function takenStem({ stem, where, trial }: TakenRow): TakenStem {
  return { stem: trial === 1 ? declaredStem(stem) : stem, where: where ?? "" };
}

/** Codes without their year, each once, of the stems as declared. */
export function numberedCodes(
  rows: readonly { readonly code: string; readonly trial: boolean }[],
): readonly string[] {
  const codes = rows.map(({ code, trial }) => (trial ? declaredStem(withoutYear(code)) : withoutYear(code)));
  return [...new Set(codes)];
}

/** `AS-2026` is AS, and `Ab-2026` of a second installation is A. */
function withoutYear(code: string): string {
  return code.slice(0, -"-YYYY".length).replace(/[a-z]+(?=R?S?$)/, "");
}

function deliveryOf(row: {
  readonly id: string;
  readonly endpointId: string;
  readonly dueAt: number | null;
}) {
  const { id, endpointId, dueAt } = row;
  return { id, endpointId, ...(dueAt === null ? {} : { dueAt }) };
}

export function selectCallbackDueAt(db: Database, connectionId: Bound) {
  return db
    .select({ dueAt: shopCallback.dueAt })
    .from(shopCallback)
    .where(eq(shopCallback.connectionId, connectionId));
}

function callbackOf(row: typeof shopCallback.$inferSelect): PullCallback {
  const { url, secret, previousSecret, deliveryId, askedAt, attempts, dueAt, lastAt, lastOutcome } = row;
  return {
    url,
    secrets: { current: secret, ...(previousSecret === null ? {} : { previous: previousSecret }) },
    delivery:
      deliveryId === null || askedAt === null
        ? undefined
        : {
            id: deliveryId,
            askedAt,
            attempts,
            dueAt: dueAt ?? undefined,
            lastAt: lastAt ?? undefined,
            lastOutcome: lastOutcome === null ? undefined : fromOwnJson(lastOutcome),
          },
  };
}

function consentOf({
  cutoffDate,
  withdrawnAt,
}: {
  readonly cutoffDate: string;
  readonly withdrawnAt: number | null;
}) {
  return { cutoffDate: civilDate(cutoffDate), isWithdrawn: withdrawnAt !== null };
}

// Statements that several owner's verbs write after the fence.

/** A change may decide orders on hold otherwise: they are marked, and the object decides them again. */
export function redecideHeld(db: Database, connectionId: string): FencedStatement {
  return redecide(db, connectionId, isHeld());
}

/** A selection of stores also decides the orders of stores that were not selected. */
export function redecideWaitingForStore(db: Database, connectionId: string): FencedStatement {
  return redecide(db, connectionId, or(isHeld(), eq(shopOrder.state, "store_not_selected")));
}

function redecide(db: Database, connectionId: string, which: SQL | undefined): FencedStatement {
  const ours = and(eq(shopOrder.connectionId, connectionId), which);
  return db.update(shopOrder).set({ undecided: true }).where(ours);
}

function isHeld(): SQL {
  return eq(shopOrder.state, "held");
}

interface SetupChange {
  readonly state?: "configured";
  readonly storeIds?: string;
  readonly chosenAt?: number;
  readonly sales?: string;
  readonly orderStem?: string | null;
}

/** A connection opened without the guide has no row before its first declaration, and is configured. */
export function upsertSetup(
  db: Database,
  { accountId, connectionId }: ChangeOwner,
  change: SetupChange,
): FencedStatement {
  const begun = { state: "configured", storeIds: null, sales: JSON.stringify(UNDECLARED) };
  return db
    .insert(shopSetup)
    .values({ accountId, connectionId, ...begun, ...change })
    .onConflictDoUpdate({ target: shopSetup.connectionId, set: change });
}

/** Reserves the four codes of a stem in its account. */
export function takeStem(db: Database, owner: ChangeOwner, declared: string): FencedStatement {
  const { accountId, connectionId } = owner;
  const stem = reservedStem(owner, declared);
  return db
    .insert(seriesStem)
    .values(codesOfStem(stem).map((code) => ({ accountId, code, stem, connectionId })));
}

export function freeStem(db: Database, owner: ChangeOwner, declared: string): FencedStatement {
  const codes = codesOfStem(reservedStem(owner, declared));
  const ours = and(
    eq(seriesStem.accountId, owner.accountId),
    sql`${seriesStem.code} IN (SELECT value FROM json_each(${JSON.stringify(codes)}))`,
    eq(seriesStem.connectionId, owner.connectionId),
  );
  return db.delete(seriesStem).where(ours);
}

/** A connection for tests reserves its stems as they number, so that they are in no other's way. */
function reservedStem({ trial }: ChangeOwner, declared: string): string {
  return trial ? trialStem(declared) : declared;
}

/** Undefined removes it. */
export function keepCallback(
  db: Database,
  { accountId, connectionId }: ChangeOwner,
  callback: PullCallback | undefined,
): FencedStatement {
  if (!callback) return db.delete(shopCallback).where(eq(shopCallback.connectionId, connectionId));
  const { url, secrets, delivery } = callback;
  const kept = {
    url,
    secret: secrets.current,
    previousSecret: secrets.previous ?? null,
    deliveryId: delivery?.id ?? null,
    askedAt: delivery?.askedAt ?? null,
    attempts: delivery?.attempts ?? 0,
    dueAt: delivery?.dueAt ?? null,
    lastAt: delivery?.lastAt ?? null,
    lastOutcome: delivery?.lastOutcome ? JSON.stringify(delivery.lastOutcome) : null,
  };
  return db
    .insert(shopCallback)
    .values({ accountId, connectionId, ...kept })
    .onConflictDoUpdate({ target: shopCallback.connectionId, set: kept });
}
