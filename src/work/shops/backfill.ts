import type { BackfillStore, SeenOrder } from "../../db/shops/backfill-store.ts";
import type { ShopWork } from "../../db/shops/work-store.ts";
import { instantIn } from "../../domain/order/sent-order.ts";
import type { Instant, TimeZone } from "../../domain/shared/instant.ts";
import { isPassedOver, MOST_LISTED, NO_OUTLOOK, type RunningBackfill } from "../../domain/shop/backfill.ts";
import { nextAttemptAt } from "../../domain/shop/fetching.ts";
import { type OpenedShop, ORDERS_OF_PAGE, type ShopAnswer, type ShopApi } from "../../platform/shop-api.ts";
import type { ShopOrders } from "./shop-orders.ts";

export interface BackfillDeps {
  readonly backfills: BackfillStore;
  readonly shopOrders: ShopOrders;
  /** The zone of the issuer. */
  readonly timeZone: TimeZone;
  readonly now: () => Instant;
  /** The run is over its time: other work of the alarm waits. */
  readonly isOver: () => boolean;
}

interface Asking {
  readonly api: ShopApi;
  readonly opened: OpenedShop;
  readonly work: ShopWork;
}

/** `refused`: the shop does not accept the credentials. */
export type BackfillStep = "moved" | "rests" | "refused";

/** Orders that are looked at before deliveries and fetches get their turn again. */
const LOOKED_AT_ONCE = 10;
const CALLS_AT_ONCE = 2;
const LOOK_AGAIN_MS = 30_000;
/** A delivery can decide a confirmed order whose own fetch waits longer. */
const LOOK_AGAIN_AT_MOST_MS = 3_600_000;

/** Whether there is a step left that the alarm takes: a listed search waits for its owner. */
export function canStep({ state }: RunningBackfill): boolean {
  return state === "listing" || state === "confirmed";
}

/**
 * One step of a backfill: a page of the list, a look at a few orders, or a few confirmed orders for the
 * fetches that decide them. Each ends with one write, so that a crash repeats a step and loses none.
 */
export async function stepBackfill(asking: Asking, deps: BackfillDeps): Promise<BackfillStep> {
  const { backfill } = asking.work;
  if (!backfill || backfill.dueAt === undefined || backfill.dueAt > deps.now()) return "rests";
  switch (backfill.state) {
    case "listing":
      return backfill.isListed ? look(backfill, asking, deps) : listPage(backfill, asking, deps);
    case "confirmed":
      return handOver(backfill, asking.work, deps);
    default:
      return "rests";
  }
}

async function listPage(
  backfill: RunningBackfill,
  asking: Asking,
  deps: BackfillDeps,
): Promise<BackfillStep> {
  const { api, opened } = asking;
  const { backfills, timeZone, now } = deps;
  const { since, page } = backfill;
  const listed = await api.listOrders(opened, {
    by: "created",
    since: instantIn({ local: `${since}T00:00:00` }, timeZone),
    ...(page === undefined ? {} : { page }),
  });
  if (listed.answer !== "given") return failed(listed, backfill, deps);
  const { orders, next } = listed.value;
  // A shop that answers its own page as the next one would be listed without end.
  const hasNext = next !== undefined && next !== page;
  const before = await backfills.countListed();
  const isFull = hasNext && before + orders.length + ORDERS_OF_PAGE > MOST_LISTED;
  const nativeIds = orders.map(({ nativeId }) => nativeId);
  await backfills.keepPage(backfill, { nativeIds, isFull, ...(hasNext ? { next } : {}) }, now());
  return "moved";
}

async function look(backfill: RunningBackfill, asking: Asking, deps: BackfillDeps): Promise<BackfillStep> {
  const { backfills, isOver } = deps;
  const ids = await backfills.unseen(LOOKED_AT_ONCE);
  if (ids.length === 0) {
    await backfills.endListing(backfill);
    return "moved";
  }
  const seen: SeenOrder[] = [];
  const failures: (readonly [nativeId: string, answer: Failure])[] = [];
  for (let next = 0; next < ids.length && (next === 0 || !isOver()); next += CALLS_AT_ONCE) {
    const some = ids.slice(next, next + CALLS_AT_ONCE);
    const looks = await Promise.all(some.map((nativeId) => lookAt(nativeId, asking, deps)));
    looks.forEach((one, index) => {
      if ("would" in one) seen.push(one);
      else failures.push([some[index] ?? "", one]);
    });
    // After a failure the shop may be down: the remaining orders wait for the next step.
    if (failures.length > 0) break;
  }
  return keepLooks(backfill, { seen, failures }, deps);
}

type Failure =
  | Extract<ShopAnswer<never>, { readonly answer: "failed" | "refused" }>
  /** The ledger cannot decide now. */
  | { readonly answer: "later" };

async function lookAt(
  nativeId: string,
  { api, opened, work }: Asking,
  { shopOrders }: BackfillDeps,
): Promise<SeenOrder | Failure> {
  const answer = await api.readOrder(opened, nativeId);
  if (answer.answer === "gone") return { nativeId, would: "gone", outlook: NO_OUTLOOK };
  if (answer.answer !== "given") return answer;
  const outlook = await shopOrders.preview(answer.value, work);
  return outlook === "later" ? { answer: "later" } : { nativeId, ...outlook };
}

interface Looks {
  readonly seen: readonly SeenOrder[];
  readonly failures: readonly (readonly [nativeId: string, failure: Failure])[];
}

async function keepLooks(
  backfill: RunningBackfill,
  { seen, failures }: Looks,
  deps: BackfillDeps,
): Promise<BackfillStep> {
  const { backfills } = deps;
  const passed = isPassedOver(backfill.attempts, seen.length > 0);
  const given = failures.flatMap(([nativeId, failure]): readonly SeenOrder[] =>
    passed && failure.answer === "failed"
      ? [{ nativeId, would: "unreadable", outlook: { ...NO_OUTLOOK, failure: failure.cause } }]
      : [],
  );
  const kept = [...seen, ...given];
  const [[, first] = []] = failures;
  const isAllKept = kept.length === seen.length + failures.length;
  if (kept.length > 0) await backfills.keepSeen(backfill, { seen: kept, isWhole: isAllKept });
  if (first === undefined || isAllKept) return "moved";
  const refused = failures.find(([, { answer }]) => answer === "refused")?.[1];
  return failed(refused ?? first, backfill, deps);
}

async function failed(
  failure: Failure | { readonly answer: "gone" },
  backfill: RunningBackfill,
  { backfills, now }: BackfillDeps,
): Promise<BackfillStep> {
  if (failure.answer === "refused") return "refused";
  const waitMs = failure.answer === "failed" ? failure.waitMs : undefined;
  const cause = failure.answer === "failed" ? failure.cause : failure.answer;
  const nextAt = nextAttemptAt(backfill.attempts + 1, now(), waitMs);
  await backfills.fail(backfill, { failure: cause, nextAt });
  return "rests";
}

/** Confirmed orders are fetched like those of a delivery, and the fetched document decides. */
async function handOver(
  backfill: RunningBackfill,
  { nextFetchAt = 0 }: ShopWork,
  { backfills, now }: BackfillDeps,
): Promise<BackfillStep> {
  const { settled, handed, isOpen } = await backfills.handOver(backfill, now());
  if (!isOpen) {
    await backfills.end(backfill);
    return "moved";
  }
  if (settled + handed > 0) return "moved";
  const at = now();
  const fetchAt = Math.min(nextFetchAt, at + LOOK_AGAIN_AT_MOST_MS);
  await backfills.wait(backfill, Math.max(at + LOOK_AGAIN_MS, fetchAt));
  return "rests";
}
