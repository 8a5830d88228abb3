import type { NativePaths } from "../native-paths.ts";

const below = (place: string, members: readonly string[]) => members.map((member) => `${place}.${member}`);

/** The shop's own currency, prices with tax, and what became of an amount later. */
const LATER = "invoiced|refunded|refnded|canceled|captured|incl_tax|before_discount";
const OTHER_FORMS = new RegExp(`(^|[._])(base_|bs_|store_|global_)\\w+$|_(${LATER})$`);

const ADDRESS = ["firstname", "lastname", "company", "city", "postcode", "country_id", "vat_id", "telephone"];
const APPLIED = ["code", "title", "percent", "amount"];
const ROW = [
  ...["item_id", "order_item_id", "parent_item_id", "product_id", "name", "row_total", "tax_amount"],
  ...["discount_amount", "discount_tax_compensation_amount", "hidden_tax_amount"],
];
/** An address without what is read of it. */
const ADDRESS_BESIDE = [
  ...["address_id", "address_type", "customer_address_id", "customer_id", "entity_id", "fax", "middlename"],
  ...["giftregistry_item_id", "parent_id", "prefix", "suffix", "quote_address_id", "region", "region_code"],
  ...["region_id", "street", "street[]", "email", "vat_is_valid", "vat_request_date", "vat_request_id"],
  ...["vat_request_success", "extension_attributes.**", "custom_attributes.**"],
];
/** Identifiers, prices of one piece, counts and settings of an item. */
const ITEM_BESIDE = [
  ...[
    "additional_data",
    "amount_refunded",
    "applied_rule_ids",
    "created_at",
    "description",
    "discount_percent",
  ],
  ...["entity_id", "event_id", "ext_order_item_id", "extension_attributes.**", "free_shipping"],
  ...["gift_message_available", "gift_message_id", "giftregistry_item_id", "gw_id", "has_children"],
  ...["is_nominal", "is_qty_decimal", "is_virtual", "locked_do_invoice", "locked_do_ship", "no_discount"],
  ...["order_id", "original_price", "parent_id", "parent_item.**", "price", "product_option.**"],
  ...["product_options", "product_type", "qty_backordered", "qty_canceled", "qty_invoiced", "qty_refunded"],
  ...[
    "qty_returned",
    "qty_shipped",
    "quote_item_id",
    "row_weight",
    "sku",
    "store_id",
    "updated_at",
    "weight",
  ],
  // Gift wrapping of items stands in the order's own sum.
  ...["gw_price", "gw_tax_amount", "weee_tax_applied", "weee_tax_applied_amount", "weee_tax_disposition"],
  ...["weee_tax_row_disposition"],
];

/** Members of an order. */
export const ORDER_PATHS: NativePaths = {
  read: [
    ...["entity_id", "order_id", "increment_id", "created_at", "updated_at", "store_id", "state", "status"],
    ...["grand_total", "order_currency_code", "total_paid", "tax_amount", "is_virtual", "shipping_method"],
    ...["shipping_amount", "shipping_discount_amount", "shipping_tax_amount", "shipping_description"],
    ...["shipping_discount_tax_compensation_amount", "shipping_hidden_tax_amount"],
    ...["discount_amount", "coupon_code", "discount_description"],
    ...["gift_cards_amount", "customer_balance_amount", "reward_currency_amount"],
    ...["gw_price", "gw_tax_amount", "gw_items_price", "gw_items_tax_amount", "gw_card_price"],
    ...["gw_card_tax_amount", "customer_id", "customer_is_guest", "customer_email", "customer_taxvat"],
    ...["customer_firstname", "customer_lastname"],
    ...below("billing_address", [...ADDRESS, "street", "street[]", "email"]),
    ...below("shipping_address", ["country_id", "postcode"]),
    ...below("items[]", [...ROW, "qty_ordered", "qty", "tax_percent"]),
    ...below("items[]", ["weee_tax_applied_row_amount", "weee_tax_applied_row_amnt"]),
    ...below("extension_attributes.applied_taxes[]", APPLIED),
    ...below("extension_attributes.item_applied_taxes[]", ["type", "item_id"]),
    ...below("extension_attributes.item_applied_taxes[].applied_taxes[]", APPLIED),
    ...below("extension_attributes", [
      "gift_cards_amount",
      "customer_balance_amount",
      "reward_currency_amount",
    ]),
    ...below("extension_attributes", ["gw_price", "gw_tax_amount", "gw_items_price", "gw_items_tax_amount"]),
    ...below("extension_attributes", ["gw_card_price", "gw_card_tax_amount"]),
    ...below("extension_attributes.shipping_assignments[].shipping", ["method", "address.**"]),
  ],
  decidesNothing: [
    ...[
      "adjustment_negative",
      "adjustment_positive",
      "applied_rule_ids",
      "billing_address",
      "shipping_address",
    ],
    ...["billing_address_id", "shipping_address_id", "can_ship_partially", "can_ship_partially_item"],
    ...[
      "can_void_flag",
      "coupon_rule_name",
      "customer_bal_total_refunded",
      "customer_dob",
      "customer_gender",
    ],
    ...["customer_group_id", "customer_middlename", "customer_note", "customer_note_notify"],
    ...[
      "customer_prefix",
      "customer_suffix",
      "edit_increment",
      "email_sent",
      "ext_customer_id",
      "ext_order_id",
    ],
    ...["forced_do_shipment_with_invoice", "forced_shipment_with_invoice", "gift_cards", "gift_message_id"],
    ...[
      "gw_add_card",
      "gw_allow_gift_receipt",
      "gw_id",
      "hold_before_state",
      "hold_before_status",
      "imported",
    ],
    ...["original_increment_id", "payment_auth_expiration", "payment_authorization_amount"],
    ...["payment_authorization_expiration", "paypal_ipn_customer_notified", "protect_code"],
    ...["quote_address_id", "quote_id", "relation_child_id", "relation_child_real_id", "relation_parent_id"],
    ...["relation_parent_real_id", "remote_ip", "reward_points_balance", "reward_points_balance_refund"],
    ...["reward_salesrule_points", "rwrd_currency_amount_invoiced", "rwrd_crrncy_amt_invoiced", "send_email"],
    ...["status_history.**", "status_histories.**", "payment.**", "comments.**", "x_forwarded_for", "weight"],
    // Sums of the rows, and the discount's tax that the rows give back.
    ...["subtotal", "discount_tax_compensation_amount", "hidden_tax_amount", "total_due", "total_item_count"],
    ...["total_qty", "total_qty_ordered", "total_offline_refunded", "total_online_refunded"],
    ...below("billing_address", ADDRESS_BESIDE),
    ...below("shipping_address", [...ADDRESS, ...ADDRESS_BESIDE]),
    ...below("items[]", ITEM_BESIDE),
    ...["extension_attributes.converting_from_quote", "extension_attributes.payment_additional_info.**"],
    ...["extension_attributes.gift_cards.**", "extension_attributes.applied_taxes.**"],
    ...["extension_attributes.item_applied_taxes.**", "extension_attributes.shipping_assignments.**"],
    "extension_attributes.reward_points_balance",
  ],
  otherForms: OTHER_FORMS,
};

/** Members of a credit memo. */
export const CREDITMEMO_PATHS: NativePaths = {
  read: [
    ...["entity_id", "creditmemo_id", "increment_id", "order_id", "created_at", "order_currency_code"],
    ...["grand_total", "shipping_amount", "shipping_tax_amount", "discount_amount"],
    ...["shipping_discount_tax_compensation_amount", "shipping_hidden_tax_amount"],
    ...["adjustment_positive", "adjustment_negative", "comments[].comment"],
    ...["gift_cards_amount", "customer_balance_amount", "reward_currency_amount"],
    ...below("extension_attributes", [
      "gift_cards_amount",
      "customer_balance_amount",
      "reward_currency_amount",
    ]),
    ...below("items[]", [...ROW, "qty"]),
  ],
  decidesNothing: [
    ...["adjustment", "subtotal", "tax_amount", "discount_tax_compensation_amount", "hidden_tax_amount"],
    ...["billing_address_id", "shipping_address_id", "invoice_id", "state", "store_id", "updated_at"],
    ...["email_sent", "transaction_id", "creditmemo_status", "discount_description", "comments.**"],
    ...["extension_attributes.**"],
    ...below("items[]", ITEM_BESIDE),
  ],
  otherForms: OTHER_FORMS,
};
