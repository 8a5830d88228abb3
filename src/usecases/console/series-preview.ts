import { directStem, fullNumber, orderStem, stemIn } from "../../domain/billing/series.ts";
import { codesOfStem } from "../../domain/billing/stems.ts";
import type { WizardRead } from "./wizard-ports.ts";

export const FAMILIES = ["full", "simplified", "rectifying", "rectifying_simplified"] as const;

/** The next number of each family, as it will print. */
export type SeriesPreview = Readonly<Record<(typeof FAMILIES)[number], string>>;

/**
 * The stems that a connection numbers by: of direct invoices, and of orders without profiles or with them.
 */
export function stemsOf(read: WizardRead): { readonly direct?: string; readonly orders: readonly string[] } {
  const owner = { connectionOrdinal: read.connectionOrdinal, installationOrdinal: read.installationOrdinal };
  const own =
    read.orderStem === undefined ? orderStem(owner) : stemIn(read.orderStem, read.installationOrdinal);
  const profiles = read.profileStems.map((stem) => stemIn(stem, read.installationOrdinal));
  const orders = profiles.length > 0 ? profiles : [own];
  return read.kind === "api" ? { direct: directStem(owner), orders } : { orders };
}

export function previewOf(
  stem: string,
  year: number,
  lastNumbers: ReadonlyMap<string, number>,
): SeriesPreview {
  const next = codesOfStem(stem).map((code) => {
    const ofYear = `${code}-${year}`;
    return fullNumber(ofYear, 1 + (lastNumbers.get(ofYear) ?? 0));
  });
  const [full = "", simplified = "", rectifying = "", rectifyingSimplified = ""] = next;
  return { full, simplified, rectifying, rectifying_simplified: rectifyingSimplified };
}
