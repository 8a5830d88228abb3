import type { Amounts, TaxGroupKey } from "../invoice/document.ts";
import { EXEMPT, exemptionArticle, NOT_SUBJECT, REVERSE_CHARGE } from "../invoice/legal-mentions.ts";
import { specialRegimeOf } from "../invoice/regimes.ts";
import { isMarginScheme, isOss } from "../invoice/tax-groups.ts";
import { add, type Decimal, isZero, sum, ZERO } from "../shared/decimal.ts";
import type { TaxIdentifier } from "../shared/tax-identifier.ts";
import { isExemption } from "../verifactu/aeat-lists.ts";
import type { CategoryKey, CategoryTotal } from "./electronic-invoice.ts";

/** The category of EN 16931 of a tax group: the first row that fits. */
export function categoryOf(key: TaxGroupKey, identifier: TaxIdentifier | undefined): CategoryKey {
  const { qualification } = key;
  const isUnionBuyer = identifier?.kind === "eu_vat";
  if (isMarginScheme(key)) return untaxed("E", specialRegimeOf(key)?.es);
  if (isOss(key)) return isZero(key.rate) ? { category: "Z", categoryRate: ZERO } : taxed("S", key);
  if (qualification === "S1") return taxedHere(key);
  if (qualification === "S2" || (qualification === "N2" && isUnionBuyer)) {
    return { ...untaxed("AE", REVERSE_CHARGE.es), reasonCode: "VATEX-EU-AE" };
  }
  if (!isExemption(qualification)) {
    return { category: "O", reasonCode: "VATEX-EU-O", reason: NOT_SUBJECT.es };
  }
  const article = exemptionArticle(key.tax, qualification);
  const reason = article === undefined ? EXEMPT.es : `${EXEMPT.es}: ${article}`;
  if (key.tax === "01" && qualification === "E2") {
    return { ...untaxed("G", reason), reasonCode: "VATEX-EU-G" };
  }
  // BR-IC-02 wants the VAT number of the buyer, which corrections of old invoices may lack.
  if (key.tax === "01" && qualification === "E5" && isUnionBuyer) {
    return { ...untaxed("K", reason), reasonCode: "VATEX-EU-IC" };
  }
  return untaxed("E", reason);
}

/** EN 16931 knows IGIC as L, IPSI as M, and no surcharge: its rate is part of the rate. */
function taxedHere(key: TaxGroupKey): CategoryKey {
  if (key.tax === "03") return taxed("L", key);
  if (key.tax === "02") return taxed("M", key);
  return isZero(key.rate) ? { category: "Z", categoryRate: ZERO } : taxed("S", key);
}

function taxed(category: "S" | "L" | "M", { rate, surchargeRate = ZERO }: TaxGroupKey): CategoryKey {
  return { category, categoryRate: add(rate, surchargeRate) };
}

function untaxed(category: CategoryKey["category"], reason: string | undefined): CategoryKey {
  return { category, categoryRate: ZERO, ...(reason === undefined ? {} : { reason }) };
}

/** One entry for each category and rate, in the order of the groups; amounts are sums of theirs. */
export function breakdownOf(
  groups: readonly (CategoryKey & { readonly amounts: Amounts })[],
): readonly CategoryTotal[] {
  const byKey = Map.groupBy(groups, categoryText);
  return [...byKey.values()].flatMap((members) => {
    const [first] = members;
    if (!first) return [];
    const { category, categoryRate, reasonCode } = first;
    const reasons = [...new Set(members.flatMap(({ reason }) => reason ?? []))];
    return [
      {
        category,
        ...(categoryRate === undefined ? {} : { categoryRate }),
        ...(reasonCode === undefined ? {} : { reasonCode }),
        ...(reasons.length === 0 ? {} : { reason: reasons.join("; ") }),
        base: sumOf(members, ({ base }) => base),
        tax: sumOf(members, ({ tax, surcharge }) => add(tax, surcharge)),
      },
    ];
  });
}

function categoryText({ category, categoryRate }: CategoryKey): string {
  return `${category}|${categoryRate ?? ""}`;
}

function sumOf(members: readonly { readonly amounts: Amounts }[], part: (of: Amounts) => Decimal): Decimal {
  return sum(members.map(({ amounts }) => part(amounts)));
}
