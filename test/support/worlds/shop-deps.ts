/** What a `Ledger` of a test needs for connected shops; it reaches no network. */
import { backfillStore } from "../../../src/db/shops/backfill-store.ts";
import type { BodyStore } from "../../../src/db/shops/body-store.ts";
import { deliveryStore } from "../../../src/db/shops/delivery-store.ts";
import { webhookTaskStore } from "../../../src/db/shops/webhook-store.ts";
import { shopWorkStore } from "../../../src/db/shops/work-store.ts";
import { placeOfAddress, shopAddress } from "../../../src/domain/connection/shop-address.ts";
import type { Mappers } from "../../../src/domain/shop/documents.ts";
import type { LedgerDeps } from "../../../src/ledger/core/core.ts";
import type { OrdersSince, ShopApi, ShopApis } from "../../../src/platform/shop-api.ts";
import { vaultOf } from "../../../src/platform/vault.ts";

interface ShopOptions {
  readonly mappers?: Mappers;
  readonly apis?: ShopApis;
  readonly bodies?: Map<string, Uint8Array>;
  readonly secrets?: readonly string[];
  readonly random: (sizeBytes: number) => Uint8Array<ArrayBuffer>;
}

export function shopsOn(
  binding: D1Database,
  connectionId: string,
  { mappers = {}, apis = NO_APIS, bodies = new Map(), secrets = ["a secret"], random }: ShopOptions,
): LedgerDeps["shops"] {
  return {
    vault: vaultOf(connectionId, secrets, random),
    sandbox: "http://127.0.0.1:8790",
    deliveries: deliveryStore(binding, connectionId),
    work: shopWorkStore(binding, connectionId),
    backfills: backfillStore(binding, connectionId),
    webhookTasks: webhookTaskStore(binding, connectionId),
    addresses: {
      of: (platform, nonce) => shopAddress(platform, { connectionId, nonce }, "a server secret"),
      placeOf: (platform, address) => placeOfAddress(platform, address, ["a server secret"]),
    },
    ...{ apis, mappers },
    bodies: memoryBodies(bodies),
  };
}

const down = async () => ({ answer: "failed", cause: "no_connection" }) as const;
const A_SHOP_THAT_IS_DOWN: ShopApi = { readOrder: down, listOrders: down, readTables: down, test: down };

const NO_APIS: ShopApis = {
  ...{ woocommerce: A_SHOP_THAT_IS_DOWN, shopify: A_SHOP_THAT_IS_DOWN },
  ...{ prestashop: A_SHOP_THAT_IS_DOWN, magento: A_SHOP_THAT_IS_DOWN },
};

interface ScriptedShop {
  readonly readOrder: (nativeId: string) => ReturnType<ShopApi["readOrder"]>;
  readonly listOrders: (query: OrdersSince) => ReturnType<ShopApi["listOrders"]>;
  readonly readTables?: () => ReturnType<ShopApi["readTables"]>;
  readonly test?: () => ReturnType<ShopApi["test"]>;
}

/** A shop that answers as the test says; it has nothing to say about its own ids. */
export function scriptedApi({ readOrder, listOrders, ...more }: ScriptedShop): ShopApis {
  const api: ShopApi = {
    readOrder: (_, nativeId) => readOrder(nativeId),
    listOrders: (_, query) => listOrders(query),
    readTables: more.readTables ?? (async () => ({ answer: "given", value: {} })),
    test: more.test ?? (async () => ({ answer: "given", value: { scopes: [], lacking: [] } })),
  };
  return { ...NO_APIS, woocommerce: api };
}

function memoryBodies(bodies: Map<string, Uint8Array>): BodyStore {
  return {
    keep: async (key, bytes) => void bodies.set(key, bytes),
    read: async (key) => bodies.get(key),
    erase: async (keys) => {
      for (const key of keys) bodies.delete(key);
    },
  };
}
