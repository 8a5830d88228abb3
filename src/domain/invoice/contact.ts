import { ok, type Result } from "../shared/result.ts";
import { isNaturalPersonNif } from "../shared/tax-identifier.ts";
import { type ContactDetails, companyDetails, type Issuer } from "./issuer.ts";
import type { UsualTerms } from "./payment-terms.ts";
import { type Refusal, refuse } from "./refusal.ts";
import { joinedName } from "./request.ts";

/** How a company is reached and paid, as its owner sets it. */
export interface ContactSettings extends ContactDetails {
  readonly terms?: UsualTerms;
}

/** In the order of the form. */
export const CONTACT_DETAILS = [
  ...(["email", "phone", "province"] as const),
  ...(["firstName", "surname1", "surname2"] as const),
] as const satisfies readonly (keyof ContactDetails)[];

type ContactRow = { readonly [Name in keyof ContactDetails]?: ContactDetails[Name] | null };

/** The contact of a row, in which null says that a detail is not set. */
export function contactDetails(row: ContactRow): ContactDetails {
  const set = CONTACT_DETAILS.map((name) => [name, row[name] ?? undefined] as const);
  // The names are those of `ContactDetails`.
  return Object.fromEntries(set.filter(([, value]) => value !== undefined)) as ContactDetails;
}

export type ContactRefusal = Refusal<"person_name_of_company" | "person_name_differs">;

/** The parts of a name are those of a person, and joined by spaces they are the company's name. */
export function checkContact(
  contact: ContactDetails,
  company: { readonly nif: string; readonly legalName: string },
): Result<void, ContactRefusal> {
  const { firstName, surname1, surname2 } = contact;
  if ([firstName, surname1, surname2].every((part) => part === undefined)) return ok(undefined);
  if (!isNaturalPersonNif(company.nif)) return refuse("person_name_of_company", {}, "first_name");
  return isNameOf(contact, company.legalName)
    ? ok(undefined)
    : refuse("person_name_differs", { name: company.legalName }, "first_name");
}

function isNameOf({ firstName, surname1, surname2 }: ContactDetails, name: string): boolean {
  if (firstName === undefined || surname1 === undefined) return false;
  return joinedName({ firstName, surname1, ...(surname2 === undefined ? {} : { surname2 }) }) === name;
}

/** The issuer of a row, as an invoice of today keeps it. */
export function issuerOf(
  row: Parameters<typeof companyDetails>[0] & ContactRow & { readonly nif: string },
): Issuer {
  const { legalName: name, defaultRegime: _, ...printed } = companyDetails(row);
  const contact = contactDetails(row);
  const { firstName: __, surname1: ___, surname2: ____, ...reached } = contact;
  // The parts may be of a name that the company had before.
  return { name, nif: row.nif, ...printed, ...(isNameOf(contact, name) ? contact : reached) };
}
