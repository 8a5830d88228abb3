/** The stand-in shops in this process, on a clock of the test. */
import { PLATFORMS, type Platform } from "../../../src/sandbox/shops/shop.ts";
import { createShops, type ShopConfig } from "../../../src/sandbox/shops/shops.ts";
import { openStores } from "../../../src/sandbox/shops/store.ts";

export const STAND_IN = "http://127.0.0.1:8790";
export const NOON = Date.UTC(2026, 10, 27, 12);

export const CREDENTIALS: Readonly<Record<Platform, Readonly<Record<string, string>>>> = {
  woocommerce: { consumer_key: "ck_test", consumer_secret: "cs_test" },
  shopify: { client_id: "client", secret: "shpss_test" },
  prestashop: { key: "KEYOFTHEWEBSERVICE" },
  magento: { token: "token-of-integration" },
};

interface Posted {
  readonly url: string;
  readonly headers: Headers;
  readonly text: string;
}

interface StandInOptions {
  readonly webhooks?: ShopConfig["webhooks"];
  /** How the receivers of webhooks answer. */
  readonly receive?: (posted: Posted) => Response | Promise<Response>;
  readonly journal?: string;
}

export interface StandIn {
  now: number;
  /** Sent to receivers of webhooks. */
  readonly posted: Posted[];
  /** Repeats that wait, with their delay. */
  readonly later: { readonly delayMs: number; readonly callback: () => void }[];
  /** A call as the product makes it. */
  fetch(url: string, init?: RequestInit): Promise<Response>;
  put(path: string, document: unknown): Promise<Response>;
  remove(path: string): Promise<Response>;
  deliver(platform: Platform, order: object): Promise<Response>;
  misbehave(platform: Platform, order: object): Promise<Response>;
}

export function standIn({ webhooks = [], receive, journal }: StandInOptions = {}): StandIn {
  const posted: Posted[] = [];
  const later: StandIn["later"] = [];
  const stand = { now: NOON };
  const shops = createShops({
    url: STAND_IN,
    storeOf: openStores(journal),
    now: () => stand.now,
    configs: configsWith(webhooks),
    later: (delayMs, callback) => void later.push({ delayMs, callback }),
    async fetch(url, { headers, body }) {
      const sent = { url, headers: new Headers(headers), text: String(body) };
      posted.push(sent);
      return (await receive?.(sent)) ?? Response.json({ success: true });
    },
  });
  const call = async (path: string, init: RequestInit) => {
    const answer = await shops(new Request(path.startsWith("http") ? path : `${STAND_IN}${path}`, init));
    if (answer === "cut") throw new TypeError("fetch failed");
    return answer;
  };
  const post = (path: string, body: object) =>
    call(path, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "Content-Type": "application/json" },
    });
  return Object.assign(stand, {
    ...{ posted, later },
    // A turn of the clock between two calls keeps them within the shop's pace.
    fetch(url: string, init: RequestInit = {}) {
      stand.now += 1_000;
      return call(url, init);
    },
    put: (path: string, document: unknown) =>
      call(path, { method: "PUT", body: typeof document === "string" ? document : JSON.stringify(document) }),
    remove: (path: string) => call(path, { method: "DELETE" }),
    deliver: (platform: Platform, order: object) => post(`/${platform}/_sandbox/deliver`, order),
    misbehave: (platform: Platform, order: object) => post(`/${platform}/_sandbox/misbehave`, order),
  });
}

function configsWith(webhooks: ShopConfig["webhooks"]): Readonly<Record<Platform, ShopConfig>> {
  const [woocommerce, shopify, prestashop, magento] = PLATFORMS.map((platform) => ({
    credentials: CREDENTIALS[platform],
    webhooks,
  }));
  if (!woocommerce || !shopify || !prestashop || !magento) throw new Error("four platforms");
  return { woocommerce, shopify, prestashop, magento };
}
