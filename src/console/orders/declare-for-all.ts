import type { SalesChange } from "../../domain/billing/sales-change.ts";
import { type Destinations, matchProfile } from "../../domain/billing/sales-settings.ts";
import { type OwnSales, saidDestinations } from "../../domain/order/answers/sale.ts";
import type { OrderAnswer } from "../../domain/order/answers/table.ts";
import type { AlikeOrders, ReviewReads, SimilarOrdersQuery } from "./review-reads.ts";

/**
 * The sales declaration that the answers contain; undefined if they declare nothing about amounts or sales.
 */
export function declaredForAll(answers: readonly OrderAnswer[]): SalesChange | undefined {
  const treatments = answers.flatMap((answer) =>
    answer.answer === "declare_treatment" ? [[answer.code, answer.treatment] as const] : [],
  );
  const sales = answers.flatMap((answer) => (answer.answer === "declare_sales" ? [answer.sales] : []));
  const rates = answers.flatMap((answer) => (answer.answer === "rounding" ? [answer.rate] : []));
  if (treatments.length + sales.length + rates.length === 0) return undefined;
  return {
    ...Object.assign({}, ...sales.map(otherMembers)),
    ...destinationsIn(sales),
    ...Object.assign({}, ...rates.map((roundingRate) => ({ roundingRate }))),
    ...(treatments.length === 0 ? {} : { treatments: Object.fromEntries(treatments) }),
  };
}

function otherMembers({ destinations: _, foreignSales: __, ...members }: OwnSales) {
  return members;
}

/** Merged by destination: an answer about one destination leaves the declarations of the others in place. */
function destinationsIn(sales: readonly OwnSales[]): Pick<SalesChange, "destinations"> {
  const destinations: Destinations = Object.assign({}, ...sales.map(saidDestinations));
  return Object.keys(destinations).length === 0 ? {} : { destinations };
}

/** Counts the waiting orders with the same reason that this profile's declaration would decide. */
export async function countAlike(
  accountId: string,
  asked: SimilarOrdersQuery & { readonly profileId?: string },
  reads: ReviewReads,
): Promise<number> {
  const { waiting, profiles } = await reads.alike(accountId, asked);
  const isTaken = ({ assignedProfileId, channel, storeId }: AlikeOrders) => {
    if (profiles.length === 0) return true;
    if (profiles.some(({ id }) => id === assignedProfileId)) return assignedProfileId === asked.profileId;
    const found = matchProfile(
      {
        ...(channel === undefined ? {} : { sourceChannel: channel }),
        ...(storeId === undefined ? {} : { storeId }),
      },
      profiles,
    );
    return found.match === "one" && found.profile.id === asked.profileId;
  };
  return waiting.filter(isTaken).reduce((orders, alike) => orders + alike.orders, 0);
}
