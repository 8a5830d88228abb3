import { changeOrderStem, changeStem, checkStem, codesOfStem } from "../../domain/billing/stems.ts";
import type { OwnerRefusal } from "../../domain/connection/owner-refusal.ts";
import type { Refusal } from "../../domain/invoice/refusal.ts";
import type { StemReading } from "./selling-ports.ts";
import { declaredStems, type SeriesView, seriesOfStem } from "./series-view.ts";

/** Whose stem is being typed: a profile's that stands, a new one's, or that of orders without profile. */
export type StemOwner = { readonly profile: string } | "new_profile" | "orders";

export interface StemChecked {
  /** The numbers that it would give, as they print. */
  readonly series: readonly SeriesView[];
  readonly refusal?: Refusal<OwnerRefusal["code"]>;
}

/** What would be said of a stem if it were saved now. */
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
  // A profile that has gone meanwhile: what is typed would be a new one's.
  if (current === undefined) return checkStem(stem, taken, { trial });
  const numbered = [current, given].filter((one) => isNumbered(one, numberedCodes));
  if (owner !== "orders") return changeStem({ current, next: stem, numbered, taken, trial });
  return changeOrderStem(stem, {
    ...{ current, given, hasProfiles: profiles.length > 0 },
    ...{ numbered, taken, trial },
  });
}

export function isNumbered(stem: string, numberedCodes: readonly string[]): boolean {
  return codesOfStem(stem).some((code) => numberedCodes.includes(code));
}
