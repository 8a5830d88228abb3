import { add, subtract } from "../../domain/shared/decimal.ts";
import { needOf } from "../../domain/verifactu/submission/corrections.ts";
import { ourFault } from "../../domain/verifactu/submission/meaning.ts";
import {
  combined,
  type InvoiceSums,
  type ListedInvoice,
  NOTHING_COUNTED,
  type TailInvoice,
} from "../invoices/list-invoices.ts";
import type { AttentionRead, DayCount, DeclinedInvoice, OverviewQuery, OverviewRead } from "./queries.ts";

/** A day's invoices by the AEAT's reply; `open` counts those without one. */
export interface DayStates {
  readonly day: string;
  readonly accepted: number;
  readonly open: number;
  readonly acceptedWithErrors: number;
  readonly rejected: number;
}

export interface Overview {
  readonly today: InvoiceSums;
  readonly month: InvoiceSums;
  readonly rectifying: InvoiceSums;
  /** Days with invoices, in order. */
  readonly days: readonly DayStates[];
  /** Newest first. */
  readonly latest: readonly ListedInvoice[];
}

export function viewOverview(
  { days, tail, latest }: OverviewRead,
  { month, connectionId, latest: shown, today }: OverviewQuery & { readonly today: string },
): Overview {
  const ofScope = tail.filter((one) => connectionId === undefined || one.connectionId === connectionId);
  const newest = [...latest, ...ofScope].toSorted((a, b) => (a.place < b.place ? 1 : -1));
  const invoices = ofScope.filter(({ test }) => !test);
  const counts = [...days, ...invoices.flatMap(changesOf)].filter(({ day }) => day.startsWith(month));
  return {
    today: sumOf(counts.filter(({ day }) => day === today)),
    month: sumOf(counts),
    rectifying: sumOf(counts.filter(({ rectifying }) => rectifying)),
    days: statesOf(counts),
    latest: newest.slice(0, shown),
  };
}

/** Subtracts the invoice as the sums count it and adds it in its current state. */
function changesOf(invoice: TailInvoice): readonly DayCount[] {
  const { place, rectifying, effect, counted, standing, state } = invoice;
  const of = { day: place.slice(0, 10), rectifying };
  const entry = (isCancelled: boolean): InvoiceSums => ({
    invoices: 1,
    cancelled: isCancelled ? 1 : 0,
    amounts: isCancelled ? NOTHING_COUNTED.amounts : effect,
  });
  const before = counted
    ? [{ ...of, state: counted.state, ...minus(NOTHING_COUNTED, entry(counted.cancelled)) }]
    : [];
  return [...before, { ...of, state, ...entry(standing.is === "cancelled") }];
}

function minus(a: InvoiceSums, b: InvoiceSums): InvoiceSums {
  return {
    invoices: a.invoices - b.invoices,
    cancelled: a.cancelled - b.cancelled,
    amounts: combined(subtract, a.amounts, b.amounts),
  };
}

function sumOf(counts: readonly DayCount[]): InvoiceSums {
  return counts.reduce<InvoiceSums>(
    (sum, { invoices, cancelled, amounts }) => ({
      invoices: sum.invoices + invoices,
      cancelled: sum.cancelled + cancelled,
      amounts: combined(add, sum.amounts, amounts),
    }),
    NOTHING_COUNTED,
  );
}

function statesOf(counts: readonly DayCount[]): readonly DayStates[] {
  const byDay = Map.groupBy(counts, ({ day }) => day);
  const days = [...byDay].map(([day, ofDay]) => {
    const count = (...states: readonly string[]) =>
      ofDay.reduce((sum, { state, invoices }) => sum + (states.includes(state) ? invoices : 0), 0);
    return {
      day,
      accepted: count("accepted"),
      open: count("pending_submission", "submitted"),
      acceptedWithErrors: count("accepted_with_errors"),
      rejected: count("rejected"),
    };
  });
  return days.toSorted((a, b) => (a.day < b.day ? -1 : 1));
}

export interface Attention extends Omit<AttentionRead, "declined"> {
  /** Listed before any correction: the owner must first say if the AEAT's record is theirs. */
  readonly duplicates: Declined;
  readonly rejected: Declined;
  readonly flawed: Declined;
  /** Rejected or flawed through our fault: nothing for the owner to correct. */
  readonly ours: Declined;
}

export interface Declined {
  readonly invoices: number;
  readonly newest?: DeclinedInvoice;
}

/** Leaves out notices that need no correction, and numbers found to be used by another system. */
export function asksForOwner(one: DeclinedInvoice): boolean {
  return needOf(one) === "required" && one.duplicate !== "foreign";
}

export function viewAttention({ declined, ...others }: AttentionRead): Attention {
  const asking = declined.filter(asksForOwner);
  const of = (isOne: (invoice: DeclinedInvoice) => boolean): Declined => {
    const [newest, ...older] = asking.filter(isOne);
    return newest ? { invoices: 1 + older.length, newest } : { invoices: 0 };
  };
  const isUnsettled = ({ duplicate }: DeclinedInvoice) => duplicate === "undecided";
  const isOurs = ({ code }: DeclinedInvoice) => ourFault(code) !== undefined;
  const isTheirs = (one: DeclinedInvoice) => !isUnsettled(one) && !isOurs(one);
  return {
    ...others,
    duplicates: of(isUnsettled),
    rejected: of((one) => one.state === "rejected" && isTheirs(one)),
    flawed: of((one) => one.state === "accepted_with_errors" && isTheirs(one)),
    ours: of((one) => isOurs(one) && !isUnsettled(one)),
  };
}
