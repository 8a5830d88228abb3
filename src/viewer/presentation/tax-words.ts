import type { TaxGroup } from "../../domain/invoice/document.ts";
import { specialRegimeOf } from "../../domain/invoice/regimes.ts";
import type { Qualification, Tax } from "../../domain/invoice/request.ts";
import { isOss } from "../../domain/invoice/tax-groups.ts";
import { assertNever } from "../../domain/shared/result.ts";
import type { Bilingual, Language } from "../../words/words.ts";
import { fill, legalWords, plainWords, rateText, WORDS, type Words } from "./words.ts";

type Exemption = Extract<Qualification, `E${string}`>;
type GroupKey = Pick<TaxGroup, "tax" | "regime" | "qualification" | "rate">;

const IVA_LAW = "de la Ley 37/1992 del IVA";

/** The reason of exemption, by tax; the article is below `Operación exenta`. */
const EXEMPT_BY: Readonly<Record<Tax, Partial<Record<Exemption, string>>>> = {
  "01": {
    E1: `Artículo 20 ${IVA_LAW}`,
    E2: `Artículo 21 ${IVA_LAW} (exportación)`,
    E3: `Artículo 22 ${IVA_LAW}`,
    E4: `Artículos 23 y 24 ${IVA_LAW}`,
    E5: `Artículo 25 ${IVA_LAW} (entrega intracomunitaria)`,
  },
  "02": {
    E1: "Artículo 7 de la Ley 8/1991",
    E2: "Artículo 8 de la Ley 8/1991",
    E3: "Artículo 8 de la Ley 8/1991",
    E4: "Artículos 9 y 10 de la Ley 8/1991",
    E5: "Artículo 8 de la Ley 8/1991",
  },
  "03": {
    E1: "Decreto Legislativo 1/2025",
    E2: "Artículo 11 de la Ley 20/1991",
    E3: "Artículo 12 de la Ley 20/1991",
    E4: "Artículo 13 de la Ley 20/1991",
    E5: "Artículo 25 de la Ley 19/1994",
    E6: "Artículo 47 de la Ley 19/1994",
    E7: "Artículo 90 del Decreto Legislativo 1/2025",
  },
  "05": {},
};

const EXEMPT: Bilingual = { es: "Operación exenta", en: "Exempt" };
const EXEMPT_EXPORT: Bilingual = { es: EXEMPT.es, en: "Exempt (export)" };
const EXEMPT_SUPPLY: Bilingual = { es: EXEMPT.es, en: "Exempt (intra-Community supply)" };
export const REVERSE_CHARGE: Bilingual = { es: "Inversión del sujeto pasivo", en: "Reverse charge" };
const NOT_SUBJECT: Bilingual = { es: "Operación no sujeta", en: "Not subject" };
const NOT_SUBJECT_HERE: Bilingual = { es: "Operación no sujeta", en: "Not subject (place of supply)" };
const BY_PLACE = "Por reglas de localización";

export const OSS_REGIME: Bilingual = {
  es: "Régimen especial de la Unión (ventanilla única)",
  en: "One-stop shop",
};

const TAX_NAMES: Readonly<Record<Exclude<Tax, "05">, string>> = { "01": "IVA", "02": "IPSI", "03": "IGIC" };

export function taxName(tax: Tax, language: Language): string {
  return tax === "05" ? fill(WORDS.otherTax, language) : TAX_NAMES[tax];
}

/** True if the group shows a rate and a tax: taxed sales and sales of the one-stop shop. */
export function isTaxed(group: GroupKey): boolean {
  return group.qualification === "S1" || isOss(group);
}

/** Name of a group in the table of taxes, and the article under it. */
export function groupWords(group: GroupKey, language: Language): { name: Words; law?: string } {
  if (isTaxed(group)) return taxedWords(group, language);
  const { qualification, tax } = group;
  switch (qualification) {
    case "S1":
      return taxedWords(group, language);
    case "S2":
      return { name: legalWords(REVERSE_CHARGE, language) };
    case "N1":
      return { name: legalWords(NOT_SUBJECT, language) };
    case "N2":
      return { name: legalWords(NOT_SUBJECT_HERE, language), law: BY_PLACE };
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

function taxedWords(group: GroupKey, language: Language): { name: Words; law?: string } {
  const text = `${taxName(group.tax, language)} ${rateText(group.rate, language)}`;
  const name = { text, language };
  return isOss(group) ? { name, law: plainWords(OSS_REGIME, language).text } : { name };
}

function exemptWords(tax: Tax, exemption: Exemption, language: Language): { name: Words; law?: string } {
  const article = EXEMPT_BY[tax][exemption];
  const isSupply = tax === "01" && exemption === "E5";
  const words = tax === "01" && exemption === "E2" ? EXEMPT_EXPORT : isSupply ? EXEMPT_SUPPLY : EXEMPT;
  return { name: legalWords(words, language), ...(article === undefined ? {} : { law: article }) };
}
