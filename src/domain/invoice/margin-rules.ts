import { compare, type Decimal, isNegative, isPositive, negate, ZERO } from "../shared/decimal.ts";
import { money } from "../shared/fact.ts";
import { ok, type Result } from "../shared/result.ts";
import type { TaxGroup, TaxGroupKey } from "./document.ts";
import { type LineContext, lineName, refuseLine } from "./line-context.ts";
import { type IssueRefusal, refuse } from "./refusal.ts";
import { isMarginScheme, isOfMargin, keyText, type ResolvedLine } from "./tax-groups.ts";

/**
 * Used goods and travel agencies are taxed by their margin (articles 135 to 147 LIVA), so the request must
 * state it. A correction of an invoice without margins may omit it.
 */
export function checkMargin(line: ResolvedLine, context: LineContext): Result<void, IssueRefusal> {
  if (context.isIssued) return ok(undefined);
  const { margin } = line;
  if (margin === undefined)
    return isNeeded(line, context) ? refuseLacking(line, "taxable_margin") : ok(undefined);
  if (!isMarginScheme(line)) return refuseNeedless(line, "remove_margin");
  if (isOfWholePrice(line, context)) return refuseNeedless(line, "correct_without_margin");
  if (!context.request.pricesIncludeTax) {
    return refuse("taxable_margin_required", { line_id: lineName(line) }, "prices_include_tax");
  }
  if (isWithin(margin, line.amount)) return ok(undefined);
  const { currency } = context.request;
  const facts = { margin: money(margin, currency), amount: money(line.amount, currency) };
  return refuseLine("taxable_margin_out_of_range", line, "taxable_margin", facts);
}

/** From zero to the whole price; the same for a return with its negative price. */
function isWithin(margin: Decimal, amount: Decimal): boolean {
  if (isNegative(amount)) return !isPositive(margin) && compare(negate(margin), negate(amount)) <= 0;
  return compare(margin, ZERO) >= 0 && compare(margin, amount) <= 0;
}

function isNeeded(line: ResolvedLine, { lines, ...context }: LineContext): boolean {
  if (!isMarginScheme(line)) return false;
  const others = lines.filter((other) => keyText(other) === keyText(line));
  if (others.some(({ margin }) => margin !== undefined)) return true;
  const cited = citedOf(line, context);
  return cited.length === 0 || cited.some(({ amounts }) => isOfMargin(amounts));
}

/** A difference or an F3 keeps taxing by the whole price; a substitution can correct that. */
function isOfWholePrice(line: ResolvedLine, context: LineContext): boolean {
  if (context.request.rectificationMethod === "substitution") return false;
  const cited = citedOf(line, context);
  return cited.length > 0 && cited.every(({ amounts }) => !isOfMargin(amounts));
}

function citedOf(
  { tax, regime }: TaxGroupKey,
  { cited = [] }: Pick<LineContext, "cited">,
): readonly TaxGroup[] {
  return cited.filter((group) => isMarginScheme(group) && group.tax === tax && group.regime === regime);
}

function refuseLacking(line: ResolvedLine, member: string): Result<never, IssueRefusal> {
  return refuseLine("taxable_margin_required", line, member, {});
}

function refuseNeedless(
  line: ResolvedLine,
  phrase: "remove_margin" | "correct_without_margin",
): Result<never, IssueRefusal> {
  return refuseLine("taxable_margin_not_allowed", line, "taxable_margin", { fix: { phrase } });
}
