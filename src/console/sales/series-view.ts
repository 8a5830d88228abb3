import type { SeriesHead } from "../../db/ledger-state.ts";
import {
  changeOrderStem,
  changeStem,
  checkStem,
  codesOfStem,
  directStem,
  fullNumber,
  orderStem,
  type SeriesOwner,
  type StemPlace,
  stemIn,
} from "../../domain/billing/series.ts";
import { issuesDirectly } from "../../domain/connection/kind.ts";
import type { OwnerRefusal } from "../../domain/connection/owner-verbs.ts";
import type { Refusal } from "../../domain/invoice/refusal.ts";
import { takesOrders } from "../../domain/order/gates.ts";
import type { CivilDate } from "../../domain/shared/civil-date.ts";
import type { StemReading } from "./queries.ts";

const FAMILIES = ["full", "simplified", "rectifying", "rectifying_simplified"] as const;
type Family = (typeof FAMILIES)[number];

/** A series with its numbers as printed. */
export interface SeriesView {
  readonly code: string;
  /** Undefined if the series' stem is not in use now. */
  readonly family?: Family;
  readonly last?: { readonly number: string; readonly on: CivilDate };
  /** Undefined if the series' year has ended. */
  readonly next?: string;
}

interface Numbering extends StemPlace {
  /** The current year in the issuer's zone. */
  readonly year: string;
  readonly series: readonly SeriesHead[];
}

/** This year's series of a stem, one per family, begun or not. */
export function seriesOfStem(stem: string, numbering: Numbering): readonly SeriesView[] {
  return codesIn(stem, numbering).map((code, index) => {
    const family = FAMILIES[index];
    return { ...viewOf(code, numbering), ...(family ? { family } : {}) };
  });
}

/** All series: this year's first, in order of stems and families. */
export function currentSeries(stems: readonly string[], numbering: Numbering): readonly SeriesView[] {
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

/** The connection's own stems; profiles have theirs. */
export interface Stems {
  /** The stem of direct invoices. */
  readonly direct?: string;
  /** The stem of orders without a profile. */
  readonly orders: string;
  /** The assigned stem for orders without a profile. */
  readonly given: string;
}

interface InstallationStems {
  readonly kind: string;
  readonly ordinal: number;
  readonly orderStem?: string;
}

/** A stem of invoices issued today. */
interface StemInUse {
  readonly stem: string;
  /** True for orders, false for direct invoices. */
  readonly isOfOrders: boolean;
}

/** The stem of direct invoices, and the profiles' stems or the stem for orders without a profile. */
export function stemsInUse(
  connection: InstallationStems & { readonly profileStems: readonly string[] },
): readonly StemInUse[] {
  const { direct, orders } = declaredStems(connection);
  const { profileStems } = connection;
  const ofOrders = profileStems.length > 0 ? profileStems : takesOrders(connection.kind) ? [orders] : [];
  return [
    ...(direct === undefined ? [] : [{ stem: direct, isOfOrders: false }]),
    ...ofOrders.map((stem) => ({ stem, isOfOrders: true })),
  ];
}

/**
 * The stems that pages name. A program that invoices directly numbers by one stem until it sends an order, or
 * its owner chooses how orders are numbered.
 */
export function stemsShown(
  connection: InstallationStems & { readonly profileStems: readonly string[] },
  numbering: Numbering,
): readonly StemInUse[] {
  const all = stemsInUse(connection);
  const isChosen = connection.orderStem !== undefined || connection.profileStems.length > 0;
  if (isChosen || all.every(({ isOfOrders }) => isOfOrders)) return all;
  return all.filter(({ stem, isOfOrders }) => !isOfOrders || isNumberedStem(stem, numbering));
}

export function declaredStems(connection: InstallationStems): Stems {
  // Ordinal 1: declared stems have no installation letters; numbering appends them.
  const owner: SeriesOwner = { connectionOrdinal: connection.ordinal, installationOrdinal: 1 };
  const given = orderStem(owner);
  return {
    ...(issuesDirectly(connection.kind)
      ? { direct: directStem({ ...owner, connectionKind: connection.kind }) }
      : {}),
    orders: connection.orderStem ?? given,
    given,
  };
}

/** True if the stem has numbers in any year. */
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

/** The typed stem belongs to a stored profile, a new profile, or orders without a profile. */
export type StemOwner = { readonly profile: string } | "new_profile" | "orders";

interface StemChecked {
  /** The numbers that the stem would give, as printed. */
  readonly series: readonly SeriesView[];
  readonly refusal?: Refusal<OwnerRefusal["code"]>;
}

/** Checks a stem as if it were saved now. */
export function checkTypedStem(
  stem: string,
  owner: StemOwner,
  { reading, year }: { readonly reading: StemReading; readonly year: string },
): StemChecked {
  const { installationOrdinal, trial, series } = reading;
  const judged = judge(stem, owner, reading);
  return {
    series: seriesOfStem(stem, { installationOrdinal, trial, year, series }),
    ...(judged.ok ? {} : { refusal: judged.error }),
  };
}

function judge(stem: string, owner: StemOwner, reading: StemReading) {
  const { taken, profiles, numberedCodes, trial } = reading;
  if (owner === "new_profile") return checkStem(stem, taken, { trial });
  const { orders, given } = declaredStems(reading);
  const current = owner === "orders" ? orders : profiles.find(({ id }) => id === owner.profile)?.stem;
  // The profile was deleted in the meantime: its stem is checked as a new profile's.
  if (current === undefined) return checkStem(stem, taken, { trial });
  const numbered = [current, given].filter((one) => isNumbered(one, numberedCodes));
  if (owner !== "orders") return changeStem({ current, next: stem, numbered, taken, trial });
  return changeOrderStem(stem, {
    ...{ current, given, hasProfiles: profiles.length > 0 },
    ...{ numbered, taken, trial },
  });
}

function isNumbered(stem: string, numberedCodes: readonly string[]): boolean {
  return codesOfStem(stem).some((code) => numberedCodes.includes(code));
}
