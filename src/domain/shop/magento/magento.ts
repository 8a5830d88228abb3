import type { ClientFacts } from "../../order/facts.ts";
import type { SentDiscount, SentLine, SentOrder, SentUnmappedTotal } from "../../order/sent-order.ts";
import { absolute, add, isZero, ONE, subtract, sum, ZERO } from "../../shared/decimal.ts";
import { present } from "../../shared/present.ts";
import { documentIn, refundsIn } from "../envelopes.ts";
import { Findings, type MappedOrder } from "../mapped.ts";
import type { Native } from "../native.ts";
import { unknownAmounts, withUnknownAmounts } from "../native-paths.ts";
import { lineTax, type Percents, percentsOf, taxTotals } from "../rates.ts";
import { countryFrom, currencyFrom, identifierIn, type ShopTables, streetOf } from "../tables.ts";
import { utcInstant } from "../times.ts";
import { creditmemoEvents } from "./creditmemos.ts";
import { appliedTo, itemsWithMoney, type MagentoLine, percentsIn, productLine, taxId } from "./members.ts";
import { ORDER_PATHS } from "./paths.ts";
import { itemTaxes, percentId, shippingTaxes, withTax } from "./taxes.ts";

/** Documents of Magento 2's REST API, and of Magento 1, which has the same arithmetic. */
export interface MagentoDocuments {
  readonly order?: unknown;
  /** The list of the order's credit memos, or one. */
  readonly creditmemos?: unknown;
  /** The shop has deleted the order. */
  readonly isDeleted?: boolean;
}

export function mapOrder(documents: MagentoDocuments, tables: ShopTables): MappedOrder {
  const findings = new Findings();
  const order = documentIn(documents.order, "order", "orders", "data");
  const memos = refundsIn("magento", documents);
  const currency = currencyFrom(order.at("order_currency_code").text(3));
  const isOrder = documents.order !== undefined && !isInvoice(order);
  const lines = isOrder ? linesOf(order, currency ?? "EUR", findings) : [];
  const ofMemos = memos.map((memo) => currencyFrom(memo.at("order_currency_code").text(3)));
  const memoCurrency = currency ?? ofMemos.find((code) => code !== undefined) ?? "EUR";
  const events = creditmemoEvents({ memos, lines, currency: memoCurrency }, findings);
  const named = [order.at(isOrder ? "entity_id" : "order_id"), order.at("order_id")];
  const ids = [...named, ...memos.map((memo) => memo.at("order_id"))].map((place) => place.id());
  const idExternal = ids.find((id) => id !== undefined);
  const updatedAt = isOrder ? utcInstant(order.at("updated_at")) : undefined;
  const known = present({ idExternal, updatedAt });
  if (documents.order !== undefined && !isOrder) findings.add("order");
  if (!isOrder) return { ...known, events, missing: findings.missing };
  const placed = utcInstant(order.at("created_at"));
  const total = order.at("grand_total").amount();
  if (idExternal === undefined) findings.add("id");
  if (placed === undefined) findings.add("order_date", "created_at");
  if (total === undefined) findings.add("total", "grand_total");
  if (currency === undefined) findings.add("currency", "order_currency_code");
  if (idExternal === undefined || placed === undefined || total === undefined || currency === undefined)
    return { ...known, events, missing: findings.missing };
  const payments = paymentsOf(order, findings);
  const surcharges = unmapped(order, findings);
  const sent: SentOrder = present({
    idExternal,
    reference: order.at("increment_id").text(255),
    orderDate: { instant: placed },
    updatedAt,
    total,
    totalTax: findings.optionalAmount(order.at("tax_amount")),
    amountPaid: amountPaid(order, payments, findings),
    currency,
    status: documents.isDeleted ? "deleted" : order.first("state", "status").text(120),
    sourcePlatform: "magento",
    client: clientOf(order, tables, findings),
    delivery: deliveryOf(order),
    breakdown: lines.map((line) => line.sent),
    discounts: [...discountsOf(order, findings), ...payments],
    unmappedTotals: surcharges,
    taxTotals: surcharges.length > 0 ? [] : totalsOfTaxes(order, lines, findings),
    events,
    refunds: [],
    storeId: order.at("store_id").id(32),
    tags: [],
    contractVersion: "1.9",
  });
  const complete = withUnknownAmounts(sent, unknownAmounts(order, ORDER_PATHS), findings);
  const { missing } = findings;
  return { ...known, order: missing.length > 0 ? { ...complete, missing } : complete, events, missing };
}

/** An invoice of Magento has an id of its own beside the one of its order. */
function isInvoice(order: Native): boolean {
  return !order.at("entity_id").isEmpty && !order.at("order_id").isEmpty;
}

/** Percents of the order's taxes by their code. */
function statedPercents(order: Native): Percents {
  return percentsIn([...appliedTaxes(order), ...appliedTo(order, () => true)]);
}

function appliedTaxes(order: Native): readonly Native[] {
  return order.at("extension_attributes", "applied_taxes").items();
}

function linesOf(order: Native, currency: string, findings: Findings): readonly MagentoLine[] {
  if (!order.at("items").isList) findings.add("lines", "items");
  const applied = statedPercents(order);
  const items = itemsWithMoney(order.at("items").items());
  const products = items.map((item) => {
    const line = productLine(item, findings);
    return { ...line, taxes: itemTaxes(item, line, order, applied, findings) };
  });
  const ownPercents = items.flatMap((item) => item.at("tax_percent").amount() ?? []);
  const stated = new Map([...applied, ...ownPercents.map((rate) => [percentId(rate), rate] as const)]);
  const lines = [...products, ...shippingOf(order, stated, currency, findings)];
  const percents = percentsOf(lines, stated, {}, currency);
  return lines.map((line) => ({
    ...line,
    sent: { ...line.sent, ...lineTax(line, percents, currency, findings) },
  }));
}

function shippingOf(
  order: Native,
  stated: Percents,
  currency: string,
  findings: Findings,
): readonly MagentoLine[] {
  const optional = (...names: readonly string[]) => findings.optionalAmount(order.first(...names)) ?? ZERO;
  const amount = subtract(optional("shipping_amount"), optional("shipping_discount_amount"));
  const compensation = optional("shipping_discount_tax_compensation_amount", "shipping_hidden_tax_amount");
  const [base, tax] = [add(amount, compensation), optional("shipping_tax_amount")];
  if (isZero(base) && isZero(tax)) return [];
  const line = { base, tax, quantity: ONE, where: "shipping" };
  const name = order.first("shipping_description").text();
  const sent: SentLine = present({ lineId: "shipping", name, kind: "shipping", base, tax, taxRate: ZERO });
  return [{ ...line, sent, taxes: shippingTaxes(line, order, stated, currency, findings) }];
}

function totalsOfTaxes(order: Native, lines: readonly MagentoLine[], findings: Findings) {
  const totals = appliedTaxes(order).map((tax) => ({
    id: taxId(tax),
    tax: findings.amount(tax.at("amount")),
  }));
  return taxTotals(totals, statedPercents(order), lines);
}

/** Discounts that the rows already have taken off; the order writes them negative. */
function discountsOf(order: Native, findings: Findings): SentDiscount[] {
  const amount = absolute(findings.optionalAmount(order.at("discount_amount")) ?? ZERO);
  if (isZero(amount)) return [];
  const [code, name] = [order.at("coupon_code").text(255), order.at("discount_description").text()];
  return [
    { ...present({ code, name: code === undefined ? name : undefined }), amount, included: true, lines: [] },
  ];
}

const PAYMENTS = [
  ["gift_cards_amount", "gift_card"],
  ["customer_balance_amount", "customer_credit"],
  ["reward_currency_amount", "loyalty"],
] as const;

/** Payments that the grand total already has taken off. */
function paymentsOf(order: Native, findings: Findings): SentDiscount[] {
  return PAYMENTS.map(([member, kind]) => {
    const place = order.first(member, `extension_attributes.${member}`);
    return { kind, amount: absolute(findings.optionalAmount(place) ?? ZERO), lines: [] };
  }).filter(({ amount }) => !isZero(amount));
}

/** What the shop has collected, with what gift cards, balance and points paid. */
function amountPaid(order: Native, payments: readonly SentDiscount[], findings: Findings) {
  const paid = findings.optionalAmount(order.at("total_paid"));
  return paid && sum([paid, ...payments.map(({ amount }) => amount)]);
}

const SURCHARGES = [
  ["gw_price", "gw_tax_amount"],
  ["gw_items_price", "gw_items_tax_amount"],
  ["gw_card_price", "gw_card_tax_amount"],
] as const;

/** Gift wrapping with its tax, and the fixed product taxes of the rows. */
function unmapped(order: Native, findings: Findings): SentUnmappedTotal[] {
  const weee = itemsWithMoney(order.at("items").items()).map(
    (item) =>
      findings.optionalAmount(item.first("weee_tax_applied_row_amount", "weee_tax_applied_row_amnt")) ?? ZERO,
  );
  return [
    ...SURCHARGES.map(([member, tax]) => ({ code: member, value: withTax(order, member, tax, findings) })),
    { code: "weee_tax_applied_row_amount", value: sum(weee) },
  ].filter(({ value }) => !isZero(value));
}

function clientOf(order: Native, { nifKey }: ShopTables, findings: Findings): ClientFacts | undefined {
  const billing = order.at("billing_address");
  const country = countryFrom(billing.at("country_id").text(60));
  if (country === undefined && !billing.at("country_id").isEmpty)
    findings.add("country", "billing_address.country_id");
  const street = billing.at("street");
  const lines = street.isList ? street.items().map((line) => line.text(255)) : [street.text(255)];
  const own = nifKey === undefined ? [] : [order.at(nifKey), billing.at(nifKey)];
  const isGuest = order.at("customer_is_guest").flag() === true;
  const client = present({
    idExternal: isGuest ? undefined : order.at("customer_id").id(),
    firstName: billing.at("firstname").text(255) ?? order.at("customer_firstname").text(255),
    lastName: billing.at("lastname").text(255) ?? order.at("customer_lastname").text(255),
    company: billing.at("company").text(255),
    vatNumber: identifierIn([...own, order.at("customer_taxvat"), billing.at("vat_id")]),
    email: order.first("customer_email", "billing_address.email").text(320),
    phone: billing.at("telephone").text(64),
    country,
    address1: streetOf(lines),
    postcode: billing.at("postcode").text(20),
    city: billing.at("city").text(100),
  });
  return Object.keys(client).length > 0 ? client : undefined;
}

const PICK_UP = /^(instore|storepickup)/i;

/** Magento 1 has the address at the top level. */
function deliveryOf(order: Native): SentOrder["delivery"] {
  const [assignment] = order.at("extension_attributes", "shipping_assignments").items();
  const shipping = assignment?.at("shipping");
  const address = shipping?.at("address").isObject ? shipping.at("address") : order.at("shipping_address");
  const method = shipping?.at("method").text(100) ?? order.at("shipping_method").text(100) ?? "";
  const country = countryFrom(address.at("country_id").text(60));
  const isVirtual = order.at("is_virtual").flag() === true;
  if (country === undefined || isVirtual || PICK_UP.test(method)) return undefined;
  return present({ country, postcode: address.at("postcode").text(20) });
}
