/** A shop with an order that its customer looks at, through the whole edge. */
import { env, waitUntil } from "cloudflare:workers";
import { createApp } from "../../../src/api/app.ts";
import type { ApiEnv } from "../../../src/env.ts";
import type { RequestLogLine } from "../../../src/platform/log.ts";
import { appDeps } from "../../../src/wiring.ts";
import { wrapKv } from "../faults/wrapped-kv.ts";
import { apiOver } from "./deployment.ts";
import { aSentOrder, openCommerce, orderConnector } from "./order-calls.ts";
import type { Shop, ShopOptions } from "./shop.ts";
import { connectorOf, inventoryReport } from "./shop-reports.ts";

export const API = "https://api.example";
export const STORE = "https://tienda.example";

/** The product's edge over its real bindings, with a KV that counts. */
export function anEdgeOverAll(change: Partial<Pick<ApiEnv, "VIEWER_TOKEN_SECRETS">> = {}) {
  const lines: RequestLogLine[] = [];
  const bindings = { ...env, ...change, VIEWER_TOKENS: wrapKv(env.VIEWER_TOKENS) };
  const app = createApp({ ...appDeps(apiOver(bindings), waitUntil), log: (line) => lines.push(line) });
  return { app, lines };
}

export type Edge = ReturnType<typeof anEdgeOverAll>;

/** With a store at its own address, and the orders invoiced. */
export async function openShopWith(ids: readonly string[], options: ShopOptions = {}): Promise<Shop> {
  const shop = await openCommerce(options);
  await connectorOf(shop)(inventoryReport({ id: "1", name: "Loza y Esparto", url: `${STORE}/es/` }));
  const connector = orderConnector(shop);
  for (const id of ids) await connector.send(aSentOrder(id, { shop: { id: "1" }, reference: `R-${id}` }));
  return shop;
}

export interface Answered {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly data: Readonly<Record<string, unknown>>;
}

export async function post(edge: Edge, shop: Shop, path: string, body: unknown): Promise<Answered> {
  const response = await edge.app.request(`${API}${path}`, {
    method: "POST",
    headers: { "X-API-KEY": shop.key, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer = await response.json<Record<string, unknown>>();
  return { status: response.status, body: answer, data: Object(answer.data) };
}

export function access(edge: Edge, shop: Shop, body: unknown): Promise<Answered> {
  return post(edge, shop, "/api/v1/order/invoice-access", body);
}

/** The URL of a link to the order. */
export async function viewerUrl(edge: Edge, shop: Shop, id: string, change: object = {}): Promise<string> {
  const { data, body } = await access(edge, shop, { order_id: id, presentation: "link", ...change });
  if (typeof data.viewer_url !== "string") throw new Error(`no URL: ${JSON.stringify(body)}`);
  return data.viewer_url;
}
