import type { DueFetch, ShopWork, ShopWorkStore } from "../../db/shops/work-store.ts";
import { type StoreCallsDeps, timely } from "../../db/store-calls.ts";
import { isSameValue } from "../../domain/shared/hash.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { ConnectedShop } from "../../domain/shop/connected-shop.ts";
import { checkShopUrl, type ShopUrlPolicy } from "../../domain/shop/connected-shop.ts";
import { tablesFrom } from "../../domain/shop/documents.ts";
import {
  clockBehindMs,
  type FailedCall,
  fetchAgainAt,
  isNeverThere,
  nextAttemptAt,
  nextReconcileAt,
  pausedUntil,
  reconcileFrom,
  TABLES_AGAIN_MS,
  TABLES_FRESH_MS,
  UNREADABLE_AGAIN_MS,
} from "../../domain/shop/fetching.ts";
import { prestashopPreset, type StatusMap } from "../../domain/shop/presets.ts";
import type { OpenedShop, ShopAnswer, ShopApi, ShopApis } from "../../platform/shop-api.ts";
import type { Vault } from "../../platform/vault.ts";
import { type BackfillDeps, canStep, stepBackfill } from "./backfill.ts";
import type { Fetched, ShopOrders } from "./shop-orders.ts";

export interface ShopWorkDeps extends StoreCallsDeps, Pick<BackfillDeps, "backfills" | "timeZone"> {
  /** Makes the preset of the shop's own states its map, unless its owner has changed the map. */
  readonly adoptStatuses: (access: string, statuses: StatusMap) => Promise<void>;
  readonly shopWork: ShopWorkStore;
  readonly shopApis: ShopApis;
  readonly vault: Vault;
  /** Decides fetched and stored documents in the connection's queue. */
  readonly shopOrders: ShopOrders;
  /** Undefined while the deployment's own hosts are unknown: no shop is called. */
  readonly shopPolicy: ShopUrlPolicy | undefined;
  readonly now: () => Instant;
  /** Lines have no address, no secret and no text of the shop. */
  readonly log: (line: object) => void;
}

/** Other work of the alarm waits for the end of a run. */
const BUDGET_MS = 15_000;
const AT_ONCE = 2;
const READ_AT_ONCE = 20;
const REST_MS = 30_000;
/** The wait while the address of the shop may not be called. */
const LOOK_AGAIN_MS = 3_600_000;
/** Pages of one search; a shop that lists without end is searched on in the next one. */
const MOST_PAGES = 200;

interface Run extends ShopWorkDeps {
  readonly isOver: () => boolean;
}

/**
 * Maps stored documents again, fetches orders, and asks the shop what has changed. It needs no place in the
 * queue but for each decision; rows in the database say what is left, so a crash forgets nothing.
 */
export async function doShop(deps: ShopWorkDeps): Promise<Instant | undefined> {
  const startedAt = deps.now();
  const shopWork = timely(deps.shopWork, deps);
  const backfills = timely(deps.backfills, deps);
  const run: Run = { ...deps, shopWork, backfills, isOver: () => deps.now() - startedAt >= BUDGET_MS };
  let work = await shopWork.readWork(deps.now(), READ_AT_ONCE);
  while (work && !work.isFrozen) {
    const hasMoved = await doSome(work, run);
    if (!hasMoved) return nextOf(work, run);
    if (run.isOver()) return deps.now();
    work = await shopWork.readWork(deps.now(), READ_AT_ONCE);
  }
  return undefined;
}

/** True if something was done, so that there may be more. */
async function doSome(work: ShopWork, run: Run): Promise<boolean> {
  if (canMap(work) && (await mapAgain(work, run))) return true;
  const { shop, due, dueAt } = work;
  const isDue = dueAt !== undefined && dueAt <= run.now();
  if (!canFetch(work, run)) {
    if (isDue)
      await run.shopWork.settleDue(shop.access, isFetched(work) ? run.now() + LOOK_AGAIN_MS : undefined);
    return isDue;
  }
  if (isPaused(work, run.now())) return false;
  const opened = await openShop(shop, run);
  if (!opened) {
    await run.shopWork.refuseCredentials(shop.access, run.now());
    return true;
  }
  const asking: Asking = { api: run.shopApis[shop.platform], opened, work };
  // Older tables are used until the shop answers again.
  if (work.tables === undefined || areDue(work, run.now())) return readTables(asking, run);
  if (due.length > 0) return fetchAll(due, asking, run);
  if (isDue) return reconcile(asking, run);
  const step = await stepBackfill(asking, run);
  return step === "refused" ? stopped(work, run) : step === "moved";
}

/** Mapping needs the tables of the shop's ids, so it waits until they were read once. */
function canMap(work: ShopWork): boolean {
  return work.outdated.length > 0 && (work.tables !== undefined || work.shop.url === undefined);
}

function canFetch(work: ShopWork, { shopPolicy }: Run): boolean {
  const { platform, url } = work.shop;
  if (url === undefined || !isFetched(work) || !shopPolicy) return false;
  // Checked again, because the allowed addresses may have changed.
  return checkShopUrl(platform, url, shopPolicy).ok;
}

function isFetched({ shop, credentialsRefused }: ShopWork): boolean {
  return shop.url !== undefined && !credentialsRefused;
}

function isPaused({ pausedUntil: until }: ShopWork, now: Instant): boolean {
  return until !== undefined && until > now;
}

function areDue({ tablesDueAt }: ShopWork, now: Instant): boolean {
  return tablesDueAt === undefined || tablesDueAt <= now;
}

export async function openShop(
  { platform, url, credentials }: Pick<ConnectedShop, "platform" | "url" | "credentials">,
  { vault }: { readonly vault: Vault },
): Promise<OpenedShop | undefined> {
  if (url === undefined) return undefined;
  const opened: Record<string, string> = {};
  for (const [field, sealed] of Object.entries(credentials)) {
    const text = await vault.open(field, sealed);
    if (text === undefined) return undefined;
    opened[field] = text;
  }
  return { platform, url, credentials: opened };
}

async function stopped({ shop }: ShopWork, { shopWork, now, log }: Run): Promise<boolean> {
  await shopWork.refuseCredentials(shop.access, now());
  log({ level: "warning", event: "shop_credentials_refused" });
  return true;
}

interface Asking {
  readonly api: ShopApi;
  readonly opened: OpenedShop;
  readonly work: ShopWork;
}

/** Nothing is fetched before the first answer: the whole shop is asked again later. */
async function readTables({ api, opened, work }: Asking, run: Run): Promise<boolean> {
  const { shopWork, now } = run;
  const { access } = work.shop;
  const answer = await api.readTables(opened);
  const at = now();
  if (answer.answer === "refused") return stopped(work, run);
  if (answer.answer === "given") {
    const text = JSON.stringify(answer.value);
    await adoptStates(work, text, run);
    await shopWork.keepTables(access, text, { at, nextAt: at + TABLES_FRESH_MS });
    return true;
  }
  const failed = failureIn(answer);
  const failures = work.failures + 1;
  const waitMs = Math.max(failed.waitMs ?? 0, TABLES_AGAIN_MS);
  const isFirst = work.tables === undefined;
  const nextAt = isFirst ? nextAttemptAt(failures, at, failed.waitMs) : at + waitMs;
  const paused = isFirst ? nextAt : pausedUntil(failures, failed, at);
  await shopWork.failTables(access, { failure: failed.cause, at, nextAt, pausedUntil: paused });
  return true;
}

/** Before the tables are kept, so that they are read again if the states cannot be taken over now. */
async function adoptStates({ shop }: ShopWork, tables: string, run: Run): Promise<void> {
  const { orderStates } = tablesFrom(tables);
  if (shop.platform !== "prestashop" || !orderStates || shop.settings.areStatusesOwn) return;
  const preset = prestashopPreset(orderStates);
  if (!isSameValue(preset, shop.settings.statuses)) await run.adoptStatuses(shop.access, preset);
}

function failureIn(answer: Extract<ShopAnswer<unknown>, { readonly answer: "failed" | "gone" }>): FailedCall {
  return answer.answer === "failed" ? answer : { cause: "unexpected" };
}

/** Two at once, or one while the shop fails; the first failure that concerns the whole shop ends it. */
async function fetchAll(due: readonly DueFetch[], asking: Asking, run: Run): Promise<boolean> {
  const atOnce = asking.work.failures > 0 ? 1 : AT_ONCE;
  for (let next = 0; next < due.length && !run.isOver(); next += atOnce) {
    const some = due.slice(next, next + atOnce);
    const ends = await Promise.all(some.map((one) => fetchOne(one, asking, run)));
    if (ends.includes("refused")) return stopped(asking.work, run);
    // After failures one answer ends the run too, because it changes the state of the shop.
    if (ends.includes("paused") || atOnce < AT_ONCE) return true;
  }
  return true;
}

async function fetchOne(
  due: DueFetch,
  { api, opened, work }: Asking,
  { shopWork, shopOrders, now, log }: Run,
): Promise<"answered" | "refused" | "paused"> {
  const { nativeId, hints, attempts, isBackfilled } = due;
  const { access } = work.shop;
  const answer = await api.readOrder(opened, nativeId);
  log({ level: "info", event: "shop_fetched", outcome: answer.answer, attempt: attempts + 1 });
  if (answer.answer === "refused") return "refused";
  const at = now();
  if (answer.answer === "failed") {
    const nextAt = fetchAgainAt(attempts + 1, answer, at);
    const paused = pausedUntil(work.failures + 1, answer, at);
    await shopWork.fail(access, { nativeId, failure: answer.cause, at, nextAt, pausedUntil: paused });
    return paused === undefined ? "answered" : "paused";
  }
  const fetched: Fetched = {
    ...{ nativeId, hints, at, ...(isBackfilled ? { isBackfilled } : {}) },
    ...(answer.answer === "given" ? { documents: answer.value } : {}),
    ...(answer.answer === "gone" && answer.hidesOlderThanMs !== undefined
      ? { hidesOlderThanMs: answer.hidesOlderThanMs }
      : {}),
  };
  const decided = await shopOrders.decideFetched(fetched, work);
  const later = (failure: string, nextAt: Instant) =>
    shopWork.fail(access, { nativeId, failure, at, nextAt });
  const isOver = decided === "nothing" || (decided === "unknown" && isNeverThere(due));
  if (isOver) await shopWork.drop(access, nativeId, hints);
  else if (decided === "unknown") await later("not_found", nextAttemptAt(attempts + 1, at));
  else if (decided === "later") await later("not_decided", nextAttemptAt(attempts + 1, at));
  else if (decided !== "decided") await later("unreadable", at + UNREADABLE_AGAIN_MS);
  return "answered";
}

/**
 * Orders whose documents were mapped under older settings. True if something was done: documents that cannot
 * be decided now hold up nothing else.
 */
async function mapAgain(work: ShopWork, { shopOrders, shopWork, isOver, now }: Run): Promise<boolean> {
  const { access, settingsVersion, url } = work.shop;
  let hasMoved = false;
  for (const idExternal of work.outdated) {
    if (isOver()) return true;
    const decided = await shopOrders.decideStored(idExternal, work);
    if (decided === "later") continue;
    hasMoved = true;
    if (decided === "decided") continue;
    // Lost documents are fetched again where that is possible.
    if (decided === "lost" && url !== undefined) {
      await shopWork.foundChanges(access, [{ nativeId: idExternal }], now());
    }
    await shopWork.markMapped(access, idExternal, settingsVersion);
  }
  return hasMoved;
}

/** From the newest modification seen, less an overlap; the first time from when the shop was connected. */
async function reconcile({ work, api, opened }: Asking, run: Run): Promise<boolean> {
  const { shopWork, now, isOver } = run;
  const { platform, access } = work.shop;
  let since = reconcileFrom(work.seenUntil ?? work.createdAt);
  let isClockKnown = work.seenUntil !== undefined;
  let seenUntil = work.seenUntil;
  let page: string | undefined;
  for (let pages = 0; pages < MOST_PAGES && !isOver(); pages += 1) {
    const listed = await api.listOrders(opened, {
      by: "modified",
      since,
      ...(page === undefined ? {} : { page }),
    });
    if (listed.answer === "refused") return stopped(work, run);
    if (listed.answer !== "given") return failedSearch(failureIn(listed), work, run);
    const { orders, next, shopTime } = listed.value;
    const behindMs = isClockKnown ? 0 : clockBehindMs(shopTime, now());
    isClockKnown = true;
    since -= behindMs;
    if (behindMs > 0) continue;
    await shopWork.foundChanges(access, orders, now());
    // Pages come in the order of modifications, so that what follows is not older.
    for (const { modifiedAt } of orders)
      seenUntil = Math.max(seenUntil ?? 0, Math.min(modifiedAt ?? 0, now()));
    page = next === page ? undefined : next;
    if (page === undefined) break;
  }
  // If pages are left, the next search begins soon, from the newest modification seen.
  const nextAt = page === undefined ? nextReconcileAt(platform, now()) : now() + REST_MS;
  await shopWork.endReconcile(access, { at: now(), nextAt, ...(seenUntil ? { seenUntil } : {}) });
  return true;
}

async function failedSearch(failed: FailedCall, work: ShopWork, { shopWork, now }: Run): Promise<boolean> {
  const at = now();
  await shopWork.failReconcile(work.shop.access, {
    ...{ failure: failed.cause, at },
    nextAt: nextAttemptAt(work.reconcileFailures + 1, at, failed.waitMs),
    pausedUntil: pausedUntil(work.failures + 1, failed, at),
  });
  return true;
}

function nextOf(work: ShopWork, run: Run): Instant | undefined {
  const now = run.now();
  const isCalled = canFetch(work, run);
  // Only a search that a step can bring on: any other time would ring the alarm without end.
  const searchesAt = work.backfill && canStep(work.backfill) ? work.backfill.dueAt : undefined;
  const times = isCalled ? [work.nextFetchAt, work.dueAt, searchesAt] : [work.dueAt];
  const known = times.filter((at) => at !== undefined);
  const mapsAt = canMap(work) ? now + REST_MS : undefined;
  const callsAt = known.length > 0 ? Math.max(Math.min(...known), now, pauseOf(work, isCalled)) : undefined;
  if (mapsAt === undefined || callsAt === undefined) return mapsAt ?? callsAt;
  return Math.min(mapsAt, callsAt);
}

function pauseOf({ pausedUntil: until = 0 }: ShopWork, isCalled: boolean): Instant {
  return isCalled ? until : 0;
}
