import type { ClientFacts } from "./facts.ts";

/** A customer of the shop, by its id there. */
export interface ReportedClient extends ClientFacts {
  readonly idExternal: string;
}

export interface ReportedStatus {
  readonly idExternal: string;
  readonly name: string;
  readonly paid: boolean;
  readonly cancelled: boolean;
}

export interface ReportedStore {
  readonly id: string;
  readonly name?: string;
  readonly url?: string;
  readonly ordersCount?: number;
}

export interface ReportedInventory {
  /** In the order reported, which is the order of `store_ids`. */
  readonly stores: readonly ReportedStore[];
  readonly ordersTotal?: number;
}

/** The module's report with a request for the setup state. */
export interface ReportedModule {
  readonly platform?: string;
  readonly moduleVersion?: string;
  readonly contractVersion?: string;
}

/** Each once, as if they had been sent one after the other: the last one counts, at the first one's place. */
export function lastOfEach<Item>(items: readonly Item[], idOf: (item: Item) => string): Item[] {
  return [...new Map(items.map((item) => [idOf(item), item])).values()];
}
