import { matchProfile, type Profile, type SalesSettings, termsOfSale } from "../billing/sales-settings.ts";
import type { IssuingSettings } from "../invoice/settings.ts";
import { salesFor } from "./apart.ts";
import type { OrderContext, OwnerAnswers } from "./context.ts";
import { because, NOT_STATED, type Reason } from "./reasons.ts";

/** Treatment and numbering of the sale, with the owner's answers for this order. */
export interface Sale {
  /** The name of the profile, or of the connection without profiles: a fact in reasons. */
  readonly declaredBy: { readonly profile: string } | { readonly connection: string };
  readonly stem: string;
  readonly sales: SalesSettings;
}

export interface ProfileChoice {
  readonly sale?: Sale;
  readonly reasons: readonly Reason[];
}

/** The one profile that takes the order, as assigned or by its rules: never another channel's series. */
export function chooseProfile({ facts, settings, answers }: OrderContext): ProfileChoice {
  const { profiles } = settings;
  if (profiles.length === 0) {
    const { connectionName: connection, stem, sales } = settings;
    return { sale: { declaredBy: { connection }, stem, sales: withAnswers(sales, answers) }, reasons: [] };
  }
  const assigned = profiles.find(({ id }) => id === answers.profileId);
  if (assigned) return taking(assigned, answers);
  const found = matchProfile(facts, profiles);
  switch (found.match) {
    case "one":
      return taking(found.profile, answers);
    case "none": {
      const unmatched = { channel: facts.sourceChannel ?? NOT_STATED, store: facts.storeId ?? NOT_STATED };
      return { reasons: [because("profile_not_matched", unmatched)] };
    }
    case "several": {
      const profiles = { all: found.profiles.map(({ name }) => name) };
      return { reasons: [because("profile_ambiguous", { profiles })] };
    }
  }
}

/** The settings that an invoice was made under, as they are today. */
export function salesOfStem({ settings, answers }: OrderContext, stem: string): Sale {
  const profile = settings.profiles.find((candidate) => candidate.stem === stem);
  if (profile) return saleUnder(profile, answers);
  const declaredBy = { connection: settings.connectionName };
  return { declaredBy, stem, sales: withAnswers(settings.sales, answers) };
}

/** The issuer's settings with the terms of one sale. */
export function settingsOfSale(issuer: IssuingSettings, { sales }: Sale): IssuingSettings {
  const terms = termsOfSale(sales, issuer.terms);
  return terms ? { ...issuer, terms } : issuer;
}

function taking(profile: Profile, answers: OwnerAnswers): ProfileChoice {
  return { sale: saleUnder(profile, answers), reasons: [] };
}

function saleUnder({ name, stem, sales }: Profile, answers: OwnerAnswers): Sale {
  return { declaredBy: { profile: name }, stem, sales: withAnswers(sales, answers) };
}

function withAnswers(declared: SalesSettings, answers: OwnerAnswers): SalesSettings {
  const sales = salesFor(declared, answers);
  return {
    ...sales,
    ...answers.sales,
    destinations: { ...sales.destinations, ...answers.sales.destinations },
    treatments: { ...sales.treatments, ...answers.treatments },
  };
}
