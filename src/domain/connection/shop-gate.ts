import { type Refusal, refuse } from "../invoice/refusal.ts";
import { takesOrders } from "../order/gates.ts";
import { ok, type Result } from "../shared/result.ts";
import { isSyncReady, type Setup } from "./setup.ts";

/** All refusals of a shop call, in the order of the checks. */
export const SHOP_REFUSALS = [
  "orders_not_supported_by_connection",
  "sync_not_ready",
  "inventory_full",
] as const;
export type ShopRefusalCode = (typeof SHOP_REFUSALS)[number];
export type ShopRefusal = Refusal<ShopRefusalCode>;

export type ShopResource = "client" | "status" | "inventory" | "module" | "order" | "order_reading";

/** Step 2 shows inventory and statuses, so these are accepted before it is completed. */
const WAITS_FOR_SETUP: Readonly<Record<ShopResource, boolean>> = {
  client: true,
  status: false,
  inventory: false,
  module: false,
  order: true,
  order_reading: false,
};

/** Shop reports serve orders only: a kind of connection without orders takes none. */
export function admitShopCall(
  resource: ShopResource,
  connection: { readonly kind: string; readonly setup: Setup },
): Result<void, ShopRefusal> {
  const { kind, setup } = connection;
  if (!takesOrders(kind)) return refuse("orders_not_supported_by_connection", { kind });
  if (WAITS_FOR_SETUP[resource] && !isSyncReady(setup)) return refuse("sync_not_ready");
  return ok(undefined);
}
