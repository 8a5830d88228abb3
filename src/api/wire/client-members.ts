import * as z from "zod";
import { ID_TYPES } from "../../domain/invoice/request.ts";
import type { ClientFacts } from "../../domain/order/facts.ts";
import { countryForm, freeText, idText, members, whenSent } from "./order-values.ts";
import { present } from "./present.ts";

/** Members of a customer, in a report and in an order. */
export const CLIENT_MEMBERS = {
  first_name: whenSent(freeText(255)).describe("Of a person; a full invoice to one needs both names."),
  last_name: whenSent(freeText(255)).describe("Of a person, all of them."),
  company: whenSent(freeText(255)).describe(
    "Company of the customer; a full invoice to one needs it and its address.",
  ),
  vat_number: whenSent(freeText(64)).describe("NIF, EU VAT number, or another identifier with its id_type."),
  id_type: whenSent(z.enum(ID_TYPES)).describe(
    "IDType of the AEAT (list L7), where the country does not tell it.",
  ),
  email: whenSent(freeText(320)).describe("Kept, not used."),
  phone: whenSent(freeText(64)).describe("Kept, not used."),
  country: whenSent(countryForm).describe(
    "ISO 3166-1 alpha-2. Where the sale goes, unless delivery says otherwise.",
  ),
  address1: whenSent(freeText(255)).describe("Street and number."),
  postcode: whenSent(freeText(20)).describe("As text: as a number it would lose its leading zero."),
  city: whenSent(freeText(100)).describe("Town."),
};

/** The customer of an order: a guest has no id. */
export const orderClient = members({
  id_external: whenSent(idText()).describe("Identifier of the customer in your system."),
  ...CLIENT_MEMBERS,
});

type OrderClient = z.output<typeof orderClient>;

/** An object without members means the same as its absence. */
export function toClientFacts(client: OrderClient): ClientFacts | undefined {
  const facts = toClientMembers(client);
  return Object.keys(facts).length > 0 ? facts : undefined;
}

export function toClientMembers(client: OrderClient): ClientFacts {
  return present({
    idExternal: client.id_external,
    firstName: client.first_name,
    lastName: client.last_name,
    company: client.company,
    vatNumber: client.vat_number,
    idType: client.id_type,
    email: client.email,
    phone: client.phone,
    country: client.country,
    address1: client.address1,
    postcode: client.postcode,
    city: client.city,
  });
}
