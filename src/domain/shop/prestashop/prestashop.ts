import type { ClientFacts } from "../../order/facts.ts";
import type { SentDiscount, SentOrder } from "../../order/sent-order.ts";
import {
  absolute,
  add,
  type Decimal,
  decimal,
  greater,
  isAtMost,
  isZero,
  multiply,
  ONE,
  subtract,
  sum,
  ZERO,
} from "../../shared/decimal.ts";
import type { Instant } from "../../shared/instant.ts";
import { present } from "../../shared/present.ts";
import { documentIn, entriesIn, refundsIn } from "../envelopes.ts";
import { Findings, type MappedOrder } from "../mapped.ts";
import { lookedUp, type Native } from "../native.ts";
import { unknownAmounts, withUnknownAmounts } from "../native-paths.ts";
import { wholeTax } from "../rates.ts";
import { countryFrom, currencyFrom, identifierIn, type ShopTables, streetOf } from "../tables.ts";
import { localInstant, localMoment } from "../times.ts";
import { amountsOf, documentAt, lineOf, type PrestashopLine, statedPercents } from "./members.ts";
import { slipEvents } from "./order-slips.ts";
import { ORDER_PATHS } from "./paths.ts";

/**
 * Documents of PrestaShop's webservice by their names: `order`, `order_details`, `order_slips`, `taxes`,
 * `order_cart_rules`, `address_invoice`, `address_delivery`, `country_invoice`, `country_delivery`,
 * `currency`. XML comes as the same tree with texts. `isDeleted: true` is an order that the shop has deleted.
 */
export type PrestashopDocuments = Readonly<Record<string, unknown>>;

export function mapOrder(documents: PrestashopDocuments, tables: ShopTables): MappedOrder {
  const findings = new Findings();
  const at = (name: string) => documentAt(documents, name);
  const order = documentIn(at("order"), "order", "orders", "prestashop");
  const slips = refundsIn("prestashop", documents);
  const currency = currencyOf(order, at("currency"), tables);
  const money = currency ?? "EUR";
  const lines = order.isObject ? linesOf(order, documents, money, tables, findings) : [];
  const discounts = order.isObject ? discountsOf(order, at("order_cart_rules"), lines, findings) : [];
  const isKnown = rulesOf(at("order_cart_rules")).length > 0;
  const discount = isKnown ? ofProducts(discounts, lines) : ZERO;
  const events = slipEvents({ slips, lines, discount, currency: money, tables }, findings);
  const ids = [order.at("id"), ...slips.map((slip) => slip.at("id_order"))].map((place) => place.id());
  const idExternal = ids.find((id) => id !== undefined);
  const updatedAt = changedAt(order, tables);
  const known = present({ idExternal, updatedAt });
  if (!order.isObject) {
    if (slips.length === 0) findings.add("order");
    return { ...known, events, missing: findings.missing };
  }
  const placed = localMoment(order.at("date_add"), tables.timeZone);
  const total = order.first("total_paid_tax_incl", "total_paid").amount();
  if (idExternal === undefined) findings.add("id");
  if (placed === undefined) findings.add("order_date", "date_add");
  if (total === undefined) findings.add("total", "total_paid_tax_incl");
  if (currency === undefined) findings.add("currency", "id_currency");
  if (idExternal === undefined || placed === undefined || total === undefined || currency === undefined)
    return { ...known, events, missing: findings.missing };
  if ("local" in placed) findings.add("time_zone", "date_add");
  const isDeleted = documents.isDeleted === true;
  const sent: SentOrder = present({
    idExternal,
    reference: order.at("reference").text(255),
    orderDate: placed,
    updatedAt,
    total,
    amountPaid: findings.optionalAmount(order.at("total_paid_real")),
    currency,
    status: isDeleted ? "deleted" : order.at("current_state").text(120),
    sourcePlatform: "prestashop",
    client: clientOf(order, documents, tables, findings),
    delivery: deliveryOf(order, documents, tables),
    breakdown: lines.map((line) => line.sent),
    discounts,
    unmappedTotals: [],
    taxTotals: [],
    events,
    refunds: [],
    storeId: order.at("id_shop").id(32),
    tags: [],
    contractVersion: "1.9",
  });
  const complete = withUnknownAmounts(sent, unknownAmounts(order, ORDER_PATHS), findings);
  const { missing } = findings;
  return { ...known, order: missing.length > 0 ? { ...complete, missing } : complete, events, missing };
}

function currencyOf(order: Native, document: Native, tables: ShopTables): string | undefined {
  const named = documentIn(document, "currency", "currencies").at("iso_code").text(3);
  return currencyFrom(named ?? lookedUp(tables.currencies, order.at("id_currency").id()));
}

/** A local time without the shop's zone does not say which of two documents is newer. */
function changedAt(order: Native, { timeZone }: ShopTables): Instant | undefined {
  return localInstant(order.at("date_upd"), timeZone, new Findings());
}

const HUNDREDTH = decimal("0.01");

function linesOf(
  order: Native,
  documents: PrestashopDocuments,
  currency: string,
  tables: ShopTables,
  findings: Findings,
): readonly PrestashopLine[] {
  const taxes = entriesIn(documentAt(documents, "taxes"), ["taxes", "tax"]);
  const details = entriesIn(documentAt(documents, "order_details"), ["order_details", "order_detail"]);
  const rows = entriesIn(order.at("associations", "order_rows"), ["order_rows", "order_row"]);
  if (details.length === 0 && rows.length === 0) findings.add("lines", "associations.order_rows");
  const isFull = details.length > 0;
  const products = (isFull ? details : rows).map((row) => {
    const lineId = row.at("id").id();
    const where = lineId ?? row.where;
    const quantity = row.at("product_quantity").amount();
    const stated = statedPercents(row, taxes, tables, where, findings);
    const described = {
      lineId,
      kind: "product" as const,
      name: row.at("product_name").text(),
      productId: row.at("product_id").id(),
      quantity,
      stated,
      where,
    };
    return lineOf(rowAmounts(row, quantity, where, findings), described, currency, findings);
  });
  return [...products, ...otherLines(order, currency, findings)];
}

/** A detail has the amounts of the row; a row only those of a piece. */
function rowAmounts(row: Native, quantity: Decimal | undefined, where: string, findings: Findings) {
  const isWhole = !row.at("total_price_tax_excl").isEmpty && !row.at("total_price_tax_incl").isEmpty;
  const [without, within] = isWhole
    ? ["total_price_tax_excl", "total_price_tax_incl"]
    : ["unit_price_tax_excl", "unit_price_tax_incl"];
  const [base, whole] = [findings.amount(row.at(without), where), findings.amount(row.at(within), where)];
  if (isWhole) return { base, whole };
  if (quantity === undefined) findings.add("amount", where);
  const pieces = quantity ?? ONE;
  return { base: multiply(base, pieces), whole: multiply(whole, pieces) };
}

/** Shipping at the carrier's rate, wrapping at the one that its amounts prove, the fee of a module. */
function otherLines(order: Native, currency: string, findings: Findings): readonly PrestashopLine[] {
  const carrier = order.at("carrier_tax_rate").amount();
  const rows = [
    { lineId: "shipping", kind: "shipping", of: "total_shipping", stated: carrier },
    { lineId: "wrapping", kind: "fee", of: "total_wrapping", stated: undefined },
  ] as const;
  const lines = rows.flatMap(({ of, stated, ...described }) => {
    const amounts = amountsOf(order, [`${of}_tax_excl`, `${of}_tax_incl`], described.lineId, findings);
    if (isZero(amounts.base) && isZero(amounts.whole)) return [];
    const percents = stated === undefined || isZero(stated) ? [] : [stated];
    const line = { ...described, stated: percents, where: described.lineId };
    return [lineOf(amounts, line, currency, findings)];
  });
  const fees = ["fees", "payment_fee"].map((name) => order.at(name)).filter((fee) => fee.isObject);
  return [
    ...lines,
    ...fees.map((fee) => {
      const [base, rate] = [findings.amount(fee.at("amount")), findings.amount(fee.at("tax_rate"))];
      const whole = add(base, multiply(multiply(base, rate), HUNDREDTH));
      const described = { lineId: "payment_fee", kind: "fee" as const, stated: [rate], where: "payment_fee" };
      return lineOf({ base, whole }, described, currency, findings);
    }),
  ];
}

function rulesOf(document: Native): readonly Native[] {
  const rules = entriesIn(document, ["order_cart_rules", "order_cart_rule"]);
  return rules.filter((rule) => rule.at("deleted").flag() !== true);
}

/** What vouchers took of the products: one for shipping takes only its excess of them. */
function ofProducts(discounts: readonly SentDiscount[], lines: readonly PrestashopLine[]): Decimal {
  const inAll = (isOf: (discount: SentDiscount) => boolean) =>
    sum(discounts.filter(isOf).map(({ amount }) => amount));
  const shipping = lines.filter(({ sent }) => sent.kind === "shipping");
  const gross = sum(shipping.map(({ base, sent }) => add(base, wholeTax(sent))));
  const beyond = subtract(
    inAll((discount) => discount.lines.length > 0),
    gross,
  );
  return add(
    inAll((discount) => discount.lines.length === 0),
    greater(beyond, ZERO),
  );
}

/** Vouchers are in no line. One that makes shipping free is limited to it. */
function discountsOf(
  order: Native,
  document: Native,
  lines: readonly PrestashopLine[],
  findings: Findings,
): SentDiscount[] {
  const rules = rulesOf(document);
  const discounts = rules
    .map((rule) => {
      const amount = absolute(findings.amount(rule.at("value")));
      const isOfShipping = rule.at("free_shipping").flag() === true;
      const name = rule.at("name").text();
      return present({ name, amount, lines: isOfShipping ? ["shipping"] : [] });
    })
    .filter(({ amount }) => !isZero(amount));
  const stated = findings.optionalAmount(order.first("total_discounts_tax_incl", "total_discounts")) ?? ZERO;
  const computed = sum(discounts.map(({ amount }) => amount));
  const difference = absolute(subtract(stated, computed));
  if (isAtMost(difference, multiply(HUNDREDTH, decimal(`${rules.length}`)))) return discounts;
  if (rules.length > 0) {
    findings.add("discounts", "total_discounts_tax_incl", { stated, computed });
    return discounts;
  }
  // Without its rules nothing says whether a discount is of goods or of shipping.
  const rates = new Set(lines.map(({ sent }) => sent.taxRate));
  if (rates.size > 1) findings.add("discounts", "order_cart_rules");
  return [{ amount: stated, lines: [] }];
}

function countryOf(address: Native, document: Native, tables: ShopTables): string | undefined {
  const named = documentIn(document, "country", "countries").at("iso_code").text(60);
  return countryFrom(named ?? lookedUp(tables.countries, address.at("id_country").id()));
}

function clientOf(
  order: Native,
  documents: PrestashopDocuments,
  tables: ShopTables,
  findings: Findings,
): ClientFacts | undefined {
  const address = documentIn(documentAt(documents, "address_invoice"), "address", "addresses");
  const country = countryOf(address, documentAt(documents, "country_invoice"), tables);
  if (country === undefined && address.at("id_country").id() !== undefined)
    findings.add("country", "address_invoice.id_country");
  const street = [address.at("address1").text(255), address.at("address2").text(255)];
  const own = tables.nifKey === undefined ? [] : [address.at(tables.nifKey), order.at(tables.nifKey)];
  const client = present({
    idExternal: order.at("id_customer").id(),
    firstName: address.at("firstname").text(255),
    lastName: address.at("lastname").text(255),
    company: address.at("company").text(255),
    vatNumber: identifierIn([...own, address.at("vat_number"), address.at("dni")]),
    phone: address.first("phone", "phone_mobile").text(64),
    country,
    address1: streetOf(street),
    postcode: address.at("postcode").text(20),
    city: address.at("city").text(100),
  });
  return Object.keys(client).length > 0 ? client : undefined;
}

function deliveryOf(
  order: Native,
  documents: PrestashopDocuments,
  tables: ShopTables,
): SentOrder["delivery"] {
  const address = documentIn(documentAt(documents, "address_delivery"), "address", "addresses");
  const country = countryOf(address, documentAt(documents, "country_delivery"), tables);
  const isVirtual = order.at("is_virtual").flag() === true;
  if (!address.isObject || country === undefined || isVirtual) return undefined;
  return present({ country, postcode: address.at("postcode").text(20) });
}
