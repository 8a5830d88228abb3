import type { SeriesHead } from "../../db/ledger-state.ts";
import {
  directStem,
  fullNumber,
  orderStem,
  type SeriesOwner,
  type StemPlace,
  stemIn,
} from "../../domain/billing/series.ts";
import { codesOfStem } from "../../domain/billing/stems.ts";
import { takesOrders } from "../../domain/order/gates.ts";
import type { CivilDate } from "../../domain/shared/civil-date.ts";

const FAMILIES = ["full", "simplified", "rectifying", "rectifying_simplified"] as const;
export type Family = (typeof FAMILIES)[number];

/** A series with its numbers as they print. */
export interface SeriesView {
  readonly code: string;
  /** Undefined where the stem of the series is none that stands today. */
  readonly family?: Family;
  readonly last?: { readonly number: string; readonly on: CivilDate };
  /** Undefined of a year that has ended. */
  readonly next?: string;
}

export interface Numbering extends StemPlace {
  /** Of today, in the issuer's zone. */
  readonly year: string;
  readonly series: readonly SeriesHead[];
}

/** What a stem numbers this year, each family of it, begun or not. */
export function seriesOfStem(stem: string, numbering: Numbering): readonly SeriesView[] {
  return codesIn(stem, numbering).map((code, index) => {
    const family = FAMILIES[index];
    return { ...viewOf(code, numbering), ...(family ? { family } : {}) };
  });
}

/** Every series that there is, this year's first, in the order of the stems and their families. */
export function seriesThatStand(stems: readonly string[], numbering: Numbering): readonly SeriesView[] {
  const known = stems.flatMap((stem) => seriesOfStem(stem, numbering));
  const placeOf = (code: string) => {
    const place = known.findIndex((one) => withoutYear(one.code) === withoutYear(code));
    return place < 0 ? known.length : place;
  };
  return numbering.series
    .toSorted(
      (a, b) =>
        compareTexts(yearOf(b.code), yearOf(a.code)) ||
        placeOf(a.code) - placeOf(b.code) ||
        compareTexts(a.code, b.code),
    )
    .map(({ code }) => {
      const family = known[placeOf(code)]?.family;
      return { ...viewOf(code, numbering), ...(family ? { family } : {}) };
    });
}

/** The stems that a connection numbers by: those of its profiles, or its own. */
export interface Stems {
  /** Of invoices asked for directly. */
  readonly direct?: string;
  /** Of orders without a profile. */
  readonly orders: string;
  /** What the service gave for these. */
  readonly given: string;
}

interface StemOwner {
  readonly kind: string;
  readonly ordinal: number;
  readonly orderStem?: string;
}

/** A stem that invoices are numbered by today. */
export interface StemInUse {
  readonly stem: string;
  /** Of orders, and not of invoices asked for directly. */
  readonly isOfOrders: boolean;
}

/** Of direct invoices, and of orders without profiles or with them. */
export function stemsInUse(
  connection: StemOwner & { readonly profileStems: readonly string[] },
): readonly StemInUse[] {
  const { direct, orders } = declaredStems(connection);
  const { profileStems } = connection;
  const ofOrders = profileStems.length > 0 ? profileStems : takesOrders(connection.kind) ? [orders] : [];
  return [
    ...(direct === undefined ? [] : [{ stem: direct, isOfOrders: false }]),
    ...ofOrders.map((stem) => ({ stem, isOfOrders: true })),
  ];
}

export function declaredStems(connection: StemOwner): Stems {
  // As declared: the letters of a later installation are put behind it where it numbers.
  const owner: SeriesOwner = { connectionOrdinal: connection.ordinal, installationOrdinal: 1 };
  const given = orderStem(owner);
  return {
    ...(connection.kind === "api" ? { direct: directStem(owner) } : {}),
    orders: connection.orderStem ?? given,
    given,
  };
}

/** Whether any number was given under a stem, in any year. */
export function isNumberedStem(stem: string, numbering: Numbering): boolean {
  const codes = codesIn(stem, numbering).map(withoutYear);
  return numbering.series.some(({ code }) => codes.includes(withoutYear(code)));
}

function codesIn(stem: string, numbering: Numbering): readonly string[] {
  return codesOfStem(stemIn(stem, numbering)).map((code) => `${code}-${numbering.year}`);
}

function viewOf(code: string, { series, year }: Numbering): SeriesView {
  const head = series.find((one) => one.code === code);
  const last = head && { number: fullNumber(code, head.number), on: head.date };
  const next = yearOf(code) >= year ? { next: fullNumber(code, (head?.number ?? 0) + 1) } : {};
  return { code, ...(last ? { last } : {}), ...next };
}

function yearOf(code: string): string {
  return code.slice(-"YYYY".length);
}

function withoutYear(code: string): string {
  return code.slice(0, -"-YYYY".length);
}

function compareTexts(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
