import type { Instant } from "../shared/instant.ts";
import type { ShopPlatform } from "./presets.ts";

/** What becomes of a delivery that is kept. A repeat adds no row. */
export type DeliveryResult = "accepted" | "decided" | "ignored" | "unreadable";

interface DeliveryForm {
  /** Names of the headers. */
  readonly signature: string;
  readonly deliveryId: string;
  readonly topic: string;
  /** What a delivery of each topic has. */
  readonly topics: Readonly<Record<string, DeliveryTopic>>;
}

/** An order as it is now, a refund alone, or an order that was deleted. */
export type DeliveryTopic = "order" | "refund" | "deleted";

/** The module of these platforms is ours, so its headers are. */
const OF_MODULE = {
  signature: "X-Cuadre-Signature",
  deliveryId: "X-Cuadre-Delivery-Id",
  topic: "X-Cuadre-Topic",
} as const;

export const DELIVERY_FORMS: Readonly<Record<ShopPlatform, DeliveryForm>> = {
  woocommerce: {
    signature: "X-WC-Webhook-Signature",
    deliveryId: "X-WC-Webhook-Delivery-ID",
    topic: "X-WC-Webhook-Topic",
    topics: {
      "order.created": "order",
      "order.updated": "order",
      "order.restored": "order",
      "order.deleted": "deleted",
    },
  },
  shopify: {
    signature: "X-Shopify-Hmac-SHA256",
    deliveryId: "X-Shopify-Webhook-Id",
    topic: "X-Shopify-Topic",
    topics: {
      ...{ "orders/create": "order", "orders/updated": "order", "orders/paid": "order" },
      ...{ "orders/cancelled": "order", "orders/delete": "deleted", "refunds/create": "refund" },
    },
  },
  prestashop: { ...OF_MODULE, topics: { order: "order", order_slip: "refund" } },
  magento: { ...OF_MODULE, topics: { order: "order", creditmemo: "refund" } },
};

export function deliveryTopic(platform: ShopPlatform, topic: string): DeliveryTopic | undefined {
  const { topics } = DELIVERY_FORMS[platform];
  return Object.hasOwn(topics, topic) ? topics[topic] : undefined;
}

const ACTIVATION = /^webhook_id=\d{1,20}$/;

/** WooCommerce tries a new webhook with an unsigned form, and switches it off unless that succeeds. */
export function isActivationPing(platform: ShopPlatform, bytes: Uint8Array): boolean {
  if (platform !== "woocommerce" || bytes.length > 40) return false;
  return ACTIVATION.test(String.fromCharCode(...bytes));
}

/** Hints of an order that come so close together are answered by one fetch. */
export const HINTS_TOGETHER_MS = 5_000;

/** A larger body goes to R2. */
export const BODY_IN_ROW_BYTES = 65_536;

export const LONGEST_DELIVERY_ID = 200;

const DAY_MS = 86_400_000;

/** The UTC day, as days since 1970: deliveries are counted by it. */
export function dayOf(at: Instant): number {
  return Math.floor(at / DAY_MS);
}

/** From then the next day's deliveries are counted. */
export function nextDayAt(at: Instant): Instant {
  return (dayOf(at) + 1) * DAY_MS;
}
