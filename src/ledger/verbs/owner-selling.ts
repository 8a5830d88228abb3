import { closeAuthorisation, openAuthorisation } from "../../domain/billing/authorisations.ts";
import { changeProfile, createProfile, type ProfileScope } from "../../domain/billing/profiles.ts";
import { changeSales, type SalesChange } from "../../domain/billing/sales-change.ts";
import type { SalesSettings } from "../../domain/billing/sales-settings.ts";
import { orderStem } from "../../domain/billing/series.ts";
import { changeOrderStem, codesOfStem } from "../../domain/billing/stems.ts";
import { newId } from "../../domain/connection/ids.ts";
import { refuse } from "../../domain/invoice/refusal.ts";
import type { ActiveAuthorisation } from "../../domain/invoice/simplified.ts";
import type { TagRule } from "../../domain/order/context.ts";
import { comparableCode } from "../../domain/order/normalize-text.ts";
import { removeTagRule, setTagRule } from "../../domain/order/tags.ts";
import { type AreaRate, isSameRate } from "../../domain/place/kept-rates.ts";
import { isSameValue } from "../../domain/shared/same-value.ts";
import { type OwnerDecision, type OwnerScope, refused, UNCHANGED, write } from "./owner-decision.ts";
import type { OwnerRequest } from "./owner-request.ts";

/** What is declared for the sales of a profile, or of the connection where it has none. */
export function declareSales(
  change: SalesChange,
  profileId: string | undefined,
  scope: OwnerScope,
): OwnerDecision {
  const { profiles, sales } = scope.reading;
  const profile = profiles.find(({ id }) => id === profileId);
  if (profileId !== undefined && !profile) return unknownProfile(profileId);
  const current = profile?.sales ?? sales;
  const changed = changeSales(current, change, salesScope(scope));
  if (!changed.ok) return refused(changed.error);
  if (isSameValue(current, changed.value)) return UNCHANGED;
  const facts = { ...salesFacts(current, changed.value), ...(profile ? { profile: profile.id } : {}) };
  if (!profile) return write({ deed: "set_sales", sales: changed.value }, facts);
  const next = { ...profile, sales: changed.value };
  return write({ deed: "change_profile", profile: next, stemBefore: profile.stem }, facts);
}

export function chooseOrderStem(stem: string, scope: OwnerScope): OwnerDecision {
  const { reading } = scope;
  const given = givenStem(scope);
  const current = reading.orderStem ?? given;
  const { profiles, taken } = reading;
  const numbered = numberedAmong([current, given], scope);
  const changed = changeOrderStem(stem, {
    current,
    given,
    hasProfiles: profiles.length > 0,
    numbered,
    taken,
    trial: isTrial(scope),
  });
  if (!changed.ok) return refused(changed.error);
  if (changed.value === current) return UNCHANGED;
  const chosen = changed.value === given ? undefined : changed.value;
  const before = reading.orderStem === undefined ? {} : { before: reading.orderStem };
  return write({ deed: "set_order_stem", stem: chosen, ...before }, { from: current, to: changed.value });
}

export function addProfile(
  request: Extract<OwnerRequest, { readonly verb: "add_profile" }>,
  scope: OwnerScope,
): OwnerDecision {
  const created = createProfile(request.profile, profileScope(scope));
  if (!created.ok) return refused(created.error);
  if (created.value.is === "known") {
    return { decision: "unchanged", shown: { profile_id: created.value.profile.id } };
  }
  // What was declared of the connection goes on to hold: nobody has to declare it twice.
  const sales = changeSales(scope.reading.sales, request.sales ?? {}, salesScope(scope));
  if (!sales.ok) return refused(sales.error);
  const { draft } = created.value;
  const profile = { id: newId("pf", scope.ledger, scope.random), ...draft, sales: sales.value };
  const facts = {
    ...draftFacts(draft),
    ...declaredFacts(scope.reading.sales, sales.value),
    profile: profile.id,
  };
  const deed = { deed: "add_profile", profile } as const;
  return { decision: "write", deed, facts, shown: { profile_id: profile.id } };
}

/** What it takes, how it is numbered and what is declared of its sales, in one deed. */
export function changeProfileOf(
  { id, change, sales: declared = {} }: Extract<OwnerRequest, { readonly verb: "change_profile" }>,
  scope: OwnerScope,
): OwnerDecision {
  const before = scope.reading.profiles.find((profile) => profile.id === id);
  const changed = changeProfile(id, change, profileScope(scope));
  if (!changed.ok) return refused(changed.error);
  const sales = changeSales(changed.value.sales, declared, salesScope(scope));
  if (!sales.ok) return refused(sales.error);
  const profile = { ...changed.value, sales: sales.value };
  if (!before || isSameValue(before, profile)) return UNCHANGED;
  const facts = {
    ...draftFacts(profile),
    ...beforeFacts(draftFacts(before), draftFacts(profile)),
    ...salesFacts(before.sales, sales.value),
    profile: id,
  };
  return write({ deed: "change_profile", profile, stemBefore: before.stem }, facts);
}

/** Its series, once numbered, are nobody else's for ever. A profile that is gone already is a repeat. */
export function removeProfile(id: string, scope: OwnerScope): OwnerDecision {
  const profile = scope.reading.profiles.find((candidate) => candidate.id === id);
  if (!profile) return UNCHANGED;
  const isNumbered = numberedAmong([profile.stem], scope).length > 0;
  const deed = { deed: "remove_profile", id, ...(isNumbered ? {} : { freedStem: profile.stem }) } as const;
  return write(deed, { profile: id, ...draftFacts(profile) });
}

export function keepTagRule(rule: TagRule, { reading }: OwnerScope): OwnerDecision {
  const changed = setTagRule(reading.tagRules, rule);
  if (!changed.ok) return refused(changed.error);
  const kept = changed.value.find(
    (one) => !reading.tagRules.some((known) => known.tag === one.tag && known.action === one.action),
  );
  return kept ? write({ deed: "set_tag_rule", rule: kept }, { ...kept }) : UNCHANGED;
}

export function forgetTagRule(tag: string, { reading }: OwnerScope): OwnerDecision {
  const left = removeTagRule(reading.tagRules, tag);
  const gone = reading.tagRules.find((rule) => !left.includes(rule));
  return gone ? write({ deed: "remove_tag_rule", tag: gone.tag }, { ...gone }) : UNCHANGED;
}

/** Of the account: it holds for every connection of it. */
export function keepAuthorisation(stated: ActiveAuthorisation, scope: OwnerScope): OwnerDecision {
  const active = scope.settings.authorisation;
  const opened = openAuthorisation(stated, active);
  if (!opened.ok) return refused(opened.error);
  if (active) return UNCHANGED;
  const { number, limit, agreementNumber } = opened.value;
  const id = newId("au", scope.ledger, scope.random);
  const facts = { number, limit, ...(agreementNumber === undefined ? {} : { agreement: agreementNumber }) };
  return write({ deed: "open_authorisation", id, authorisation: opened.value }, facts);
}

export function endAuthorisation(number: string, { settings }: OwnerScope): OwnerDecision {
  const closed = closeAuthorisation(number, settings.authorisation);
  if (!closed.ok) return refused(closed.error);
  return closed.value ? write({ deed: "close_authorisation" }, { number }) : UNCHANGED;
}

/** Kept by the answer to an order; taken back, those that wait are decided without it. */
export function withdrawOssRate({ area, rate }: AreaRate, { reading }: OwnerScope): OwnerDecision {
  const kept = reading.keptRates.find((one) => isSameRate(one, { area, rate }));
  if (!kept) return UNCHANGED;
  return write({ deed: "withdraw_oss_rate", area, rate }, { area, rate, from: kept.from });
}

function profileScope(scope: OwnerScope): ProfileScope {
  const { connectionKind, profiles, storeIds, taken } = scope.reading;
  const stems = profiles.map(({ stem }) => stem);
  return {
    ...{ connectionKind, profiles, storeIds, taken, trial: isTrial(scope) },
    numbered: numberedAmong(stems, scope),
  };
}

function isTrial({ settings }: OwnerScope): boolean {
  return settings.installation?.trial ?? false;
}

function salesScope({ settings, today }: OwnerScope) {
  return {
    territory: settings.territory,
    date: today,
    hasAuthorisation: settings.authorisation !== undefined,
  };
}

function givenStem({ settings }: OwnerScope): string {
  return orderStem({ connectionOrdinal: settings.connectionOrdinal, installationOrdinal: 1 });
}

function numberedAmong(stems: readonly string[], { reading }: OwnerScope): readonly string[] {
  const numbered = new Set(reading.numberedCodes);
  return stems.filter((stem) => codesOfStem(stem).some((code) => numbered.has(code)));
}

function unknownProfile(profile: string): OwnerDecision {
  return refused(refuse("profile_unknown", { profile }).error);
}

function draftFacts(draft: {
  readonly name: string;
  readonly channel?: string;
  readonly storeId?: string;
  readonly stem: string;
}): Readonly<Record<string, string>> {
  const { name, channel, storeId, stem } = draft;
  return {
    name,
    stem,
    ...(channel === undefined ? {} : { channel }),
    ...(storeId === undefined ? {} : { store_id: storeId }),
  };
}

/** What is declared otherwise than before, with what it was where it was anything. */
function salesFacts(before: SalesSettings, after: SalesSettings): Readonly<Record<string, string>> {
  const declared = declaredFacts(before, after);
  return { ...declared, ...beforeFacts(standingFacts(before), declared) };
}

/** Under the same names as what stood; what was taken back is null. */
function declaredFacts(before: SalesSettings, after: SalesSettings): Readonly<Record<string, string>> {
  const stood = standingFacts(before);
  const stands = standingFacts(after);
  const names = [...new Set([...Object.keys(stood), ...Object.keys(stands)])];
  const changed = names.filter((name) => stood[name] !== stands[name]);
  return Object.fromEntries(changed.map((name) => [name, stands[name] ?? "null"]));
}

function standingFacts({
  treatments,
  destinations,
  ...members
}: SalesSettings): Readonly<Record<string, string>> {
  return factsOf({ ...members, ...destinations, ...treatmentFacts(treatments) });
}

function factsOf(members: object): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, String(value)]));
}

function treatmentFacts(treatments: SalesSettings["treatments"]) {
  const named = Object.entries(treatments).map(([code, treatment]) => [
    `treatment ${comparableCode(code)}`,
    `${treatment.as}${treatment.as === "fee" ? ` ${treatment.rate} %` : ""}`,
  ]);
  return Object.fromEntries(named);
}

/** Under the same names with `_before`. */
function beforeFacts(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const changed = Object.entries(before).filter(([name, value]) => name in after && after[name] !== value);
  return Object.fromEntries(changed.map(([name, value]) => [`${name}_before`, value]));
}
