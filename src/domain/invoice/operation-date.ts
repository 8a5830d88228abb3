import { type CivilDate, yearOf, yearsBefore } from "../shared/civil-date.ts";
import { ok, type Result } from "../shared/result.ts";
import { type IssueRefusal, refuse } from "./refusal.ts";
import { isDueLater } from "./regime-rules.ts";
import type { ResolvedLine } from "./tax-groups.ts";

/** AEAT 1125, 1134, 1146, 1147, 1173: how far from the issue date an operation may lie. */
export function checkOperationDate(
  operationDate: CivilDate,
  today: CivilDate,
  lines: readonly ResolvedLine[],
): Result<void, IssueRefusal> {
  const refused = (detail: string) =>
    refuse("operation_date_not_allowed", { date: operationDate, detail }, "operation_date");
  if (operationDate < yearsBefore(today, 20)) return refused("it is more than 20 years ago");
  if (yearOf(operationDate) > yearOf(today) + 1) return refused("it is later than the next year");
  if (operationDate > today && !lines.every(isDueLater)) {
    return refused("only lines of regime 14 or 15 may lie in the future");
  }
  const unbilledWorks = lines.some((line) => line.regime === "14" && line.tax !== "05");
  if (operationDate <= today && unbilledWorks) {
    return refused("regime 14 needs an operation date later than the issue date");
  }
  return ok(undefined);
}
