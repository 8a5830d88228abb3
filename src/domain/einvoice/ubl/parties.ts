import type { Endpoint } from "../../invoice/request.ts";
import { branch, branchOfSome, leaf, type Markup, NOTHING } from "../../verifactu/xml/element.ts";
import { addressOfBuyer, isEasCode, isPeppolScheme, spanishAddress } from "../eas.ts";
import type { ElectronicRecipient } from "../electronic-invoice.ts";
import type { UblDocument } from "./ubl-document.ts";

/** BG-4. */
export function sellerXml({ invoice, isNotSubject }: UblDocument): Markup {
  const { name, nif, address1, city, postcode, province, phone, email } = invoice.issuer;
  const party = branch("cac:Party", [
    endpointXml(spanishAddress(nif)),
    addressXml("cac:PostalAddress", { address1, city, postcode, province, country: "ES" }),
    isNotSubject ? NOTHING : taxSchemeXml(`ES${nif}`),
    legalEntityXml(name, nif),
    branchOfSome("cac:Contact", [leaf("cbc:Telephone", phone), leaf("cbc:ElectronicMail", email)]),
  ]);
  return branch("cac:AccountingSupplierParty", [party]);
}

/** BG-7; name and country are there, or the format is refused. */
export function buyerXml({ invoice, profile, isNotSubject }: UblDocument): Markup {
  const recipient: ElectronicRecipient = invoice.recipient ?? {};
  const { company, email } = recipient;
  const vat = vatNumberOf(recipient);
  const endpoint = addressOfBuyer(recipient, profile === "peppol" ? isPeppolScheme : isEasCode);
  const party = branch("cac:Party", [
    endpoint ? endpointXml(endpoint) : NOTHING,
    addressXml("cac:PostalAddress", recipient),
    isNotSubject || vat === undefined ? NOTHING : taxSchemeXml(vat),
    legalEntityXml(company, legalIdOf(recipient)),
    branchOfSome("cac:Contact", [leaf("cbc:ElectronicMail", email)]),
  ]);
  return branch("cac:AccountingCustomerParty", [party]);
}

/** BT-48: BR-CO-09 wants the prefix of a country, which no other document has. */
function vatNumberOf({ identifier }: ElectronicRecipient): string | undefined {
  switch (identifier?.kind) {
    case "nif":
      return `ES${identifier.nif}`;
    case "eu_vat":
      return identifier.id;
    default:
      return undefined;
  }
}

/** BT-47: the identifier as it is. */
function legalIdOf({ identifier }: ElectronicRecipient): string | undefined {
  return identifier?.kind === "nif" ? identifier.nif : identifier?.id;
}

function endpointXml({ scheme, id }: Endpoint): Markup {
  return leaf("cbc:EndpointID", id, { schemeID: scheme });
}

function taxSchemeXml(companyId: string): Markup {
  return branch("cac:PartyTaxScheme", [leaf("cbc:CompanyID", companyId), taxScheme()]);
}

function legalEntityXml(name: string | undefined, companyId: string | undefined): Markup {
  return branch("cac:PartyLegalEntity", [
    leaf("cbc:RegistrationName", name),
    leaf("cbc:CompanyID", companyId),
  ]);
}

export function taxScheme(): Markup {
  return branch("cac:TaxScheme", [leaf("cbc:ID", "VAT")]);
}

interface Address {
  readonly address1?: string | undefined;
  readonly city?: string | undefined;
  readonly postcode?: string | undefined;
  readonly province?: string | undefined;
  readonly country?: string | undefined;
}

export function addressXml(name: string, { address1, city, postcode, province, country }: Address): Markup {
  return branchOfSome(name, [
    leaf("cbc:StreetName", stated(address1)),
    leaf("cbc:CityName", stated(city)),
    leaf("cbc:PostalZone", stated(postcode)),
    leaf("cbc:CountrySubentity", stated(province)),
    branchOfSome("cac:Country", [leaf("cbc:IdentificationCode", stated(country))]),
  ]);
}

/** No element is empty. */
function stated(text: string | undefined): string | undefined {
  return text === "" ? undefined : text;
}
