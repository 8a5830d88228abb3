import type { TaxGroup } from "../../domain/invoice/document.ts";
import {
  EXEMPT,
  EXEMPT_EXPORT,
  EXEMPT_SUPPLY,
  exemptionArticle,
  NOT_SUBJECT,
  NOT_SUBJECT_BY_PLACE,
  NOT_SUBJECT_HERE,
  OSS_REGIME,
  REVERSE_CHARGE,
} from "../../domain/invoice/legal-mentions.ts";
import { isTaxed } from "../../domain/invoice/line-nets.ts";
import { specialRegimeOf } from "../../domain/invoice/regimes.ts";
import type { Tax } from "../../domain/invoice/request.ts";
import { isOss } from "../../domain/invoice/tax-groups.ts";
import { assertNever } from "../../domain/shared/result.ts";
import type { Exemption } from "../../domain/verifactu/aeat-lists.ts";
import { countryText, type Language } from "../../words/words.ts";
import { fill, legalWords, plainWords, rateText, WORDS, type Words } from "./words.ts";

type GroupKey = Pick<TaxGroup, "tax" | "regime" | "qualification" | "rate">;

const TAX_NAMES: Readonly<Record<Exclude<Tax, "05">, string>> = { "01": "IVA", "02": "IPSI", "03": "IGIC" };

export function taxName(tax: Tax, language: Language): string {
  return tax === "05" ? fill(WORDS.otherTax, language) : TAX_NAMES[tax];
}

export { isTaxed };

/** Name of a group in the table of taxes, and the article under it. One-stop-shop sales have a country. */
export function groupWords(
  group: GroupKey,
  language: Language,
  country?: string,
): { name: Words; law?: string } {
  if (isTaxed(group)) return taxedWords(group, language, country);
  const { qualification, tax } = group;
  switch (qualification) {
    case "S1":
      return taxedWords(group, language, country);
    case "S2":
      return { name: legalWords(REVERSE_CHARGE, language) };
    case "N1":
      return { name: legalWords(NOT_SUBJECT, language) };
    case "N2":
      return { name: legalWords(NOT_SUBJECT_HERE, language), law: NOT_SUBJECT_BY_PLACE };
    case "E1":
    case "E2":
    case "E3":
    case "E4":
    case "E5":
    case "E6":
    case "E7":
    case "E8":
      return exemptWords(tax, qualification, language);
    default:
      return assertNever(qualification);
  }
}

/** The name of a special regime that the invoice must show. */
export function regimeWords(group: GroupKey, language: Language): Words | undefined {
  const special = specialRegimeOf(group);
  return special && legalWords(special, language);
}

function taxedWords(
  group: GroupKey,
  language: Language,
  country: string | undefined,
): { name: Words; law?: string } {
  const [tax, rate] = [taxName(group.tax, language), rateText(group.rate, language)];
  if (!isOss(group)) return { name: { text: `${tax} ${rate}`, language } };
  const values = { tax, rate, country: country === undefined ? "" : countryText(country, language) };
  const text = fill(country === undefined ? WORDS.taxSomewhere : WORDS.taxOfCountry, language, values);
  return { name: { text, language }, law: plainWords(OSS_REGIME, language).text };
}

function exemptWords(tax: Tax, exemption: Exemption, language: Language): { name: Words; law?: string } {
  const article = exemptionArticle(tax, exemption);
  const isSupply = tax === "01" && exemption === "E5";
  const words = tax === "01" && exemption === "E2" ? EXEMPT_EXPORT : isSupply ? EXEMPT_SUPPLY : EXEMPT;
  return { name: legalWords(words, language), ...(article === undefined ? {} : { law: article }) };
}
