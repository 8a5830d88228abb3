import type { LedgerState, ShopBatch } from "../../db/ledger-state.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { LedgerCache } from "../core/ledger-cache.ts";
import type { Settler, Tries } from "../core/settle.ts";
import { type ShopOutcome, type ShopReport, shopBatchOf, upsertsInTurn } from "./record-shop.ts";

export interface ShopDeps {
  readonly cache: LedgerCache;
  readonly now: () => Instant;
}

/**
 * Shop reports are upserts: a batch without an answer is sent again, even if it was committed. Only its
 * counts then show that the rows existed.
 */
export function shopSettler(deps: ShopDeps): Settler<ShopReport, ShopOutcome, Tries> {
  const { cache } = deps;
  return {
    begin: () => ({ lost: 0, brokenLinks: 0 }),
    open: async () => {
      if (!cache.books) await cache.load();
    },
    attempt: async (reports, tried) => {
      if (reports.length === 0) return [];
      const books = cache.usableState();
      const batch = shopBatchOf(reports, books.admission.setup.state, deps.now());
      const settled = await cache.recordShop(batch, books);
      if (settled.result === "lost") tried.lost += 1;
      if (settled.result !== "committed") return undefined;
      const { settings, admission } = books;
      const { access } = admission;
      const standing = { setup: setupAfter(batch, books), consented: settings.consented, access };
      return upsertsInTurn(reports, batch, settled.known).map((told) =>
        told.ok
          ? { outcome: "recorded", ...told.value, standing }
          : { outcome: "refused", refusal: told.error },
      );
    },
  };
}

function setupAfter({ setupState: state }: ShopBatch, { admission }: LedgerState) {
  return state === undefined ? admission.setup : { ...admission.setup, state };
}
