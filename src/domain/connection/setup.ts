import { type Refusal, refuse } from "../invoice/refusal.ts";
import { takesOrders } from "../order/gates.ts";
import { ok, type Result } from "../shared/result.ts";

/** Guided setup, in the order in which a connection passes through it. */
export const SETUP_STATES = ["pending_inventory", "pending_configuration", "configured"] as const;
export type SetupState = (typeof SETUP_STATES)[number];

export interface Setup {
  readonly state: SetupState;
  /** Null where the selection is not managed here; "" for all stores; else ids joined by commas. */
  readonly storeIds: string | null;
}

/** For API connections, and connections older than the guided setup. */
export const UNGUIDED: Setup = { state: "configured", storeIds: null };

export const SETUP_BEGINS: SetupState = "pending_inventory";

export function isSyncReady({ state }: Setup): boolean {
  return state === "configured";
}

/** Only the first inventory moves anything. */
export function afterInventory(state: SetupState): SetupState {
  return state === "pending_inventory" ? "pending_configuration" : state;
}

/** The owner's choice in step 2: all stores, future ones included, or some of those reported. */
export type StoreChoice = "all" | readonly string[];

/** Every no to a choice of stores, in the order in which it is checked. */
export const SETUP_REFUSALS = [
  "orders_not_supported_by_connection",
  "inventory_missing",
  "no_store_chosen",
  "store_unknown",
] as const;
export type SetupRefusal = Refusal<(typeof SETUP_REFUSALS)[number]>;

interface ReportedShop {
  readonly connectionKind: string;
  /** Ids of the reported stores in the order of the inventory. */
  readonly storeIds: readonly string[];
}

/** The `store_ids` of a choice, in the order of the inventory. None at all would read as all of them. */
export function chooseStores(choice: StoreChoice, shop: ReportedShop): Result<string, SetupRefusal> {
  const { connectionKind: kind, storeIds } = shop;
  if (!takesOrders(kind)) return refuse("orders_not_supported_by_connection", { kind });
  if (storeIds.length === 0) return refuse("inventory_missing");
  if (choice === "all") return ok("");
  if (choice.length === 0) return refuse("no_store_chosen");
  const unknown = choice.filter((id) => !storeIds.includes(id));
  if (unknown.length > 0) return refuse("store_unknown", { stores: unknown.join(", ") });
  return ok(storeIds.filter((id) => choice.includes(id)).join(","));
}

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
