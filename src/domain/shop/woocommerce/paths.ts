import type { NativePaths } from "../native-paths.ts";

const ADDRESS = [
  "first_name",
  "last_name",
  "company",
  "address_1",
  "address_2",
  "city",
  "postcode",
  "country",
];
const MONEY = ["total", "total_tax", "price", "taxes[].id", "taxes[].total"];
const TAX = ["taxes[].subtotal", "taxes"];
const below = (list: string, members: readonly string[]) => members.map((member) => `${list}.${member}`);

/** Members of an order. */
export const ORDER_PATHS: NativePaths = {
  read: [
    "id",
    "number",
    "status",
    "currency",
    ...[
      "date_created_gmt",
      "date_created",
      "date_modified_gmt",
      "date_modified",
      "date_paid_gmt",
      "date_paid",
    ],
    ...["total", "total_tax", "customer_id"],
    ...below("billing", [...ADDRESS, "email", "phone"]),
    ...below("shipping", ["country", "postcode"]),
    ...["meta_data[].key", "meta_data[].value"],
    ...below("line_items[]", ["id", "name", "product_id", "variation_id", "quantity", ...MONEY]),
    ...below("shipping_lines[]", ["id", "method_title", "method_id", ...MONEY]),
    ...below("fee_lines[]", ["id", "name", ...MONEY]),
    ...below("coupon_lines[]", ["code", "discount", "discount_tax"]),
    ...below("tax_lines[]", ["rate_id", "rate_percent", "tax_total", "shipping_tax_total"]),
    "gift_cards[].amount",
    ...below("refunds[]", ["id", "reason", "total"]),
  ],
  decidesNothing: [
    ...["parent_id", "order_key", "created_via", "version", "currency_symbol", "cart_hash"],
    ...["is_editable", "needs_payment", "needs_processing", "prices_include_tax", "customer_note"],
    ...["customer_ip_address", "customer_user_agent", "set_paid"],
    ...["payment_method", "payment_method_title", "payment_url", "transaction_id"],
    ...["date_completed", "date_completed_gmt"],
    // Sums of the lines.
    ...["discount_total", "discount_tax", "shipping_total", "shipping_tax", "cart_tax"],
    ...below("billing", ["state"]),
    ...below("shipping", ["state", "email", "phone", ...ADDRESS]),
    "meta_data.**",
    ...below("line_items[]", ["tax_class", "subtotal", "subtotal_tax", "sku", "parent_name", ...TAX]),
    ...below("line_items[]", [
      "composite_parent",
      "composite_children.**",
      "bundled_by",
      "bundled_item_title",
    ]),
    ...below("line_items[]", ["bundled_items.**", "global_unique_id", "meta_data.**", "image.**"]),
    ...below("shipping_lines[]", ["instance_id", "meta_data.**", "tax_status", ...TAX]),
    ...below("fee_lines[]", ["tax_class", "tax_status", "amount", "meta_data.**", ...TAX]),
    ...below("coupon_lines[]", ["id", "discount_type", "nominal_amount", "free_shipping", "meta_data.**"]),
    ...below("tax_lines[]", ["id", "rate_code", "label", "compound", "meta_data.**"]),
    ...below("gift_cards[]", ["id", "code"]),
    "wcpdf_document_link",
    "_links.**",
  ],
};

/** Members of a refund. */
export const REFUND_PATHS: NativePaths = {
  read: [
    ...["id", "date_created_gmt", "date_created", "amount", "reason"],
    ...below("line_items[]", ["id", "name", "product_id", "variation_id", "quantity", ...MONEY]),
    ...below("shipping_lines[]", ["id", "method_title", "method_id", "name", ...MONEY]),
    ...below("fee_lines[]", ["id", "name", ...MONEY]),
    ...["line_items[]", "shipping_lines[]", "fee_lines[]"].flatMap((list) =>
      below(list, ["meta_data[].key", "meta_data[].value"]),
    ),
  ],
  decidesNothing: [
    ...["parent_id", "refunded_by", "refunded_payment", "api_refund", "api_restock", "meta_data.**"],
    ...below("line_items[]", ["tax_class", "subtotal", "subtotal_tax", "sku", "parent_name", ...TAX]),
    ...below("line_items[]", ["global_unique_id", "image.**", "meta_data.**"]),
    ...below("shipping_lines[]", ["instance_id", "tax_status", "meta_data.**", ...TAX]),
    ...below("fee_lines[]", ["tax_class", "tax_status", "amount", "meta_data.**", ...TAX]),
    ...["tax_lines.**", "_links.**"],
  ],
};
