/** The product's view of a shop's own API. */
import type { Instant } from "../domain/shared/instant.ts";
import type { ShopDocuments } from "../domain/shop/documents.ts";
import type { ShopPlatform } from "../domain/shop/presets.ts";

/** A shop with its credentials opened; it lives only for the calls of one run. */
export interface OpenedShop {
  readonly platform: ShopPlatform;
  readonly url: string;
  readonly credentials: Readonly<Record<string, string>>;
}

/**
 * `refused`: the shop does not accept the credentials. `failed`: it may succeed later, and not before the
 * shop's own wait.
 */
export type ShopAnswer<Value> =
  | { readonly answer: "given"; readonly value: Value }
  | { readonly answer: "gone" }
  | { readonly answer: "refused" }
  | { readonly answer: "failed"; readonly cause: ShopFailure; readonly waitMs?: number };

/** Codes for the owner and the log, without anything that the shop has said. */
export type ShopFailure =
  | ("no_connection" | "timeout" | "too_large" | "redirected" | "not_json" | "server_error")
  | ("rate_limited" | "client_error" | "unexpected");

export interface ListedOrder {
  readonly nativeId: string;
  readonly modifiedAt?: Instant;
}

export interface OrderPage {
  readonly orders: readonly ListedOrder[];
  /** Where the next page begins; absent after the last one. */
  readonly next?: string;
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
  /** Rights that the credentials lack. */
  readonly lacking: readonly string[];
}

export interface ShopApi {
  /** The whole order; `gone` if the shop no longer has it. */
  readOrder(shop: OpenedShop, nativeId: string): Promise<ShopAnswer<ShopDocuments>>;
  listOrders(shop: OpenedShop, query: OrdersSince): Promise<ShopAnswer<OrderPage>>;
  /** ShopTables as plain values. */
  readTables(shop: OpenedShop): Promise<ShopAnswer<Readonly<Record<string, unknown>>>>;
  test(shop: OpenedShop): Promise<ShopAnswer<ShopTest>>;
}

export type ShopApis = Readonly<Record<ShopPlatform, ShopApi>>;

/** Orders of a page of a sweep. */
export const ORDERS_OF_PAGE = 50;
