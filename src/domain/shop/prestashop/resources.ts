/** Resources of the webservice that its key must be allowed to read, besides the orders themselves. */
export const NEEDED_RESOURCES = [
  ...(["order_details", "order_slip", "order_cart_rules", "order_payments", "addresses"] as const),
  ...(["countries", "currencies", "taxes", "order_states"] as const),
] as const;
