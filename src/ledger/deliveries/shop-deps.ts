import type { BackfillStore } from "../../db/shops/backfill-store.ts";
import type { BodyStore } from "../../db/shops/body-store.ts";
import type { DeliveryStore } from "../../db/shops/delivery-store.ts";
import type { WebhookTaskStore } from "../../db/shops/webhook-store.ts";
import type { ShopWorkStore } from "../../db/shops/work-store.ts";
import type { Mappers } from "../../domain/shop/documents.ts";
import type { ShopApis } from "../../platform/shop-api.ts";
import type { Vault } from "../../platform/vault.ts";
import type { ShopAddresses } from "../../work/shops/keep-webhooks.ts";

/** What the object needs for a shop that is connected in its own form. */
export interface ShopDeps {
  readonly vault: Vault;
  /** The address of the sandbox shops; empty where there are none. */
  readonly sandbox: string;
  readonly deliveries: DeliveryStore;
  readonly work: ShopWorkStore;
  readonly backfills: BackfillStore;
  readonly webhookTasks: WebhookTaskStore;
  readonly addresses: ShopAddresses;
  readonly apis: ShopApis;
  readonly mappers: Mappers;
  /** Bodies that are too large for a row. */
  readonly bodies: BodyStore;
}
