import type { CitedInvoice, InvoiceDocument } from "../invoice/document.ts";
import {
  CITED,
  OSS_IN_COUNTRY,
  OSS_REGIME,
  OSS_SOMEWHERE,
  REPLACES,
  TEST_MARKS,
  WITH_FLAG,
} from "../invoice/legal-mentions.ts";
import { consumptionCountry } from "../invoice/oss.ts";
import { specialRegimeOf } from "../invoice/regimes.ts";
import { hasFlag } from "../invoice/request.ts";
import { isOss } from "../invoice/tax-groups.ts";
import type { MemberState } from "../place/place.ts";
import { compare } from "../shared/decimal.ts";
import { dateText, fill, numberText } from "../shared/typography.ts";
import type { AeatEnvironment } from "../verifactu/record.ts";
import type { ElectronicGroup, Mention, MentionKind } from "./electronic-invoice.ts";

export interface MentionFacts {
  readonly document: InvoiceDocument;
  readonly environment: AeatEnvironment;
  readonly groups: readonly ElectronicGroup[];
  /** ImporteTotal of the record. */
  readonly recordTotal: string;
}

/** The legal words of page and PDF, in Spanish, each once. */
export function mentionsIn(facts: MentionFacts): readonly Mention[] {
  const { document, groups } = facts;
  const { request, cited } = document;
  const mentions: Mention[] = [
    ...testMark(facts),
    ...(request.invoiceType === "F3" ? [{ kind: "replaces" as const, text: replacesText(cited) }] : []),
    ...(hasFlag(request, "no_recipient_article_6_1_d")
      ? [{ kind: "no_recipient" as const, text: WITH_FLAG.no_recipient_article_6_1_d.es }]
      : []),
    ...(hasFlag(request, "qualified_simplified_art_7_2_3")
      ? [{ kind: "qualified_simplified" as const, text: WITH_FLAG.qualified_simplified_art_7_2_3.es }]
      : []),
    ...ossMention(facts),
    ...groups.flatMap((group) => {
      const special = specialRegimeOf(group);
      return special ? [{ kind: "special_regime" as const, text: special.es }] : [];
    }),
    ...groups.flatMap(untaxedMention),
  ];
  return [...new Map(mentions.map((mention) => [mention.text, mention])).values()];
}

function testMark({ document, environment }: MentionFacts): Mention[] {
  if (document.test) return [{ kind: "test", text: TEST_MARKS.unproven.es }];
  return environment === "test" ? [{ kind: "test", text: TEST_MARKS.test.es }] : [];
}

function replacesText(cited: readonly CitedInvoice[]): string {
  const texts = cited.map(({ number, issueDate }) =>
    fill(CITED, "es", { number, date: dateText(issueDate, "es") }),
  );
  return fill(REPLACES[texts.length === 1 ? 0 : 1], "es", { cited: texts.join("; ") });
}

/** Every reason for no tax but a special regime, which has a mention of its own. */
function untaxedMention({ category, reason, isMargin }: ElectronicGroup): Mention[] {
  const kind = isMargin ? undefined : UNTAXED[category];
  return kind === undefined || reason === undefined ? [] : [{ kind, text: reason }];
}

const UNTAXED: Partial<Readonly<Record<ElectronicGroup["category"], MentionKind>>> = {
  AE: "reverse_charge",
  E: "exempt",
  G: "exempt",
  K: "exempt",
  O: "not_subject",
};

function ossMention({ document, groups, recordTotal }: MentionFacts): Mention[] {
  const rates = [...new Set(groups.filter(isOss).map(({ rate }) => rate))].toSorted(compare).reverse();
  if (rates.length === 0) return [];
  const country = consumptionCountry(document);
  const values = {
    regime: OSS_REGIME.es,
    country: country === undefined ? "" : stateName(country),
    rates: rates.map((rate) => `${numberText(rate, "es")}\u00a0%`).join(" y al "),
    total: `${numberText(recordTotal, "es")}\u00a0€`,
  };
  return [
    {
      kind: "one_stop_shop",
      text: fill(country === undefined ? OSS_SOMEWHERE : OSS_IN_COUNTRY, "es", values),
    },
  ];
}

/** Written here and not asked of the runtime, so that no release of it changes an issued file. */
const STATE_NAMES: Readonly<Record<MemberState, string>> = {
  AT: "Austria",
  BE: "Bélgica",
  BG: "Bulgaria",
  CY: "Chipre",
  CZ: "Chequia",
  DE: "Alemania",
  DK: "Dinamarca",
  EE: "Estonia",
  ES: "España",
  FI: "Finlandia",
  FR: "Francia",
  GB: "Reino Unido",
  GR: "Grecia",
  HR: "Croacia",
  HU: "Hungría",
  IE: "Irlanda",
  IT: "Italia",
  LT: "Lituania",
  LU: "Luxemburgo",
  LV: "Letonia",
  MT: "Malta",
  NL: "Países Bajos",
  PL: "Polonia",
  PT: "Portugal",
  RO: "Rumanía",
  SE: "Suecia",
  SI: "Eslovenia",
  SK: "Eslovaquia",
  XI: "Irlanda del Norte",
};

function stateName(country: string): string {
  return Object.hasOwn(STATE_NAMES, country) ? STATE_NAMES[country as MemberState] : country;
}
