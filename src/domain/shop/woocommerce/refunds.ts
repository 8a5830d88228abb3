import type { CorrectionLine } from "../../order/facts.ts";
import type { SentEvent } from "../../order/sent-order.ts";
import { absolute, type Decimal, isZero, negate, ONE } from "../../shared/decimal.ts";
import { present } from "../../shared/present.ts";
import { type Findings, inOrderOfIds } from "../mapped.ts";
import type { Native } from "../native.ts";
import { lineTax, type NativeLine, type Percents, percentsOf, wholeRate } from "../rates.ts";
import type { ShopTables } from "../tables.ts";
import { asAddedUp, roundedFields } from "./amounts.ts";
import { decoded } from "./entities.ts";
import { metaOf, taxesOf, timeOf, type WooLine } from "./members.ts";

interface Refunded {
  readonly order: Native;
  /** Documents of refunds. */
  readonly refunds: readonly Native[];
  readonly lines: readonly WooLine[];
  readonly percents: Percents;
  readonly tables: ShopTables;
  readonly currency: string;
}

/** One event for each refund: of its document, else of its amount in the order. */
export function refundEvents(refunded: Refunded, findings: Findings): SentEvent[] {
  const { order, refunds } = refunded;
  const events = refunds.flatMap((refund) => eventOf(refund, refunded, findings) ?? []);
  const known = new Set(events.map(({ id }) => id));
  const summaries = order
    .at("refunds")
    .items()
    .flatMap((refund) => amountOnly(refund, findings) ?? []);
  return inOrderOfIds([...events, ...summaries.filter(({ id }) => !known.has(id))]);
}

/** The total of a refund is negative. */
function amountOnly(refund: Native, findings: Findings): SentEvent | undefined {
  const id = refund.at("id").id();
  if (id === undefined) return undefined;
  const amount = negate(absolute(findings.amount(refund.at("total"), id)));
  return present({ id, type: "refund", amount, reason: decoded(refund.at("reason").text()), lines: [] });
}

function eventOf(refund: Native, refunded: Refunded, findings: Findings): SentEvent | undefined {
  const id = refund.at("id").id();
  if (id === undefined) {
    findings.add("id", refund.where || "refund");
    return undefined;
  }
  const shown = ["line_items", "shipping_lines", "fee_lines"].flatMap((list) =>
    refund
      .at(list)
      .items()
      .map((native) => ({ list, ...readLine(native, findings) })),
  );
  const money = findings.optionalAmount(refund.at("amount"), id);
  const wanted = money && negate(absolute(money));
  const { lines } = asAddedUp(shown, wanted, refunded.currency, roundedFields);
  const percents = percentsOf(lines, refunded.percents, refunded.tables, refunded.currency);
  const deltas = lines
    .filter(({ base, tax }) => !isZero(base) || !isZero(tax))
    .map((line) => deltaOf(line, { ...refunded, percents }, findings));
  if (money === undefined && deltas.length === 0) findings.add("amount", id);
  return present({
    id,
    type: "refund",
    occurredAt: timeOf(refund, "date_created", refunded.tables),
    reason: decoded(refund.at("reason").text()),
    amount: wanted,
    lines: deltas,
  });
}

interface RefundLine extends NativeLine {
  readonly native: Native;
  readonly list: string;
  readonly quantityDelta: Decimal | undefined;
}

function readLine(native: Native, findings: Findings): Omit<RefundLine, "list"> {
  const where = native.at("id").id() ?? native.where;
  const quantityDelta = native.at("quantity").amount();
  return {
    native,
    base: findings.amount(native.at("total"), where),
    tax: findings.amount(native.at("total_tax"), where),
    quantity: quantityDelta ?? ONE,
    quantityDelta: quantityDelta === undefined || isZero(quantityDelta) ? undefined : quantityDelta,
    taxes: taxesOf(native),
    where,
  };
}

function deltaOf(
  line: RefundLine,
  { lines, percents, currency }: Refunded,
  findings: Findings,
): CorrectionLine {
  const sold = soldLine(line, lines);
  const taxed = sold?.sent ?? lineTax(line, percents, currency, findings);
  return present({
    lineId: sold?.sent.lineId ?? refundedItemId(line.native),
    productId: line.native.at("product_id").id(),
    name: decoded(line.native.first("name", "method_title").text()),
    quantityDelta: line.quantityDelta,
    baseDelta: line.base,
    taxRate: wholeRate(taxed),
    taxDelta: line.tax,
  });
}

const DISTINGUISHING = {
  product: ["product_id", "variation_id", "name"],
  shipping: ["method_id", "method_title"],
  fee: ["name"],
} as const;

/**
 * The refunded line of the order: as the refund names it, else the only one of the same product or method.
 */
function soldLine(line: RefundLine, lines: readonly WooLine[]): WooLine | undefined {
  const id = refundedItemId(line.native);
  const named = lines.find(({ sent }) => id !== undefined && sent.lineId === id);
  if (named) return named;
  const kind = line.list === "line_items" ? "product" : line.list === "shipping_lines" ? "shipping" : "fee";
  const ofKind = lines.filter(({ sent }) => sent.kind === kind);
  if (kind !== "product" && ofKind.length === 1) return ofKind[0];
  const alike = DISTINGUISHING[kind].reduce((left, member) => {
    const wanted = line.native.at(member).text();
    return wanted === undefined ? left : left.filter(({ native }) => native.at(member).text() === wanted);
  }, ofKind);
  return alike.length === 1 ? alike[0] : undefined;
}

function refundedItemId(line: Native): string | undefined {
  return metaOf(line, "_refunded_item_id")
    .map((value) => value.id())
    .find((id) => id !== undefined);
}
