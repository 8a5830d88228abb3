import type { SentOrder } from "../order/sent-order.ts";
import type { OrderState } from "./tables.ts";

export const SHOP_PLATFORMS = ["woocommerce", "shopify", "prestashop", "magento"] as const;
export type ShopPlatform = (typeof SHOP_PLATFORMS)[number];

/** What a status of the shop asks for. */
export const STATUS_MEANINGS = ["invoice", "cancelled", "nothing"] as const;
export type StatusMeaning = (typeof STATUS_MEANINGS)[number];

/** Meanings by native status. */
export type StatusMap = Readonly<Record<string, StatusMeaning>>;

const meanings = (words: Readonly<Record<StatusMeaning, string>>): StatusMap =>
  Object.fromEntries(
    STATUS_MEANINGS.flatMap((meaning) => words[meaning].split(" ").map((status) => [status, meaning])),
  );

/** PrestaShop's states are the shop's own: `prestashopPreset` reads them. */
export const STATUS_PRESETS: Readonly<Record<ShopPlatform, StatusMap>> = {
  woocommerce: meanings({
    invoice: "processing completed refunded",
    cancelled: "cancelled trash deleted",
    nothing: "pending on-hold failed checkout-draft",
  }),
  shopify: meanings({
    invoice: "paid partially_refunded refunded",
    cancelled: "cancelled voided deleted",
    nothing: "pending authorized partially_paid expired",
  }),
  prestashop: { "0": "nothing", deleted: "cancelled" },
  magento: meanings({
    invoice: "processing complete closed",
    cancelled: "canceled deleted",
    nothing: "new pending_payment payment_review holded",
  }),
};

/** The preset of a PrestaShop shop by its own list of states. */
export function prestashopPreset(states: Readonly<Record<string, OrderState>>): StatusMap {
  const ofStates = Object.entries(states).map(([id, state]) => [id, meaningOfState(state)]);
  return { ...Object.fromEntries(ofStates), ...STATUS_PRESETS.prestashop };
}

function meaningOfState({ paid, template }: OrderState): StatusMeaning {
  if (template === "order_canceled") return "cancelled";
  if (template === "payment_error") return "nothing";
  return paid || template === "refund" ? "invoice" : "nothing";
}

/** Undefined for a status that the map does not have: it counts as nothing, and the owner is told. */
export function meaningOf(status: string | undefined, map: StatusMap): StatusMeaning | undefined {
  return status !== undefined && Object.hasOwn(map, status) ? map[status] : undefined;
}

/**
 * The order with what its status asks for. A status that means `cancelled` is marked among the connection's
 * statuses, and the decision looks it up.
 */
export function withMeaning(order: SentOrder, map: StatusMap): SentOrder {
  const isInvoiced = meaningOf(order.status, map) === "invoice";
  return { ...order, fiscalEvent: isInvoiced ? "invoice_candidate" : "none" };
}
