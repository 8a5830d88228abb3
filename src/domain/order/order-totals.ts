import type { SalesSettings } from "../billing/sales-settings.ts";
import { grossOf } from "../invoice/tax-groups.ts";
import { isZero } from "../shared/decimal.ts";
import { percents } from "../shared/fact.ts";
import type { OrderContext } from "./context.ts";
import { operationDateOf } from "./dates.ts";
import { fiscalFingerprint } from "./facts.ts";
import { type Combinable, readCombinedRates } from "./line-taxes.ts";
import type { OrderWarning, Reason } from "./reasons.ts";
import { readRounding } from "./rounding-difference.ts";
import { soldLines } from "./sold-lines.ts";
import { type RateCorrection, readTaxTotals } from "./tax-totals.ts";
import { identityOf, mismatchReasons } from "./totals-identity.ts";

/** How the order's amounts make its total: by its lines, by the shop's tax totals, or not. */
export interface TotalsReading {
  readonly corrections: readonly RateCorrection[];
  readonly warnings: readonly OrderWarning[];
  readonly reasons: readonly Reason[];
}

export type TotalsSales = Pick<SalesSettings, "discountsIncluded" | "roundingRate">;

/** The shop's tax totals go before its lines; of an order without them, cents of rounding are settled. */
export function readTotals(context: OrderContext, sales: TotalsSales): TotalsReading {
  const { facts, issuer } = context;
  const read = <Line extends Combinable>(lines: readonly Line[]) =>
    readCombinedRates(lines, issuer, operationDateOf(context));
  const lines = soldLines(facts);
  const identity = identityOf(facts, sales);
  const { difference } = identity;
  if (statesTaxTotals(context)) {
    const totals = readTaxTotals(facts, lines, read);
    const { corrections } = totals;
    const stated = identityOf(
      facts,
      sales,
      corrections.map(({ by }) => grossOf(by)),
    );
    if (totals.reasons.length === 0 && isZero(stated.difference)) return settled({ corrections });
    if (isZero(difference)) {
      const warnings = totals.difference ? [differs(totals.difference)] : [];
      return { ...settled({ warnings }), reasons: totals.reasons };
    }
    const asSaid = stated.holdsWithoutDiscounts ? stated : identity;
    return { ...settled({}), reasons: [...mismatchReasons(asSaid, facts.currency), ...totals.reasons] };
  }
  if (isZero(difference)) return settled({});
  // A discount that the lines have already is a discount, however small.
  const rounding = identity.holdsWithoutDiscounts
    ? undefined
    : readRounding(facts, read(lines), { difference, rate: sales.roundingRate });
  if (rounding?.taken) return settled({ corrections: [rounding.taken] });
  const rates = rounding && rounding.rates.length > 0 ? percents(rounding.rates) : undefined;
  return { ...settled({}), reasons: mismatchReasons(identity, facts.currency, rates) };
}

/** Unless the owner has said of these very facts that the lines count. */
function statesTaxTotals({ facts, answers }: OrderContext): boolean {
  if (facts.taxTotals === undefined) return false;
  return answers.linesCountFor === undefined || answers.linesCountFor !== fiscalFingerprint(facts);
}

function settled(reading: Partial<TotalsReading>): TotalsReading {
  return { corrections: [], warnings: [], reasons: [], ...reading };
}

function differs(facts: Reason["facts"]): OrderWarning {
  return { code: "tax_totals_differ", facts };
}
