import { scaleIn } from "../order/fact-text.ts";
import type { CorrectionLine } from "../order/facts.ts";
import type { SentLine } from "../order/sent-order.ts";
import {
  add,
  type Decimal,
  decimal,
  divide,
  isNegative,
  isPositive,
  isZero,
  lesser,
  multiply,
  negate,
  subtract,
  ZERO,
} from "../shared/decimal.ts";
import { wholeRate } from "./rates.ts";

interface Sold {
  readonly lines: readonly { readonly base: Decimal; readonly sent: SentLine }[];
  readonly currency: string;
}

/**
 * Money beyond the lines goes back at the order's only rate. Less money than the lines come to takes from
 * them, the last one first: a line of the other sign would be an extra sale. With several rates nothing says
 * whose it is.
 */
export function withAdjustment(
  lines: readonly CorrectionLine[],
  adjustment: Decimal,
  { lines: sold, currency }: Sold,
): readonly CorrectionLine[] {
  const rates = new Set(sold.filter(({ base }) => !isZero(base)).map(({ sent }) => wholeRate(sent)));
  const [rate] = rates;
  if (isZero(adjustment) || rate === undefined || rates.size > 1) return lines;
  if (isNegative(adjustment)) return [...lines, { ...split(adjustment, rate, currency), taxRate: rate }];
  let open = adjustment;
  const reduced = lines.toReversed().map((line) => {
    const gross = add(line.baseDelta, line.taxDelta);
    const part = isNegative(gross) ? lesser(open, negate(gross)) : ZERO;
    if (isZero(part)) return line;
    open = subtract(open, part);
    return { ...line, ...split(add(gross, part), rate, currency) };
  });
  const rest = isPositive(open) ? [{ ...split(open, rate, currency), taxRate: rate }] : [];
  const isLeft = ({ baseDelta, taxDelta }: CorrectionLine) => !isZero(baseDelta) || !isZero(taxDelta);
  return [...reduced.toReversed().filter(isLeft), ...rest];
}

const HUNDRED = decimal("100");

function split(gross: Decimal, rate: Decimal, currency: string) {
  const base = divide(multiply(gross, HUNDRED), add(HUNDRED, rate), scaleIn(currency));
  return { baseDelta: base, taxDelta: subtract(gross, base) };
}
