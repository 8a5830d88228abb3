import { branch, branchOfSome, leaf, type Markup, NOTHING } from "../../verifactu/xml/element.ts";
import type { ElectronicInvoice } from "../electronic-invoice.ts";
import { addressXml } from "./parties.ts";
import type { UblDocument } from "./ubl-document.ts";

/** BG-13. A supply within the Union needs its date and its country (BR-IC-11, BR-IC-12). */
export function deliveryXml({ invoice }: UblDocument): Markup {
  const { delivery = {}, operationDate, issueDate, breakdown } = invoice;
  const isInUnion = breakdown.some(({ category }) => category === "K");
  const date = delivery.date ?? operationDate ?? (isInUnion ? issueDate : undefined);
  const country = delivery.country ?? (isInUnion ? countryOfBuyer(invoice) : undefined);
  return branchOfSome("cac:Delivery", [
    leaf("cbc:ActualDeliveryDate", date),
    // BR-57: an address has a country, and none is invented.
    country === undefined
      ? NOTHING
      : branch("cac:DeliveryLocation", [addressXml("cac:Address", { ...delivery, country })]),
  ]);
}

const PREFIXES: Readonly<Record<string, string>> = { EL: "GR", XI: "GB" };

/** The member state of the buyer's VAT number. */
function countryOfBuyer({ recipient }: ElectronicInvoice): string | undefined {
  const identifier = recipient?.identifier;
  if (identifier?.kind !== "eu_vat") return undefined;
  return PREFIXES[identifier.prefix] ?? identifier.prefix;
}
