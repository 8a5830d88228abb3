import type { RequestLine } from "../invoice/request.ts";
import {
  absolute,
  type Decimal,
  divide,
  HUNDRED,
  isNegative,
  isZero,
  multiply,
  negate,
  ONE,
  percentOf,
  round,
  subtract,
  ZERO,
} from "../shared/decimal.ts";
import type { ElectronicLine } from "./electronic-invoice.ts";

export type LinePrice = Pick<ElectronicLine, "quantity" | "unitPrice" | "discountRate" | "pricedQuantity">;

type SentLine = Pick<RequestLine, "quantity" | "priceUnit" | "discountRate">;

/** Digits of a unit price that was not sent. */
const FEWEST_DIGITS = 2;
const MOST_DIGITS = 8;

/**
 * Quantity and unit price that give the net, rounded to `decimals` (at least 2, as the rules of formats
 * compute): as sent, else the shortest price without a discount, else the net as the price of the quantity.
 * Formats know no price below zero (BR-27), so the quantity has the sign.
 */
export function priceOf(line: SentLine, net: Decimal, decimals: number): LinePrice {
  const scale = Math.max(decimals, FEWEST_DIGITS);
  return asSent(line, net, scale) ?? priceFor(line.quantity, net, scale);
}

function asSent({ quantity, priceUnit, discountRate = ZERO }: SentLine, net: Decimal, scale: number) {
  const full = multiply(quantity, priceUnit);
  if (percentOf(full, subtract(HUNDRED, discountRate), scale) !== net) return undefined;
  const isTurned = isNegative(priceUnit);
  const hasDiscount = !isZero(discountRate) && !isZero(priceUnit);
  return {
    quantity: isTurned ? negate(quantity) : quantity,
    unitPrice: absolute(priceUnit),
    ...(hasDiscount ? { discountRate } : {}),
  };
}

function priceFor(sentQuantity: Decimal, net: Decimal, scale: number): LinePrice {
  const size = isZero(sentQuantity) ? ONE : absolute(sentQuantity);
  const isBack = isZero(net) ? isNegative(sentQuantity) : isNegative(net);
  const quantity = isBack ? negate(size) : size;
  const amount = absolute(net);
  for (let digits = FEWEST_DIGITS; digits <= MOST_DIGITS; digits++) {
    const unitPrice = divide(amount, size, digits);
    if (round(multiply(size, unitPrice), scale) === amount) return { quantity, unitPrice };
  }
  return { quantity, unitPrice: divide(amount, size, MOST_DIGITS), pricedQuantity: size };
}
