import { matchProfile, type Profile, type SalesSettings } from "../billing/sales-settings.ts";
import type { OrderContext, OwnerAnswers } from "./context.ts";
import { because, type Reason } from "./reasons.ts";

/** How the sale is treated and numbered, the owner's answers for this order included. */
export interface Sale {
  /** Of the profile; of the connection where there are none. */
  readonly name: string;
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
    const { connectionName: name, stem, sales } = settings;
    return { sale: { name, stem, sales: withAnswers(sales, answers) }, reasons: [] };
  }
  const assigned = profiles.find(({ id }) => id === answers.profileId);
  if (assigned) return taking(assigned, answers);
  const found = matchProfile(facts, profiles);
  switch (found.match) {
    case "one":
      return taking(found.profile, answers);
    case "none": {
      const unmatched = { channel: facts.sourceChannel ?? "", store: facts.storeId ?? "" };
      return { reasons: [because("profile_not_matched", unmatched)] };
    }
    case "several": {
      const names = found.profiles.map(({ name }) => name).join(", ");
      return { reasons: [because("profile_ambiguous", { profiles: names })] };
    }
  }
}

/** The settings that an invoice was made under, as they are today. */
export function salesOfStem({ settings, answers }: OrderContext, stem: string): Sale {
  const profile = settings.profiles.find((candidate) => candidate.stem === stem);
  const { name, sales } = profile ?? { name: settings.connectionName, sales: settings.sales };
  return { name, stem, sales: withAnswers(sales, answers) };
}

function taking({ name, stem, sales }: Profile, answers: OwnerAnswers): ProfileChoice {
  return { sale: { name, stem, sales: withAnswers(sales, answers) }, reasons: [] };
}

function withAnswers(sales: SalesSettings, answers: OwnerAnswers): SalesSettings {
  return { ...sales, ...answers.sales, treatments: { ...sales.treatments, ...answers.treatments } };
}
