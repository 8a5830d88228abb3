import type { TaxGroup } from "../../domain/invoice/document.ts";
import { isOfMargin } from "../../domain/invoice/tax-groups.ts";

/** Of the margin scheme no tax is told, nor what it could be reckoned from (article 138 LIVA). */
export function toldGroups(groups: readonly TaxGroup[]): readonly TaxGroup[] {
  return groups.filter(({ amounts }) => !isOfMargin(amounts));
}

export function marginGroups(groups: readonly TaxGroup[]): readonly TaxGroup[] {
  return groups.filter(({ amounts }) => isOfMargin(amounts));
}

/** What stands where a rate would, and before the name of the regime: used goods, or travel agencies. */
export function marginName(regime: string | undefined): string {
  return regime === "05" ? "REAV" : "REBU";
}
