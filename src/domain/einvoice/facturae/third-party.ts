import type { SoftwareConfig } from "../../verifactu/software.ts";
import type { ThirdParty } from "./party.ts";

/** `Calle de la Huella 1, 28001 Madrid, España`: street, postcode and town, with or without the country. */
const ADDRESS = /^(?<address1>.+?),?\s+(?<postcode>\d{5})\s+(?<city>[^,]+)(?:,\s*(?:España|Spain))?$/u;

/**
 * The producer of the software, who signs for issuers. Undefined if its configured address has no Spanish
 * postcode and town, which the file must name.
 */
export function thirdPartyOf({
  producerName,
  producerNif,
  producerAddress,
}: SoftwareConfig): ThirdParty | undefined {
  const { address1, postcode, city } = ADDRESS.exec(producerAddress)?.groups ?? {};
  if (address1 === undefined || postcode === undefined || city === undefined) return undefined;
  return { name: producerName, nif: producerNif, address1, postcode, city };
}
