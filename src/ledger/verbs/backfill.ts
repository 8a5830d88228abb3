import { beginBackfill, confirmBackfill, endBackfill } from "../../db/shops/backfill-writes.ts";
import { FORM_VERSIONS } from "../../domain/connection/owner-verbs.ts";
import { refuse } from "../../domain/invoice/refusal.ts";
import type { Backfill, Confirmed } from "../../domain/shop/backfill.ts";
import {
  type FromForm,
  type OwnerScope,
  ownerReading,
  refused,
  UNCHANGED,
  verb,
  verbReading,
  write,
} from "./verb.ts";

interface Beginning {
  /** The connection's cutoff, today, or the orders behind a list that was full. */
  readonly from: "cutoff" | "today" | "more";
}

interface Begun {
  readonly since: string;
  readonly page?: string;
}

/** Lists the earlier orders of the shop with what each would become; nothing of them is decided. */
export const begin_shop_backfill = verb<Beginning, Begun>({
  area: "orders",
  wakesObject: true,
  decide({ from }, { reading: { shop, consent, backfill }, today }) {
    if (!shop) return refused(refuse("shop_missing").error);
    if (shop.url === undefined) return refused(refuse("shop_not_fetched").error);
    const after = from === "more" ? backfill : undefined;
    const cutoff = consent && !consent.isWithdrawn ? consent.cutoffDate : undefined;
    const since = from === "cutoff" ? cutoff : from === "today" ? today : after?.since;
    // A repeat of the call that began the list.
    const isSame = backfill?.state === "listing" && from !== "more" && backfill.since === since;
    if (isSame) return UNCHANGED;
    if (backfill && isUnderWay(backfill)) return refused(refuse("shop_backfill_running").error);
    if (from === "more" && (!after?.hasMore || after.page === undefined)) {
      return refused(refuse("shop_backfill_no_more").error);
    }
    if (since === undefined) return refused(refuse("consent_missing").error);
    const page = after?.page;
    return write({ since, ...(page === undefined ? {} : { page }) }, { from: since });
  },
  write: (db, { connectionId }, begun, { at }) => beginBackfill(db, connectionId, { ...begun, begunAt: at }),
});

function isUnderWay({ state }: Backfill): boolean {
  return state === "listing" || state === "confirmed";
}

interface Confirming extends FromForm {
  readonly selected: Confirmed;
}

interface ConfirmingScope extends OwnerScope {
  /** Of the list, and ids that are not on it or of which no order can come. */
  readonly found: { readonly orders: number; readonly unknown: number };
}

/** Has these orders decided: each is fetched again first, and the shop's word of that moment counts. */
export const confirm_shop_backfill = verbReading<Confirming, Confirmed, ConfirmingScope>(
  async ({ selected }, scope, reads) => {
    const read = await ownerReading()({}, scope, reads);
    return { ...read, found: await reads.backfill(selected) };
  },
  {
    area: "orders",
    wakesObject: true,
    fieldOf: { shop_backfill_order_unknown: "orders" },
    formVersion: (_, { reading: { backfill } }) => backfill && FORM_VERSIONS.backfill(backfill),
    decide({ selected }, { reading: { shop, backfill }, found }) {
      if (!shop) return refused(refuse("shop_missing").error);
      if (!backfill) return refused(refuse("shop_backfill_missing").error);
      if (backfill.state === "listing") return refused(refuse("shop_backfill_not_listed").error);
      if (found.unknown > 0) return refused(refuse("shop_backfill_order_unknown").error);
      return found.orders === 0 ? UNCHANGED : write(selected, { confirmed: String(found.orders) });
    },
    write: (db, { connectionId }, selected, { at }) => confirmBackfill(db, connectionId, selected, at),
  },
);

/** Ends it; what is decided stays. */
export const end_shop_backfill = verb<object, object>({
  area: "orders",
  wakesObject: false,
  decide: (_, { reading: { backfill } }) => (backfill ? write({}) : UNCHANGED),
  write: (db, { connectionId }) => endBackfill(db, connectionId),
});
