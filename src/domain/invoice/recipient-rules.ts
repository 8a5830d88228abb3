import type { CivilDate } from "../shared/civil-date.ts";
import type { Fact } from "../shared/fact.ts";
import { ok, type Result } from "../shared/result.ts";
import { isPrefixInForce, type TaxIdentifier } from "../shared/tax-identifier.ts";
import { type Refusal, refuse } from "./refusal.ts";
import type { ResolvedLine } from "./tax-groups.ts";

/** Public bodies: municipalities, the administration and its organs, unincorporated unions (AEAT 1149). */
const PUBLIC_BODY_NIF = /^[PQSV]/;

/**
 * Identifier types that some lines demand (AEAT 1149, 1205, 1289), and expired prefixes (1254, 1255). The
 * AEAT refuses E5 with a NIF only, so an invoice issued with another document can be corrected.
 */
export function checkRecipientType(
  identifier: TaxIdentifier | undefined,
  lines: readonly ResolvedLine[],
  operationDate: CivilDate,
  { isNewSale }: { readonly isNewSale: boolean },
): Result<void, Refusal<"recipient_type_not_allowed">> {
  if (!identifier) return ok(undefined);
  const refused = (detail: Fact) => refuse("recipient_type_not_allowed", { detail }, "recipient.vat_number");
  const nif = identifier.kind === "nif" ? identifier.nif : undefined;
  if (identifier.kind === "eu_vat" && !isPrefixInForce(identifier.prefix, operationDate)) {
    const { prefix } = identifier;
    return refused({ phrase: "prefix_not_in_force", prefix, date: { date: operationDate } });
  }
  // LIVA, article 25: the buyer has a VAT number of another member state.
  const isSupplyInUnion = lines.some((line) => line.qualification === "E5" && line.tax === "01");
  if (isSupplyInUnion && (nif !== undefined || (isNewSale && identifier.kind !== "eu_vat"))) {
    return refused({ phrase: "e5_needs_vat_number" });
  }
  if (nif === undefined && lines.some((line) => line.regime === "10")) {
    return refused({ phrase: "regime_10_needs_nif" });
  }
  const dueByPublicBody = lines.some((line) => line.regime === "14" && line.tax !== "05");
  if (dueByPublicBody && !PUBLIC_BODY_NIF.test(nif ?? "")) {
    return refused({ phrase: "regime_14_needs_public_body" });
  }
  return ok(undefined);
}
