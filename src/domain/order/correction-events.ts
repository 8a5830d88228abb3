import { add, type Decimal, isZero, negate, round, sum } from "../shared/decimal.ts";
import type { RateAmount } from "./context.ts";
import type { CorrectionEvent, CorrectionLine } from "./facts.ts";

/** What an event says goes back: positive amounts, rounded; negative for an increase. */
export interface Claim {
  readonly event: CorrectionEvent;
  /** Undefined where neither lines nor an amount say it. */
  readonly total: Decimal | undefined;
  /** Of the lines that were invoiced. */
  readonly byRate: readonly RateAmount[];
  readonly lines: readonly CorrectionLine[];
  /** Only lines that the invoice leaves out: no effect. */
  readonly isAside: boolean;
  /** Sum of all its lines; undefined without lines. */
  readonly linesTotal: Decimal | undefined;
}

/** `leftOut` are the ids of lines that are in no invoice: vouchers. */
export function claimOf(event: CorrectionEvent, leftOut: ReadonlySet<string>, scale: number): Claim {
  const lines = event.lines.filter((line) => !isLeftOut(line, leftOut));
  const linesTotal = event.lines.length === 0 ? undefined : grossOfLines(event.lines, scale);
  const counted = grossOfLines(lines, scale);
  const amount = event.amount === undefined ? undefined : negate(round(event.amount, scale));
  return {
    event,
    total: event.lines.length > 0 ? counted : amount,
    byRate: byRate(lines, scale),
    lines,
    isAside: event.lines.length > 0 && lines.length === 0,
    linesTotal,
  };
}

function isLeftOut({ lineId, productId }: CorrectionLine, leftOut: ReadonlySet<string>): boolean {
  if (lineId !== undefined) return leftOut.has(lineId);
  return productId !== undefined && leftOut.has(productId);
}

function byRate(lines: readonly CorrectionLine[], scale: number): RateAmount[] {
  const rates = [...new Set(lines.map(({ taxRate }) => taxRate))];
  return rates
    .map((rate) => ({
      rate,
      gross: grossOfLines(
        lines.filter(({ taxRate }) => taxRate === rate),
        scale,
      ),
    }))
    .filter(({ gross }) => !isZero(gross));
}

function grossOfLines(lines: readonly CorrectionLine[], scale: number): Decimal {
  return round(negate(sum(lines.map(({ baseDelta, taxDelta }) => add(baseDelta, taxDelta)))), scale);
}
