/** The stand-in shops: one of each platform under its name, and their control. */
import { control } from "./control.ts";
import { type DeliveryDeps, deliveriesOf } from "./deliveries.ts";
import { bucketOf } from "./limits.ts";
import { magento } from "./magento.ts";
import { type Answered, type Misbehaviour, wrongAnswer } from "./misbehave.ts";
import { prestaShop } from "./prestashop.ts";
import {
  type Call,
  isPlatform,
  json,
  PLATFORMS,
  type Platform,
  Refusal,
  type Shop,
  type ShopDeps,
  type Webhook,
} from "./shop.ts";
import { shopify } from "./shopify/shopify.ts";
import type { ShopStore } from "./store.ts";
import { wooCommerce } from "./woocommerce.ts";

/** The access to a shop, and the addresses at which it delivers from the start. */
export interface ShopConfig {
  readonly credentials: Readonly<Record<string, string>>;
  readonly webhooks: readonly Omit<Webhook, "id">[];
}

export interface ShopsDeps extends DeliveryDeps {
  /** Base URL of all shops. */
  readonly url: string;
  readonly configs: Readonly<Record<Platform, ShopConfig>>;
  readonly storeOf: (platform: Platform) => ShopStore;
}

const MAKERS: Readonly<Record<Platform, (deps: ShopDeps) => Shop>> = {
  ...{ woocommerce: wooCommerce, shopify, prestashop: prestaShop, magento },
};
/** Twice what a careful caller asks for; Shopify counts points instead. */
const CALLS_PER_SECOND: Readonly<Record<Platform, number>> = {
  ...{ woocommerce: 8, shopify: 40, prestashop: 4, magento: 8 },
};
const MOST_REQUESTS = 2_000;

interface Seen {
  readonly at: string;
  readonly platform: string;
  readonly method: string;
  readonly path: string;
  status: number;
}

interface Standing {
  readonly platform: Platform;
  readonly shop: Shop;
  readonly deliver: ReturnType<typeof deliveriesOf>;
  readonly bucket: ReturnType<typeof bucketOf>;
  /** Acts as if it were that time: the shop dates its documents by it. */
  readonly asOf: <Value>(at: number, act: () => Value) => Value;
  misbehaviour: Misbehaviour;
}

export function createShops(deps: ShopsDeps): (request: Request) => Promise<Answered> {
  const seen: Seen[] = [];
  const shops = new Map(PLATFORMS.map((platform) => [platform, standing(platform, deps)]));
  const note = (entry: Seen) => {
    seen.push(entry);
    if (seen.length > MOST_REQUESTS) seen.shift();
  };
  return async (request) => {
    const url = new URL(request.url);
    const [, name = "", first] = url.pathname.split("/");
    if (name === "requests" && request.method === "GET") {
      const of = url.searchParams.get("platform");
      return json({ requests: seen.filter(({ platform }) => of === null || platform === of) });
    }
    if (!isPlatform(name)) return unknown(request, url, note, deps);
    const shop = shops.get(name);
    if (!shop) return unknown(request, url, note, deps);
    const path = url.pathname.slice(name.length + 1);
    const { method, headers } = request;
    const call: Call = { method, path, query: url.searchParams, headers, text: await request.text() };
    if (first === "_sandbox") {
      if (isForeign(headers))
        return json({ error: "loopback_only", message: "Call it from this machine." }, 403);
      return control({ ...call, path: path.slice("/_sandbox".length) }, controlDeps(shop, deps));
    }
    const entry = {
      ...{ at: new Date(deps.now()).toISOString(), platform: name, method },
      path: shown(url),
      status: 0,
    };
    note(entry);
    const answer = answered(call, shop, deps);
    entry.status = answer === "cut" ? 0 : answer.status;
    return answer;
  };
}

function standing(platform: Platform, deps: ShopsDeps): Standing {
  const url = `${deps.url}/${platform}`;
  let earlier: number | undefined;
  const shop = MAKERS[platform]({
    ...{
      url,
      now: () => earlier ?? deps.now(),
      store: deps.storeOf(platform),
      credentials: deps.configs[platform].credentials,
    },
    ping(to, form) {
      const headers = { "Content-Type": "application/x-www-form-urlencoded" };
      deps.fetch(to, { method: "POST", headers, body: form, redirect: "manual" }).catch(() => undefined);
    },
  });
  const perSecond = CALLS_PER_SECOND[platform];
  return {
    ...{ platform, shop, deliver: deliveriesOf(platform, url, shop, deps) },
    bucket: bucketOf({ size: perSecond, perSecond, now: deps.now }),
    asOf(at, act) {
      earlier = at;
      try {
        return act();
      } finally {
        earlier = undefined;
      }
    },
    misbehaviour: { status: 0, times: 0 },
  };
}

function controlDeps(shop: Standing, { configs }: ShopsDeps) {
  return {
    ...shop,
    endpoints: configs[shop.platform].webhooks.map((webhook, index) => ({
      ...webhook,
      id: String(index + 1),
    })),
    misbehave(misbehaviour: Misbehaviour) {
      shop.misbehaviour = misbehaviour;
    },
  };
}

function answered(call: Call, shop: Standing, { url }: ShopsDeps): Answered {
  const { status, times } = shop.misbehaviour;
  if (times > 0) {
    shop.misbehaviour = { status, times: times - 1 };
    return wrongAnswer(status, url);
  }
  if (shop.bucket.left() < 1) return json({ message: "Too Many Requests" }, 429, { "Retry-After": "1" });
  shop.bucket.take(1);
  try {
    return shop.shop.answer(call);
  } catch (error) {
    if (error instanceof Refusal) return error.response;
    if (error instanceof URIError) return json({ message: "Bad Request" }, 400);
    throw error;
  }
}

/** What was asked, without the credentials that WooCommerce takes in the query. */
function shown({ pathname, search }: URL): string {
  return decoded(pathname + search.replace(/(consumer_key|consumer_secret|ws_key)=[^&]*/g, "$1=..."));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A page of another site, or a name that leads here: neither may change what the shops have. */
function isForeign(headers: Headers): boolean {
  const origin = headers.get("Origin");
  const hosts = [headers.get("Host"), origin === null ? null : origin.replace(/^https?:\/\//, "")];
  return hosts.some((host) => host !== null && !/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(host));
}

function unknown({ method }: Request, url: URL, note: (entry: Seen) => void, deps: ShopsDeps): Response {
  note({ at: new Date(deps.now()).toISOString(), platform: "", method, path: shown(url), status: 404 });
  const message =
    `Stand-in shops: ${PLATFORMS.map((platform) => `${deps.url}/${platform}`).join(", ")}. ` +
    "Control: PUT and DELETE /{platform}/_sandbox/{resource}/{id}, POST /{platform}/_sandbox/deliver, " +
    "POST /{platform}/_sandbox/misbehave, GET /requests.";
  return json({ error: "not_found", message }, 404);
}
