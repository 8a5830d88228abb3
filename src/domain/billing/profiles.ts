import { type Refusal, refuse } from "../invoice/refusal.ts";
import { takesOrders } from "../order/gates.ts";
import { ok, type Result } from "../shared/result.ts";
import { comparableCode, comparableTag, hasInk, isPlainText, normalizeText } from "../shared/text.ts";
import type { DeclarationRefusal } from "./declarations.ts";
import type { Profile } from "./sales-settings.ts";
import { changeStem, checkStem, type StemOwner, type TakenStem } from "./series.ts";

/** A profile before its treatments: which orders it takes, and how they are numbered. */
export type ProfileDraft = Omit<Profile, "id" | "sales">;

/** Members that are absent stay; null takes one away. */
export interface ProfileChange {
  readonly name?: string;
  readonly channel?: string | null;
  readonly storeId?: string | null;
  readonly stem?: string;
}

/** The facts for checking a profile. */
export interface ProfileScope extends StemOwner {
  readonly connectionKind: string;
  /** All profiles of the connection, their stems as declared. */
  readonly profiles: readonly Profile[];
  /** Ids of the stores that the connection has reported. */
  readonly storeIds: readonly string[];
  /** Stems of the whole account. */
  readonly taken: readonly TakenStem[];
  /** Stems under which there is a number. */
  readonly numbered: readonly string[];
}

export type ProfileCreation =
  | { readonly is: "new"; readonly draft: ProfileDraft }
  /** An equal profile exists: a retry creates no second one. */
  | { readonly is: "known"; readonly profile: Profile };

export function createProfile(
  draft: ProfileDraft,
  scope: ProfileScope,
): Result<ProfileCreation, DeclarationRefusal> {
  const normal = normalDraft(draft);
  const known = scope.profiles.find((profile) => isSameDraft(profile, normal));
  if (known) return ok({ is: "known", profile: known });
  const checked = checkDraft(normal, scope, scope.profiles);
  if (!checked.ok) return checked;
  const stem = checkStem(normal.stem, scope.taken, scope);
  return stem.ok ? ok({ is: "new", draft: normal }) : stem;
}

export function changeProfile(
  id: string,
  change: ProfileChange,
  scope: ProfileScope,
): Result<Profile, DeclarationRefusal> {
  const profile = scope.profiles.find((candidate) => candidate.id === id);
  if (!profile) return refuse("profile_unknown", { profile: id });
  const others = scope.profiles.filter((candidate) => candidate !== profile);
  const draft = normalDraft(merged(profile, change));
  const checked = checkDraft(draft, scope, others);
  if (!checked.ok) return checked;
  const stem = changeStem({ ...scope, current: profile.stem, next: draft.stem });
  return stem.ok ? ok({ id, ...draft, sales: profile.sales }) : stem;
}

const NAME_LENGTH = 60;
/** The limit for `source_channel`. */
const CHANNEL_LENGTH = 32;

function checkDraft(
  draft: ProfileDraft,
  { connectionKind: kind, storeIds }: ProfileScope,
  others: readonly Profile[],
): Result<void, DeclarationRefusal> {
  const { name, channel, storeId } = draft;
  if (!takesOrders(kind)) return refuse("orders_not_supported_by_connection", { kind });
  if (!isShown(name, NAME_LENGTH)) return refuse("profile_name_invalid", {}, "name");
  const namesake = others.find((other) => comparableTag(other.name) === comparableTag(name));
  if (namesake) return refuse("profile_name_taken", { name: namesake.name }, "name");
  if (channel !== undefined && !isShown(channel, CHANNEL_LENGTH)) {
    return refuse("channel_invalid", {}, "channel");
  }
  if (storeId !== undefined && !storeIds.includes(storeId)) {
    return refuse("store_unknown", { stores: storeId }, "store_id");
  }
  return checkMatch(draft, others);
}

/** A profile that matches every order, or the same orders as another, would leave the others empty. */
function checkMatch(
  { channel, storeId }: ProfileDraft,
  others: readonly Profile[],
): Result<void, Refusal<"profile_takes_everything" | "profile_match_taken">> {
  if (channel === undefined && storeId === undefined)
    return refuse("profile_takes_everything", {}, "channel");
  const twin = others.find((other) => other.channel === channel && other.storeId === storeId);
  return twin ? refuse("profile_match_taken", { profile: twin.name }, "channel") : ok(undefined);
}

function merged({ name, channel, storeId, stem }: Profile, change: ProfileChange): ProfileDraft {
  return {
    name: change.name ?? name,
    ...member("channel", change.channel === undefined ? channel : change.channel),
    ...member("storeId", change.storeId === undefined ? storeId : change.storeId),
    stem: change.stem ?? stem,
  };
}

/** As names are kept and channels compared. */
function normalDraft({ name, channel, storeId, stem }: ProfileDraft): ProfileDraft {
  return {
    name: normalizeText(name),
    ...member("channel", channel === undefined ? undefined : comparableCode(channel)),
    ...member("storeId", storeId),
    stem,
  };
}

function member<Name extends "channel" | "storeId">(name: Name, value: string | null | undefined) {
  return value === undefined || value === null ? {} : { [name]: value };
}

function isSameDraft(profile: Profile, draft: ProfileDraft): boolean {
  const { name, channel, storeId, stem } = profile;
  return name === draft.name && channel === draft.channel && storeId === draft.storeId && stem === draft.stem;
}

/** Visible text in one line, with its length in code points. */
function isShown(text: string, longest: number): boolean {
  return isPlainText(text) && hasInk(text) && [...text].length <= longest;
}
