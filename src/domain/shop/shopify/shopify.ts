import type { ClientFacts } from "../../order/facts.ts";
import type { SentDiscount, SentOrder, SentUnmappedTotal } from "../../order/sent-order.ts";
import {
  absolute,
  add,
  type Decimal,
  isPositive,
  isZero,
  subtract,
  sum,
  ZERO,
} from "../../shared/decimal.ts";
import { present } from "../../shared/present.ts";
import { documentIn, entriesIn, refundsIn } from "../envelopes.ts";
import { Findings, type MappedOrder } from "../mapped.ts";
import { Native } from "../native.ts";
import { unknownAmounts, withUnknownAmounts } from "../native-paths.ts";
import { lineTax, percentsOf, taxTotals } from "../rates.ts";
import { countryFrom, currencyFrom, identifierIn, type ShopTables, streetOf } from "../tables.ts";
import { localMoment, utcInstant } from "../times.ts";
import { isNode, restOrder, restRefund } from "./graphql.ts";
import { entries, money, readLine, type ShopifyLine, statedPercents, taxId } from "./members.ts";
import { ORDER_PATHS } from "./paths.ts";
import { isSettled, paymentsOf } from "./payments.ts";
import { refundEvents } from "./refunds.ts";

/** Resources of REST, as webhooks send them, or nodes of the queries of `query.ts`. */
export interface ShopifyDocuments {
  readonly order?: unknown;
  /** Refunds that came alone. */
  readonly refunds?: unknown;
  /** The list of `/orders/{id}/transactions`, where the order does not have it. */
  readonly transactions?: unknown;
  /** The shop has deleted the order. */
  readonly isDeleted?: boolean;
}

export function mapOrder(documents: ShopifyDocuments, tables: ShopTables): MappedOrder {
  const findings = new Findings();
  const order = rest(documentIn(documents.order, "order", "orders", "data"), restOrder, findings);
  const refunds = refundsOf(order, documents, findings);
  const currency = currencyFrom(order.first("currency", "total_price_set.shop_money.currency_code").text(3));
  const isOrder = documents.order !== undefined;
  const included = isOrder ? order.at("taxes_included").flag() : tables.taxesIncluded;
  const lines = linesOf(order, { isIncluded: included === true, currency: currency ?? "EUR" }, findings);
  const given = entriesIn(documents.transactions, ["transactions", "transaction"]);
  const transactions =
    given.length === 0 ? order.at("transactions") : new Native(given.map(({ value }) => value));
  const current = money(order, "current_total_price").amount();
  const events = refundEvents(
    {
      refunds,
      lines,
      currency: currency ?? currencyOf(refunds) ?? "EUR",
      isIncluded: isOrder ? included === true : included,
      isSettled: isSettled(transactions, current, currency ?? "EUR"),
    },
    findings,
  );
  const idExternal = order.at("id").id() ?? refunds.map((refund) => refund.at("order_id").id()).find(Boolean);
  const updatedAt = utcInstant(order.at("updated_at"));
  const known = present({ idExternal, updatedAt });
  if (!isOrder) return { ...known, events, missing: findings.missing };
  const placed = localMoment(order.first("created_at", "processed_at"), tables.timeZone);
  const price = money(order, "total_price").amount();
  if (idExternal === undefined) findings.add("id");
  if (placed === undefined) findings.add("order_date", "created_at");
  if (price === undefined) findings.add("total", "total_price");
  if (currency === undefined) findings.add("currency", "currency");
  if (idExternal === undefined || placed === undefined || price === undefined || currency === undefined)
    return { ...known, events, missing: findings.missing };
  const read: ReadOrder = { order, transactions, lines, events, tables, isIncluded: included === true };
  if ("local" in placed) findings.add("time_zone", "created_at");
  tellTaxes(order, included, lines, findings);
  const sent = sentOrder(read, { idExternal, placed, price, currency }, findings);
  const status = documents.isDeleted ? "deleted" : statusOf(order);
  const facts = present({ ...sent, updatedAt, status });
  const complete = withUnknownAmounts(facts, unknownAmounts(order, ORDER_PATHS), findings);
  const { missing } = findings;
  return { ...known, order: missing.length > 0 ? { ...complete, missing } : complete, events, missing };
}

interface ReadOrder {
  readonly order: Native;
  readonly transactions: Native;
  readonly lines: readonly ShopifyLine[];
  readonly events: SentOrder["events"];
  readonly tables: ShopTables;
  readonly isIncluded: boolean;
}

/** Without these there is no order. */
interface Required {
  readonly idExternal: string;
  readonly placed: NonNullable<SentOrder["orderDate"]>;
  readonly price: Decimal;
  readonly currency: string;
}

function sentOrder(read: ReadOrder, required: Required, findings: Findings): SentOrder {
  const { order, lines, events } = read;
  const { idExternal, placed, price, currency } = required;
  const { discounts: paid, paidAt } = paymentsOf(order, read.transactions, currency, findings);
  return present({
    idExternal,
    reference: order.first("name", "order_number").text(255),
    orderDate: placed,
    paidAt,
    total: subtract(price, sum(paid.map(({ amount }) => amount))),
    totalTax: findings.optionalAmount(money(order, "total_tax")),
    currency,
    sourcePlatform: "shopify",
    test: order.at("test").flag(),
    client: clientOf(order, read.tables, findings),
    delivery: deliveryOf(order),
    breakdown: lines.map(({ sent: line }) => line),
    discounts: [...allotted(order, findings), ...paid],
    unmappedTotals: unmapped(order, read.isIncluded, findings),
    taxTotals: totalsOfTaxes(order, lines, findings),
    events,
    refunds: [],
    sourceChannel: order.at("source_name").text(32),
    storeId: order.at("location_id").id(32),
    tags: tagsOf(order),
    contractVersion: "1.9",
  });
}

type ToRest = (node: Native, findings: Findings) => Native;

function rest(document: Native, toRest: ToRest, findings: Findings): Native {
  return isNode(document) ? toRest(document, findings) : document;
}

/** Refunds of the order and those that came alone, each once; the one that came alone is newer. */
function refundsOf(order: Native, documents: ShopifyDocuments, findings: Findings): readonly Native[] {
  const alone = refundsIn("shopify", documents).map((refund) => rest(refund, restRefund, findings));
  const known = new Set(alone.map((refund) => refund.at("id").id()));
  return [...entries(order, "refunds").filter((refund) => !known.has(refund.at("id").id())), ...alone];
}

function currencyOf(refunds: readonly Native[]): string | undefined {
  const places = refunds.flatMap((refund) => [
    ...entries(refund, "refund_line_items").map((line) =>
      line.at("subtotal_set", "shop_money", "currency_code"),
    ),
    ...entries(refund, "transactions").map((transaction) => transaction.at("currency")),
  ]);
  return places.map((place) => currencyFrom(place.text(3))).find((code) => code !== undefined);
}

interface Priced {
  readonly isIncluded: boolean;
  readonly currency: string;
}

function linesOf(
  order: Native,
  { isIncluded, currency }: Priced,
  findings: Findings,
): readonly ShopifyLine[] {
  if (order.isObject && !order.at("line_items").isList) findings.add("lines", "line_items");
  const read = [
    ...entries(order, "line_items")
      .filter((line) => !line.at("tip").isObject)
      .map((line) => readLine(line, { kind: "product", isIncluded }, findings)),
    ...entries(order, "shipping_lines")
      .filter((line) => line.at("is_removed").flag() !== true)
      .map((line) => readLine(line, { kind: "shipping", isIncluded }, findings)),
  ];
  const taxes = [
    ...entries(order, "tax_lines"),
    ...read.flatMap(({ native }) => entries(native, "tax_lines")),
  ];
  const percents = percentsOf(read, statedPercents(taxes), {}, currency);
  return read.map((line) => ({
    ...line,
    sent: { ...line.sent, ...lineTax(line, percents, currency, findings) },
  }));
}

function totalsOfTaxes(order: Native, lines: readonly ShopifyLine[], findings: Findings) {
  const taxes = entries(order, "tax_lines");
  const all = [...taxes, ...lines.flatMap(({ native }) => entries(native, "tax_lines"))];
  const totals = taxes.map((tax) => ({ id: taxId(tax), tax: findings.amount(money(tax, "price")) }));
  return taxTotals(totals, statedPercents(all), lines);
}

function tellTaxes(
  order: Native,
  included: boolean | undefined,
  lines: readonly ShopifyLine[],
  findings: Findings,
): void {
  const isTaxed = lines.some(({ taxes }) => taxes.length > 0);
  if (isTaxed && included === undefined) findings.add("taxes_included", "taxes_included");
  if (!isTaxed && isPositive(money(order, "total_tax").amount() ?? ZERO))
    findings.add("tax_lines", "tax_lines");
}

function statusOf(order: Native): string | undefined {
  if (!order.at("cancelled_at").isEmpty) return "cancelled";
  return order.at("financial_status").text(120)?.toLowerCase();
}

/** What each discount has taken off the lines; one that the shop states and allots to none contradicts. */
function allotted(order: Native, findings: Findings): SentDiscount[] {
  const applications = order.at("discount_applications");
  const amounts = new Map<string, Decimal>();
  const [kept, removed] = [
    [...entries(order, "line_items"), ...shippingLines(order, false)],
    shippingLines(order, true),
  ].map((lines) => lines.flatMap((line) => entries(line, "discount_allocations")));
  for (const entry of kept ?? []) {
    const index = entry.at("discount_application_index").text(20) ?? "";
    amounts.set(index, add(amounts.get(index) ?? ZERO, findings.amount(money(entry, "amount"))));
  }
  const all = sum(amounts.values());
  const stated = money(order, "total_discounts").amount();
  const withRemoved = add(all, sum((removed ?? []).map((entry) => money(entry, "amount").amount() ?? ZERO)));
  if (stated !== undefined && ![all, withRemoved].includes(stated))
    findings.add("discounts", "total_discounts", { stated, computed: all });
  return [...amounts]
    .map(([index, amount]) => {
      const application = applications.at(index);
      const [code, title] = [
        application.at("code").text(255),
        application.first("title", "description").text(),
      ];
      const words = present({ code, name: code === undefined ? title : undefined });
      return { ...words, amount: absolute(amount), included: true, lines: [] };
    })
    .filter(({ amount }) => !isZero(amount));
}

function shippingLines(order: Native, isRemoved: boolean): readonly Native[] {
  return entries(order, "shipping_lines").filter(
    (line) => (line.at("is_removed").flag() === true) === isRemoved,
  );
}

function unmapped(order: Native, isIncluded: boolean, findings: Findings): SentUnmappedTotal[] {
  const tips = entries(order, "line_items").filter((line) => line.at("tip").isObject);
  const said = findings.optionalAmount(money(order, "total_tip_received")) ?? ZERO;
  const tip = isZero(said) ? sum(tips.map((line) => findings.amount(money(line, "price")))) : said;
  const duties = order.at("duties_included").flag() === true ? ZERO : dutiesOf(order, isIncluded, findings);
  const fees = findings.optionalAmount(money(order, "original_total_additional_fees")) ?? ZERO;
  return [
    { code: "tip", value: tip },
    { code: "duties", value: duties },
    { code: "additional_fees", value: fees },
  ].filter(({ value }) => !isZero(value));
}

/** Amounts with their tax, if prices do not include it. */
function dutiesOf(order: Native, isIncluded: boolean, findings: Findings): Decimal {
  const duties = entries(order, "line_items").flatMap((line) => entries(line, "duties"));
  const stated = findings.optionalAmount(money(order, "original_total_duties"));
  const prices = duties.map(
    (duty) => findings.optionalAmount(duty.first("shop_money.amount", "price")) ?? ZERO,
  );
  const taxes = isIncluded ? [] : duties.flatMap((duty) => entries(duty, "tax_lines"));
  const tax = sum(taxes.map((entry) => findings.amount(money(entry, "price"))));
  return add(stated ?? sum(prices), tax);
}

const IDENTIFIER_NAMES = ["nif", "cif", "nie", "dni", "vat"];

function clientOf(order: Native, { nifKey }: ShopTables, findings: Findings): ClientFacts | undefined {
  const billing = order.at("billing_address");
  const customer = order.at("customer");
  const person = billing.isObject ? billing : customer;
  const country = countryFrom(billing.at("country_code").text(60));
  if (country === undefined && !billing.at("country_code").isEmpty)
    findings.add("country", "billing_address.country_code");
  const attributes = (name: string) =>
    entries(order, "note_attributes")
      .filter((entry) => entry.at("name").text()?.toLowerCase() === name)
      .map((entry) => entry.at("value"));
  const fields = entries(order, "localized_fields").filter(
    (entry) => entry.at("key").text()?.toUpperCase() === "TAX_CREDENTIAL_ES",
  );
  const identifiers = [
    ...(nifKey === undefined ? [] : attributes(nifKey.toLowerCase())),
    ...fields.map((entry) => entry.at("value")),
    ...IDENTIFIER_NAMES.flatMap(attributes),
  ];
  const street = [billing.at("address1").text(255), billing.at("address2").text(255)];
  const client = present({
    idExternal: customer.at("id").id(),
    firstName: person.at("first_name").text(255),
    lastName: person.at("last_name").text(255),
    company: billing.at("company").text(255),
    vatNumber: identifierIn(identifiers),
    email: order.first("email", "contact_email", "customer.email").text(320),
    phone: billing.first("phone").text(64) ?? order.first("phone", "customer.phone").text(64),
    country,
    address1: streetOf(street),
    postcode: billing.at("zip").text(20),
    city: billing.at("city").text(100),
  });
  return Object.keys(client).length > 0 ? client : undefined;
}

const PICK_UP = /^(local[_ -]?)?pick[_ -]?up$/i;

/** An order without shipping, or that the customer picks up, has no delivery. */
function deliveryOf(order: Native): SentOrder["delivery"] {
  const address = order.at("shipping_address");
  const country = countryFrom(address.at("country_code").text(60));
  const lines = entries(order, "line_items");
  const isVirtual = lines.length > 0 && lines.every((line) => line.at("requires_shipping").flag() === false);
  const shipped = shippingLines(order, false);
  const isFetched =
    shipped.length > 0 && shipped.every((line) => PICK_UP.test(line.at("delivery_category").text(100) ?? ""));
  if (country === undefined || isVirtual || isFetched) return undefined;
  return present({ country, postcode: address.at("zip").text(20) });
}

function tagsOf(order: Native): readonly string[] {
  const tags = order.at("tags");
  const texts = tags.isList
    ? tags.items().map((tag) => tag.text(255))
    : (tags.text(20_000)?.split(",") ?? []);
  return texts.flatMap((tag) => tag?.trim().slice(0, 255) || []);
}
