import type { ShopApis } from "../platform/shop-api.ts";
import { type AskDeps, asking } from "./ask.ts";
import { magento } from "./magento.ts";
import { prestaShop } from "./prestashop.ts";
import { shopify } from "./shopify.ts";
import { wooCommerce } from "./woocommerce.ts";

/** The client of each platform's API. */
export function shopApis(deps: AskDeps): ShopApis {
  const ask = asking(deps);
  return {
    woocommerce: wooCommerce(ask),
    shopify: shopify(ask, deps.now),
    prestashop: prestaShop(ask),
    magento: magento(ask),
  };
}
