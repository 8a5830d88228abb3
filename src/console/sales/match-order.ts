import { matchProfile, type Profile, UNDECLARED } from "../../domain/billing/sales-settings.ts";
import { comparableCode } from "../../domain/shared/text.ts";
import type { OrderMatched, StemReading } from "./queries.ts";
import { declaredStems } from "./series-view.ts";

/** A profile in the form; it replaces the stored profile with its id. */
export interface DraftMatch {
  /** Undefined for a new profile. */
  readonly id?: string;
  readonly name: string;
  readonly channel?: string;
  readonly storeId?: string;
  readonly stem: string;
}

export type MatchedTo =
  | { readonly match: "one"; readonly name: string; readonly stem: string; readonly isDraft: boolean }
  | { readonly match: "none" }
  | { readonly match: "several"; readonly names: readonly string[] }
  /** Without profiles the connection's own settings apply. */
  | { readonly match: "connection"; readonly stem: string };

export interface OrderTest {
  readonly order: OrderMatched;
  readonly goesTo: MatchedTo;
  /** The owner assigned the profile, so the rules do not apply. */
  readonly isAssigned: boolean;
  /** The order's store is not chosen for invoicing. */
  readonly isStoreLeftOut: boolean;
}

/** Finds the order's profile by the same rule that decides orders. */
export function testOrder(
  order: OrderMatched,
  reading: StemReading,
  draft: DraftMatch | undefined,
): OrderTest {
  const profiles = withDraft(reading.profiles, draft);
  const isAssigned = profiles.some(({ id }) => id === order.profileId);
  return {
    order,
    goesTo: goesTo(order, { reading, profiles, draftId: draft && (draft.id ?? NEW) }),
    isAssigned,
    isStoreLeftOut: isLeftOut(order.storeId, reading.setup.storeIds),
  };
}

/** No stored profile has this id. */
const NEW = "";

interface Among {
  readonly reading: StemReading;
  readonly profiles: readonly Profile[];
  readonly draftId: string | undefined;
}

function goesTo(order: OrderMatched, { reading, profiles, draftId }: Among): MatchedTo {
  if (profiles.length === 0) return { match: "connection", stem: declaredStems(reading).orders };
  const assigned = profiles.find(({ id }) => id === order.profileId);
  const found = assigned ? ({ match: "one", profile: assigned } as const) : matchProfile(order, profiles);
  switch (found.match) {
    case "one": {
      const { id, name, stem } = found.profile;
      return { match: "one", name, stem, isDraft: id === draftId };
    }
    case "none":
      return { match: "none" };
    case "several":
      return { match: "several", names: found.profiles.map(({ name }) => name) };
  }
}

function withDraft(profiles: readonly Profile[], draft: DraftMatch | undefined): readonly Profile[] {
  if (!draft) return profiles;
  const { channel, ...rest } = draft;
  const edited: Profile = {
    ...rest,
    id: draft.id ?? NEW,
    ...(channel === undefined ? {} : { channel: comparableCode(channel) }),
    sales: UNDECLARED,
  };
  const isKnown = profiles.some(({ id }) => id === edited.id);
  return isKnown ? profiles.map((one) => (one.id === edited.id ? edited : one)) : [...profiles, edited];
}

function isLeftOut(storeId: string | undefined, storeIds: string | null): boolean {
  if (storeIds === null || storeIds === "") return false;
  return storeId === undefined || !storeIds.split(",").includes(storeId);
}
