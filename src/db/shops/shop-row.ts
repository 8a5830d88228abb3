import { and, eq } from "drizzle-orm";
import type { Instant } from "../../domain/shared/instant.ts";
import type { ConnectedShop } from "../../domain/shop/connected-shop.ts";
import type { ShopPlatform } from "../../domain/shop/presets.ts";
import { type Database, fromOwnJson } from "../database.ts";
import type { FencedStatement } from "../fence.ts";
import type { Bound } from "../kept-reads.ts";
import type { ChangeOwner } from "../ledger-state.ts";
import { account, connection } from "../schema/ledger.ts";
import { shop, shopDocument, shopFetch } from "../schema/shops.ts";
import { endBackfill } from "./backfill-writes.ts";

export function selectShop(db: Database, connectionId: Bound) {
  return db.select().from(shop).where(eq(shop.connectionId, connectionId));
}

/** The mark of a frozen account, for whose shops no work is done. */
export function selectFrozen(db: Database, connectionId: Bound) {
  return db
    .select({ frozen: account.frozen })
    .from(connection)
    .innerJoin(account, eq(account.id, connection.accountId))
    .where(eq(connection.id, connectionId));
}

export type ShopRow = Awaited<ReturnType<typeof selectShop>>[number];

/** Orders that their owner asked for and that are not fetched yet. */
export function selectWaitingFetches(db: Database, connectionId: string) {
  return db
    .select({ nativeId: shopFetch.nativeId })
    .from(shopFetch)
    .where(and(eq(shopFetch.connectionId, connectionId), eq(shopFetch.because, "owner")))
    .limit(MOST_ASKED);
}

const MOST_ASKED = 200;

export function shopDueOf(
  { dueAt }: ShopRow,
  fetches: readonly { readonly nativeId: string }[],
  webhooksAt: string | null | undefined,
) {
  const orders = fetches.map(({ nativeId }) => nativeId);
  return {
    ...(dueAt === null ? {} : { searchAt: dueAt }),
    ...(webhooksAt ? { webhooksAt } : {}),
    orders,
  };
}

export function connectedShop(row: ShopRow): ConnectedShop {
  const { url, previousNonce, previousUntil, secret, previousSecret, credentials } = row;
  return {
    // The schema checks the values of this column.
    platform: row.platform as ShopPlatform,
    ...(url === null ? {} : { url }),
    nonce: row.nonce,
    ...(previousNonce === null ? {} : { previousNonce }),
    ...(previousUntil === null ? {} : { previousUntil }),
    ...(secret === null ? {} : { secret: fromOwnJson(secret) }),
    ...(previousSecret === null ? {} : { previousSecret: fromOwnJson(previousSecret) }),
    credentials: credentials === null ? {} : fromOwnJson(credentials),
    access: row.access,
    settings: fromOwnJson(row.settings),
    settingsVersion: row.settingsVersion,
  };
}

function columnsOf(connected: ConnectedShop) {
  const { secret, previousSecret, credentials } = connected;
  return {
    platform: connected.platform,
    url: connected.url ?? null,
    nonce: connected.nonce,
    previousNonce: connected.previousNonce ?? null,
    previousUntil: connected.previousUntil ?? null,
    secret: secret ? JSON.stringify(secret) : null,
    previousSecret: previousSecret ? JSON.stringify(previousSecret) : null,
    credentials: Object.keys(credentials).length > 0 ? JSON.stringify(credentials) : null,
    access: connected.access,
    settings: JSON.stringify(connected.settings),
    settingsVersion: connected.settingsVersion,
  };
}

/**
 * Writes the owner's settings of the shop. It leaves the columns of fetching as they are; the alarm compares
 * `settings_version` and decides the stored orders again.
 */
export function keepShop(
  db: Database,
  { accountId, connectionId }: ChangeOwner,
  connected: ConnectedShop,
  at: Instant,
): FencedStatement {
  const set = { ...columnsOf(connected), dueAt: at };
  return db
    .insert(shop)
    .values({ connectionId, accountId, ...set, createdAt: at, reconcileFailures: 0, forged: 0 })
    .onConflictDoUpdate({ target: shop.connectionId, set });
}

/**
 * Another access begins without the failures of the one before. Hints stay: an address is changed when the
 * shop moves. Tables stay until they are read again, unless they may be those of another shop.
 */
export function restartWork(
  db: Database,
  connectionId: string,
  { isElsewhere, at }: { readonly isElsewhere: boolean; readonly at: Instant },
): FencedStatement[] {
  const none = { credentialsRefusedAt: null, tablesDueAt: null, ...ANSWERED };
  const tables = isElsewhere ? { tables: null, tablesAt: null } : {};
  return [
    db
      .update(shop)
      .set({ ...none, ...tables, reconcileFailures: 0 })
      .where(eq(shop.connectionId, connectionId)),
    db
      .update(shopFetch)
      .set({ attempts: 0, failure: null, failingSince: null, dueAt: at })
      .where(eq(shopFetch.connectionId, connectionId)),
  ];
}

/** The shop answers: what failed before is over. */
export const ANSWERED = { failures: 0, pausedUntil: null, failingSince: null, failure: null };

export function dueNow(db: Database, connectionId: string, at: Instant): FencedStatement {
  return db.update(shop).set({ dueAt: at }).where(eq(shop.connectionId, connectionId));
}

/** How the shop answered to a test, and what it said of itself. */
export interface ShopTested {
  readonly answer: "given" | "gone" | "refused" | "failed";
  readonly value?: object;
}

export function noteTest(
  db: Database,
  connectionId: string,
  tested: ShopTested,
  at: Instant,
): FencedStatement {
  const { answer } = tested;
  const accepted = { credentialsRefusedAt: null, dueAt: at, ...ANSWERED };
  const effect = answer === "given" ? accepted : answer === "refused" ? { credentialsRefusedAt: at } : {};
  return db
    .update(shop)
    .set({ tested: JSON.stringify(tested), testedAt: at, ...effect })
    .where(eq(shop.connectionId, connectionId));
}

/**
 * In place of the version of the settings: documents of a shop that is no longer connected are kept as they
 * are.
 */
export const OF_EARLIER_SHOP = 2_147_483_647;

/** Its secrets and its waiting work go; orders, documents and deliveries stay. */
export function removeShop(db: Database, connectionId: string): FencedStatement[] {
  return [
    db
      .update(shopDocument)
      .set({ settingsVersion: OF_EARLIER_SHOP })
      .where(eq(shopDocument.connectionId, connectionId)),
    db.delete(shopFetch).where(eq(shopFetch.connectionId, connectionId)),
    ...endBackfill(db, connectionId),
    db.delete(shop).where(eq(shop.connectionId, connectionId)),
  ];
}
