import { refuse } from "../invoice/refusal.ts";
import { type CivilDate, civilDate, yearOf } from "../shared/civil-date.ts";
import { ok, type Result } from "../shared/result.ts";
import type { DeclarationRefusal } from "./declaration-refusal.ts";

/** A new cutoff compared with the current one. */
export interface CutoffMove {
  readonly date: CivilDate;
  /** Earlier adds orders; later excludes orders without an invoice. */
  readonly moves: "nowhere" | "earlier" | "later";
}

/**
 * The first day of orders to invoice. It may be in the next year, but not later: such a date is a typing
 * error that would stop all invoicing.
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
