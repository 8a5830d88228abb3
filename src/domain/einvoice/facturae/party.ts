import { memberStateOn } from "../../place/place.ts";
import type { CivilDate } from "../../shared/civil-date.ts";
import { invariant } from "../../shared/result.ts";
import { isNaturalPersonNif } from "../../shared/tax-identifier.ts";
import { leaf, type Markup } from "../../verifactu/xml/element.ts";
import type { ElectronicInvoice, ElectronicRecipient } from "../electronic-invoice.ts";
import { alpha3, provinceOf } from "./codes.ts";
import { isPersonIn, splitName } from "./person-name.ts";
import { firstCharacters, LONGEST, type Remarks } from "./remarks.ts";
import { group } from "./writer.ts";

const HOME = "ES";

/** Another who signs in the issuer's name: the producer of the software. */
export interface ThirdParty {
  readonly name: string;
  readonly nif: string;
  readonly address1: string;
  readonly postcode: string;
  readonly city: string;
}

interface Address {
  readonly address1: string;
  readonly postcode: string;
  readonly city: string;
  readonly province?: string;
  readonly country: string;
}

interface Entity extends Address {
  readonly name: string;
  readonly firstName?: string;
  readonly surname1?: string;
  readonly surname2?: string;
  readonly phone?: string;
  readonly email?: string;
  /** A natural person, as its NIF says. */
  readonly isPerson: boolean;
}

export function sellerParty({ issuer, issueDate, recipient }: ElectronicInvoice, remarks: Remarks): Markup {
  const isInUnion = residenceOf(recipient?.country ?? HOME, issueDate) === "U";
  const isPerson = isNaturalPersonNif(issuer.nif);
  return group(
    "SellerParty",
    taxIdentification({ isPerson, residence: "R", number: isInUnion ? `ES${issuer.nif}` : issuer.nif }),
    entityElement("emisor", { ...issuer, country: HOME, isPerson }, remarks),
  );
}

/** Written only of invoices whose recipient has identifier, name and address. */
export function buyerParty({ issueDate, recipient }: ElectronicInvoice, remarks: Remarks): Markup {
  invariant(recipient?.identifier, "Facturae is offered only with an identified recipient");
  const { identifier, company = "", country = HOME } = recipient;
  const isPerson = isPersonIn(identifier);
  const address = addressOf(recipient);
  return group(
    "BuyerParty",
    taxIdentification({
      isPerson,
      residence: residenceOf(country, issueDate),
      number: identifier.kind === "nif" ? identifier.nif : identifier.id,
    }),
    ...administrativeCentres(recipient, address, remarks),
    entityElement("receptor", { ...recipient, ...address, name: company, isPerson }, remarks),
  );
}

export function thirdPartyElement(party: ThirdParty, remarks: Remarks): Markup {
  const isPerson = isNaturalPersonNif(party.nif);
  return group(
    "ThirdParty",
    taxIdentification({ isPerson, residence: "R", number: party.nif }),
    entityElement("tercero", { ...party, country: HOME, isPerson }, remarks),
  );
}

type Residence = "R" | "U" | "E";

function residenceOf(country: string, date: CivilDate): Residence {
  if (country === HOME) return "R";
  return memberStateOn(country, date) === undefined ? "E" : "U";
}

interface Identification {
  readonly isPerson: boolean;
  readonly residence: Residence;
  readonly number: string;
}

function taxIdentification({ isPerson, residence, number }: Identification): Markup {
  return group(
    "TaxIdentification",
    leaf("PersonTypeCode", isPerson ? "F" : "J"),
    leaf("ResidenceTypeCode", residence),
    leaf("TaxIdentificationNumber", number),
  );
}

function addressOf(recipient: ElectronicRecipient): Address {
  const { address1 = "", postcode = "", city = "", province, country = HOME } = recipient;
  return { address1, postcode, city, ...(province === undefined ? {} : { province }), country };
}

function entityElement(of: string, entity: Entity, remarks: Remarks): Markup {
  const rest = [addressElement(of, entity, remarks), ...contactDetails(of, entity, remarks)];
  const { name } = entity;
  if (!entity.isPerson) {
    const corporateName = remarks.cut(`Nombre del ${of}`, name, LONGEST.address);
    return group("LegalEntity", leaf("CorporateName", corporateName), ...rest);
  }
  const { first, surname1, surname2 } = personName(entity);
  const parts = [first, surname1, surname2 ?? ""].map((part) => firstCharacters(part, LONGEST.name));
  if (parts.join() !== [first, surname1, surname2 ?? ""].join()) remarks.add(`Nombre del ${of}`, name);
  return group(
    "Individual",
    leaf("Name", parts[0]),
    leaf("FirstSurname", parts[1]),
    ...(surname2 === undefined ? [] : [leaf("SecondSurname", parts[2])]),
    ...rest,
  );
}

function personName({ name, firstName, surname1, surname2 }: Entity) {
  if (firstName !== undefined && surname1 !== undefined) return { first: firstName, surname1, surname2 };
  const split = splitName(name);
  invariant(split, "Facturae is offered only with a first name and a surname");
  return { surname2: undefined, ...split };
}

/** AddressInSpain takes a postcode of five digits, OverseasAddress joins postcode and town. */
function addressElement(of: string, address: Address, remarks: Remarks): Markup {
  const { address1, postcode, city, province, country } = address;
  const street = leaf("Address", remarks.cut(`Domicilio del ${of}`, address1, LONGEST.address));
  const code = leaf("CountryCode", alpha3(country));
  if (country === HOME) {
    return group(
      "AddressInSpain",
      street,
      leaf("PostCode", postcode),
      leaf("Town", remarks.cut(`Población del ${of}`, city, LONGEST.town)),
      leaf("Province", firstCharacters(provinceOf(postcode) ?? province ?? city, LONGEST.short)),
      code,
    );
  }
  const town = [postcode, city].filter((part) => part !== "").join(" ");
  return group(
    "OverseasAddress",
    street,
    leaf("PostCodeAndTown", remarks.cut(`Población del ${of}`, town, LONGEST.town)),
    leaf("Province", remarks.cut(`Provincia del ${of}`, province ?? city, LONGEST.short)),
    code,
  );
}

const LONGEST_PHONE = 15;
const LONGEST_EMAIL = 60;

function contactDetails(of: string, { phone, email }: Entity, remarks: Remarks): Markup[] {
  const kept = (label: string, text: string | undefined, limit: number) => {
    if (text === undefined || [...text].length <= limit) return text;
    remarks.add(`${label} del ${of}`, text);
    return undefined;
  };
  const telephone = leaf("Telephone", kept("Teléfono", phone, LONGEST_PHONE));
  const mail = leaf("ElectronicMail", kept("Correo electrónico", email, LONGEST_EMAIL));
  return telephone === "" && mail === "" ? [] : [group("ContactDetails", telephone, mail)];
}

const ROLES: Readonly<Record<string, string>> = {
  accounting_office: "01",
  managing_body: "02",
  processing_unit: "03",
  proposing_body: "04",
};

/** DIR3 codes of a public body; a centre without an address of its own has the recipient's. */
function administrativeCentres(
  { administrativeCentres: centres = [] }: ElectronicRecipient,
  recipient: Address,
  remarks: Remarks,
): Markup[] {
  if (centres.length === 0) return [];
  const elements = centres.map(({ role, code, address1, postcode = "", city }) => {
    const hasOwn = address1 !== undefined && city !== undefined && /^\d{5}$/.test(postcode);
    const address = hasOwn ? { address1, postcode, city, country: HOME } : recipient;
    return group(
      "AdministrativeCentre",
      leaf("CentreCode", code),
      leaf("RoleTypeCode", ROLES[role]),
      addressElement("centro", address, remarks),
    );
  });
  return [group("AdministrativeCentres", ...elements)];
}
