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
  "company.tab.verification": "Verification",
  "verify.title": "Verification of the company",
  "verify.state.unverified": "Not verified",
  "verify.state.in_review": "In review",
  "verify.state.verified": "Verified",
  "verify.state.contested": "Claimed by somebody else",
  "verify.means.unverified":
    "Nobody has proven the NIF {nif} yet. You can try everything, but what you issue is a test without validity: the document says so, and it does not reach the AEAT as an invoice.",
  "verify.means.in_review":
    "We have your document about the NIF {nif} and a person is reading it. Meanwhile what you issue is still a test without validity.",
  "verify.means.verified":
    "The NIF {nif} is proven and what you issue are invoices. A connection that was opened before that in production stays for tests: open another one to invoice.",
  "verify.means.contested":
    "Somebody else has proven the NIF {nif}. You go on invoicing until we settle it, 72 hours at most; write to us at once.",
  "verify.claim.waits": "You claimed this company on {date}; we are reading your document.",
  "verify.claim.contested": "You claimed this company on {date}; we settle it within 72 hours.",
  "verify.how": "How it is proven",
  "verify.how.body":
    "Ask for the text, which holds for a day, for you and this company alone. Put it into the representation document, have the owner or their representative sign it, and send it as a PDF. A person reads it.",
  "verify.text": "Text to sign",
  "verify.text.ask": "Ask for the text",
  "verify.file": "Signed document",
  "verify.file.hint": "PDF of at most 2 MB.",
  "verify.file.hint.certificate":
    "PDF of at most 2 MB, or the CAdES signature of the text made with AutoFirma and a qualified certificate.",
  "verify.file.choose": "Choose a file",
  "verify.file.none": "Choose the signed document first.",
  "verify.send": "Send",
  "verify.claim": "Claim the verified company",
};
