import { NO_ANSWERS, type OwnerAnswers } from "../../domain/order/context.ts";
import type { OrderState } from "../../domain/order/decision.ts";
import { civilDate } from "../../domain/shared/civil-date.ts";
import type { KnownStatuses, StoredOrder } from "../order-state.ts";
import { type StoredSales, withDestinations } from "../selling.ts";
import { fromOwnJson } from "../stored-json.ts";
import type { OrderRow } from "./order-reads.ts";

export function storedOrder(row: OrderRow): StoredOrder {
  const { soldFingerprint, decideFrom, ...kept } = row;
  return {
    ...kept,
    // The schema checks the values of this column.
    state: row.state as OrderState,
    orderDay: civilDate(row.orderDay),
    dueDate: civilDate(row.dueDate),
    facts: fromOwnJson(row.facts),
    reasons: fromOwnJson(row.reasons),
    warnings: fromOwnJson(row.warnings),
    answers: answersFrom(row.answers),
    acted: fromOwnJson(row.acted),
    ...(soldFingerprint === null ? {} : { soldFingerprint }),
    ...(decideFrom === null ? {} : { decideFrom: civilDate(decideFrom) }),
  };
}

interface StoredAnswers extends Partial<Omit<OwnerAnswers, "sales">> {
  readonly sales?: StoredSales;
}

/** Kinds of answers are added over time; an old row has only the earlier ones. */
function answersFrom(json: string): OwnerAnswers {
  const { sales, ...answers } = fromOwnJson<StoredAnswers>(json);
  return { ...NO_ANSWERS, ...answers, ...(sales ? { sales: withDestinations(sales) } : {}) };
}

export function knownStatuses(
  rows: readonly { readonly idExternal: string; readonly name: string; readonly cancelled: boolean }[],
): KnownStatuses {
  return Object.fromEntries(rows.map(({ idExternal, name, cancelled }) => [idExternal, { name, cancelled }]));
}
