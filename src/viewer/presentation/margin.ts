import type { TaxGroup } from "../../domain/invoice/document.ts";
import { isOfMargin } from "../../domain/invoice/tax-groups.ts";

/** The margin scheme shows no tax, nor amounts that reveal it (article 138 LIVA). */
export function toldGroups(groups: readonly TaxGroup[]): readonly TaxGroup[] {
  return groups.filter(({ amounts }) => !isOfMargin(amounts));
}

export function marginGroups(groups: readonly TaxGroup[]): readonly TaxGroup[] {
  return groups.filter(({ amounts }) => isOfMargin(amounts));
}

/** Shown instead of a rate, and before the regime's name: used goods, or travel agencies. */
export function marginName(regime: string | undefined): string {
  return regime === "05" ? "REAV" : "REBU";
}
