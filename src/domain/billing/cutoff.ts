import { refuse } from "../invoice/refusal.ts";
import { type CivilDate, civilDate, yearOf } from "../shared/civil-date.ts";
import { ok, type Result } from "../shared/result.ts";
import type { DeclarationRefusal } from "./declaration-refusal.ts";

/** Where a new cutoff lies as seen from the one that stands. */
export interface CutoffMove {
  readonly date: CivilDate;
  /** Earlier brings orders in; later leaves out those that have no invoice yet. */
  readonly moves: "nowhere" | "earlier" | "later";
}

/**
 * From which day on orders are invoiced. It may lie ahead, for who begins with a new year, but no further: a
 * date beyond the coming year is a slip of the pen that would leave every sale without invoice.
 */
export function checkCutoff(date: CivilDate, today: CivilDate): Result<CivilDate, DeclarationRefusal> {
  const latest = civilDate(`${yearOf(today) + 1}-12-31`);
  if (date > latest)
    return refuse("cutoff_too_late", { date: { date }, latest: { date: latest } }, "cutoff_date");
  return ok(date);
}

export function moveCutoff(
  current: CivilDate,
  next: CivilDate,
  today: CivilDate,
): Result<CutoffMove, DeclarationRefusal> {
  const checked = checkCutoff(next, today);
  if (!checked.ok) return checked;
  const moves = next === current ? "nowhere" : next < current ? "earlier" : "later";
  return ok({ date: next, moves });
}
