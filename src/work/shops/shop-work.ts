import type { DueFetch, ShopWork, ShopWorkStore } from "../../db/shops/work-store.ts";
import { type StoreCallsDeps, timely } from "../../db/store-calls.ts";
import { isSameValue } from "../../domain/shared/hash.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { ConnectedShop } from "../../domain/shop/connected-shop.ts";
import { checkShopUrl, type ShopUrlPolicy } from "../../domain/shop/connected-shop.ts";
import { tablesFrom } from "../../domain/shop/documents.ts";
import {
  nextAttemptAt,
  nextReconcileAt,
  reconcileFrom,
  TABLES_FRESH_MS,
} from "../../domain/shop/fetching.ts";
import { prestashopPreset, type StatusMap } from "../../domain/shop/presets.ts";
import type { OpenedShop, ShopAnswer, ShopApi, ShopApis } from "../../platform/shop-api.ts";
import type { Vault } from "../../platform/vault.ts";
import { type BackfillDeps, stepBackfill } from "./backfill.ts";
import type { Fetched, ShopOrders } from "./shop-orders.ts";

export interface ShopWorkDeps extends StoreCallsDeps, Pick<BackfillDeps, "backfills" | "timeZone"> {
  /** Takes the preset of the shop's own states, unless its owner has a map of his own. */
  readonly adoptStatuses: (statuses: StatusMap) => Promise<void>;
  readonly shopWork: ShopWorkStore;
  readonly shopApis: ShopApis;
  readonly vault: Vault;
  /** Decides fetched and stored documents in the connection's queue. */
  readonly shopOrders: ShopOrders;
  /** Undefined while the deployment's own hosts are unknown: no shop is called. */
  readonly shopPolicy: ShopUrlPolicy | undefined;
  readonly now: () => Instant;
  /** Neither address nor secret nor anything that the shop has said. */
  readonly log: (line: object) => void;
}

/** Other work of the alarm waits for the end of a run. */
const BUDGET_MS = 15_000;
const AT_ONCE = 2;
const READ_AT_ONCE = 20;
const REST_MS = 30_000;
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
    if (!hasMoved) return nextOf(work, deps.now());
    if (run.isOver()) return deps.now();
    work = await shopWork.readWork(deps.now(), READ_AT_ONCE);
  }
  return undefined;
}

/** True if something was done, so that there may be more. */
async function doSome(work: ShopWork, run: Run): Promise<boolean> {
  if (work.outdated.length > 0) return mapAgain(work, run);
  const { shop, due, dueAt } = work;
  const isDue = dueAt !== undefined && dueAt <= run.now();
  if (!canFetch(work, run)) {
    if (isDue) await run.shopWork.settleDue(undefined);
    return isDue;
  }
  const opened = await openShop(shop, run);
  if (!opened) {
    await run.shopWork.refuseCredentials(run.now());
    return true;
  }
  const api = run.shopApis[shop.platform];
  if (!areFresh(work, run.now())) {
    const tables = await api.readTables(opened);
    if (tables.answer === "refused") return stopped(run);
    if (tables.answer === "given") await keepTables(work, tables.value, run);
    else if (work.tables === undefined) return failed(tables, work, run);
    // Older tables serve until the shop answers again.
    if (tables.answer === "given") return true;
  }
  if (due.length > 0) return fetchAll(due, { api, opened, work }, run);
  if (isDue) return reconcile(work, api, opened, run);
  const step = await stepBackfill({ api, opened, work }, run);
  return step === "refused" ? stopped(run) : step === "moved";
}

/** The tables of an earlier answer stay if the states cannot be taken over now. */
async function keepTables({ shop }: ShopWork, tables: object, run: Run): Promise<void> {
  const text = JSON.stringify(tables);
  const { orderStates } = tablesFrom(text);
  if (shop.platform === "prestashop" && orderStates && !shop.settings.areStatusesOwn) {
    const preset = prestashopPreset(orderStates);
    if (!isSameValue(preset, shop.settings.statuses)) await run.adoptStatuses(preset);
  }
  await run.shopWork.keepTables(text, run.now());
}

function canFetch({ shop, credentialsRefused }: ShopWork, { shopPolicy }: Run): boolean {
  if (shop.url === undefined || credentialsRefused || !shopPolicy) return false;
  // Checked again, because the allowed addresses may have changed.
  return checkShopUrl(shop.platform, shop.url, shopPolicy).ok;
}

function areFresh({ tablesAt }: ShopWork, now: Instant): boolean {
  return tablesAt !== undefined && now - tablesAt < TABLES_FRESH_MS;
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

async function stopped({ shopWork, now, log }: Run): Promise<boolean> {
  await shopWork.refuseCredentials(now());
  log({ level: "warning", event: "shop_credentials_refused" });
  return true;
}

/** Nothing can be fetched before the shop has said what its ids mean: it is asked again later. */
async function failed(
  answer: ShopAnswer<unknown>,
  { shop, reconcileFailures, due }: ShopWork,
  { shopWork, now }: Run,
): Promise<boolean> {
  const at = now();
  const { cause, waitMs } = failureIn(answer);
  const nextAt = nextAttemptAt(reconcileFailures + 1, at, waitMs);
  await shopWork.failReconcile({ failure: cause, nextAt });
  for (const { nativeId, hints, attempts } of due) {
    const again = nextAttemptAt(attempts + 1, at, waitMs);
    await shopWork.fail({ nativeId, hints, failure: cause, at, nextAt: again });
  }
  return shop.url !== undefined;
}

function failureIn(answer: ShopAnswer<unknown>): { readonly cause: string; readonly waitMs: number } {
  if (answer.answer === "failed") return { cause: answer.cause, waitMs: answer.waitMs ?? 0 };
  return { cause: answer.answer, waitMs: 0 };
}

interface Fetching {
  readonly api: ShopApi;
  readonly opened: OpenedShop;
  readonly work: ShopWork;
}

/** Two at once; the first refusal of the credentials ends it. */
async function fetchAll(due: readonly DueFetch[], fetching: Fetching, run: Run): Promise<boolean> {
  for (let next = 0; next < due.length && !run.isOver(); next += AT_ONCE) {
    const some = due.slice(next, next + AT_ONCE);
    const answers = await Promise.all(some.map((one) => fetchOne(one, fetching, run)));
    if (answers.includes("refused")) return stopped(run);
  }
  return true;
}

async function fetchOne(
  { nativeId, hints, attempts }: DueFetch,
  { api, opened, work }: Fetching,
  { shopWork, shopOrders, now, log }: Run,
): Promise<ShopAnswer<unknown>["answer"]> {
  const answer = await api.readOrder(opened, nativeId);
  log({ level: "info", event: "shop_fetched", outcome: answer.answer, attempt: attempts + 1 });
  if (answer.answer === "refused") return "refused";
  const at = now();
  const later = (failure: string, waitMs = 0) =>
    shopWork.fail({ nativeId, hints, failure, at, nextAt: nextAttemptAt(attempts + 1, at, waitMs) });
  if (answer.answer === "failed") {
    await later(answer.cause, answer.waitMs);
    return "failed";
  }
  const fetched: Fetched = {
    ...{ nativeId, hints, at },
    ...(answer.answer === "given" ? { documents: answer.value } : {}),
  };
  const decided = await shopOrders.decideFetched(fetched, work);
  if (decided === "nothing") await shopWork.drop(nativeId, hints);
  else if (decided === "later") await later("not_decided");
  else if (decided === "unreadable") await later("unreadable");
  return answer.answer;
}

/** Of orders whose documents were read with an older map of statuses or older keys. */
async function mapAgain(work: ShopWork, { shopOrders, shopWork, isOver }: Run): Promise<boolean> {
  const { settingsVersion } = work.shop;
  for (const idExternal of work.outdated) {
    if (isOver()) return true;
    const decided = await shopOrders.decideStored(idExternal, work);
    if (decided === "later") return false;
    if (decided !== "decided") await shopWork.markMapped(idExternal, settingsVersion);
  }
  return true;
}

/** From the newest modification seen, less an overlap; the first time from when the shop was connected. */
async function reconcile(work: ShopWork, api: ShopApi, opened: OpenedShop, run: Run): Promise<boolean> {
  const { shopWork, now, isOver } = run;
  const { platform } = work.shop;
  const since = reconcileFrom(work.seenUntil ?? work.createdAt);
  let seenUntil = work.seenUntil;
  let page: string | undefined;
  for (let pages = 0; pages < MOST_PAGES && !isOver(); pages += 1) {
    const listed = await api.listOrders(opened, {
      by: "modified",
      since,
      ...(page === undefined ? {} : { page }),
    });
    if (listed.answer === "refused") return stopped(run);
    if (listed.answer !== "given") return failed(listed, { ...work, due: [] }, run);
    const { orders, next } = listed.value;
    await shopWork.foundChanges(orders, now());
    for (const { modifiedAt } of orders)
      seenUntil = Math.max(seenUntil ?? 0, Math.min(modifiedAt ?? 0, now()));
    page = next === page ? undefined : next;
    if (page === undefined) break;
  }
  // What was not listed yet is found from there by the next search, which then begins at once.
  const nextAt = page === undefined ? nextReconcileAt(platform, now()) : now() + REST_MS;
  await shopWork.endReconcile({ at: now(), nextAt, ...(seenUntil ? { seenUntil } : {}) });
  return true;
}

function nextOf(work: ShopWork, now: Instant): Instant | undefined {
  if (work.outdated.length > 0) return now + REST_MS;
  const isFetching = work.shop.url !== undefined && !work.credentialsRefused;
  const times = isFetching ? [work.nextFetchAt, work.dueAt, work.backfill?.dueAt] : [work.dueAt];
  const known = times.filter((at) => at !== undefined);
  return known.length > 0 ? Math.max(Math.min(...known), now) : undefined;
}
