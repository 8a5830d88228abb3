import { readOrRefuse } from "../../db/store-calls.ts";
import { refuse } from "../../domain/invoice/refusal.ts";
import { checkShopUrl } from "../../domain/shop/connected-shop.ts";
import { openShop } from "../../work/shops/shop-work.ts";
import type { LedgerCore } from "../core/core.ts";
import type { OwnerVerbs } from "../core/owner-verbs.ts";
import type { OwnerCalls } from "../rpc.ts";
import type { ShopTestOutcome } from "./delivery-outcomes.ts";

/** Tries the stored credentials at the shop, outside the queue, and notes the result with its audit line. */
export function shopTestCalls(
  core: LedgerCore,
  owner: Pick<OwnerVerbs, "act">,
): Pick<OwnerCalls, "testShop"> {
  const { deps } = core;
  const { shops, callbackPolicy } = deps;
  return {
    testShop: (_, { userId, testId }) =>
      core.guarded(async (): Promise<ShopTestOutcome> => {
        const read = await readOrRefuse(
          async () => ({ work: await shops.work.readWork(deps.now(), 1) }),
          deps,
        );
        if ("outcome" in read) return read;
        const { shop } = read.work ?? {};
        if (!shop) return { outcome: "refused", refusal: refuse("shop_missing").error };
        const isAllowed =
          shop.url !== undefined &&
          callbackPolicy !== undefined &&
          checkShopUrl(shop.platform, shop.url, { ...callbackPolicy, sandbox: shops.sandbox }).ok;
        const opened = isAllowed ? await openShop(shop, shops) : undefined;
        if (!opened) return { outcome: "refused", refusal: refuse("shop_not_fetched").error };
        const answer = await shops.apis[shop.platform].test(opened);
        const noted = await owner.act(userId, {
          ...({ verb: "note_shop_test", testId, answer } as const),
          access: shop.access,
        });
        return noted.outcome === "done" ? { outcome: "tested", answer } : noted;
      }),
  };
}
