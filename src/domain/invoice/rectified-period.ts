import type { CivilDate } from "../shared/civil-date.ts";
import { isNegative, sum } from "../shared/decimal.ts";
import { type Facts, money } from "../shared/fact.ts";
import { ok, type Result } from "../shared/result.ts";
import type { TaxGroup } from "./document.ts";
import { type IssueRefusal, refuse } from "./refusal.ts";
import type { InvoiceRequest } from "./request.ts";
import { grossOf } from "./tax-groups.ts";

/** The days of a rebate (article 15.4 RD 1619/2012) have passed, and the last one dates the operation. */
export function checkPeriod(
  { rectifiedPeriod: period, operationDate, rectifies }: InvoiceRequest,
  today: CivilDate,
): Result<void, IssueRefusal> {
  if (!period) return ok(undefined);
  const refused = (facts: Facts, path: string) => refuse("rectified_period_invalid", facts, path);
  if (rectifies.length > 0) {
    const facts = { detail: { phrase: "period_beside_invoices" }, fix: { phrase: "keep_one" } } as const;
    return refused(facts, "rectified_period");
  }
  const correct = { fix: { phrase: "correct_period" } } as const;
  if (period.from > period.to) {
    return refused({ detail: { phrase: "period_reversed" }, ...correct }, "rectified_period.from");
  }
  if (period.to > today) {
    return refused({ detail: { phrase: "period_not_over" }, ...correct }, "rectified_period.to");
  }
  if (operationDate === undefined || operationDate === period.to) return ok(undefined);
  const detail = { phrase: "period_dates_operation", date: { date: period.to } } as const;
  return refused({ detail, fix: { phrase: "remove_operation_date" } }, "operation_date");
}

/** Without a cited invoice only a discount is possible: an addition belongs to an invoice. */
export function checkPeriodTotal(
  { rectifiedPeriod, currency }: InvoiceRequest,
  groups: readonly TaxGroup[],
): Result<void, IssueRefusal> {
  if (!rectifiedPeriod) return ok(undefined);
  const total = sum(groups.map((group) => grossOf(group.amounts)));
  if (isNegative(total)) return ok(undefined);
  return refuse("rectified_period_not_negative", { amount: money(total, currency) }, "rectified_period");
}
