import { compare, type Decimal, decimal, digitsOf, isNegative, isZero } from "../shared/decimal.ts";
import { ok, type Result } from "../shared/result.ts";
import { type LineContext, refuseLine } from "./line-context.ts";
import { type IssueRefusal, refuse } from "./refusal.ts";
import { checkRegime } from "./regime-rules.ts";
import { isOss, type ResolvedLine } from "./tax-groups.ts";
import { ratesOn, surchargesOn, TAX_NAMES } from "./tax-rates.ts";

type LineCheck = (line: ResolvedLine, context: LineContext) => Result<void, IssueRefusal>;

/** One check over all lines before the next check: the refusal ladder runs by rule, not by line. */
export function checkLines(lines: readonly ResolvedLine[], context: LineContext): Result<void, IssueRefusal> {
  const mixed = checkOneTax(lines);
  if (!mixed.ok) return mixed;
  const checks: readonly LineCheck[] = [checkRegime, checkQualification, checkRate, checkSurcharge];
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
  return refuse("mixed_taxes", { taxes: [...taxes].map((tax) => TAX_NAMES[tax]).join(", ") });
}

/** AEAT 1182, 1197, 1198, 1237, 1238: which qualification goes with a rate, a tax and a type. */
function checkQualification(
  line: ResolvedLine,
  { request, documentary }: LineContext,
): Result<void, IssueRefusal> {
  const { qualification, rate } = line;
  const mismatch = (field: string, value: string, fix: string) =>
    refuseLine("qualification_rate_mismatch", line, field === "invoice_type" ? "qualification" : field, {
      qualification,
      field,
      value,
      fix,
    });
  if ((qualification === "E7" || qualification === "E8") && line.tax !== "03") {
    return mismatch("type_tax", line.tax, "E7 and E8 exist for IGIC only");
  }
  const needsIdentity = qualification === "S2" || (qualification === "E5" && line.tax === "01");
  if (needsIdentity && !documentary.identified && !documentary.simplified) {
    return mismatch("invoice_type", request.invoiceType, "use F1 with the recipient's identifier");
  }
  if (qualification === "S1") return ok(undefined);
  if (!isOss(line) && !isZero(rate)) return mismatch("tax_rate", rate, "send 0, or S1 if tax is charged");
  if (request.pricesIncludeTax && !isOss(line)) {
    return mismatch("prices_include_tax", "true", "send net prices, or S1 if tax is charged");
  }
  return ok(undefined);
}

const OSS_MAXIMUM = decimal("30");

/** AEAT 1124 and our own tables; a rate has two decimals in the record. */
function checkRate(line: ResolvedLine, { operationDate }: LineContext): Result<void, IssueRefusal> {
  if (line.qualification !== "S1" && !isOss(line)) return ok(undefined);
  const refused = (tax: string, allowed: string) =>
    refuseLine("tax_rate_not_allowed", line, "tax_rate", {
      rate: `${line.rate} %`,
      tax_name: tax,
      date: operationDate,
      allowed,
    });
  const twoDecimals = digitsOf(line.rate).fraction <= 2 && !isNegative(line.rate);
  if (isOss(line)) {
    const possible = twoDecimals && compare(line.rate, OSS_MAXIMUM) <= 0;
    return possible ? ok(undefined) : refused("the one-stop shop", "0 to 30 with two decimals");
  }
  const rates = ratesOn(line.tax, operationDate);
  if (rates === undefined) return twoDecimals ? ok(undefined) : refused(TAX_NAMES[line.tax], "two decimals");
  if (rates.includes(line.rate)) return ok(undefined);
  return refused(TAX_NAMES[line.tax], percentages(rates));
}

/** AEAT 1127, 1160-1170, 1281: each rate of IVA has its surcharges, only with S1. */
function checkSurcharge(line: ResolvedLine, { operationDate }: LineContext): Result<void, IssueRefusal> {
  if (line.surchargeRate === undefined) return ok(undefined);
  const possible =
    line.tax === "01" && line.qualification === "S1" ? surchargesOn(line.rate, operationDate) : [];
  if (possible.includes(line.surchargeRate)) return ok(undefined);
  return refuseLine("surcharge_not_allowed", line, "equivalence_surcharge_rate", {
    surcharge: `${line.surchargeRate} %`,
    rate: `${line.rate} %`,
    date: operationDate,
    allowed: possible.length > 0 ? percentages(possible) : "none",
  });
}

function percentages(rates: readonly Decimal[]): string {
  return rates.map((rate) => `${rate} %`).join(", ");
}
