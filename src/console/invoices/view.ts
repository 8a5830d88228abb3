import type { StoredInvoice } from "../../db/ledger-state.ts";
import type { AttemptLine } from "../../db/submission/submission-status.ts";
import { formatRefusals, formatsOf } from "../../domain/einvoice/formats.ts";
import { electronicInvoiceOf } from "../../domain/einvoice/view.ts";
import { documentaryIn } from "../../domain/invoice/decide-amendment.ts";
import type { InvoiceDocument, TaxGroup } from "../../domain/invoice/document.ts";
import { draftOfInvoice } from "../../domain/invoice/draft-of-invoice.ts";
import { eurosOf, issueDateOf, issuedAtOf } from "../../domain/invoice/invoice-entry.ts";
import {
  newestRegistration,
  type RecordState,
  recordsOf,
  type StoredRecord,
} from "../../domain/invoice/invoice-view.ts";
import { externalIdOf } from "../../domain/invoice/origin.ts";
import { consumptionCountry, ossDoubts } from "../../domain/invoice/oss.ts";
import {
  directInvoiceOf,
  namedRecipient,
  offeredRectification,
} from "../../domain/invoice/owner-rectification.ts";
import { scaleOf } from "../../domain/invoice/prepare.ts";
import { type DocumentStatus, documentStatus } from "../../domain/invoice/rectifiable.ts";
import { offeredChanges } from "../../domain/invoice/rectified-lines.ts";
import { hasFlag, type InvoiceType, type Recipient } from "../../domain/invoice/request.ts";
import { isOss } from "../../domain/invoice/tax-groups.ts";
import { disbursementsOf, payableOf } from "../../domain/invoice/totals.ts";
import { addressOf } from "../../domain/mailing/decide-mailing.ts";
import { MAILED_FORMATS } from "../../domain/mailing/invoice-delivery.ts";
import { type CivilDate, civilDate, fromAeatDate } from "../../domain/shared/civil-date.ts";
import { type Decimal, toFixed } from "../../domain/shared/decimal.ts";
import type { Facts } from "../../domain/shared/fact.ts";
import { isoInstant } from "../../domain/shared/instant.ts";
import { type AdviceCode, adviceFor } from "../../domain/verifactu/submission/corrections.ts";
import { operationOf } from "../../domain/verifactu/submission/state.ts";
import {
  type InvoiceCorrections,
  type OfferedCorrection,
  viewCorrections,
} from "../../ledger/corrections/offered-corrections.ts";
import { adviceText, errorSentence, formatAdvice, type Language } from "../../words/words.ts";
import type { InvoiceRead } from "./invoice-detail.ts";
import type { InvoiceSums, ListedInvoice, ListSums, TailInvoice } from "./list-invoices.ts";

interface Telling {
  readonly names: ReadonlyMap<string, string>;
  readonly language: Language;
}

/** An invoice as its page shows it. */
export function shownDetail(read: InvoiceRead, viewed: ViewedInvoice, telling: Telling) {
  const { stored, connection, order } = read;
  const { view } = stored;
  const { document } = view;
  const { need, amend, annul, remedy, duplicate, advice } = viewed.corrections;
  const rectify = shownRectification(stored);
  const externalId = externalIdOf(view.origin);
  return {
    id: view.invoiceId,
    fullNumber: view.fullNumber,
    issueDate: view.issueDate,
    invoiceType: document.request.invoiceType,
    environment: view.environment,
    ...(document.test ? { test: true as const } : {}),
    currency: document.request.currency,
    total: toFixed(document.totals.total, 2),
    totalEur: toFixed(document.totalsEur.total, 2),
    amounts: shownAmounts(document, civilDate(view.issueDate)),
    ...(hasFlag(document.request, "no_recipient_article_6_1_d") ? { unnamed: true as const } : {}),
    connection,
    ...(externalId === "" ? {} : { externalId }),
    ...(order ? { order: { id: order.id, reference: order.reference ?? order.id } } : {}),
    ...(read.issuedBy === undefined ? {} : { issuedBy: telling.names.get(read.issuedBy) ?? read.issuedBy }),
    changes: changesOf(read),
    standing: viewed.standing,
    related: relatedOf(read),
    records: viewed.records.map((record) => shownRecord(record, telling)),
    need,
    ...(duplicate === undefined ? {} : { duplicate }),
    ...(advice === undefined ? {} : { advice: adviceText(advice, telling.language) }),
    ...(rectify === undefined ? {} : { rectify }),
    copy: shownCopy(document, telling.language),
    amend: shownOffer(amend, telling.language),
    annul: shownOffer(annul, telling.language),
    ...(remedy === undefined ? {} : { remedy: remedy.remedy }),
    amendable: amendableOf(read),
    files: filesOf(view, telling.language),
    mail: shownMail(read),
  };
}

/** If the owner can write the invoice again as a draft; otherwise the reason in words. */
function shownCopy(document: InvoiceDocument, language: Language) {
  const copied = draftOfInvoice(document);
  if (copied.ok) return { offered: true as const };
  return { offered: false as const, because: errorSentence(copied.error, {}, language) };
}

/** The mails so far, and what the form to send another begins with. */
function shownMail({ stored, order, deliveries }: InvoiceRead) {
  const { view } = stored;
  const to = addressOf({}, view, order);
  const offers = formatsOf(electronicInvoiceOf(view));
  return {
    to: to.ok ? to.value : "",
    isOffered: view.cancellation === undefined,
    formats: MAILED_FORMATS.filter((format) =>
      offers.some((offer) => offer.format === format && offer.available),
    ),
    deliveries: deliveries.map(({ id, to: address, state, attempts, queuedAt, sentAt, error }) => ({
      ...{ id, to: address, state, attempts, queuedAt: isoInstant(queuedAt) },
      ...(sentAt === undefined ? {} : { sentAt: isoInstant(sentAt) }),
      ...(error === undefined ? {} : { error }),
    })),
  };
}

/** The formats for programs besides PDF and records, each with the reasons against it. */
function filesOf(view: StoredInvoice["view"], language: Language) {
  const invoice = electronicInvoiceOf(view);
  return (["ubl", "facturae"] as const).map((format) => ({
    format,
    reasons: formatRefusals(invoice, format).map((code) => formatAdvice(code, language)),
  }));
}

/** The changes of its sale that the console offers by lines; the order's own invoice is not issued again. */
function changesOf({ stored: { rectifiable }, order }: InvoiceRead) {
  if (rectifiable.invoiceType.startsWith("R")) return [];
  const offered = offeredChanges(rectifiable);
  return order ? offered.filter((change) => change !== "substitution") : offered;
}

/** Other invoices of the same sale, with their relation to this one. */
function relatedOf({ stored, actsOn }: InvoiceRead) {
  const { invoiceType } = stored.view.document.request;
  const by = stored.view.rectifiedBy.map(({ invoiceId, fullNumber, kind, inForce }) => ({
    ...{ invoiceId, fullNumber, inForce },
    relation: relationBy(kind, invoiceType),
  }));
  const types = new Map(stored.rectifiable.actsOn.map((target) => [target.invoiceId, target.invoiceType]));
  const of = actsOn.map((one) => ({
    ...{ ...one, inForce: true },
    relation: relationOn(types.get(one.invoiceId), invoiceType),
  }));
  return [...of, ...by];
}

/** Only an F3 that undoes it can replace an F3. */
function relationBy(kind: "difference" | "substitution" | "replacement", own: InvoiceType) {
  if (kind === "difference") return "rectified_by" as const;
  return kind === "replacement" && own === "F3" ? ("undone_by" as const) : ("replaced_by" as const);
}

function relationOn(target: InvoiceType | undefined, own: InvoiceType) {
  if (own !== "F3") return "rectifies" as const;
  return target === "F3" ? ("undoes" as const) : ("replaces" as const);
}

/** Members of the newest registration that the amendment form may change. */
function amendableOf({ stored }: InvoiceRead) {
  const { content } = newestRegistration(stored.view);
  const [recipient] = content.recipients ?? [];
  const identifier = recipient && ("nif" in recipient ? { id: recipient.nif } : recipient);
  const { request } = stored.view.document;
  return {
    issuerName: content.issuerName,
    description: content.description,
    ...(content.operationDate ? { operationDate: fromAeatDate(content.operationDate) } : {}),
    takesRecipient: documentaryIn(stored.view.document).identified,
    ...(recipient && identifier
      ? {
          recipient: {
            company: recipient.name,
            vatNumber: identifier.id,
            ...("idType" in identifier ? { idType: identifier.idType } : {}),
            ...("country" in identifier && identifier.country ? { country: identifier.country } : {}),
          },
        }
      : {}),
    takesAgreement:
      request.invoiceType === "F2" && request.attestation?.legalBasis === "tax_authority_authorisation",
    agreementNumber: content.agreementNumber ?? "",
  };
}

function shownOffer(offer: OfferedCorrection, language: Language) {
  if (offer.offered) return { offered: true as const, effect: offer.effect };
  const { code, facts = {} } = offer.refusal;
  return { offered: false as const, code, because: errorSentence(code, facts, language) };
}

function shownRecord({ advice, attempts, userId, ...record }: RecordCourse, { names, language }: Telling) {
  return {
    ...record,
    ...(advice ? { advice: adviceText(advice, language) } : {}),
    ...(userId === undefined ? {} : { by: names.get(userId) ?? userId }),
    attempts: attempts.map(shownAttempt),
  };
}

/** One message with its result. */
export function shownAttempt({ startedAt, endedAt, result, ...line }: AttemptLine) {
  return {
    ...{ id: line.id, from: line.from, to: line.to, incident: line.incident, resend: line.resend },
    startedAt: isoInstant(startedAt),
    ...(endedAt === undefined ? {} : { endedAt: isoInstant(endedAt) }),
    ...(line.csv === undefined ? {} : { csv: line.csv }),
    ...(line.presentedAt === undefined ? {} : { presentedAt: line.presentedAt }),
    ...shownResult(result),
  };
}

type Came = "answered" | "refused" | "no_answer" | "under_way";

/** Only the kind and a refusal's message: other details are for the service's operators. */
function shownResult(result: string | undefined): {
  readonly came: Came;
  readonly code?: number;
  readonly text?: string;
  /** Records of an answered message that were not accepted as they are. */
  readonly rejected?: number;
  readonly acceptedWithErrors?: number;
} {
  if (result === undefined) return { came: "under_way" };
  const read: StoredResult = JSON.parse(result);
  if (read.result === "answered") {
    const { rejected = 0, acceptedWithErrors = 0 } = read;
    return { came: "answered", rejected, acceptedWithErrors };
  }
  if (read.result !== "fault") return { came: "no_answer" };
  const { code, text = "" } = read.fault ?? {};
  return { came: "refused", text, ...(code === undefined ? {} : { code }) };
}

/** Format of `submission_attempt.result`. */
interface StoredResult {
  readonly result: string;
  /** Of an answer. */
  readonly rejected?: number;
  readonly acceptedWithErrors?: number;
  readonly fault?: { readonly code?: number; readonly text?: string };
}

const NOT_COUNTED = { effect: undefined, counted: undefined };

/** A listed invoice on the wire: amounts as texts, times in UTC. */
export function shownListed(invoice: ListedInvoice | TailInvoice) {
  const { place, amounts, rectifying, orderCustomer, effect, counted, ...shown } = {
    ...NOT_COUNTED,
    ...invoice,
  };
  return {
    ...shown,
    issueDate: issueDateOf(place),
    issuedAt: isoInstant(issuedAtOf(place)),
    totalEur: centsText(amounts.total),
  };
}

export function shownSums({ invoices, cancelled, amounts: { base, tax, total } }: InvoiceSums) {
  return { invoices, cancelled, base: centsText(base), tax: centsText(tax), total: centsText(total) };
}

export function shownListSums({ tests, ...sums }: ListSums) {
  return { ...shownSums(sums), tests };
}

function centsText(cents: string): string {
  return toFixed(eurosOf(cents), 2);
}

/** The form's data, with the remaining amount of each tax group. */
function shownRectification(stored: StoredInvoice) {
  const direct = directInvoiceOf(stored);
  const offered = direct && offeredRectification(direct);
  if (!direct || !offered) return undefined;
  const country = consumptionCountry(direct.document);
  const recipient = documentaryIn(direct.document).identified ? namedRecipient(direct) : undefined;
  return {
    types: offered.types,
    pricesIncludeTax: direct.document.request.pricesIncludeTax,
    groups: offered.groups.map(({ key, group, remaining, margin }) => ({
      ...{ key, ...shownTaxGroup(group, country), remaining },
      ...(margin === undefined ? {} : { margin }),
    })),
    ...(recipient === undefined ? {} : { recipient: shownRecipient(recipient) }),
  };
}

/** The form starts with the invoice's recipient. */
function shownRecipient({ company, vatNumber, country, idType, address1, postcode, city }: Recipient) {
  return {
    ...{ company: company ?? "", vat_number: vatNumber ?? "", country: country ?? "" },
    ...{ address1: address1 ?? "", postcode: postcode ?? "", city: city ?? "" },
    ...(idType === undefined ? {} : { id_type: idType }),
  };
}

/** One record of an invoice with its submission to the authority. */
interface RecordCourse {
  readonly recordId: string;
  readonly kind: "registration" | "amendment" | "annulment";
  readonly installationNumber: string;
  readonly position: number;
  readonly hash: string;
  /** Hash of the chain's previous record; absent for the first. */
  readonly previousHash?: string;
  readonly generatedAt: string;
  readonly state: RecordState;
  /** The authority's message, unchanged. */
  readonly code?: number;
  readonly text?: string;
  readonly advice?: { readonly code: AdviceCode; readonly facts: Facts };
  readonly reason?: string;
  readonly userId?: string;
  /** Oldest first. */
  readonly attempts: readonly AttemptLine[];
}

interface ViewedInvoice {
  readonly standing: DocumentStatus;
  readonly corrections: InvoiceCorrections;
  /** Newest first. */
  readonly records: readonly RecordCourse[];
}

export function viewInvoice(read: InvoiceRead): ViewedInvoice {
  const { stored } = read;
  return {
    standing: documentStatus(stored.rectifiable),
    corrections: viewCorrections(stored),
    records: recordsOf(stored.view)
      .map((record) => courseOf(record, read))
      .toReversed(),
  };
}

function courseOf(stored: StoredRecord & { readonly reason?: string }, read: InvoiceRead): RecordCourse {
  const { recordId, record, state, standing = {}, reason } = stored;
  const { content, position, hash } = record;
  const { code, text } = standing;
  const amends = content.kind === "ALTA" && content.amendment !== undefined;
  const advice = adviceFor({ operation: operationOf(content), state, ...standing });
  const answer = {
    ...(code === undefined ? {} : { code }),
    ...(text === undefined ? {} : { text }),
  };
  const userId = read.madeBy.get(recordId)?.userId;
  return {
    ...{ recordId, position, hash, state, ...answer },
    kind: content.kind === "ANULACION" ? "annulment" : amends ? "amendment" : "registration",
    installationNumber: content.system.installationNumber,
    generatedAt: content.generatedAt,
    ...(content.chain.first ? {} : { previousHash: content.chain.hash }),
    ...(advice === undefined
      ? {}
      : {
          advice: {
            code: advice,
            facts: {
              number: content.key.number,
              ...(code === undefined ? {} : { code: String(code) }),
              ...(text === undefined ? {} : { aeat_message: text.trim().replace(/\.$/, "") }),
            },
          },
        }),
    ...(reason ? { reason } : {}),
    ...(userId === undefined ? {} : { userId }),
    attempts: read.attempts.get(recordId) ?? [],
  };
}

/** The amounts of an invoice, printed or not (article 138 LIVA), with withholding and payments. */
function shownAmounts(document: InvoiceDocument, issueDate: CivilDate) {
  const { request, groups, totals, totalsEur, withholding, payments = [] } = document;
  const inCoin = (amount: Decimal) => toFixed(amount, scaleOf(request.currency));
  const payable = payableOf(document);
  const country = consumptionCountry(document);
  const { rectifiedPeriod } = request;
  const doubts = ossDoubts(groups, country, document.operationDate ?? issueDate);
  return {
    groups: groups.map((group) => ({
      ...shownTaxGroup(group, country),
      base: inCoin(group.amounts.base),
      quota: inCoin(group.amounts.tax),
      ...(group.surchargeRate === undefined ? {} : { surcharge: inCoin(group.amounts.surcharge) }),
      ...(group.amounts.outsideMargin === undefined
        ? {}
        : { outsideMargin: inCoin(group.amounts.outsideMargin) }),
    })),
    ...(doubts.length === 0 ? {} : { ossDoubts: doubts }),
    total: inCoin(totals.total),
    ...(request.currency === "EUR" ? {} : { totalEur: toFixed(totalsEur.total, 2) }),
    ...(withholding === undefined ? {} : { withholding: inCoin(withholding) }),
    payments: payments.map(({ name, amount }) => ({ name, amount: inCoin(amount) })),
    disbursements: disbursementsOf(request).map(({ description, amount }) => ({
      ...{ name: description, amount: inCoin(amount) },
    })),
    ...(payable === undefined ? {} : { payable: inCoin(payable) }),
    ...(rectifiedPeriod === undefined ? {} : { rectifiedPeriod }),
  };
}

/** The tax, rate and qualification of a group, and the country of a one-stop-shop sale. */
function shownTaxGroup(group: TaxGroup, country: string | undefined) {
  const { tax, regime, rate, qualification, surchargeRate } = group;
  return {
    ...(isOss(group) && country !== undefined ? { country } : {}),
    ...{ tax, rate, qualification },
    ...(regime === undefined ? {} : { regime }),
    ...(surchargeRate === undefined ? {} : { surchargeRate }),
  };
}
