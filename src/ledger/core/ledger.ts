import type { LedgerState } from "../../db/ledger-state.ts";
import { readOrRefuse, type StoreCallsDeps, waitsForOperator } from "../../db/store-calls.ts";
import type { WebhookStore } from "../../db/webhooks/webhook-reads.ts";
import { OPERATOR } from "../../domain/connection/activity-areas.ts";
import { type Instant, localTime } from "../../domain/shared/instant.ts";
import type { StatusMap } from "../../domain/shop/presets.ts";
import { AT_REST, type DueWorkDeps, doDueWork } from "../../work/due-work.ts";
import { doWebhookTasks } from "../../work/shops/keep-webhooks.ts";
import { doShop } from "../../work/shops/shop-work.ts";
import { accessCalls } from "../access/access-calls.ts";
import { recordCalls } from "../corrections/record-calls.ts";
import { shopOrders } from "../deliveries/fetched-orders.ts";
import { deliveryCalls } from "../deliveries/receive-delivery.ts";
import { shopTestCalls } from "../deliveries/test-shop.ts";
import { issueCalls } from "../issue/issue-calls.ts";
import { mailCalls, readMailed } from "../mailing/mail-calls.ts";
import { orderCalls } from "../orders/order-calls.ts";
import { answerQuestions } from "../orders/question-work.ts";
import { beginRun, readAhead, releaseChunk } from "../orders/settle-orders.ts";
import type { BookReads, LedgerCalls } from "../rpc.ts";
import { shopCalls } from "../shop/shop-calls.ts";
import { LedgerCore, type LedgerDeps } from "./core.ts";
import { callbackBook, OwnerVerbs } from "./owner-verbs.ts";
import type { QueueRefusal } from "./queue.ts";

/** The books of one connection. The Durable Object is a shell around them. */
export interface Ledger extends Omit<LedgerCalls, keyof BookReads> {
  /**
   * Does all work that is due when the object's alarm fires. It never throws: it returns the instant of the
   * next run, also after a failure. Undefined when no work is left.
   */
  wake(): Promise<Instant | undefined>;
}

export function openLedger(deps: LedgerDeps): Ledger {
  const core = new LedgerCore(deps);
  const runExclusive = <T extends object>(act: () => Promise<T>) => core.runExclusive(act);
  const owner = new OwnerVerbs({ ...core.deps, runExclusive });
  const book = callbackBook({ ...core.deps, owner, runExclusive });
  return {
    ...issueCalls(core),
    ...orderCalls(core),
    ...shopCalls(core),
    ...accessCalls(core),
    ...recordCalls(core),
    ...mailCalls(core),
    ...deliveryCalls(core),
    ...shopTestCalls(core, owner),
    ...webhookCalls(deps),
    act: (_, userId, request) => owner.act(userId, request),
    wake: () =>
      core.clock.run(async () => {
        // Confirm the batch in flight first: the run then reads the work that it created.
        const confirmed = await core.runExclusive(async () => ({ state: await core.cache.confirm() }));
        if ("outcome" in confirmed && confirmed.outcome === "unavailable" && waitsForOperator(confirmed))
          return AT_REST;
        const run = beginRun();
        const release = async () => {
          const ahead = await core.guarded(async () => ({ read: await readAhead(core.deps, run) }));
          if ("outcome" in ahead) return ahead;
          return core.runExclusive(() => releaseChunk(core.deps, run, ahead.read));
        };
        const ofShop = () => workOnShop(core, owner, confirmed);
        const answer = () => answerQuestions(core, owner);
        return doDueWork({
          ...{ ...deps, release, answer, book, findDue: () => findDue(core, confirmed), doShop: ofShop },
          readMailed: (invoiceIds) => readMailed(core, invoiceIds),
        });
      }),
  };
}

/** Undefined if the state is not known. Without consent the queue must read it again. */
async function findDue(
  core: LedgerCore,
  confirmed: { readonly state: LedgerState } | { readonly outcome: string },
): ReturnType<DueWorkDeps["findDue"]> {
  if (!("state" in confirmed)) return undefined;
  const { settings, selling } = confirmed.state;
  const { date: today } = localTime(core.deps.now(), settings.timeZone);
  return core.guarded(async () => {
    const found = await core.cache.findDueWork({ cutoffDate: selling.cutoffDate, today });
    const isCurrent = settings.consented && found.settingsVersion === settings.version;
    const due = { callbackDueAt: found.callbackDueAt, mailDueAt: found.mailDueAt };
    const { hasQuestions } = found;
    return { hasQuestions, hasOrders: !isCurrent || found.hasDueOrders, ...due };
  });
}

type Confirmed = { readonly state: LedgerState } | QueueRefusal;

/** Nothing is read for a connection without a shop. */
async function workOnShop(
  core: LedgerCore,
  owner: OwnerVerbs,
  confirmed: Confirmed,
): Promise<Instant | undefined> {
  if ("state" in confirmed && !confirmed.state.hasShop) return undefined;
  const { shops, callbackPolicy } = core.deps;
  const { sandbox } = shops;
  const deps = {
    ...{ ...core.deps, ...shops },
    ...{ shopWork: shops.work, shopApis: shops.apis, shopOrders: shopOrders(core, shops) },
    shopPolicy: callbackPolicy && { ownHosts: callbackPolicy.ownHosts, sandbox },
    timeZone: "state" in confirmed ? confirmed.state.settings.timeZone : DEFAULT_ZONE,
    adoptStatuses: async (access: string, statuses: StatusMap) => {
      await owner.act(OPERATOR, { verb: "adopt_shop_statuses", access, statuses });
    },
  };
  const times = await Promise.all([doShop(deps), doWebhookTasks(deps)]);
  const known = times.filter((at) => at !== undefined);
  return known.length > 0 ? Math.min(...known) : undefined;
}

/** Only while the books cannot be read, and then nothing is decided. */
const DEFAULT_ZONE = "Europe/Madrid";

interface WebhookLogDeps extends StoreCallsDeps {
  readonly store: { readonly webhooks: Pick<WebhookStore, "list" | "listDeliveries"> };
}

const LONGEST_PAGE = 100;

/** The owner reads webhooks and their deliveries outside the queue. */
export function webhookCalls(
  deps: WebhookLogDeps,
): Pick<LedgerCalls, "listWebhooks" | "listWebhookDeliveries"> {
  const { webhooks } = deps.store;
  return {
    listWebhooks: () =>
      readOrRefuse(async () => ({ outcome: "found", webhooks: await webhooks.list() }) as const, deps),
    listWebhookDeliveries(_, query) {
      const limit = Math.max(1, Math.min(Math.trunc(query.limit) || 1, LONGEST_PAGE));
      const read = async () => {
        const page = await webhooks.listDeliveries({ ...query, limit });
        return { outcome: "found", page } as const;
      };
      return readOrRefuse(read, deps);
    },
  };
}
