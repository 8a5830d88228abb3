/** The demo's connections whose shops send their own documents. */
import { SHOP_PLATFORMS } from "../../../../src/domain/shop/presets.ts";
import type { Demo, DemoConnection, DemoShop } from "../../local-product.ts";
import type { ShopConnection } from "../call.ts";

export type DemoShops = Readonly<Record<ShopConnection, DemoShop>>;

export function demoShops({ shops }: Pick<Demo, "shops">): DemoShops {
  const known = SHOP_PLATFORMS.flatMap((platform): [ShopConnection, DemoShop][] => {
    const shop = shops[platform];
    if (!shop) throw new Error(`the demo has no shop of ${platform}`);
    return [
      [`${platform}_posting`, shop],
      [`${platform}_fetching`, shop.fetching],
    ];
  });
  // One for each name, because each platform has both.
  return Object.fromEntries(known) as DemoShops;
}

/** Those of the shops among the demo's others. */
export function allConnections(demo: Demo): Readonly<Record<string, DemoConnection>> {
  const ofShops = Object.entries(demoShops(demo)).map(([name, { connection }]) => [name, connection]);
  return { ...demo.connections, ...Object.fromEntries(ofShops) };
}
