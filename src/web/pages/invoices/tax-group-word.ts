import { percent } from "../../words/format.ts";
import type { Say } from "../../words/words.tsx";
import type { InvoiceDetail } from "./invoice-queries.ts";

type TaxGroup = InvoiceDetail["amounts"]["groups"][number];

/** IVA 21 %, or why there is none; the margin scheme by its name. */
export function taxGroupWord(
  { tax, regime = "", rate, qualification: code, surchargeRate }: Omit<TaxGroup, "base" | "quota">,
  say: Say,
): string {
  const name = say(`rectify.tax.${tax}`);
  if (code.startsWith("E")) return `${name} ${say("rectify.exempt", { code })}`;
  if (code.startsWith("N")) return `${name} ${say("rectify.not_subject", { code })}`;
  if (code === "S2") return `${name}, ${say("rectify.reverse")}`;
  const surcharge = surchargeRate ? ` + ${say("rectify.surcharge", { rate: percent(surchargeRate) })}` : "";
  const scheme = regime === "03" || regime === "05" ? `, ${say(`rectify.scheme.${regime}`)}` : "";
  return `${name} ${percent(rate)}${surcharge}${scheme}`;
}
