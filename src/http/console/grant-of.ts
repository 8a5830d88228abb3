import type { Context } from "hono";
import type { CivilDate } from "../../domain/shared/civil-date.ts";
import { nifFrom } from "../../domain/shared/tax-identifier.ts";
import type { CompanyReading } from "../../usecases/console/company-ports.ts";
import type { SignerBody } from "../contract/console/company-settings.ts";
import type { ConsoleEnv } from "./deps.ts";
import { issuerDay } from "./issuer-day.ts";
import { refuseByRule } from "./refuse.ts";
import { type GrantDocument, grantDocument } from "./representation-document.ts";

/** The grant as this person would sign it today. */
export async function grantOf(
  c: Context<ConsoleEnv>,
  signer: SignerBody,
  company: CompanyReading,
): Promise<GrantDocument & { readonly signedOn: CivilDate }> {
  const { software } = c.var.deps;
  const signerNif = nifFrom(signer.signer_nif);
  if (signerNif === undefined) return refuseByRule(c, { code: "nif_invalid", facts: {}, path: "signer_nif" });
  if (signer.capacity === "attorney" && !signer.power) {
    return refuseByRule(c, { code: "power_missing", facts: {}, path: "power" });
  }
  const { today: signedOn } = await issuerDay(c);
  const { legalName, nif, address1, postcode, city } = company;
  const document = grantDocument({
    ...{ legalName, nif, address: `${address1}, ${postcode} ${city}` },
    ...{ signedBy: signer.signed_by, signerNif, capacity: signer.capacity, signedOn },
    ...(signer.capacity === "attorney" && signer.power ? { power: signer.power } : {}),
    representative: software.producerName,
    representativeNif: software.producerNif,
    representativeAddress: software.producerAddress,
  });
  return { ...document, signedOn };
}
