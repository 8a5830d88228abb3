import { scaleIn } from "../../order/fact-text.ts";
import type { CorrectionLine } from "../../order/facts.ts";
import type { SentEvent } from "../../order/sent-order.ts";
import {
  absolute,
  add,
  compare,
  type Decimal,
  decimal,
  divide,
  isAtMost,
  isPositive,
  isZero,
  multiply,
  negate,
  ONE,
  round,
  subtract,
  sum,
  unitOf,
  ZERO,
} from "../../shared/decimal.ts";
import { present } from "../../shared/present.ts";
import { entriesIn } from "../envelopes.ts";
import { type Findings, inOrderOfIds } from "../mapped.ts";
import type { Native } from "../native.ts";
import { wholeRate, wholeTax } from "../rates.ts";
import type { ShopTables } from "../tables.ts";
import { localInstant } from "../times.ts";
import { amountsOf, lineOf, type PrestashopLine } from "./members.ts";

interface Refunded {
  readonly slips: readonly Native[];
  readonly lines: readonly PrestashopLine[];
  /** What vouchers took off the products, with tax. */
  readonly discount: Decimal;
  readonly currency: string;
  readonly tables: ShopTables;
}

/** One event for each credit slip. */
export function slipEvents(refunded: Refunded, findings: Findings): SentEvent[] {
  return inOrderOfIds(refunded.slips.flatMap((slip) => eventOf(slip, refunded, findings) ?? []));
}

function eventOf(slip: Native, refunded: Refunded, findings: Findings): SentEvent | undefined {
  const id = slip.at("id").id();
  if (id === undefined) {
    findings.add("id", slip.where || "order_slip");
    return undefined;
  }
  const products = detailsOf(slip)
    .map((detail) => detailDelta(detail, refunded, findings))
    .filter((line) => !isNothing(line));
  const shipping = shippingDelta(slip, id, refunded, findings).filter((line) => !isNothing(line));
  const stated = findings.optionalAmount(slip.at("amount"), id);
  const money = moneyBack(slip, { products, shipping, stated, currency: refunded.currency }, findings);
  // A slip whose products are absent has no lines, because its shipping alone would say too little.
  const isWhole = products.length > 0 || money === undefined || money === grossOf(shipping);
  const lines = isWhole ? [...products, ...shipping] : [];
  if (lines.length === 0 && (money === undefined || isZero(money))) return undefined;
  return present({
    id,
    type: "refund",
    occurredAt: localInstant(slip.at("date_add"), refunded.tables.timeZone, findings),
    amount: money,
    lines,
  });
}

function detailsOf(slip: Native): readonly Native[] {
  const names = ["order_slip_details", "order_slip_detail"];
  const inside = entriesIn(slip.at("associations", "order_slip_details"), names);
  return inside.length > 0 ? inside : entriesIn(slip.at("order_slip_details"), names);
}

interface Slip {
  readonly products: readonly CorrectionLine[];
  readonly shipping: readonly CorrectionLine[];
  readonly stated: Decimal | undefined;
  readonly currency: string;
}

/**
 * A slip's amount is of its products, without their tax if the customer's group sees prices so; the shipping
 * is beside it. An amount that the shop's owner chose is neither, and counts as it is.
 */
function moneyBack(
  slip: Native,
  { products, shipping, stated, currency }: Slip,
  findings: Findings,
): Decimal | undefined {
  if (stated === undefined) return undefined;
  const ofShipping = grossOf(shipping);
  const total = findings.optionalAmount(slip.at("total_products_tax_incl"));
  const net = findings.optionalAmount(slip.at("total_products_tax_excl"));
  const gross = products.length > 0 ? grossOf(products) : negate(total ?? ZERO);
  const nets = products.length > 0 ? sum(products.map(({ baseDelta }) => baseDelta)) : negate(net ?? ZERO);
  const amount = negate(stated);
  const isOfProducts = [gross, nets].some((of) => isSameAmount(of, amount, currency));
  return isOfProducts ? add(gross, ofShipping) : amount;
}

/** PrestaShop writes amounts with six decimals. */
function isSameAmount(a: Decimal, b: Decimal, currency: string): boolean {
  const scale = scaleIn(currency);
  return round(a, scale) === round(b, scale);
}

function isNothing({ baseDelta, taxDelta }: CorrectionLine): boolean {
  return isZero(baseDelta) && isZero(taxDelta);
}

function grossOf(lines: readonly CorrectionLine[]): Decimal {
  return sum(lines.flatMap(({ baseDelta, taxDelta }) => [baseDelta, taxDelta]));
}

function detailDelta(detail: Native, refunded: Refunded, findings: Findings): CorrectionLine {
  const lineId = detail.at("id_order_detail").id();
  const where = lineId ?? detail.where;
  const quantity = detail.at("product_quantity").amount();
  const amounts = amountsOf(detail, ["amount_tax_excl", "amount_tax_incl"], where, findings);
  const sold = refunded.lines.find(({ sent }) => lineId !== undefined && sent.lineId === lineId);
  if (sold) tellAbovePaid(amounts.whole, quantity ?? ONE, sold, refunded, findings);
  return present({
    lineId,
    productId: sold?.sent.productId,
    name: sold?.sent.name,
    quantityDelta: quantity === undefined || isZero(quantity) ? undefined : negate(quantity),
    ...deltaOf(amounts, sold, where, refunded.currency, findings),
  });
}

function deltaOf(
  amounts: { readonly base: Decimal; readonly whole: Decimal },
  sold: PrestashopLine | undefined,
  where: string,
  currency: string,
  findings: Findings,
) {
  const described = { lineId: where, kind: "product" as const, stated: [], where };
  const taxed = sold ?? lineOf(amounts, described, currency, findings);
  const { base, tax } = splitOf(amounts, currency);
  return { baseDelta: negate(base), taxRate: wholeRate(taxed.sent), taxDelta: negate(tax) };
}

/**
 * Base and whole are rounded apart, so that of a few cents the tax may come out with the other sign. The
 * whole counts: the invoice's own rate splits it.
 */
function splitOf({ base, whole }: { readonly base: Decimal; readonly whole: Decimal }, currency: string) {
  const tax = subtract(whole, base);
  const isOpposed = isPositive(tax) === isPositive(negate(base)) && !isZero(tax) && !isZero(base);
  const isOfRounding = isAtMost(absolute(tax), unitOf(scaleIn(currency)));
  return isOpposed && isOfRounding ? { base: whole, tax: ZERO } : { base, tax };
}

/** Units of the currency, two cents of a euro, by which a slip may exceed what was paid. */
const NEAR_UNITS = decimal("2");
const DECIMALS = 6;

/** PrestaShop gives back the price before vouchers unless told otherwise: more than was paid. */
function tellAbovePaid(
  back: Decimal,
  quantity: Decimal,
  sold: PrestashopLine,
  { lines, discount, currency }: Refunded,
  findings: Findings,
): void {
  const grossOfLine = ({ base, sent }: PrestashopLine) => add(base, wholeTax(sent));
  const products = sum(lines.filter(({ sent }) => sent.kind === "product").map(grossOfLine));
  if (isZero(products) || isZero(sold.quantity)) return;
  const gross = grossOfLine(sold);
  const share = divide(multiply(discount, gross), products, DECIMALS);
  const scale = scaleIn(currency);
  const paid = divide(multiply(subtract(gross, share), quantity), sold.quantity, scale);
  if (compare(subtract(back, paid), multiply(NEAR_UNITS, unitOf(scale))) > 0)
    findings.add("refund_above_paid", sold.where, { stated: back, computed: paid });
}

function shippingDelta(slip: Native, id: string, refunded: Refunded, findings: Findings): CorrectionLine[] {
  const names = ["total_shipping_tax_excl", "total_shipping_tax_incl"] as const;
  const amounts = amountsOf(slip, names, id, findings);
  if (amounts.base === ZERO && amounts.whole === ZERO) return [];
  const sold = refunded.lines.find(({ sent }) => sent.kind === "shipping");
  const where = `${id}.total_shipping_tax_excl`;
  return [
    present({
      lineId: sold?.sent.lineId,
      name: sold?.sent.name,
      ...deltaOf(amounts, sold, where, refunded.currency, findings),
    }),
  ];
}
