import { type CivilDate, yearOf, yearsBefore } from "../shared/civil-date.ts";
import {
  compare,
  type Decimal,
  decimal,
  digitsOf,
  isNegative,
  isPositive,
  isZero,
  negate,
  ZERO,
} from "../shared/decimal.ts";
import { type Fact, money, percents } from "../shared/fact.ts";
import { ok, type Result } from "../shared/result.ts";
import { isPrefixInForce, type TaxIdentifier } from "../shared/tax-identifier.ts";
import { isExemption, isExemptionOf } from "../verifactu/aeat-lists.ts";
import type { TaxGroup, TaxGroupKey } from "./document.ts";
import { type LineContext, lineName, refuseLine } from "./line-context.ts";
import { type IssueRefusal, type Refusal, refuse } from "./refusal.ts";
import { checkRegime, isDueLater } from "./regimes.ts";
import { isMarginScheme, isOfMargin, isOss, keyText, type ResolvedLine } from "./tax-groups.ts";
import { ratesOn, surchargesOn, TAX_NAMES } from "./tax-rates.ts";

type LineCheck = (line: ResolvedLine, context: LineContext) => Result<void, IssueRefusal>;

/** Each rule checks all lines before the next rule: refusals are ordered by rule, not by line. */
export function checkLines(context: LineContext): Result<void, IssueRefusal> {
  const { lines } = context;
  const mixed = checkOneTax(lines);
  if (!mixed.ok) return mixed;
  const checks: readonly LineCheck[] = [
    checkRegime,
    checkQualification,
    checkRate,
    checkSurcharge,
    checkMargin,
  ];
  for (const check of checks) {
    for (const line of lines) {
      const checked = check(line, context);
      if (!checked.ok) return checked;
    }
  }
  return ok(undefined);
}

function checkOneTax(lines: readonly ResolvedLine[]): Result<void, IssueRefusal> {
  const taxes = new Set(lines.map((line) => line.tax).filter((tax) => tax !== "05"));
  if (taxes.size <= 1) return ok(undefined);
  return refuse("mixed_taxes", { taxes: { all: [...taxes].map((tax) => TAX_NAMES[tax]) } });
}

/** AEAT 1182, 1197, 1198, 1237, 1238: the qualification must fit rate, tax and type. */
function checkQualification(
  line: ResolvedLine,
  { request, documentary }: LineContext,
): Result<void, IssueRefusal> {
  const { qualification, rate } = line;
  const mismatch = (field: string, value: string, fix: Fact) => {
    const facts = { line_id: lineName(line), qualification, field, value, fix };
    return refuse("qualification_rate_mismatch", facts, placeOf(field, line));
  };
  if (isExemption(qualification) && !isExemptionOf(line.tax, qualification)) {
    return mismatch("type_tax", line.tax, { phrase: "e7_e8_are_igic" });
  }
  const needsIdentity = qualification === "S2" || (qualification === "E5" && line.tax === "01");
  if (needsIdentity && !documentary.identified && !documentary.simplified) {
    return mismatch("invoice_type", request.invoiceType, { phrase: "identify_with_f1" });
  }
  if (qualification === "S1") return ok(undefined);
  if (!isOss(line) && !isZero(rate)) return mismatch("tax_rate", rate, { phrase: "send_rate_0" });
  if (request.pricesIncludeTax && !isOss(line)) {
    return mismatch("prices_include_tax", "true", { phrase: "send_net_prices" });
  }
  return ok(undefined);
}

/** Prices include tax in the whole invoice or not at all; a wrong type is reported at its line. */
function placeOf(field: string, line: ResolvedLine): string {
  if (field === "prices_include_tax") return field;
  return `lines.${line.index}.${field === "invoice_type" ? "qualification" : field}`;
}

const OSS_MAXIMUM = decimal("30");

/** AEAT 1124 and our own tables; a rate has two decimals in the record. */
function checkRate(line: ResolvedLine, { operationDate }: LineContext): Result<void, IssueRefusal> {
  if (line.qualification !== "S1" && !isOss(line)) return ok(undefined);
  const refused = (tax: Fact, fix: Fact) => {
    const facts = { rate: { percent: line.rate }, tax_name: tax, date: { date: operationDate }, fix };
    return refuseLine("tax_rate_not_allowed", line, "tax_rate", facts);
  };
  const twoDecimals = digitsOf(line.rate).fraction <= 2 && !isNegative(line.rate);
  if (isOss(line)) {
    const possible = twoDecimals && compare(line.rate, OSS_MAXIMUM) <= 0;
    if (possible) return ok(undefined);
    return refused({ phrase: "one_stop_shop" }, { phrase: "use_one_stop_shop_rate" });
  }
  const rates = ratesOn(line.tax, operationDate);
  if (rates ? rates.includes(line.rate) : twoDecimals) return ok(undefined);
  const fix: Fact = rates
    ? { phrase: "use_rate", rates: { either: percents(rates) } }
    : { phrase: "use_two_decimals" };
  return refused(TAX_NAMES[line.tax], fix);
}

/** AEAT 1127, 1160-1170, 1281: each rate of IVA has its surcharges, only with S1. */
function checkSurcharge(line: ResolvedLine, { operationDate }: LineContext): Result<void, IssueRefusal> {
  if (line.surchargeRate === undefined) return ok(undefined);
  const isSurcharged = line.tax === "01" && line.qualification === "S1" && line.margin === undefined;
  const possible = isSurcharged ? surchargesOn(line.rate, operationDate) : [];
  if (possible.includes(line.surchargeRate)) return ok(undefined);
  const surcharges = { either: percents(possible) };
  return refuseLine("surcharge_not_allowed", line, "equivalence_surcharge_rate", {
    surcharge: { percent: line.surchargeRate },
    rate: { percent: line.rate },
    date: { date: operationDate },
    fix: possible.length > 0 ? { phrase: "use_surcharge", surcharges } : { phrase: "remove_surcharge" },
  });
}

/**
 * Used goods and travel agencies are taxed by their margin (articles 135 to 147 LIVA), so the request must
 * state it. A correction of an invoice without margins may omit it.
 */
function checkMargin(line: ResolvedLine, context: LineContext): Result<void, IssueRefusal> {
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

/** The source of the date, and the advice if it is refused. */
export interface DateSource {
  readonly path: string;
  readonly fix: Fact;
}

export const AS_SENT: DateSource = { path: "operation_date", fix: { phrase: "correct_operation_date" } };
const AFTER_TODAY: DateSource = { path: "operation_date", fix: { phrase: "send_later_operation_date" } };

/** AEAT 1125, 1134, 1146, 1147, 1173: how far from the issue date an operation may lie. */
export function checkOperationDate(
  operationDate: CivilDate,
  today: CivilDate,
  lines: readonly ResolvedLine[],
  source: DateSource = AS_SENT,
): Result<void, Refusal<"operation_date_not_allowed">> {
  const refused = (detail: Fact, { path, fix } = source) =>
    refuse("operation_date_not_allowed", { date: { date: operationDate }, detail, fix }, path);
  if (operationDate < yearsBefore(today, 20)) return refused({ phrase: "over_20_years_ago" });
  if (yearOf(operationDate) > yearOf(today) + 1) return refused({ phrase: "after_next_year" });
  if (operationDate > today && !lines.every(isDueLater)) return refused({ phrase: "future_needs_regime" });
  const unbilledWorks = lines.some((line) => line.regime === "14" && line.tax !== "05");
  if (operationDate <= today && unbilledWorks) {
    return refused({ phrase: "regime_14_needs_future" }, AFTER_TODAY);
  }
  return ok(undefined);
}

/** Public bodies: municipalities, the administration and its organs, unincorporated unions (AEAT 1149). */
const PUBLIC_BODY_NIF = /^[PQSV]/;

/**
 * Identifier types that some lines demand (AEAT 1149, 1205, 1289), and expired prefixes (1254, 1255). The
 * AEAT refuses E5 with a NIF only, so an invoice issued with another document can be corrected.
 */
export function checkRecipientType(
  identifier: TaxIdentifier | undefined,
  lines: readonly ResolvedLine[],
  operationDate: CivilDate,
  { isNewSale }: { readonly isNewSale: boolean },
): Result<void, Refusal<"recipient_type_not_allowed">> {
  if (!identifier) return ok(undefined);
  const refused = (detail: Fact) => refuse("recipient_type_not_allowed", { detail }, "recipient.vat_number");
  const nif = identifier.kind === "nif" ? identifier.nif : undefined;
  if (identifier.kind === "eu_vat" && !isPrefixInForce(identifier.prefix, operationDate)) {
    const { prefix } = identifier;
    return refused({ phrase: "prefix_not_in_force", prefix, date: { date: operationDate } });
  }
  // LIVA, article 25: the buyer has a VAT number of another member state.
  const isSupplyInUnion = lines.some((line) => line.qualification === "E5" && line.tax === "01");
  if (isSupplyInUnion && (nif !== undefined || (isNewSale && identifier.kind !== "eu_vat"))) {
    return refused({ phrase: "e5_needs_vat_number" });
  }
  if (nif === undefined && lines.some((line) => line.regime === "10")) {
    return refused({ phrase: "regime_10_needs_nif" });
  }
  const dueByPublicBody = lines.some((line) => line.regime === "14" && line.tax !== "05");
  if (dueByPublicBody && !PUBLIC_BODY_NIF.test(nif ?? "")) {
    return refused({ phrase: "regime_14_needs_public_body" });
  }
  return ok(undefined);
}
