import type { company as spanish } from "../es/company.ts";

export const company: Record<keyof typeof spanish, string> = {
  "company.tab.details": "Tax details",
  "company.tab.representation": "Representation",
  "company.tab.authorisations": "Authorisations",
  "company.tab.people": "People",
  "company.fixed": "Tax ID and tax cannot be changed: the series and the chain of records depend on them.",
  "company.change.note": "It holds for invoices issued from now on; those already issued do not change.",
  "rep.standing": "State",
  "rep.state.withdrawn": "Revoked on {date}",
  "rep.connect_first":
    "Connect your shop or your program first: representation is signed with the first connection.",
  "rep.read": "Read the document",
  "rep.document": "Document of representation",
  "rep.document.elsewhere": "This document is kept outside the console; ask us for it if you need it.",
  "auth.title": "AEAT authorisations for simplified invoices",
  "auth.empty":
    "There is none. If the AEAT has authorised you to issue simplified invoices above the limit, enter it here.",
  "auth.add": "Add an authorisation",
  "auth.add.button": "Save authorisation",
  "auth.number": "Number",
  "auth.number.the": "the number of the authorisation",
  "auth.limit": "Limit",
  "auth.registration": "Registration number",
  "auth.registration.hint": "1 to 15 characters. Without a registration number it is worth up to 3,000.00 €.",
  "auth.registered": "Registration number {number}",
  "auth.noreg": "Without a registration number it is worth up to 3,000.00 €.",
  "auth.up_to": "up to {limit}",
  "auth.active": "In force since {date}",
  "auth.closed": "From {from} to {to}",
  "auth.close": "Close authorisation",
  "auth.close.body":
    "From now on no simplified invoice is issued under {number}. Those already issued do not change.",
  "declaration.version": "{name}, version {version}, of {date}",
};
