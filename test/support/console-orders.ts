/** The console's routes about orders, as the owner of a shop calls them. */
import { ownerOf } from "./console.ts";
import { type Connector, openCommerce, orderConnector } from "./order-calls.ts";
import type { Shop, ShopOptions } from "./shop.ts";

export interface ShopConsole {
  readonly shop: Shop;
  readonly connector: Connector;
  readonly owner: Awaited<ReturnType<typeof ownerOf>>;
  /** Of a route below the account. */
  at(path: string, query?: Readonly<Record<string, string>>): string;
  /** Of a route below the connection. */
  of(path: string, query?: Readonly<Record<string, string>>): string;
}

export async function shopConsole(options: ShopOptions = {}): Promise<ShopConsole> {
  const shop = await openCommerce(options);
  return { shop, connector: orderConnector(shop), owner: await ownerOf(shop), ...addressesOf(shop) };
}

export function addressesOf({ accountId, connectionId }: Shop): Pick<ShopConsole, "at" | "of"> {
  const asked = (path: string, query: Readonly<Record<string, string>> = {}) =>
    Object.keys(query).length === 0 ? path : `${path}?${new URLSearchParams(query)}`;
  return {
    at: (path, query) => asked(`/api/accounts/${accountId}${path}`, query),
    of: (path, query) => asked(`/api/accounts/${accountId}/connections/${connectionId}${path}`, query),
  };
}
