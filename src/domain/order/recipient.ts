import { ID_TYPES, type IdType, joinedName, type Recipient } from "../invoice/request.ts";
import type { Fact } from "../shared/fact.ts";
import { filled, present } from "../shared/present.ts";
import { err, type Result } from "../shared/result.ts";
import { type IdentifierFault, type TaxIdentifier, taxIdentifierFrom } from "../shared/tax-identifier.ts";
import { recordText } from "../shared/text.ts";
import { LIMITS } from "../verifactu/aeat-lists.ts";
import type { OrderContext } from "./context.ts";
import { printable } from "./fact-text.ts";
import type { ClientFacts } from "./facts.ts";
import { because, type Reason } from "./reasons.ts";
import { mailDetails } from "./trade.ts";

/** Members of a client, by their names in the interface. */
export type ClientMember =
  | "vat_number"
  | "first_name"
  | "last_name"
  | "company"
  | "address1"
  | "postcode"
  | "city"
  | "country";

/** The possible use of the client's facts; nothing is invented. */
export type Party =
  /** No identifier; the name that may be printed, if any. */
  | { readonly is: "unidentified"; readonly name: string; readonly missing: readonly ClientMember[] }
  | {
      readonly is: "incomplete";
      readonly missing: readonly ClientMember[];
      readonly identifier: TaxIdentifier;
    }
  | { readonly is: "complete"; readonly identifier: TaxIdentifier; readonly recipient: Recipient };

/** The client with the owner's entries in place of its members; an empty text removes one. */
export function clientOf({ facts, answers }: Pick<OrderContext, "facts" | "answers">): ClientFacts {
  const members = Object.entries({ ...facts.client, ...answers.recipient });
  return Object.fromEntries(members.filter(([, text]) => text !== ""));
}

export function partyOf(client: ClientFacts): Result<Party, Reason> {
  const { vatNumber } = client;
  if (vatNumber === undefined || vatNumber.trim() === "") {
    const missing = ["vat_number" as const, ...missingFrom(client, undefined)];
    return { ok: true, value: { is: "unidentified", name: nameFrom(client, undefined), missing } };
  }
  const stated = statedIdentifier(client, vatNumber);
  if (!stated.ok) {
    const facts = { identifier: printable(vatNumber), detail: stated.error.detail };
    return err(because("tax_identifier_invalid", facts));
  }
  const identifier = stated.value;
  const missing = missingFrom(client, identifier);
  if (missing.length > 0) return { ok: true, value: { is: "incomplete", missing, identifier } };
  return { ok: true, value: { is: "complete", identifier, recipient: recipientFrom(client, identifier) } };
}

/** The client's valid identifier, if any. */
export function identifierOf(client: ClientFacts): TaxIdentifier | undefined {
  const party = partyOf(client);
  return party.ok && party.value.is !== "unidentified" ? party.value.identifier : undefined;
}

/** Without limits: no simplified invoice is possible for any amount. */
export function incompleteReason(
  missing: readonly ClientMember[],
  limits?: { readonly total: Fact; readonly limit: Fact },
): Reason {
  const members = { all: missing.map((phrase) => ({ phrase })) };
  return because("recipient_incomplete", { missing: members, ...limits });
}

/** The name alone, and where mail goes, for documents without an identified recipient. */
export function namedOnly(name: string, client: ClientFacts): { readonly recipient?: Recipient } {
  const recipient = filled({ ...(name === "" ? {} : { company: name }), ...mailDetails(client) });
  return recipient ? { recipient } : {};
}

/**
 * The recipient of an invoice for one that corrects it later: mail goes where the client says today,
 * and to nobody whose address was erased since.
 */
export function recipientLater(
  recipient: Recipient | undefined,
  client: ClientFacts,
): { readonly recipient?: Recipient } {
  if (!recipient) return {};
  const { email: _, ...kept } = recipient;
  const later = filled({ ...kept, ...mailDetails(client) });
  return later ? { recipient: later } : {};
}

/** A number that is neither a NIF nor an EU VAT number is an official document of its country. */
const DEFAULT_ID_TYPE: IdType = "04";

function statedIdentifier(
  { country, idType }: ClientFacts,
  vatNumber: string,
): Result<TaxIdentifier, IdentifierFault> {
  const stated = { vatNumber, ...(country === undefined ? {} : { country }) };
  if (idType !== undefined) {
    const known = ID_TYPES.find((type) => type === idType);
    if (known) return taxIdentifierFrom({ ...stated, idType: known });
    const detail = { phrase: "id_type_unknown", id_type: printable(idType) } as const;
    return err({ code: "tax_identifier_invalid", detail });
  }
  const identifier = taxIdentifierFrom(stated);
  if (identifier.ok || identifier.error.code !== "tax_identifier_type_required") return identifier;
  return taxIdentifierFrom({ ...stated, idType: DEFAULT_ID_TYPE });
}

function isEntity(identifier: TaxIdentifier | undefined): boolean {
  return identifier?.kind === "eu_vat" || (identifier?.kind === "nif" && identifier.entity);
}

function isPerson(identifier: TaxIdentifier | undefined): boolean {
  return identifier?.kind === "nif" && !identifier.entity;
}

/** The members that a full invoice to this client lacks. */
function missingFrom(client: ClientFacts, identifier: TaxIdentifier | undefined): ClientMember[] {
  const isBlank = (text: string | undefined) => recordText(printable(text ?? ""), LIMITS.nameLength) === "";
  const lacking = (members: readonly (readonly [ClientMember, string | undefined])[]) =>
    members.filter(([, value]) => isBlank(value)).map(([member]) => member);
  const names = lacking([
    ["first_name", client.firstName],
    ["last_name", client.lastName],
  ]);
  const company = lacking([["company", client.company]]);
  const address = lacking([
    ["address1", client.address1],
    ["postcode", client.postcode],
    ["city", client.city],
  ]);
  if (isPerson(identifier)) return names;
  if (identifier?.kind === "nif") return [...company, ...address];
  const named = company.length === 0 || names.length === 0 ? [] : company;
  const country = identifier ? lacking([["country", client.country]]) : [];
  return [...named, ...(isEntity(identifier) ? address : []), ...country];
}

/** Companies by their name, persons by theirs; a person's NIF belongs to the person. */
function nameFrom(client: ClientFacts, identifier: TaxIdentifier | undefined): string {
  const person = printable(`${client.firstName ?? ""} ${client.lastName ?? ""}`);
  const company = printable(client.company ?? "");
  return isPerson(identifier) || company === "" ? person : company;
}

/** A NIF implies Spain. */
function recipientFrom(client: ClientFacts, identifier: TaxIdentifier): Recipient {
  const { address1, postcode, city } = client;
  const text = (member: string, value: string | undefined) => {
    const printed = printable(value ?? "");
    return printed === "" ? {} : { [member]: printed };
  };
  const company = nameFrom(client, identifier);
  return {
    company,
    country: client.country ?? "ES",
    ...text("address1", address1),
    ...text("postcode", postcode),
    ...text("city", city),
    ...numberOf(identifier, client),
    ...mailDetails(client),
    ...detailsFrom(client, { company, identifier }),
  };
}

/** The parts of a name that make another name are left out, and centres of a body without NIF. */
function detailsFrom(
  { firstName, details = {} }: ClientFacts,
  { company, identifier }: { readonly company: string; readonly identifier: TaxIdentifier },
): Partial<Recipient> {
  const { endpoint, province, surname1, surname2, administrativeCentres } = details;
  const names = present({ firstName: printable(firstName ?? ""), surname1, surname2 });
  const isWhole = surname1 !== undefined && joinedName(names) === company;
  const areShort = Object.values(names).every((part) => [...part].length <= NAME_PART_LENGTH);
  return {
    ...present({ endpoint, province }),
    ...(isWhole && areShort ? names : {}),
    ...(identifier.kind === "nif" ? present({ administrativeCentres }) : {}),
  };
}

/** Of a name or surname in Facturae. */
const NAME_PART_LENGTH = 40;

function numberOf(identifier: TaxIdentifier, client: ClientFacts): Pick<Recipient, "vatNumber" | "idType"> {
  switch (identifier.kind) {
    case "nif":
      return { vatNumber: identifier.nif };
    case "eu_vat":
      return { vatNumber: identifier.id, ...(client.idType === "02" ? { idType: "02" as const } : {}) };
    case "other": {
      const idType = ID_TYPES.find((type) => type === identifier.idType) ?? DEFAULT_ID_TYPE;
      return { vatNumber: identifier.id, idType };
    }
  }
}
