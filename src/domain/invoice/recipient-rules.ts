import type { CivilDate } from "../shared/civil-date.ts";
import { ok, type Result } from "../shared/result.ts";
import { isPrefixInForce, type TaxIdentifier } from "../shared/tax-identifier.ts";
import { type IssueRefusal, refuse } from "./refusal.ts";
import type { ResolvedLine } from "./tax-groups.ts";

/** Public bodies: municipalities, the administration and its organs, unincorporated unions (AEAT 1149). */
const PUBLIC_BODY_NIF = /^[PQSV]/;

/**
 * Which identifier some lines demand (AEAT 1149, 1205, 1289), and prefixes that had their time (1254, 1255).
 */
export function checkRecipientType(
  identifier: TaxIdentifier | undefined,
  lines: readonly ResolvedLine[],
  operationDate: CivilDate,
): Result<void, IssueRefusal> {
  if (!identifier) return ok(undefined);
  const refused = (detail: string) =>
    refuse("recipient_type_not_allowed", { detail }, "recipient.vat_number");
  const nif = identifier.kind === "nif" ? identifier.nif : undefined;
  if (identifier.kind === "eu_vat" && !isPrefixInForce(identifier.prefix, operationDate)) {
    return refused(`prefix ${identifier.prefix} was not in force on ${operationDate}`);
  }
  if (nif !== undefined && lines.some((line) => line.qualification === "E5" && line.tax === "01")) {
    return refused("an intra-Community supply (E5) needs the EU VAT number of the recipient, not a NIF");
  }
  if (nif === undefined && lines.some((line) => line.regime === "10")) {
    return refused("regime 10 needs the NIF of the recipient");
  }
  const dueByPublicBody = lines.some((line) => line.regime === "14" && line.tax !== "05");
  if (dueByPublicBody && !PUBLIC_BODY_NIF.test(nif ?? "")) {
    return refused("regime 14 needs the NIF of a public body, which begins with P, Q, S or V");
  }
  return ok(undefined);
}
