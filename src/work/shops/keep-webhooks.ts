import type { WebhookTask, WebhookTaskStore, WebhookWork } from "../../db/shops/webhook-store.ts";
import { type StoreCallsDeps, timely } from "../../db/store-calls.ts";
import type { AddressPlace } from "../../domain/connection/shop-address.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import {
  type ConnectedShop,
  checkShopUrl,
  type RemovedShop,
  type ShopUrlPolicy,
  signsWithOwnSecret,
} from "../../domain/shop/connected-shop.ts";
import { nextAttemptAt } from "../../domain/shop/fetching.ts";
import type { ShopPlatform } from "../../domain/shop/presets.ts";
import {
  planWebhooks,
  REMOVAL_GIVEN_UP_MS,
  type ShopWebhook,
  type WebhookStep,
  webhookTopics,
} from "../../domain/shop/webhooks.ts";
import type { OpenedShop, ShopAnswer, ShopApis, WebhookApi } from "../../platform/shop-api.ts";
import type { Vault } from "../../platform/vault.ts";
import { openShop } from "./shop-work.ts";

/** Addresses of this service at which shops deliver; the server's secrets make their tags. */
export interface ShopAddresses {
  /** The last part of the address of this connection. */
  of(platform: ShopPlatform, nonce: string): string;
  /** Undefined for an address that is none of this service's. */
  placeOf(platform: ShopPlatform, address: string): AddressPlace | undefined;
}

export interface WebhookTaskDeps extends StoreCallsDeps {
  readonly connectionId: string;
  readonly webhookTasks: WebhookTaskStore;
  readonly addresses: ShopAddresses;
  readonly shopApis: ShopApis;
  readonly vault: Vault;
  /** Undefined while the deployment's own hosts are unknown: no shop is called. */
  readonly shopPolicy: ShopUrlPolicy | undefined;
  readonly now: () => Instant;
  readonly log: (line: object) => void;
}

/**
 * Makes, changes and removes webhooks at shops until they are as their owners want them. The shop's own list
 * says what is left, so that a run after a crash makes none twice. Answers when the next task is due.
 */
export async function doWebhookTasks(deps: WebhookTaskDeps): Promise<Instant | undefined> {
  const webhookTasks = timely(deps.webhookTasks, deps);
  const run = { ...deps, webhookTasks };
  const work = await webhookTasks.readWork(deps.now());
  // The sweep asks again for what stays due.
  if (work.isFrozen || !deps.shopPolicy) return undefined;
  for (const task of work.due) await doTask(task, work, run);
  if (work.due.length === 0) return work.nextAt;
  return (await webhookTasks.readWork(deps.now())).nextAt;
}

async function doTask(task: WebhookTask, work: WebhookWork, deps: WebhookTaskDeps): Promise<void> {
  const { webhookTasks, now, log } = deps;
  const isRemoval = task.removed !== undefined;
  const answer = isRemoval ? await remove(task.removed, deps) : await keep(task, work.shop, deps);
  log({
    level: "info",
    event: isRemoval ? "shop_webhooks_removed" : "shop_webhooks",
    outcome: answer.answer,
  });
  if (answer.answer === "given") {
    return isRemoval ? webhookTasks.drop(task) : webhookTasks.settle(task, now());
  }
  // Credentials that are refused now will remove nothing later.
  const isGivenUp = answer.answer === "refused" || now() - task.begunAt >= REMOVAL_GIVEN_UP_MS;
  if (isRemoval && isGivenUp) return webhookTasks.drop(task);
  if (answer.answer === "refused") return webhookTasks.fail(task, { failure: "refused" });
  const waitMs = answer.answer === "failed" ? answer.waitMs : undefined;
  const failure = answer.answer === "failed" ? answer.cause : answer.answer;
  return webhookTasks.fail(task, { failure, nextAt: nextAttemptAt(task.attempts + 1, now(), waitMs) });
}

type Outcome = ShopAnswer<object>;

const DONE: Outcome = { answer: "given", value: {} };

async function keep(
  { apiUrl }: WebhookTask,
  shop: ConnectedShop | undefined,
  deps: WebhookTaskDeps,
): Promise<Outcome> {
  // Without access nothing can be kept; another access asks for it again.
  if (!shop || shop.url === undefined || apiUrl === undefined) return DONE;
  const opened = await openAllowed(shop, deps);
  const api = deps.shopApis[shop.platform].webhooks;
  if (!opened || !api) return { answer: "refused" };
  const secret = shop.secret && (await deps.vault.open("secret", shop.secret));
  const hasSecret = !signsWithOwnSecret(shop.platform);
  if (hasSecret && secret === undefined) return { answer: "refused" };
  const { platform, nonce } = shop;
  const url = `${apiUrl.replace(/\/$/, "")}/v1/shops/${platform}/${deps.addresses.of(platform, nonce)}`;
  const listed = await api.list(opened);
  if (listed.answer !== "given") return listed;
  const ours = listed.value.filter((webhook) => placeOf(webhook, platform, deps) !== undefined);
  const steps = planWebhooks(ours, { url, topics: webhookTopics(platform), hasSecret });
  const target = { url, ...(hasSecret && secret !== undefined ? { secret } : {}) };
  return inTurn(steps, (step) => {
    switch (step.do) {
      case "create":
        return api.create(opened, { ...target, topic: step.topic });
      case "change":
        return api.change(opened, step.id, { ...target, topic: step.topic });
      default:
        return gone(api, opened, step.id);
    }
  });
}

async function remove(removed: RemovedShop, deps: WebhookTaskDeps): Promise<Outcome> {
  const { platform, nonce, previousNonce } = removed;
  const opened = await openAllowed(removed, deps);
  const api = deps.shopApis[platform].webhooks;
  if (!opened || !api) return { answer: "refused" };
  const listed = await api.list(opened);
  if (listed.answer !== "given") return listed;
  // A shop that is connected again has another address, and keeps its webhooks.
  const addresses = new Set([nonce, previousNonce]);
  const theirs = listed.value.filter((webhook) => {
    const place = placeOf(webhook, platform, deps);
    return place !== undefined && addresses.has(place.nonce);
  });
  const steps = theirs.map(({ id }): WebhookStep => ({ do: "remove", id }));
  return inTurn(steps, (step) => ("id" in step ? gone(api, opened, step.id) : Promise.resolve(DONE)));
}

/** A webhook that is not there any longer is removed. */
async function gone(api: WebhookApi, shop: OpenedShop, id: string): Promise<Outcome> {
  const removed = await api.remove(shop, id);
  return removed.answer === "gone" ? DONE : removed;
}

/** The first failure ends it: the next run lists again what is left. */
async function inTurn(
  steps: readonly WebhookStep[],
  call: (step: WebhookStep) => Promise<Outcome>,
): Promise<Outcome> {
  for (const step of steps) {
    const answer = await call(step);
    if (answer.answer !== "given") return answer;
  }
  return DONE;
}

function placeOf(
  { url }: ShopWebhook,
  platform: ShopPlatform,
  { addresses, connectionId }: WebhookTaskDeps,
): AddressPlace | undefined {
  const place = addresses.placeOf(platform, url.split("/").at(-1) ?? "");
  return place?.connectionId === connectionId ? place : undefined;
}

async function openAllowed(
  shop: Pick<ConnectedShop, "platform" | "url" | "credentials">,
  { shopPolicy, vault }: WebhookTaskDeps,
): Promise<OpenedShop | undefined> {
  const { platform, url } = shop;
  // Checked again, because the allowed addresses may have changed.
  if (url === undefined || !shopPolicy || !checkShopUrl(platform, url, shopPolicy).ok) return undefined;
  return openShop(shop, { vault });
}
