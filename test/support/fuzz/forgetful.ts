/** A shop of which something is gone: a year that has left with its invoice and its order, and an order that was erased. */
import { vi } from "vitest";
import { clientOf } from "../ledger-client.ts";
import { aShopSince, letGo, onTheDay, settleBooks, workOff } from "../old-years.ts";
import { aSentOrder, orderConnector } from "../order-calls.ts";
import { declare } from "../order-http.ts";
import type { Shop } from "../shop.ts";

export interface Forgetful {
  readonly shop: Shop;
  /** As its callers knew them. */
  readonly gone: { readonly invoice: string; readonly order: string; readonly erased: string };
}

/** The external_id of an invoice of the year after. */
export const LEFT_BEHIND = "factura-que-queda";
const YEAR = 2018;

export async function aForgetfulShop(): Promise<Forgetful> {
  const gone = { invoice: "factura-ida", order: "pedido-ido", erased: "pedido-borrado" };
  const shop = await aShopSince(YEAR);
  const { issue } = clientOf(shop);
  const { send } = orderConnector(shop);
  onTheDay(`${YEAR}-05-01`);
  await issue(gone.invoice);
  await send(aSentOrder(gone.order, { order_date: `${YEAR}-05-01 10:00:00` }));
  onTheDay(`${YEAR + 1}-05-01`);
  await issue(LEFT_BEHIND);
  await settleBooks(shop);
  vi.useRealTimers();
  await letGo(shop, YEAR);
  await workOff();
  await send(aSentOrder(gone.erased, { fiscal_event: "none" }));
  await declare(shop, { verb: "erase_order", orderId: gone.erased });
  return { shop, gone };
}
