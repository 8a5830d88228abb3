import { ok, type Result } from "../shared/result.ts";
import {
  isCountryOfEuVat,
  type StatedIdentifier,
  type TaxIdentifier,
  taxIdentifierFrom,
} from "../shared/tax-identifier.ts";
import { hasInk, recordText } from "../shared/text.ts";
import { type IssueRefusal, refuse } from "./refusal.ts";
import { hasFlag, type InvoiceRequest, isRectifying, type Recipient } from "./request.ts";

/** The consequences of a combination of type, regime and flag. */
export interface Documentary {
  /** If true, the record carries Destinatarios. */
  readonly identified: boolean;
  /** Qualified simplified invoice, article 7.2 and 7.3 RD 1619/2012. */
  readonly qualified: boolean;
  /** Complete invoice without recipient, article 6.1.d. */
  readonly withoutRecipient: boolean;
  readonly simplified: boolean;
  /** If true, the limits of article 4 apply. */
  readonly limited: boolean;
}

/** The table of combinations in decisions 3; any other is refused. */
export function documentaryOf(request: InvoiceRequest): Result<Documentary, IssueRefusal> {
  const { invoiceType, regime, flags } = request;
  const qualified = hasFlag(request, "qualified_simplified_art_7_2_3");
  const withoutRecipient = hasFlag(request, "no_recipient_article_6_1_d");
  const simplified = regime === "art7_simplified";
  const identified = invoiceType !== "F2" && invoiceType !== "R5";
  const exists = identified
    ? !withoutRecipient && qualified === simplified && !(invoiceType === "F3" && simplified)
    : !qualified && withoutRecipient === !simplified;
  if (!exists || (request.attestation && (!simplified || isRectifying(invoiceType)))) {
    return refuse("documentary_regime_mismatch", {
      invoice_type: invoiceType,
      combined: { all: [regime, ...flags, ...(exists ? ["simplified_attestation"] : [])] },
      allowed: { phrase: exists ? "attestation_combinations" : "every_combination" },
    });
  }
  const limited = simplified && !isRectifying(invoiceType);
  return ok({ identified, qualified, withoutRecipient, simplified, limited });
}

/** The recipient of the invoice: the identifier for the record, or none if none is allowed. */
export function recipientOf(
  request: InvoiceRequest,
  documentary: Documentary,
): Result<TaxIdentifier | undefined, IssueRefusal> {
  const recipient = request.recipient ?? {};
  if (!documentary.identified) {
    if (recipient.vatNumber === undefined && recipient.idType === undefined) return ok(undefined);
    const member = recipient.vatNumber === undefined ? "id_type" : "vat_number";
    return refuse("recipient_not_allowed", {}, `recipient.${member}`);
  }
  const missing = missingParts(recipient, ["company", "vatNumber", "country"]);
  if (missing.length > 0) return recipientRequired([...missing, ...missingType(recipient)]);
  const identifier = statedIdentifier(recipient);
  if (!identifier.ok) return identifier;
  const isEntity = identifier.value.kind === "eu_vat" || isEntityNif(identifier.value);
  const address = missingParts(recipient, ["address1", "postcode", "city"]);
  if (address.length > 0 && (isEntity || documentary.qualified)) return recipientRequired(address);
  return identifier;
}

function statedIdentifier(recipient: Recipient): Result<TaxIdentifier, IssueRefusal> {
  const stated: StatedIdentifier = { ...recipient, vatNumber: recipient.vatNumber ?? "" };
  const identifier = taxIdentifierFrom(stated);
  if (identifier.ok) return identifier;
  const { code, detail } = identifier.error;
  const facts = { identifier: stated.vatNumber, country: stated.country ?? "", detail };
  const member = detail.phrase === "country_not_listed" ? "country" : "vat_number";
  return refuse(code, facts, `recipient.${member}`);
}

type RecipientPart = "company" | "vatNumber" | "country" | "address1" | "postcode" | "city";

/** A name that is empty after cleaning for the record counts as missing (AEAT 1100). */
function missingParts(recipient: Recipient, parts: readonly RecipientPart[]): string[] {
  const lacking = parts.filter((part) => !hasInk(recordText(recipient[part] ?? "", 120)));
  return lacking.map((part) => (part === "vatNumber" ? "vat_number" : part));
}

/** Outside Spain and the EU a number does not reveal its kind of document. */
function missingType({ vatNumber, country, idType }: Recipient): string[] {
  if (vatNumber !== undefined || idType !== undefined || country === undefined) return [];
  return country === "ES" || isCountryOfEuVat(country) ? [] : ["id_type"];
}

function recipientRequired(missing: readonly string[]): Result<never, IssueRefusal> {
  return refuse("recipient_required", { missing: { all: missing } }, "recipient");
}

function isEntityNif(identifier: TaxIdentifier): boolean {
  return identifier.kind === "nif" && identifier.entity;
}
