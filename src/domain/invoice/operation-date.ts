import { type CivilDate, yearOf, yearsBefore } from "../shared/civil-date.ts";
import type { Fact } from "../shared/fact.ts";
import { ok, type Result } from "../shared/result.ts";
import { type Refusal, refuse } from "./refusal.ts";
import { isDueLater } from "./regimes.ts";
import type { ResolvedLine } from "./tax-groups.ts";

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
