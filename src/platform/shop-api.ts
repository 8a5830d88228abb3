/** The product's view of a shop's own API. */
import type { Instant } from "../domain/shared/instant.ts";
import type { ShopDocuments } from "../domain/shop/documents.ts";
import type { FailedCall } from "../domain/shop/fetching.ts";
import type { ShopPlatform } from "../domain/shop/presets.ts";
import type { ShopWebhook } from "../domain/shop/webhooks.ts";

/** A shop with its credentials opened; it lives only for the calls of one run. */
export interface OpenedShop {
  readonly platform: ShopPlatform;
  readonly url: string;
  readonly credentials: Readonly<Record<string, string>>;
}

/**
 * `gone`: the platform itself says that it has no such thing; a 404 alone is `failed`. `refused`: the shop
 * does not accept the credentials. `failed`: it may succeed later, and not before the shop's own wait.
 */
export type ShopAnswer<Value> =
  | { readonly answer: "given"; readonly value: Value }
  | Gone
  | { readonly answer: "refused" }
  | ({ readonly answer: "failed" } & FailedCall);

export interface Gone {
  readonly answer: "gone";
  /** The shop hides orders that are older, so that of such an order it says nothing. */
  readonly hidesOlderThanMs?: number;
}

export interface ListedOrder {
  readonly nativeId: string;
  readonly modifiedAt?: Instant;
}

export interface OrderPage {
  readonly orders: readonly ListedOrder[];
  /** Where the next page begins; absent after the last one. */
  readonly next?: string;
  /** The clock of the shop's server, where its answer says the time. */
  readonly shopTime?: Instant;
}

export interface OrdersSince {
  readonly by: "modified" | "created";
  readonly since: Instant;
  readonly page?: string;
}

/** The facts of a shop that a test of its credentials reads. */
export interface ShopTest {
  readonly version?: string;
  readonly currency?: string;
  readonly timeZone?: string;
  readonly lastOrder?: string;
  /** Rights that the credentials have, as the shop calls them; empty where it does not say. */
  readonly scopes: readonly string[];
  /** Rights that the credentials lack. */
  readonly lacking: readonly string[];
}

/** Where the shop delivers, and what it signs with; Shopify signs with the secret of its own app. */
export interface WebhookTarget {
  readonly topic: string;
  readonly url: string;
  readonly secret?: string;
}

/** Webhooks that a shop's API can make. Each change may be repeated. */
export interface WebhookApi {
  /** All of them that the credentials may see. */
  list(shop: OpenedShop): Promise<ShopAnswer<readonly ShopWebhook[]>>;
  create(shop: OpenedShop, target: WebhookTarget): Promise<ShopAnswer<object>>;
  change(shop: OpenedShop, id: string, target: WebhookTarget): Promise<ShopAnswer<object>>;
  remove(shop: OpenedShop, id: string): Promise<ShopAnswer<object>>;
}

export interface ShopApi {
  /** The whole order; `gone` if the shop no longer has it. */
  readOrder(shop: OpenedShop, nativeId: string): Promise<ShopAnswer<ShopDocuments>>;
  listOrders(shop: OpenedShop, query: OrdersSince): Promise<ShopAnswer<OrderPage>>;
  /** ShopTables as plain values. */
  readTables(shop: OpenedShop): Promise<ShopAnswer<Readonly<Record<string, unknown>>>>;
  test(shop: OpenedShop): Promise<ShopAnswer<ShopTest>>;
  /** Absent where the shop's module delivers. */
  readonly webhooks?: WebhookApi;
}

export type ShopApis = Readonly<Record<ShopPlatform, ShopApi>>;

/** Orders of a page of a sweep. */
export const ORDERS_OF_PAGE = 50;
