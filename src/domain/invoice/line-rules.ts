import { compare, decimal, digitsOf, isNegative, isZero } from "../shared/decimal.ts";
import { type Fact, percents } from "../shared/fact.ts";
import { ok, type Result } from "../shared/result.ts";
import { isExemption, isExemptionOf } from "../verifactu/aeat-lists.ts";
import { type LineContext, lineName, refuseLine } from "./line-context.ts";
import { checkMargin } from "./margin-rules.ts";
import { type IssueRefusal, refuse } from "./refusal.ts";
import { checkRegime } from "./regimes.ts";
import { isOss, type ResolvedLine } from "./tax-groups.ts";
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
