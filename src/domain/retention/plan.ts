import type { CivilDate } from "../shared/civil-date.ts";
import { keptUntil, mayLeave } from "./keeping.ts";

/** The facts of a year to retire, and of possible obstacles. */
export interface YearAsItStands {
  readonly year: number;
  readonly isFrozen: boolean;
  /** The run of that year, where there was or is one. */
  readonly run?: { readonly endedAt?: number };
  /** A later year was retired, or another one is being retired. */
  readonly isBehindAnother: boolean;
  /** The earliest year of which there are invoices. */
  readonly earliestYear?: number;
  readonly hasOneStopShop: boolean;
  readonly chains: readonly ChainAsItStands[];
}

export interface ChainAsItStands {
  readonly installationNumber: string;
  /** Its last record of the year or before; 0 where there is none. */
  readonly cut: number;
  /** Up to that year: undecided records, or a message in transit. */
  readonly isUnsubmitted: boolean;
  /** Up to that year: records that are not in the lists yet. */
  readonly isUnentered: boolean;
}

export type Obstacle =
  | { readonly code: "frozen" | "behind_another" }
  | { readonly code: "too_young" | "one_stop_shop"; readonly until: CivilDate }
  | { readonly code: "ended"; readonly at: number }
  | { readonly code: "earlier_year"; readonly year: number }
  | { readonly code: "unsubmitted" | "not_entered"; readonly chain: string };

/** All obstacles to retiring a year; the database triggers refuse the same. */
export function obstaclesOf(stands: YearAsItStands, today: CivilDate): readonly Obstacle[] {
  const { year, run, earliestYear, hasOneStopShop, chains } = stands;
  if (run?.endedAt !== undefined) return [{ code: "ended", at: run.endedAt }];
  const obstacles: Obstacle[] = [];
  if (stands.isFrozen) obstacles.push({ code: "frozen" });
  if (!mayLeave(year, false, today)) obstacles.push({ code: "too_young", until: keptUntil(year) });
  else if (!mayLeave(year, hasOneStopShop, today)) {
    obstacles.push({ code: "one_stop_shop", until: keptUntil(year, true) });
  }
  if (stands.isBehindAnother) obstacles.push({ code: "behind_another" });
  if (earliestYear !== undefined && earliestYear < year) {
    obstacles.push({ code: "earlier_year", year: earliestYear });
  }
  for (const { installationNumber: chain, isUnsubmitted, isUnentered } of chains) {
    if (isUnsubmitted) obstacles.push({ code: "unsubmitted", chain });
    if (isUnentered) obstacles.push({ code: "not_entered", chain });
  }
  return obstacles;
}
