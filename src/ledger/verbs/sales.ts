import { and, eq } from "drizzle-orm";
import type { Database } from "../../db/database.ts";
import type { FencedStatement } from "../../db/fence.ts";
import type { ChangedBy, ChangeOwner } from "../../db/ledger-state.ts";
import type { AnsweredQuestion } from "../../db/orders/remembered-answer.ts";
import { forgetProfile, forgetSettings, rememberSettings } from "../../db/orders/remembered-store.ts";
import { freeStem, redecideHeld, takeStem, upsertSetup } from "../../db/owner-store.ts";
import { profile, tagRule } from "../../db/schema/orders.ts";
import {
  changeProfile,
  createProfile,
  type ProfileChange,
  type ProfileDraft,
  type ProfileScope,
} from "../../domain/billing/profiles.ts";
import { changeSales, type SalesChange } from "../../domain/billing/sales-change.ts";
import type { Profile, SalesSettings } from "../../domain/billing/sales-settings.ts";
import { changeOrderStem, codesOfStem, orderStem } from "../../domain/billing/series.ts";
import { newId } from "../../domain/connection/ids.ts";
import { FORM_VERSIONS } from "../../domain/connection/owner-verbs.ts";
import { refuse } from "../../domain/invoice/refusal.ts";
import type { TagRule } from "../../domain/order/context.ts";
import { removeTagRule, setTagRule } from "../../domain/order/decide-first.ts";
import { changeOf, type Setting, settingsChanged } from "../../domain/order/remembered.ts";
import { forgottenChange, isInForce } from "../../domain/order/together.ts";
import { isSameValue } from "../../domain/shared/hash.ts";
import { comparableCode } from "../../domain/shared/text.ts";
import { type Declared, type FromForm, type OwnerScope, refused, UNCHANGED, verb, write } from "./verb.ts";

interface DeclareSales extends FromForm {
  readonly change: SalesChange;
  readonly profileId?: string;
  /** The questions that the change answers: they are then listed with the remembered answers. */
  readonly answered?: readonly AnsweredQuestion[];
}

/** The sales of the connection or of a profile, and the settings that no longer are what they were. */
type DeclaredSales = Replacing & ({ readonly sales: SalesSettings } | ChangedProfile);

interface Replacing {
  readonly replaced: readonly Setting[];
  readonly remembered: readonly AnsweredQuestion[];
}

/** Declarations for the sales of a profile; without a profile, for those of the connection. */
export const declare_sales = verb<DeclareSales, DeclaredSales>({
  area: "profiles",
  wakesObject: true,
  formVersion: (_, { reading }) => FORM_VERSIONS.sales(reading.sales),
  decide({ change, profileId, answered = [] }, scope) {
    const { profiles, sales } = scope.reading;
    const chosen = profiles.find(({ id }) => id === profileId);
    if (profileId !== undefined && !chosen) {
      return refused(refuse("profile_unknown", { profile: profileId }).error);
    }
    const current = chosen?.sales ?? sales;
    const changed = changeSales(current, change, salesScope(scope));
    if (!changed.ok) return refused(changed.error);
    if (isSameValue(current, changed.value)) return UNCHANGED;
    return declaredSales({ chosen, current, next: changed.value }, answered);
  },
  declares: declaring,
  write: writeSales,
});

interface ForgetAnswer {
  readonly setting: Setting;
  /** As it was remembered: another declaration since is left alone. */
  readonly value: unknown;
  readonly profileId?: string;
}

/** Takes a remembered answer back, so that the next equal question is asked again. */
export const forget_answer = verb<ForgetAnswer, DeclaredSales>({
  area: "profiles",
  wakesObject: true,
  decide({ setting, value, profileId }, scope) {
    const { profiles, sales } = scope.reading;
    const chosen = profiles.find(({ id }) => id === profileId);
    const change = changeOf(setting, value);
    // A profile that was removed has taken its answers along.
    if (!change || (profileId !== undefined && !chosen)) return UNCHANGED;
    const current = chosen?.sales ?? sales;
    if (!isInForce(change, current)) return UNCHANGED;
    const forgotten = changeSales(current, forgottenChange(change), salesScope(scope));
    if (!forgotten.ok) return refused(forgotten.error);
    return declaredSales({ chosen, current, next: forgotten.value });
  },
  declares: declaring,
  write: writeSales,
});

interface SalesStep {
  /** Undefined for the sales of the connection. */
  readonly chosen: Profile | undefined;
  readonly current: SalesSettings;
  readonly next: SalesSettings;
}

function declaredSales({ chosen, current, next }: SalesStep, remembered: readonly AnsweredQuestion[] = []) {
  const facts = { ...salesFacts(current, next), ...(chosen ? { profile: chosen.id } : {}) };
  const replacing = { replaced: settingsChanged(current, next), remembered };
  if (!chosen) return write<DeclaredSales>({ sales: next, ...replacing }, facts);
  const profile = { ...chosen, sales: next };
  return write<DeclaredSales>({ profile, stemBefore: chosen.stem, ...replacing }, facts);
}

function declaring(change: DeclaredSales, before: Declared): Declared {
  return "sales" in change ? { ...before, sales: change.sales } : withProfile(change.profile, before);
}

function writeSales(
  db: Database,
  owner: ChangeOwner,
  change: DeclaredSales,
  { userId, at }: ChangedBy,
): FencedStatement[] {
  const { replaced, remembered } = change;
  const profileId = "profile" in change ? change.profile.id : undefined;
  const declares =
    "sales" in change
      ? [
          upsertSetup(db, owner, { sales: JSON.stringify(change.sales) }),
          redecideHeld(db, owner.connectionId),
        ]
      : updateProfile(db, owner, change);
  return [
    ...declares,
    ...forgetSettings(db, owner, profileId, replaced),
    ...remembered.flatMap((one) => rememberSettings(db, owner, one, { profileId, userId, at })),
  ];
}

interface ChosenStem {
  /** Undefined for the stem that the service chose. */
  readonly stem: string | undefined;
  readonly before?: string;
}

export const choose_order_stem = verb<FromForm & { readonly stem: string }, ChosenStem>({
  area: "profiles",
  wakesObject: true,
  formVersion: (_, scope) => FORM_VERSIONS.stem(scope.reading.orderStem ?? givenStem(scope)),
  decide({ stem }, scope) {
    const { reading } = scope;
    const given = givenStem(scope);
    const current = reading.orderStem ?? given;
    const { profiles, taken } = reading;
    const changed = changeOrderStem(stem, {
      current,
      given,
      hasProfiles: profiles.length > 0,
      numbered: numberedAmong([current, given], scope),
      taken,
      trial: isTrial(scope),
    });
    if (!changed.ok) return refused(changed.error);
    if (changed.value === current) return UNCHANGED;
    const chosen = changed.value === given ? undefined : changed.value;
    const before = reading.orderStem === undefined ? {} : { before: reading.orderStem };
    return write({ stem: chosen, ...before }, { from: current, to: changed.value });
  },
  write: (db, owner, { stem, before }) => [
    upsertSetup(db, owner, { orderStem: stem ?? null }),
    ...(before === undefined ? [] : [freeStem(db, owner, before)]),
    ...(stem === undefined ? [] : [takeStem(db, owner, stem)]),
  ],
});

interface AddProfile {
  readonly profile: ProfileDraft;
  readonly sales?: SalesChange;
}

export const add_profile = verb<AddProfile, { readonly profile: Profile }>({
  area: "profiles",
  wakesObject: true,
  decide({ profile: requested, sales: declared = {} }, scope) {
    const created = createProfile(requested, profileScope(scope));
    if (!created.ok) return refused(created.error);
    if (created.value.is === "known") {
      return { decision: "unchanged", shown: { profile_id: created.value.profile.id } };
    }
    // A profile begins with the declarations of the connection, so that the owner need not repeat them.
    const sales = changeSales(scope.reading.sales, declared, salesScope(scope));
    if (!sales.ok) return refused(sales.error);
    const { draft } = created.value;
    const added = { id: newId("pf", scope.ledger, scope.random), ...draft, sales: sales.value };
    const facts = {
      ...draftFacts(draft),
      ...declaredFacts(scope.reading.sales, sales.value),
      profile: added.id,
    };
    return { ...write({ profile: added }, facts), shown: { profile_id: added.id } };
  },
  declares: ({ profile: added }, before) => ({ ...before, profiles: [...before.profiles, added] }),
  write(db, owner, { profile: added }, { at }) {
    const { accountId, connectionId } = owner;
    return [
      db.insert(profile).values({ id: added.id, accountId, connectionId, ...rowOf(added), createdAt: at }),
      takeStem(db, owner, added.stem),
      redecideHeld(db, connectionId),
    ];
  },
});

interface ChangeProfile extends FromForm {
  readonly id: string;
  readonly change: ProfileChange;
  readonly sales?: SalesChange;
}

interface ChangedProfile {
  readonly profile: Profile;
  readonly stemBefore: string;
}

/** Changes the orders that a profile takes, its series and its declarations together. */
export const change_profile = verb<ChangeProfile, ChangedProfile & Pick<Replacing, "replaced">>({
  area: "profiles",
  wakesObject: true,
  formVersion({ id }, { reading }) {
    const before = reading.profiles.find((one) => one.id === id);
    return before && FORM_VERSIONS.profile(before);
  },
  decide({ id, change, sales: declared = {} }, scope) {
    const before = scope.reading.profiles.find((one) => one.id === id);
    const changed = changeProfile(id, change, profileScope(scope));
    if (!changed.ok) return refused(changed.error);
    const sales = changeSales(changed.value.sales, declared, salesScope(scope));
    if (!sales.ok) return refused(sales.error);
    const next = { ...changed.value, sales: sales.value };
    if (!before || isSameValue(before, next)) return UNCHANGED;
    const replaced = settingsChanged(before.sales, sales.value);
    const facts = {
      ...draftFacts(next),
      ...beforeFacts(draftFacts(before), draftFacts(next)),
      ...salesFacts(before.sales, sales.value),
      profile: id,
    };
    return write({ profile: next, stemBefore: before.stem, replaced }, facts);
  },
  declares: ({ profile: changed }, before) => withProfile(changed, before),
  write: (db, owner, change) => [
    ...updateProfile(db, owner, change),
    ...forgetSettings(db, owner, change.profile.id, change.replaced),
  ],
});

interface RemovedProfile {
  readonly id: string;
  /** Its stem, if it has no number yet and so becomes free. */
  readonly freedStem?: string;
}

/** A series with a number belongs to its profile for ever. Removing it again changes nothing. */
export const remove_profile = verb<{ readonly id: string }, RemovedProfile>({
  area: "profiles",
  wakesObject: true,
  decide({ id }, scope) {
    const removed = scope.reading.profiles.find((candidate) => candidate.id === id);
    if (!removed) return UNCHANGED;
    const isNumbered = numberedAmong([removed.stem], scope).length > 0;
    const change = { id, ...(isNumbered ? {} : { freedStem: removed.stem }) };
    return write(change, { profile: id, ...draftFacts(removed) });
  },
  write: (db, owner, { id, freedStem }) => [
    db.delete(profile).where(isProfile(owner, id)),
    forgetProfile(db, owner, id),
    ...(freedStem === undefined ? [] : [freeStem(db, owner, freedStem)]),
    redecideHeld(db, owner.connectionId),
  ],
});

export const set_tag_rule = verb<{ readonly rule: TagRule }, { readonly rule: TagRule }>({
  area: "profiles",
  wakesObject: true,
  decide({ rule }, { reading }) {
    const changed = setTagRule(reading.tagRules, rule);
    if (!changed.ok) return refused(changed.error);
    const kept = changed.value.find(
      (one) => !reading.tagRules.some((known) => known.tag === one.tag && known.action === one.action),
    );
    return kept ? write({ rule: kept }, { ...kept }) : UNCHANGED;
  },
  declares: ({ rule }, before) => ({
    ...before,
    tagRules: [...before.tagRules.filter(({ tag }) => tag !== rule.tag), rule],
  }),
  write(db, { accountId, connectionId }, { rule }) {
    const { tag, action } = rule;
    return [
      db
        .insert(tagRule)
        .values({ accountId, connectionId, tag, action })
        .onConflictDoUpdate({ target: [tagRule.connectionId, tagRule.tag], set: { action } }),
      redecideHeld(db, connectionId),
    ];
  },
});

export const remove_tag_rule = verb<{ readonly tag: string }, { readonly tag: string }>({
  area: "profiles",
  wakesObject: true,
  decide({ tag }, { reading }) {
    const left = removeTagRule(reading.tagRules, tag);
    const gone = reading.tagRules.find((rule) => !left.includes(rule));
    return gone ? write({ tag: gone.tag }, { ...gone }) : UNCHANGED;
  },
  write(db, { connectionId }, { tag }) {
    const ours = and(eq(tagRule.connectionId, connectionId), eq(tagRule.tag, tag));
    return [db.delete(tagRule).where(ours), redecideHeld(db, connectionId)];
  },
});

function withProfile(changed: Profile, before: Declared): Declared {
  return { ...before, profiles: before.profiles.map((one) => (one.id === changed.id ? changed : one)) };
}

function updateProfile(
  db: Database,
  owner: ChangeOwner,
  { profile: next, stemBefore }: ChangedProfile,
): FencedStatement[] {
  const isMoved = stemBefore !== next.stem;
  return [
    db.update(profile).set(rowOf(next)).where(isProfile(owner, next.id)),
    ...(isMoved ? [freeStem(db, owner, stemBefore), takeStem(db, owner, next.stem)] : []),
    redecideHeld(db, owner.connectionId),
  ];
}

function rowOf({ name, channel, storeId, stem, sales }: Profile) {
  return { name, channel: channel ?? null, storeId: storeId ?? null, stem, sales: JSON.stringify(sales) };
}

function isProfile({ connectionId }: ChangeOwner, id: string) {
  return and(eq(profile.connectionId, connectionId), eq(profile.id, id));
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

type Facts = Readonly<Record<string, string>>;

function draftFacts({ name, channel, storeId, stem }: Omit<Profile, "id" | "sales">): Facts {
  return {
    name,
    stem,
    ...(channel === undefined ? {} : { channel }),
    ...(storeId === undefined ? {} : { store_id: storeId }),
  };
}

/** The declared values, each with its value before, if there was one. */
function salesFacts(before: SalesSettings, after: SalesSettings): Facts {
  const declared = declaredFacts(before, after);
  return { ...declared, ...beforeFacts(factsOf(before), declared) };
}

/** A declaration that was taken back is null. */
function declaredFacts(before: SalesSettings, after: SalesSettings): Facts {
  const old = factsOf(before);
  const now = factsOf(after);
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  const changed = names.filter((name) => old[name] !== now[name]);
  return Object.fromEntries(changed.map((name) => [name, now[name] ?? "null"]));
}

function factsOf({ treatments, discounts = {}, destinations, payment, ...members }: SalesSettings): Facts {
  const declared = Object.entries({
    ...members,
    ...destinations,
    ...treatmentFacts(treatments),
    ...discountFacts(discounts),
    ...(payment ? { payment: paymentFact(payment) } : {}),
  });
  return Object.fromEntries(declared.map(([name, value]) => [name, String(value)]));
}

/** The end of the account suffices to recognise it. */
function paymentFact({ means, iban }: NonNullable<SalesSettings["payment"]>): string {
  return [means, iban?.slice(-4)].filter((part) => part !== undefined).join(" ");
}

function treatmentFacts(treatments: SalesSettings["treatments"]): Facts {
  const named = Object.entries(treatments).map(([code, treatment]) => [
    `treatment ${comparableCode(code)}`,
    `${treatment.as}${treatment.as === "fee" ? ` ${treatment.rate} %` : ""}`,
  ]);
  return Object.fromEntries(named);
}

function discountFacts(discounts: NonNullable<SalesSettings["discounts"]>): Facts {
  return Object.fromEntries(Object.entries(discounts).map(([name, kind]) => [`discount ${name}`, kind]));
}

/** Under the same names with `_before`. */
function beforeFacts(before: Facts, after: Facts): Facts {
  const changed = Object.entries(before).filter(([name, value]) => name in after && after[name] !== value);
  return Object.fromEntries(changed.map(([name, value]) => [`${name}_before`, value]));
}
