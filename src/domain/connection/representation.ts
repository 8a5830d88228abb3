import { type Refusal, refuse } from "../invoice/refusal.ts";
import type { CivilDate } from "../shared/civil-date.ts";
import { ok, type Result } from "../shared/result.ts";

/** Every no to a signed grant, in the order in which it is checked. */
export const REPRESENTATION_REFUSALS = [
  "representation_document_invalid",
  "representation_signer_invalid",
  "representation_date_invalid",
] as const;
export type RepresentationRefusal = Refusal<(typeof REPRESENTATION_REFUSALS)[number]>;

/**
 * The issuer lets us submit in their name (Resolucion of 18-12-2024, BOE 31-12-2024): a signed document,
 * which is named by its hash.
 */
export interface Representation {
  /** Lower-case hex. */
  readonly documentSha256: string;
  readonly signedBy: string;
  readonly signedOn: CivilDate;
}

/** Submissions that no real authority gets. */
const WITHOUT_GRANT: readonly string[] = ["", "off", "sandbox"];

/** On every other way we submit in the name of issuers: only with their signed grant. */
export function wantsRepresentation(transport: string): boolean {
  return !WITHOUT_GRANT.includes(transport);
}

const LONGEST_NAME = 120;

export function checkRepresentation(
  given: Representation,
  today: CivilDate,
): Result<Representation, RepresentationRefusal> {
  if (!/^[0-9a-f]{64}$/.test(given.documentSha256)) return refuse("representation_document_invalid");
  const signedBy = given.signedBy.normalize("NFC").trim();
  if (signedBy === "" || signedBy.length > LONGEST_NAME || /\p{Cc}/u.test(signedBy)) {
    return refuse("representation_signer_invalid", { limit: String(LONGEST_NAME) });
  }
  if (given.signedOn > today)
    return refuse("representation_date_invalid", { date: { date: given.signedOn } });
  return ok({ ...given, signedBy });
}
