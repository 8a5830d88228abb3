import { isAgreementNumber } from "../billing/declarations.ts";
import { type CivilDate, fromAeatDate, toAeatDate } from "../shared/civil-date.ts";
import { isAtMost } from "../shared/decimal.ts";
import { money } from "../shared/fact.ts";
import { isSameValue } from "../shared/hash.ts";
import { invariant, ok, type Result } from "../shared/result.ts";
import { isNaturalPersonNif, type TaxIdentifier, taxIdentifierFrom } from "../shared/tax-identifier.ts";
import { hasInk, isPlainText, normalizeText, recordText } from "../shared/text.ts";
import { ID_TYPES, LIMITS } from "../verifactu/aeat-lists.ts";
import type { RecordIdentifier, RecordRecipient, RegistrationContent } from "../verifactu/record.ts";
import type { AmendmentFlags, Correction } from "../verifactu/submission/corrections.ts";
import type { InvoiceDocument } from "./document.ts";
import { checkLines, checkOperationDate, checkRecipientType } from "./document-rules.ts";
import { type Documentary, documentaryOf } from "./documentary.ts";
import { type RecordPlace, recordRecipient } from "./invoice-record.ts";
import { identifierOf as printedIdentifier } from "./prepare.ts";
import { offersFor, type RecordedInvoice } from "./recorded-invoice.ts";
import { hasSameNumber } from "./reference-rules.ts";
import { type RecordRefusal, refuse } from "./refusal.ts";
import type { IdType } from "./request.ts";
import { ARTICLE_4_2_CEILING } from "./simplified.ts";
import { type ResolvedLine, resolveLine } from "./tax-groups.ts";

/** The requested changes to the record of an invoice; absent members keep their value. */
export interface AmendmentRequest {
  readonly issuerName?: string;
  readonly description?: string;
  readonly recipient?: AmendedRecipient;
  readonly operationDate?: CivilDate;
  /** An empty text removes it. */
  readonly agreementNumber?: string;
}

interface AmendedRecipient {
  readonly company: string;
  readonly vatNumber: string;
  readonly country?: string;
  readonly idType?: IdType;
}

interface Amendment {
  readonly change: Amendable;
  readonly flags: AmendmentFlags;
}

/**
 * Decides an amendment by the rules of the original issue, because the authority judges the whole record
 * again. Without a change the same record is sent again, if the authority needs it.
 */
export function decideAmendment(
  given: AmendmentRequest,
  invoice: RecordedInvoice,
): Result<Amendment, RecordRefusal> {
  const { amend, need } = offersFor(invoice);
  if (!amend.ok) return amend;
  const changed = changeOf(given, invoice);
  if (!changed.ok) return changed;
  const isSame = isSameValue(amendedContent(invoice.content, changed.value), invoice.content);
  if (isSame && need === "none") return changesNothing(invoice);
  return ok({ change: changed.value, flags: flagsOf(amend.value) });
}

/** The remedy that was offered to the owner, if it still applies. */
export function decideRemedy(
  given: Remedy["remedy"],
  invoice: RecordedInvoice,
): Result<Amendment, RecordRefusal> {
  const { amend } = offersFor(invoice);
  if (!amend.ok) return amend;
  const found = remedyOf(invoice);
  if (found?.remedy !== given) return changesNothing(invoice);
  return ok({ change: found.change, flags: flagsOf(amend.value) });
}

function flagsOf(correction: Correction): AmendmentFlags {
  invariant(correction.correction === "amend", "an amendment was asked for");
  return correction.writes;
}

function changesNothing({ number }: RecordedInvoice) {
  return refuse("amendment_changes_nothing", { number });
}

/** The remedy for the authority's latest answer. */
export function remedyOf({ records, content }: RecordedInvoice): Remedy | undefined {
  return remedyFor(records.at(-1)?.code, content);
}

type Changed = Result<Amendable, RecordRefusal>;

function changeOf(given: AmendmentRequest, invoice: RecordedInvoice): Changed {
  const parts = [amendTexts, amendParties, amendAgreement].map((amend) => amend(given, invoice));
  const refused = parts.find((part) => !part.ok);
  if (refused) return refused;
  return ok(Object.assign({}, ...parts.map((part) => (part.ok ? part.value : {}))));
}

const NAME_LENGTH = 255;
const DESCRIPTION_LENGTH = 1_000;

function amendTexts({ issuerName, description }: AmendmentRequest): Changed {
  if (issuerName !== undefined && !isText(issuerName, NAME_LENGTH)) {
    return refuseText("issuer_name", NAME_LENGTH, "issuer_name");
  }
  if (description !== undefined && !isText(description, DESCRIPTION_LENGTH)) {
    return refuseText("description_text", DESCRIPTION_LENGTH, "description");
  }
  const inRecord = (text: string, limit: number) => recordText(normalizeText(text), limit);
  if (issuerName !== undefined && !hasInk(inRecord(issuerName, LIMITS.nameLength))) {
    return refuseText("issuer_name", NAME_LENGTH, "issuer_name");
  }
  if (description !== undefined && !hasInk(inRecord(description, LIMITS.descriptionLength))) {
    return refuse("description_without_text", {}, "description");
  }
  return ok({
    ...(issuerName === undefined ? {} : { issuerName: inRecord(issuerName, LIMITS.nameLength) }),
    ...(description === undefined ? {} : { description: inRecord(description, LIMITS.descriptionLength) }),
  });
}

function isText(text: string, longest: number): boolean {
  return isPlainText(text) && [...normalizeText(text)].length <= longest;
}

function refuseText(phrase: "issuer_name" | "description_text", longest: number, path: string) {
  return refuse("amended_text_invalid", { text: { phrase }, longest: { amount: String(longest) } }, path);
}

/** Identifiers are judged on the operation date, and so are the rates that the record has. */
function amendParties(given: AmendmentRequest, invoice: RecordedInvoice): Changed {
  const named = amendedRecipient(given.recipient, invoice);
  if (!named.ok) return named;
  const lines = linesOf(invoice);
  const dated = amendDate(given.operationDate, lines, invoice);
  if (!dated.ok) return dated;
  const identifier = named.value?.identifier ?? identifierIn(invoice.content);
  const fits = checkRecipientType(identifier, lines, given.operationDate ?? dateInForce(invoice), {
    isNewSale: given.recipient !== undefined,
  });
  // Unchanged members were valid at issue: only changes are judged.
  if (!fits.ok && (given.recipient ?? given.operationDate) !== undefined) return fits;
  return ok({ ...dated.value, ...(named.value ? { recipients: [named.value.recipient] } : {}) });
}

function amendDate(
  date: CivilDate | undefined,
  lines: readonly ResolvedLine[],
  { document, issueDate: today }: RecordedInvoice,
): Changed {
  if (date === undefined) return ok({});
  const possible = checkOperationDate(date, today, lines);
  if (!possible.ok) return possible;
  const { request } = document;
  const documentary = documentaryIn(document);
  const lawful = checkLines({ request, documentary, operationDate: date, today, lines, isIssued: true });
  if (!lawful.ok) {
    const facts = {
      detail: { phrase: "rates_not_in_force" },
      fix: { phrase: "correct_operation_date" },
    } as const;
    return refuse("operation_date_not_allowed", { date: { date }, ...facts }, "operation_date");
  }
  return ok({ operationDate: date === today ? null : toAeatDate(date) });
}

function dateInForce({ content, issueDate }: RecordedInvoice): CivilDate {
  return content.operationDate === undefined ? issueDate : fromAeatDate(content.operationDate);
}

function linesOf({ document }: RecordedInvoice): ResolvedLine[] {
  const { request, lineAmounts, defaults } = document;
  return request.lines.map((line, index) => {
    const amount = lineAmounts[index];
    invariant(amount !== undefined, "one amount per line");
    return resolveLine(line, index, amount, defaults);
  });
}

/** NumRegistroAcuerdoFacturacion appears only on invoices issued under an authorisation. */
function amendAgreement({ agreementNumber }: AmendmentRequest, invoice: RecordedInvoice): Changed {
  if (agreementNumber === undefined) return ok({});
  const { request, totalsEur } = invoice.document;
  const isUnderOne = request.attestation?.legalBasis === "tax_authority_authorisation";
  if (request.invoiceType !== "F2" || !isUnderOne) {
    return refuse("agreement_number_not_allowed", { number: invoice.number }, "agreement_number");
  }
  if (agreementNumber === "") {
    // Error 1150: without it the AEAT takes no more than article 4.2 allows.
    if (isAtMost(totalsEur.total, ARTICLE_4_2_CEILING)) return ok({ agreementNumber: null });
    const facts = { total: money(totalsEur.total, "EUR"), ceiling: money(ARTICLE_4_2_CEILING, "EUR") };
    return refuse("agreement_number_needed", facts, "agreement_number");
  }
  if (isAgreementNumber(agreementNumber)) return ok({ agreementNumber });
  const longest = { amount: String(LIMITS.agreementNumberLength) };
  return refuse("agreement_number_invalid", { longest }, "agreement_number");
}

interface NamedRecipient {
  readonly identifier: TaxIdentifier;
  readonly recipient: RecordRecipient;
}

/** The new recipient of the record; undefined if the request states none. */
function amendedRecipient(
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

/**
 * The members that an amendment may correct in the record without changing the invoice. Number and date are
 * the key; amounts are corrected by rectifying invoices. Null removes a member.
 */
export interface Amendable {
  readonly issuerName?: string;
  readonly description?: string;
  readonly recipients?: readonly RecordRecipient[];
  readonly operationDate?: string | null;
  readonly agreementNumber?: string | null;
}

/** The complete record again under the same key, in its own place of the chain; the old one stays. */
export function amendmentOf(
  content: RegistrationContent,
  change: Amendable,
  flags: AmendmentFlags,
  place: RecordPlace,
): RegistrationContent {
  return {
    ...amendedContent(content, change),
    ...place,
    amendment: { previousRejection: flags.previousRejection },
  };
}

/** The content with the change; each member keeps its place. */
function amendedContent(content: RegistrationContent, change: Amendable): RegistrationContent {
  const { operationDate: formerDate, agreementNumber: formerNumber, ...kept } = content;
  const { operationDate = formerDate, agreementNumber = formerNumber, ...changed } = change;
  return {
    ...kept,
    ...changed,
    ...(operationDate === undefined || operationDate === null ? {} : { operationDate }),
    ...(agreementNumber === undefined || agreementNumber === null ? {} : { agreementNumber }),
  };
}

/** 1239: recipient not identified, which for a person may mean: not in the census. */
const RECIPIENT_NOT_IDENTIFIED = 1239;
/**
 * 2001: IDType 07. The authority reports it for every such record, even if the NIF has entered the census.
 */
const STORED_AS_NOT_IN_CENSUS = 2001;

export const REMEDIES = ["not_in_census", "in_census"] as const;

/** A correction without typing: the same person under another identifier type. */
export interface Remedy {
  readonly remedy: (typeof REMEDIES)[number];
  readonly change: Amendable;
}

/** `code` is the authority's answer to the content. */
export function remedyFor(code: number | undefined, content: RegistrationContent): Remedy | undefined {
  const { recipients = [] } = content;
  if (code === RECIPIENT_NOT_IDENTIFIED && recipients.some(isPersonByNif)) {
    return { remedy: "not_in_census", change: { recipients: recipients.map(asNotInCensus) } };
  }
  if (code === STORED_AS_NOT_IN_CENSUS && recipients.some(isNotInCensus)) {
    return { remedy: "in_census", change: { recipients: recipients.map(asInCensus) } };
  }
  return undefined;
}

/** IDType 07 keeps the NIF and declares it missing in the census; entities cannot use it (1131). */
function asNotInCensus(recipient: RecordRecipient): RecordRecipient {
  if (!isPersonByNif(recipient)) return recipient;
  return { name: recipient.name, idType: "07", country: "ES", id: recipient.nif };
}

function asInCensus(recipient: RecordRecipient): RecordRecipient {
  return isNotInCensus(recipient) ? { name: recipient.name, nif: recipient.id } : recipient;
}

function isNotInCensus(
  recipient: RecordRecipient,
): recipient is Exclude<RecordRecipient, { readonly nif: string }> {
  return "idType" in recipient && recipient.idType === "07";
}

function isPersonByNif(
  recipient: RecordRecipient,
): recipient is RecordRecipient & Extract<RecordIdentifier, { readonly nif: string }> {
  return "nif" in recipient && isNaturalPersonNif(recipient.nif);
}
