import type { CivilDate } from "../shared/civil-date.ts";
import { add, type Decimal, decimal, divide, HUNDRED, multiply } from "../shared/decimal.ts";
import type { Instant } from "../shared/instant.ts";
import type { Totals } from "./document.ts";

/** The sort place of an invoice in its account: these texts sort in the order of issue. */
export interface IssuePlace {
  readonly issueDate: string;
  readonly issuedAt: Instant;
  readonly connectionOrdinal: number;
  readonly installationOrdinal: number;
  readonly position: number;
}

export function placeText(place: IssuePlace): string {
  const seconds = padded(Math.floor(place.issuedAt / 1_000), 10);
  const chain = `${padded(place.connectionOrdinal, 4)}.${padded(place.installationOrdinal, 3)}`;
  return `${place.issueDate}:${seconds}:${chain}.${padded(place.position, 9)}`;
}

/** When the invoice of that place was issued. */
export function issuedAtOf(place: string): Instant {
  return Number(place.slice(11, 21)) * 1_000;
}

export function issueDateOf(place: string): CivilDate {
  // It begins with the day, which the database checks.
  return place.slice(0, 10) as CivilDate;
}

const PLACE = /^\d{4}-\d{2}-\d{2}:\d{10}:\d{4,}\.\d{3,}\.\d{9,}$/;

export function isPlace(text: string): boolean {
  return PLACE.test(text);
}

function padded(number: number, digits: number): string {
  return String(number).padStart(digits, "0");
}

/** Amounts of an invoice as they are added up, in whole cents of euros; the tax with the surcharge. */
export interface EntryAmounts {
  readonly base: Decimal;
  readonly tax: Decimal;
  readonly total: Decimal;
}

export function centsOf({ base, tax, surcharge, total }: Totals): EntryAmounts {
  const cents = (amount: Decimal) => multiply(amount, HUNDRED);
  return { base: cents(base), tax: cents(add(tax, surcharge)), total: cents(total) };
}

/** Whole cents, however the database wrote them. */
export function eurosOf(cents: string): Decimal {
  return divide(decimal(cents), HUNDRED, 2);
}
