/** Signed webhooks as each platform sends them, and what it does where they fail. */
import { createHmac, randomUUID } from "node:crypto";
import type { Platform, Shop, Webhook } from "./shop.ts";

export interface DeliveryDeps {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly now: () => number;
  /** Calls back once after the delay, unless the process has ended. */
  readonly later: (delayMs: number, callback: () => void) => void;
}

export interface Attempt {
  readonly to: string;
  readonly url: string;
  readonly topic: string;
  readonly delivery_id: string;
  /** Null if no answer came. */
  readonly status: number | null;
  readonly answer: unknown;
  readonly retry_in_seconds: number | null;
}

interface Form {
  readonly withinMs: number;
  /** Seconds until each repeat of a delivery that failed; it keeps its id. */
  readonly repeats: readonly number[];
  /** Failures in a row after which an endpoint is given up. */
  readonly mostFailures: number;
  readonly newId: () => string;
  readonly headers: (delivery: Delivery, webhook: Webhook, shopUrl: string) => Record<string, string>;
}

interface Delivery {
  readonly id: string;
  readonly topic: string;
  readonly text: string;
  readonly at: number;
}

const signed = (text: string, secret: string) => createHmac("sha256", secret).update(text).digest("base64");
const bareUuid = () => randomUUID().replaceAll("-", "");

/** A module of ours in PrestaShop or Magento. */
const OF_MODULE: Form = {
  withinMs: 20_000,
  repeats: [10, 60, 600, 3_600],
  mostFailures: Infinity,
  newId: randomUUID,
  headers: ({ id, topic, text }, { secret }) => ({
    "X-Cuadre-Topic": topic,
    "X-Cuadre-Delivery-Id": id,
    "X-Cuadre-Signature": signed(text, secret),
  }),
};

const FORMS: Readonly<Record<Platform, Form>> = {
  woocommerce: {
    withinMs: 60_000,
    repeats: [],
    mostFailures: 5,
    newId: bareUuid,
    headers: ({ id, topic, text }, webhook, shopUrl) => ({
      "User-Agent": "WooCommerce Hookshot (WordPress)",
      "X-WC-Webhook-Source": `${shopUrl}/`,
      "X-WC-Webhook-Topic": topic,
      "X-WC-Webhook-Resource": topic.split(".")[0] ?? "",
      "X-WC-Webhook-Event": topic.split(".")[1] ?? "",
      "X-WC-Webhook-Signature": signed(text, webhook.secret),
      "X-WC-Webhook-ID": webhook.id,
      "X-WC-Webhook-Delivery-ID": id,
    }),
  },
  shopify: {
    withinMs: 5_000,
    // Eight more within four hours.
    repeats: [10, 30, 90, 300, 900, 1_800, 3_600, 7_200],
    mostFailures: 8,
    newId: randomUUID,
    headers: ({ id, topic, text, at }, { secret }, shopUrl) => ({
      "User-Agent": "Shopify-Captain-Hook",
      "X-Shopify-Topic": topic,
      "X-Shopify-Hmac-SHA256": signed(text, secret),
      "X-Shopify-Shop-Domain": new URL(shopUrl).host,
      "X-Shopify-API-Version": "2025-10",
      "X-Shopify-Webhook-Id": id,
      "X-Shopify-Event-Id": randomUUID(),
      "X-Shopify-Triggered-At": new Date(at).toISOString(),
    }),
  },
  prestashop: OF_MODULE,
  magento: OF_MODULE,
};

/** Sends to each webhook and answers the first attempts; repeats follow in the background. */
export function deliveriesOf(platform: Platform, shopUrl: string, shop: Shop, deps: DeliveryDeps) {
  const form = FORMS[platform];
  /** Failures in a row, by URL. */
  const failures = new Map<string, number>();
  const send = async (webhook: Webhook, delivery: Delivery, repeat: number): Promise<Attempt> => {
    const { status, answer } = await posted(webhook, delivery, { form, shopUrl, deps });
    const isTaken = status !== null && status >= 200 && status < 300;
    const failed = isTaken ? 0 : (failures.get(webhook.url) ?? 0) + 1;
    failures.set(webhook.url, failed);
    if (failed > form.mostFailures) shop.giveUp(webhook);
    const wait = isTaken ? undefined : form.repeats[repeat];
    if (wait !== undefined) {
      deps.later(wait * 1_000, () => void send(webhook, delivery, repeat + 1));
    }
    const { id: delivery_id, topic } = delivery;
    const to = { to: webhook.name, url: webhook.url, topic, delivery_id };
    return { ...to, status, answer, retry_in_seconds: wait ?? null };
  };
  return (webhooks: readonly Webhook[], topic: string, bodyOf: (webhook: Webhook) => object) =>
    Promise.all(
      webhooks.map((webhook) => {
        const text = JSON.stringify(bodyOf(webhook));
        return send(webhook, { id: form.newId(), topic, text, at: deps.now() }, 0);
      }),
    );
}

interface Posting {
  readonly form: Form;
  readonly shopUrl: string;
  readonly deps: DeliveryDeps;
}

async function posted(webhook: Webhook, delivery: Delivery, { form, shopUrl, deps }: Posting) {
  try {
    const response = await deps.fetch(webhook.url, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...form.headers(delivery, webhook, shopUrl) },
      body: delivery.text,
      redirect: "manual",
      signal: AbortSignal.timeout(form.withinMs),
    });
    return { status: response.status, answer: readable(await response.text()) };
  } catch (error) {
    return { status: null, answer: error instanceof Error ? error.message : "no answer" };
  }
}

function readable(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text.slice(0, 500);
  }
}
