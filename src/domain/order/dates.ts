import { type CivilDate, civilDate, yearOf } from "../shared/civil-date.ts";
import { type Instant, localTime, type TimeZone } from "../shared/instant.ts";
import type { OrderContext } from "./context.ts";
import { because, type OrderWarning, type Reason } from "./reasons.ts";

type Dated = Pick<OrderContext, "facts" | "issuer" | "today">;

/** The day of `order_date` in the issuer's zone, compared with the cutoff. */
export function orderDateOf({ facts, issuer }: Dated): CivilDate {
  return localTime(facts.orderedAt, issuer.timeZone).date;
}

/** When the sale took place: never the day of its payment. */
export function operationDateOf(context: Dated): CivilDate {
  return context.facts.operationDate ?? orderDateOf(context);
}

export function futureReasons(context: Dated): Reason[] {
  const date = operationDateOf(context);
  return date > context.today ? [because("order_date_in_future", { date: { date } })] : [];
}

/** Article 11 RD 1619/2012: at once, or until the 15th of the next month for a business. */
export function dueDateOf(operationDate: CivilDate, hasIdentifier: boolean): CivilDate {
  return hasIdentifier ? midNextMonth(operationDate) : operationDate;
}

export function lateWarnings(dueDate: CivilDate, today: CivilDate): OrderWarning[] {
  if (today <= dueDate) return [];
  return [{ code: "issued_late", facts: { issue_date: { date: today }, due_date: { date: dueDate } } }];
}

/** Facts that are older than those stored are not taken. */
export function staleWarning(
  { received, stored }: { readonly received: Instant; readonly stored: Instant },
  zone: TimeZone,
): OrderWarning {
  const shown = (instant: Instant) => ({ moment: localTime(instant, zone).timestamp });
  return { code: "stale_payload", facts: { received: shown(received), stored: shown(stored) } };
}

function midNextMonth(date: CivilDate): CivilDate {
  const month = Number(date.slice(5, 7));
  const [year, next] = month === 12 ? [yearOf(date) + 1, 1] : [yearOf(date), month + 1];
  return civilDate(`${year}-${String(next).padStart(2, "0")}-15`);
}
