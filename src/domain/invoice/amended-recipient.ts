import { invariant, ok, type Result } from "../shared/result.ts";
import { isNaturalPersonNif, type TaxIdentifier, taxIdentifierFrom } from "../shared/tax-identifier.ts";
import { hasInk, isPlainText, normalizeText, recordText } from "../shared/text.ts";
import { ID_TYPES, LIMITS } from "../verifactu/aeat-lists.ts";
import type { RecordRecipient, RegistrationContent } from "../verifactu/record.ts";
import type { AmendedRecipient } from "./decide-amendment.ts";
import type { InvoiceDocument } from "./document.ts";
import { type Documentary, documentaryOf } from "./documentary.ts";
import { recordRecipient } from "./invoice-record.ts";
import { identifierOf as printedIdentifier } from "./normalize.ts";
import type { RecordRefusal } from "./record-refusal.ts";
import type { RecordedInvoice } from "./recorded-invoice.ts";
import { refuse } from "./refusal.ts";
import { hasSameNumber } from "./same-person.ts";

export interface NamedRecipient {
  readonly identifier: TaxIdentifier;
  readonly recipient: RecordRecipient;
}

const NAME_LENGTH = 255;

/** The new recipient of the record; undefined if the request states none. */
export function amendedRecipient(
  stated: AmendedRecipient | undefined,
  { number, document, isOfOrder }: RecordedInvoice,
): Result<NamedRecipient | undefined, RecordRefusal> {
  if (!stated) return ok(undefined);
  const { company } = stated;
  if (!isPlainText(company) || [...normalizeText(company)].length > NAME_LENGTH) {
    const facts = { text: { phrase: "recipient_name" }, longest: { amount: String(NAME_LENGTH) } } as const;
    return refuse("amended_text_invalid", facts, "recipient.company");
  }
  if (!documentaryIn(document).identified)
    return refuse("amended_recipient_not_allowed", { number }, "recipient");
  const name = normalizeText(company);
  const missing = [
    ...(hasInk(recordText(name, LIMITS.nameLength)) ? [] : (["recipient_name"] as const)),
    ...(hasInk(stated.vatNumber) ? [] : (["vat_number"] as const)),
  ];
  if (missing.length > 0) {
    const all = missing.map((phrase) => ({ phrase }));
    return refuse("recipient_incomplete", { missing: { all } }, "recipient");
  }
  const identifier = identifierOf(stated);
  if (!identifier.ok) return identifier;
  const printed = printedIdentifier(document.request.recipient);
  if (printed && !hasSameNumber(printed, identifier.value)) {
    const fix = { phrase: isOfOrder ? "reverse_through_order" : "rectify_by_substitution" } as const;
    return refuse("amendment_names_another", { number, fix }, "recipient.vat_number");
  }
  return ok({ identifier: identifier.value, recipient: recordRecipient(name, identifier.value) });
}

export function documentaryIn({ request }: InvoiceDocument): Documentary {
  const documentary = documentaryOf(request);
  invariant(documentary.ok, "an issued invoice is one of the combinations that exist");
  return documentary.value;
}

/** The current recipient of the record. */
export function identifierIn({ recipients = [] }: RegistrationContent): TaxIdentifier | undefined {
  const [recipient] = recipients;
  if (!recipient) return undefined;
  if ("nif" in recipient) {
    const { nif } = recipient;
    return { kind: "nif", nif, entity: !isNaturalPersonNif(nif) };
  }
  const { idType, id, country = "" } = recipient;
  if (idType === "02") return { kind: "eu_vat", id, prefix: id.slice(0, 2) };
  return { kind: "other", idType, id, country };
}

/** The same reading as of a request. */
function identifierOf({
  vatNumber,
  country,
  idType,
}: AmendedRecipient): Result<TaxIdentifier, RecordRefusal> {
  const facts = { identifier: vatNumber, country: country ?? "" };
  const path = "recipient.vat_number";
  if (idType !== undefined && !ID_TYPES.includes(idType)) {
    const detail = { phrase: "id_type_unknown", id_type: idType } as const;
    return refuse("tax_identifier_invalid", { ...facts, detail }, "recipient.id_type");
  }
  if (!isPlainText(vatNumber)) {
    return refuse("tax_identifier_invalid", { ...facts, detail: { phrase: "id_form" } }, path);
  }
  const identifier = taxIdentifierFrom({
    vatNumber: normalizeText(vatNumber),
    ...(country === undefined ? {} : { country }),
    ...(idType === undefined ? {} : { idType }),
  });
  if (identifier.ok) return identifier;
  const { code, detail } = identifier.error;
  return refuse(
    code,
    { ...facts, detail },
    detail.phrase === "country_not_listed" ? "recipient.country" : path,
  );
}
