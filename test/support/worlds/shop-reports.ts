/** Reports of shops, and a connector that sends them. */

import type { StoreChoice } from "../../../src/domain/connection/setup.ts";
import type { ReportedClient, ReportedStore } from "../../../src/domain/order/normalize-upserts.ts";
import type { TripCount } from "../../../src/ledger/core/outcomes.ts";
import type { ConnectorCalls, VerbOutcome } from "../../../src/ledger/rpc.ts";
import type { ShopOutcome, ShopReport } from "../../../src/ledger/shop/record-shop.ts";
import { objectOf } from "./ledger-client.ts";
import { act, callerOf, openShop, type Shop, type ShopOptions } from "./shop.ts";

export function aClientReport(idExternal: string, change: Partial<ReportedClient> = {}): ShopReport {
  return { resource: "client", client: { firstName: "Lucía", idExternal, ...change } };
}

export function statusReport(...ids: readonly string[]): ShopReport {
  const statuses = ids.map((idExternal) => ({
    idExternal,
    name: `Estado ${idExternal}`,
    paid: false,
    cancelled: false,
  }));
  return { resource: "status", statuses };
}

export function inventoryReport(...stores: readonly (string | ReportedStore)[]): ShopReport {
  const reported = stores.map((store) => (typeof store === "string" ? { id: store } : store));
  return { resource: "inventory", inventory: { stores: reported } };
}

export const MODULE_QUESTION: ShopReport = { resource: "module", module: {} };

export type Told = ShopOutcome & TripCount;

/** Calls the object, or a `Ledger` of the test's own. */
export function connectorOf(shop: Shop, ledger?: ConnectorCalls): (report: ShopReport) => Promise<Told> {
  const caller = callerOf(shop);
  return (report) => (ledger ?? objectOf(shop)).reportShop(caller, report);
}

/** The owner's step 2, at the object. */
export function completeSetup(
  shop: Shop,
  { userId, storeIds }: { readonly userId: string; readonly storeIds: StoreChoice },
): Promise<VerbOutcome> {
  return act(shop, { verb: "complete_setup", storeIds }, userId);
}

/** A commerce connection before its guided setup. */
export function openGuidedShop(options: ShopOptions = {}): Promise<Shop> {
  return openShop({
    consented: false,
    ...options,
    connection: { kind: "commerce", guided: true, ...options.connection },
  });
}
