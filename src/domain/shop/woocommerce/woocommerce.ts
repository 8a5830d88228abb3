import { scaleIn } from "../../order/fact-text.ts";
import type { ClientFacts } from "../../order/facts.ts";
import type { SentDiscount, SentOrder } from "../../order/sent-order.ts";
import { absolute, add, type Decimal, isZero, ONE, round, sum, ZERO } from "../../shared/decimal.ts";
import type { Instant } from "../../shared/instant.ts";
import { present } from "../../shared/present.ts";
import { documentIn, refundsIn } from "../envelopes.ts";
import { Findings, type MappedOrder } from "../mapped.ts";
import type { Native } from "../native.ts";
import { unknownAmounts, withUnknownAmounts } from "../native-paths.ts";
import { lineTax, type Percents, percentsOf, taxTotals } from "../rates.ts";
import { countryFrom, currencyFrom, identifierIn, type ShopTables, streetOf } from "../tables.ts";
import { localInstant, localMoment, utcInstant } from "../times.ts";
import { type AddedUp, asAddedUp, keptSum } from "./amounts.ts";
import { decoded } from "./entities.ts";
import { metaOf, taxesOf, timeOf, type WooLine } from "./members.ts";
import { ORDER_PATHS } from "./paths.ts";
import { refundEvents } from "./refunds.ts";

/** Documents of WooCommerce's REST API v3, as `readJson` reads them or as parsed JSON. */
export interface WooDocuments {
  readonly order?: unknown;
  /** The list of `/orders/{id}/refunds`, or one document. */
  readonly refunds?: unknown;
  /** The shop has deleted the order. */
  readonly isDeleted?: boolean;
}

export function mapOrder(documents: WooDocuments, tables: ShopTables): MappedOrder {
  const findings = new Findings();
  const order = documentIn(documents.order, "data", "order", "orders");
  const idExternal = order.at("id").id();
  const currency = currencyFrom(order.at("currency").text(3));
  const stated = statedPercents(order);
  const money = currency ?? "EUR";
  const paid = payments(order, tables, findings);
  const total = order.at("total").amount();
  const wanted = total && sum([total, ...paid.map(({ amount }) => amount)]);
  const added = asAddedUp(readLines(order, findings), wanted, money, roundedProduct);
  const percents = percentsOf(added.lines, stated, tables, money);
  const lines = added.lines.map((line) => {
    const { base } = line;
    return { ...line, sent: { ...line.sent, base, ...lineTax(line, percents, money, findings) } };
  });
  const refunds = refundsIn("woocommerce", documents);
  const events = refundEvents({ order, refunds, lines, percents, tables, currency: money }, findings);
  const updatedAt = timeOf(order, "date_modified", tables);
  const known = {
    ...(idExternal === undefined ? {} : { idExternal }),
    ...(updatedAt === undefined ? {} : { updatedAt }),
  };
  if (documents.order === undefined) return { ...known, events, missing: findings.missing };
  const placed = placedAt(order, tables, findings);
  if (idExternal === undefined) findings.add("id");
  if (placed === undefined) findings.add("order_date", "date_created_gmt");
  if (total === undefined) findings.add("total", "total");
  if (currency === undefined) findings.add("currency", "currency");
  if (idExternal === undefined || placed === undefined || total === undefined || currency === undefined)
    return { ...known, events, missing: findings.missing };
  const sent: SentOrder = present({
    idExternal,
    reference: order.at("number").text(255),
    orderDate: placed,
    paidAt: paidAt(order, currency, tables, findings),
    updatedAt,
    total,
    totalTax: findings.optionalAmount(order.at("total_tax")),
    currency,
    status: documents.isDeleted ? "deleted" : order.at("status").text(120)?.replace(/^wc-/, ""),
    sourcePlatform: "woocommerce",
    client: clientOf(order, tables, findings),
    delivery: deliveryOf(order),
    breakdown: lines.map((line) => line.sent),
    discounts: [...coupons(order, findings), ...paid],
    unmappedTotals: [],
    taxTotals: taxTotals(totalsOfTaxes(order, added, money, findings), percents, lines),
    events,
    refunds: [],
    tags: [],
    contractVersion: "1.9",
  });
  const complete = withUnknownAmounts(sent, unknownAmounts(order, ORDER_PATHS), findings);
  const { missing } = findings;
  return { ...known, order: missing.length > 0 ? { ...complete, missing } : complete, events, missing };
}

const LISTS = [
  ["line_items", "product", "name"],
  ["shipping_lines", "shipping", "method_title"],
  ["fee_lines", "fee", "name"],
] as const;

function readLines(order: Native, findings: Findings): readonly WooLine[] {
  if (order.isObject && !order.at("line_items").isList) findings.add("lines", "line_items");
  return LISTS.flatMap(([list, kind, title]) =>
    order
      .at(list)
      .items()
      .map((native) => {
        const lineId = native.at("id").id();
        const where = lineId ?? native.where;
        const base = findings.amount(native.at("total"), where);
        const tax = findings.amount(native.at("total_tax"), where);
        const quantity = native.at("quantity").amount();
        const productId = kind === "product" ? native.at("product_id").id() : undefined;
        const name = decoded(native.at(title).text());
        const sent = present({ lineId, productId, name, kind, quantity, base, tax, taxRate: ZERO });
        return { native, sent, base, tax, quantity: quantity ?? ONE, taxes: taxesOf(native), where };
      }),
  );
}

/** Each product is rounded before it is added; delivery and fees are not. */
function roundedProduct({ sent, base, tax }: WooLine, scale: number) {
  return { base: sent.kind === "product" ? round(base, scale) : base, tax };
}

function statedPercents(order: Native): Percents {
  const stated = order
    .at("tax_lines")
    .items()
    .flatMap((tax) => {
      const [id, percent] = [tax.at("rate_id").id(), tax.at("rate_percent").amount()];
      return id === undefined || percent === undefined ? [] : [[id, percent] as const];
    });
  return new Map(stated);
}

/** Of a shop that adds up what it keeps, the taxes of its lines are the exact form of what it shows. */
function totalsOfTaxes(
  order: Native,
  { lines, isAsKept }: AddedUp<WooLine>,
  currency: string,
  findings: Findings,
) {
  const partsOf = (id: string) =>
    lines.flatMap(({ taxes }) => taxes.filter((tax) => tax.id === id).map(({ amount }) => amount));
  return order
    .at("tax_lines")
    .items()
    .flatMap((tax) => {
      const id = tax.at("rate_id").id();
      if (id === undefined) return [];
      const parts = [tax.at("tax_total"), tax.at("shipping_tax_total")];
      const shown = sum(parts.map((part) => findings.optionalAmount(part) ?? ZERO));
      return [{ id, tax: isAsKept ? keptSum(shown, partsOf(id), scaleIn(currency)) : shown }];
    });
}

/** Discounts that the lines already have taken off. */
function coupons(order: Native, findings: Findings): SentDiscount[] {
  return order
    .at("coupon_lines")
    .items()
    .map((coupon) => {
      const tax = findings.optionalAmount(coupon.at("discount_tax")) ?? ZERO;
      const amount = absolute(add(findings.optionalAmount(coupon.at("discount")) ?? ZERO, tax));
      return present({ code: coupon.at("code").text(255), amount, included: true, lines: [] });
    })
    .filter(({ amount }) => !isZero(amount));
}

/** The total is already less gift cards and credit. The code of a gift card can be spent, so it stays out. */
function payments(order: Native, tables: ShopTables, findings: Findings): SentDiscount[] {
  const cards = order
    .at("gift_cards")
    .items()
    .map((card) => findings.amount(card.at("amount")));
  const credits = (tables.creditKeys ?? []).map((key) => creditUnder(key, order, findings));
  const paid = [
    ...cards.map((amount) => ({ kind: "gift_card", amount })),
    ...credits.map((amount) => ({ kind: "customer_credit", amount })),
  ];
  return paid
    .map(({ kind, amount }) => ({ kind, amount: absolute(amount), lines: [] }))
    .filter(({ amount }) => !isZero(amount));
}

function creditUnder(key: string, order: Native, findings: Findings): Decimal {
  const places = [order.at(key), ...metaOf(order, key)];
  const place = places.find((each) => !each.isEmpty);
  return (place && findings.optionalAmount(place)) ?? ZERO;
}

const IDENTIFIER_KEYS = [
  "_billing_nif",
  "billing_nif",
  "_billing_cif",
  "_billing_nie",
  "_billing_dni",
  "_billing_vat",
  "_billing_vat_number",
  "_vat_number",
  "vat_number",
  "_billing_eu_vat_number",
  "_billing_eu_vat",
];

function clientOf(order: Native, { nifKey }: ShopTables, findings: Findings): ClientFacts | undefined {
  const billing = order.at("billing");
  const keys = nifKey === undefined ? IDENTIFIER_KEYS : [nifKey, ...IDENTIFIER_KEYS];
  const named = nifKey === undefined ? [] : [order.at(nifKey), billing.at(nifKey)];
  const country = countryFrom(billing.at("country").text(60));
  if (country === undefined && !billing.at("country").isEmpty) findings.add("country", "billing.country");
  const street = [billing.at("address_1").text(255), billing.at("address_2").text(255)];
  const client = present({
    idExternal: order.at("customer_id").id(),
    firstName: billing.at("first_name").text(255),
    lastName: billing.at("last_name").text(255),
    company: billing.at("company").text(255),
    vatNumber: identifierIn([...named, ...keys.flatMap((key) => metaOf(order, key))]),
    email: billing.at("email").text(320),
    phone: billing.at("phone").text(64),
    country,
    address1: streetOf(street),
    postcode: billing.at("postcode").text(20),
    city: billing.at("city").text(100),
  });
  return Object.keys(client).length > 0 ? client : undefined;
}

const PICK_UP = /^(local_pickup|pickup_location)/;

/** Nothing is delivered without shipping, nor where the customer fetches the goods. */
function deliveryOf(order: Native): SentOrder["delivery"] {
  const methods = order
    .at("shipping_lines")
    .items()
    .map((line) => line.at("method_id").text(100) ?? "");
  if (methods.length === 0 || methods.every((method) => PICK_UP.test(method))) return undefined;
  const country = countryFrom(order.at("shipping", "country").text(60));
  if (country === undefined) return undefined;
  return present({ country, postcode: order.at("shipping", "postcode").text(20) });
}

function placedAt(order: Native, { timeZone }: ShopTables, findings: Findings): SentOrder["orderDate"] {
  const instant = utcInstant(order.at("date_created_gmt"));
  if (instant !== undefined) return { instant };
  const moment = localMoment(order.at("date_created"), timeZone);
  if (moment !== undefined && "local" in moment) findings.add("time_zone", "date_created");
  return moment;
}

/** The time of payment selects an exchange rate, so its zone matters only in another currency. */
function paidAt(
  order: Native,
  currency: string,
  { timeZone }: ShopTables,
  findings: Findings,
): Instant | undefined {
  const instant = utcInstant(order.at("date_paid_gmt"));
  if (instant !== undefined) return instant;
  const ignored = currency === "EUR" ? new Findings() : findings;
  return localInstant(order.at("date_paid"), timeZone, ignored);
}
