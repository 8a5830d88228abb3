import type { NativePaths } from "../native-paths.ts";

const below = (place: string, members: readonly string[]) => members.map((member) => `${place}.${member}`);
/** An amount of the shop's money, in both spellings. */
const money = (...names: readonly string[]) =>
  names.flatMap((name) => [name, `${name}_set.shop_money.amount`]);
/** The rest of a money set: the customer's currency and the names of both. */
const beside = (...names: readonly string[]) =>
  names.flatMap((name) => [
    `${name}_set`,
    `${name}_set.shop_money.currency_code`,
    `${name}_set.presentment_money.**`,
  ]);
/** An amount that repeats others: the order as it is now, or sums of its lines. */
const known = (...names: readonly string[]) =>
  names.flatMap((name) => [name, `${name}_set`, `${name}_set.**`]);

const TAX_LINE = ["rate", "title", ...money("price")];
const ALLOCATION = ["discount_application_index", ...money("amount")];
const ADDRESS = [
  "first_name",
  "last_name",
  "company",
  "address1",
  "address2",
  "city",
  "zip",
  "country_code",
  "phone",
];
const ADDRESS_BESIDE = ["name", "country", "province", "province_code", "latitude", "longitude"];
const TRANSACTION = [
  "id",
  "kind",
  "status",
  "gateway",
  "currency",
  "processed_at",
  "created_at",
  ...money("amount"),
];
const REFUND = [
  ...["id", "order_id", "processed_at", "created_at", "note"],
  ...below("refund_line_items[]", ["line_item_id", "quantity", ...money("subtotal", "total_tax")]),
  ...below("refund_line_items[].line_item", ["id", "name", "title", "quantity", "product_id", "gift_card"]),
  ...below("refund_line_items[].line_item", money("price")),
  ...below("refund_line_items[].line_item.tax_lines[]", TAX_LINE),
  ...below("refund_line_items[].line_item.discount_allocations[]", ALLOCATION),
  ...below("refund_shipping_lines[]", ["shipping_line_id", "shipping_line.id"]),
  ...below("refund_shipping_lines[]", money("subtotal_amount", "subtotal", "tax_amount", "total_tax")),
  ...below("order_adjustments[]", ["kind", ...money("amount", "tax_amount")]),
  ...below("transactions[]", TRANSACTION),
];
const REFUND_BESIDE = [
  ...["admin_graphql_api_id", "user_id", "restock", "return", "return.**"],
  // Duties and fees are no line: what went back of them is in the money only.
  ...["duties.**", "additional_fees.**", ...known("total_duties", "total_additional_fees")],
  ...["refund_line_items.**", "refund_shipping_lines.**", "order_adjustments.**", "transactions.**"],
];

/** Members of an order. */
export const ORDER_PATHS: NativePaths = {
  read: [
    ...["id", "name", "order_number", "created_at", "processed_at", "updated_at", "cancelled_at", "currency"],
    ...[
      "financial_status",
      "taxes_included",
      "duties_included",
      "test",
      "source_name",
      "location_id",
      "tags",
    ],
    ...["email", "contact_email", "phone", "payment_gateway_names[]"],
    ...money("total_price", "total_tax", "total_discounts", "total_tip_received", "current_total_price"),
    ...money("original_total_duties", "original_total_additional_fees"),
    "total_price_set.shop_money.currency_code",
    ...below("customer", ["id", "first_name", "last_name", "email", "phone"]),
    ...below("billing_address", ADDRESS),
    ...below("shipping_address", ["country_code", "zip"]),
    ...["note_attributes[].name", "note_attributes[].value"],
    ...["localized_fields[].key", "localized_fields[].value"],
    ...below("line_items[]", [
      "id",
      "name",
      "title",
      "quantity",
      "product_id",
      "gift_card",
      "requires_shipping",
    ]),
    ...below("line_items[]", [...money("price"), "tip", "tip.**"]),
    ...below("line_items[].tax_lines[]", TAX_LINE),
    ...below("line_items[].discount_allocations[]", ALLOCATION),
    ...below("line_items[].duties[]", ["shop_money.amount", "price"]),
    ...below("line_items[].duties[].tax_lines[]", TAX_LINE),
    ...below("shipping_lines[]", ["id", "title", "is_removed", "delivery_category", ...money("price")]),
    ...below("shipping_lines[].tax_lines[]", TAX_LINE),
    ...below("shipping_lines[].discount_allocations[]", ALLOCATION),
    ...below("tax_lines[]", TAX_LINE),
    ...below("discount_applications[]", ["code", "title", "description"]),
    ...below("transactions[]", TRANSACTION),
    ...below("refunds[]", REFUND),
  ],
  decidesNothing: [
    ...["admin_graphql_api_id", "app_id", "browser_ip", "buyer_accepts_marketing", "cancel_reason"],
    ...["cart_token", "checkout_id", "checkout_token", "client_details", "client_details.**", "closed_at"],
    ...["company", "company.**", "confirmation_number", "confirmed", "customer_locale", "device_id"],
    ...["estimated_taxes", "fulfillment_status", "gateway", "landing_site", "landing_site_ref"],
    ...["merchant_business_entity_id", "merchant_of_record_app_id", "note", "number", "order_status_url"],
    ...["payment_details", "payment_details.**", "payment_terms", "payment_terms.**", "po_number"],
    ...["presentment_currency", "processing_method", "reference", "referring_site", "source_identifier"],
    ...["source_url", "tax_exempt", "token", "total_weight", "user_id", "total_price_usd"],
    ...["fulfillments.**", "returns.**", "line_item_groups.**", "discount_codes.**"],
    ...["customer", "customer.**", "billing_address", "shipping_address"],
    ...below("billing_address", ADDRESS_BESIDE),
    ...below("shipping_address", [...ADDRESS, ...ADDRESS_BESIDE]),
    // The order as it is after edits and refunds, sums of its lines, and roundings of cash.
    ...known("current_shipping_price", "current_subtotal_price", "current_total_additional_fees"),
    ...known("current_total_discounts", "current_total_duties", "current_total_tax", "subtotal_price"),
    ...known("total_line_items_price", "total_shipping_price", "total_outstanding", "total_cash_rounding"),
    ...known("total_cash_rounding_payment_adjustment", "total_cash_rounding_refund_adjustment"),
    ...beside("total_price", "total_tax", "total_discounts", "total_tip_received", "current_total_price"),
    ...beside("original_total_duties", "original_total_additional_fees"),
    ...below("line_items[]", ["admin_graphql_api_id", "attributed_staffs.**", "current_quantity"]),
    ...below("line_items[]", ["fulfillable_quantity", "fulfillment_service", "fulfillment_status", "grams"]),
    ...below("line_items[]", [
      "product_exists",
      "properties.**",
      "sales_line_item_group_id",
      "sku",
      "taxable",
    ]),
    ...below("line_items[]", ["variant_id", "variant_inventory_management", "variant_title", "vendor"]),
    ...below("line_items[]", ["origin_location.**", "destination_location.**", "pre_tax_price"]),
    // Only the allocations say what came off a line.
    ...below("line_items[]", [...known("total_discount"), ...beside("price")]),
    ...below("line_items[].tax_lines[]", ["channel_liable", "source", ...beside("price")]),
    ...below("line_items[].discount_allocations[]", beside("amount")),
    "line_items[].duties.**",
    ...below("shipping_lines[]", ["carrier_identifier", "code", "phone", "requested_fulfillment_service_id"]),
    ...below("shipping_lines[]", ["source", ...known("current_discounted_price", "discounted_price")]),
    ...below("shipping_lines[]", beside("price")),
    ...below("shipping_lines[].tax_lines[]", ["channel_liable", "source", ...beside("price")]),
    ...below("shipping_lines[].discount_allocations[]", beside("amount")),
    ...below("tax_lines[]", ["channel_liable", "source", ...beside("price")]),
    "discount_applications.**",
    "transactions.**",
    ...below("refunds[]", REFUND_BESIDE),
  ],
};

/** Members of a refund. */
export const REFUND_PATHS: NativePaths = { read: REFUND, decidesNothing: REFUND_BESIDE };
