import { NEEDED_RESOURCES } from "../../../domain/shop/prestashop/resources.ts";
import type { Say, WordId } from "../../words/areas.ts";
import type { Platform } from "./queries.ts";

/** Platforms whose shops are connected without a module, in the order of the form. */
export const DIRECT_PLATFORMS = [
  { value: "woocommerce", name: "WooCommerce" },
  { value: "prestashop", name: "PrestaShop" },
  { value: "shopify", name: "Shopify" },
  { value: "magento", name: "Magento" },
] as const satisfies readonly { readonly value: Platform; readonly name: string }[];

export function directPlatform(value: string | undefined): Platform | undefined {
  return DIRECT_PLATFORMS.find((one) => one.value === value)?.value;
}

export function platformName(platform: Platform): string {
  return DIRECT_PLATFORMS.find(({ value }) => value === platform)?.name ?? platform;
}

/** `fetch`: the service reads the shop. `post`: the shop sends its documents. */
export type Way = "fetch" | "post";

/** Apps of Shopify's Dev Dashboard have a client, older ones have a token. */
export type ShopifyApp = "client" | "token";

export type CredentialName = "consumer_key" | "consumer_secret" | "client_id" | "secret" | "token" | "key";

/** The credentials of a platform, in the order in which its pages show them. */
export function credentialsOf(platform: Platform, way: Way, app: ShopifyApp): readonly CredentialName[] {
  if (platform === "shopify") {
    if (way === "post") return ["secret"];
    return app === "client" ? ["client_id", "secret"] : ["token", "secret"];
  }
  if (way === "post") return [];
  if (platform === "woocommerce") return ["consumer_key", "consumer_secret"];
  return platform === "prestashop" ? ["key"] : ["token"];
}

export function canMakeWebhooks(platform: Platform): boolean {
  return platform === "woocommerce" || platform === "shopify";
}

const SCOPES = "read_orders, read_all_orders";
const TOPICS = "orders/create, orders/updated, orders/paid, orders/cancelled, orders/delete, refunds/create";

/** The clicks that lead to the keys, or what to enter in the shop that sends its orders. */
export function stepsOf({ platform, way, app }: Guided, say: Say): readonly string[] {
  const facts = {
    resources:
      platform === "magento"
        ? `${say("shop.how.magento.sales")}, ${say("shop.how.magento.stores")}`
        : ["orders", ...NEEDED_RESOURCES, "configurations"].join(", "),
    ...{ scopes: SCOPES, topics: TOPICS, documents: DOCUMENTS[platform] },
  };
  return guideOf({ platform, way, app }).map((word) => say(word, facts));
}

interface Guided {
  readonly platform: Platform;
  readonly way: Way;
  readonly app: ShopifyApp;
}

const DOCUMENTS: Readonly<Record<Platform, string>> = {
  woocommerce: "order, refunds",
  shopify: "order",
  prestashop: "order, order_details, order_slips, order_cart_rules, address_invoice, address_delivery, …",
  magento: "order, creditmemos",
};

function guideOf({ platform, way, app }: Guided): readonly WordId[] {
  if (way === "post") return POSTING[platform];
  return platform === "shopify" && app === "token" ? TOKEN : FETCHING[platform];
}

const TOKEN = ["shop.how.shopify_token.1", "shop.how.shopify_token.2", "shop.how.shopify_token.3"] as const;

const FETCHING: Readonly<Record<Platform, readonly WordId[]>> = {
  woocommerce: [
    ...(["shop.how.woocommerce.1", "shop.how.woocommerce.2"] as const),
    ...(["shop.how.woocommerce.3", "shop.how.woocommerce.4"] as const),
  ],
  shopify: [
    ...(["shop.how.shopify.1", "shop.how.shopify.2"] as const),
    ...(["shop.how.shopify.3", "shop.how.shopify.4"] as const),
  ],
  prestashop: [
    ...(["shop.how.prestashop.1", "shop.how.prestashop.2"] as const),
    ...(["shop.how.prestashop.3", "shop.how.prestashop.4"] as const),
  ],
  magento: [
    ...(["shop.how.magento.1", "shop.how.magento.2"] as const),
    ...(["shop.how.magento.3", "shop.how.magento.4"] as const),
  ],
};

const POSTING: Readonly<Record<Platform, readonly WordId[]>> = {
  woocommerce: ["shop.post.woocommerce.1", "shop.post.woocommerce.2", "shop.post.woocommerce.3"],
  shopify: ["shop.post.shopify.1", "shop.post.shopify.2", "shop.post.shopify.3"],
  prestashop: ["shop.post.prestashop.1", "shop.post.prestashop.2", "shop.post.prestashop.3"],
  magento: ["shop.post.magento.1", "shop.post.magento.2", "shop.post.magento.3"],
};
