import type { NativePaths } from "../native-paths.ts";

const below = (place: string, members: readonly string[]) => members.map((member) => `${place}.${member}`);

const ROW = [
  "id",
  "product_id",
  "product_name",
  "product_quantity",
  "unit_price_tax_excl",
  "unit_price_tax_incl",
];
const ROW_BESIDE = [
  ...["product_attribute_id", "product_reference", "product_price", "product_ean13", "product_upc"],
  ...["product_isbn", "id_customization"],
];

/** Members of an order; those of XML have the name of an entry in the place of a list. */
export const ORDER_PATHS: NativePaths = {
  read: [
    ...["id", "reference", "date_add", "date_upd", "id_shop", "id_currency", "id_customer", "current_state"],
    ...["total_paid_tax_incl", "total_paid", "total_paid_real", "carrier_tax_rate", "is_virtual"],
    ...["total_shipping_tax_excl", "total_shipping_tax_incl", "total_wrapping_tax_excl"],
    ...["total_wrapping_tax_incl", "total_discounts_tax_incl", "total_discounts"],
    ...["fees.amount", "fees.tax_rate", "payment_fee.amount", "payment_fee.tax_rate"],
    ...below("associations.order_rows[]", ROW),
    ...below("associations.order_rows.order_row[]", ROW),
    ...below("associations.order_rows.order_row", ROW),
  ],
  decidesNothing: [
    ...["id_address_delivery", "id_address_invoice", "id_cart", "id_lang", "id_carrier", "id_shop_group"],
    ...["module", "payment", "invoice_number", "invoice_date", "delivery_number", "delivery_date", "valid"],
    ...["shipping_number", "secure_key", "recyclable", "gift", "gift_message", "mobile_theme", "note"],
    ...["round_mode", "round_type", "conversion_rate"],
    // Sums of the lines, and the same without tax.
    ...["total_discounts_tax_excl", "total_paid_tax_excl", "total_products", "total_products_wt"],
    ...["total_shipping", "total_wrapping"],
    ...below("associations.order_rows[]", ROW_BESIDE),
    ...below("associations.order_rows.order_row[]", ROW_BESIDE),
    ...below("associations.order_rows.order_row", ROW_BESIDE),
  ],
};
