import { matchProfile } from "../../domain/billing/sales-settings.ts";
import type { AlikeAsked, AlikeOrders, ReviewReads } from "./review-ports.ts";

/** How many orders wait for the same, and would be decided by what is declared of this profile. */
export async function countAlike(
  accountId: string,
  asked: AlikeAsked & { readonly profileId?: string },
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
