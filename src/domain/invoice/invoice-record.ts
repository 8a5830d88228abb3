import { type CivilDate, toAeatDate } from "../shared/civil-date.ts";
import { absolute, compare, type Decimal, decimal, isZero, toFixed } from "../shared/decimal.ts";
import type { TaxIdentifier } from "../shared/tax-identifier.ts";
import { recordText } from "../shared/text.ts";
import { LIMITS, MACRODATA_THRESHOLD } from "../verifactu/aeat-lists.ts";
import type {
  BreakdownLine,
  CancellationContent,
  ChainLink,
  InvoiceKey,
  RecordRecipient,
  RegistrationContent,
  SoftwareSystem,
} from "../verifactu/record.ts";
import type { AnnulmentFlags } from "../verifactu/submission/corrections.ts";
import type { IssueDraft } from "./decide-issue.ts";
import type { CitedInvoice, InvoiceDocument, TaxGroup } from "./document.ts";
import { recordTotals } from "./issued-document.ts";
import { rectifiedInRecord } from "./rectifiable.ts";
import { isRectifying } from "./request.ts";
import { isOss } from "./tax-groups.ts";

/** Facts of a record beyond the invoice: its place in the chain, the software, the time. */
export interface RecordPlace {
  readonly reference: string;
  readonly chain: ChainLink;
  readonly system: SoftwareSystem;
  /** FechaHoraHusoGenRegistro */
  readonly generatedAt: string;
}

export interface InvoiceIdentity {
  readonly fullNumber: string;
  readonly issueDate: CivilDate;
}

/**
 * RegistroAlta of a new invoice. Amounts are formatted here, once: XML, hash and QR take the same literals.
 */
export function registrationOf(
  draft: IssueDraft,
  identity: InvoiceIdentity,
  place: RecordPlace,
): RegistrationContent {
  const { document, documentary } = draft;
  const rectifiedAmounts = document.rectified && rectifiedInRecord(document.rectified);
  const { request, issuer } = document;
  const { key, invoiceType, breakdown, taxTotal, total } = repeatedIn(document, identity);
  return {
    kind: "ALTA",
    reference: place.reference,
    key,
    chain: place.chain,
    system: place.system,
    generatedAt: place.generatedAt,
    issuerName: recordText(issuer.name, LIMITS.nameLength),
    invoiceType,
    ...references(document),
    ...(rectifiedAmounts
      ? {
          rectifiedAmounts: {
            base: amount(rectifiedAmounts.base),
            tax: amount(rectifiedAmounts.tax),
            ...(isZero(rectifiedAmounts.surcharge) ? {} : { surcharge: amount(rectifiedAmounts.surcharge) }),
          },
        }
      : {}),
    ...(document.operationDate === undefined ? {} : { operationDate: toAeatDate(document.operationDate) }),
    description: recordText(request.description, LIMITS.descriptionLength),
    ...(documentary.qualified ? { qualifiedSimplified: true } : {}),
    ...(documentary.withoutRecipient ? { withoutRecipient: true } : {}),
    ...(compare(absolute(decimal(total)), MACRODATA_THRESHOLD) >= 0 ? { macrodata: true } : {}),
    ...(draft.identifier
      ? { recipients: [recordRecipient(request.recipient?.company ?? "", draft.identifier)] }
      : {}),
    breakdown,
    taxTotal,
    total,
    ...(draft.agreementNumber === undefined ? {} : { agreementNumber: draft.agreementNumber }),
  };
}

/** The values that a record repeats from its document, as literals. */
export function repeatedIn(
  document: InvoiceDocument,
  identity: InvoiceIdentity,
): Pick<RegistrationContent, "key" | "invoiceType" | "breakdown" | "taxTotal" | "total"> {
  const totals = recordTotals(document);
  return {
    key: keyOf(document, identity),
    invoiceType: document.request.invoiceType,
    breakdown: document.groups.map(breakdownLine),
    taxTotal: amount(totals.tax),
    total: amount(totals.total),
  };
}

/** RegistroAnulacion of an invoice that should never have existed. */
export function cancellationOf(
  key: InvoiceKey,
  place: RecordPlace,
  flags: AnnulmentFlags = {},
): CancellationContent {
  return { kind: "ANULACION", key, ...place, ...flags };
}

function keyOf(document: InvoiceDocument, identity: InvoiceIdentity): InvoiceKey {
  return {
    issuerNif: document.issuer.nif,
    number: identity.fullNumber,
    date: toAeatDate(identity.issueDate),
  };
}

type References = Pick<RegistrationContent, "rectificationMethod" | "rectified" | "replaced">;

function references(document: InvoiceDocument): References {
  const { request, cited } = document;
  const keys = cited.map((invoice) => citedKey(document, invoice));
  if (!isRectifying(request.invoiceType)) return keys.length > 0 ? { replaced: keys } : {};
  const rectificationMethod = request.rectificationMethod === "substitution" ? "S" : "I";
  return { rectificationMethod, ...(keys.length > 0 ? { rectified: keys } : {}) };
}

function citedKey(document: InvoiceDocument, invoice: CitedInvoice): InvoiceKey {
  return { issuerNif: document.issuer.nif, number: invoice.number, date: toAeatDate(invoice.issueDate) };
}

/** The recipient in a record. */
export function recordRecipient(company: string, identifier: TaxIdentifier): RecordRecipient {
  const name = recordText(company, LIMITS.nameLength);
  switch (identifier.kind) {
    case "nif":
      return { name, nif: identifier.nif };
    case "eu_vat":
      return { name, idType: "02", id: identifier.id };
    case "other":
      return { name, idType: identifier.idType, country: identifier.country, id: identifier.id };
  }
}

function breakdownLine(group: TaxGroup): BreakdownLine {
  const { tax, regime, qualification, eur } = group;
  const key = { tax, ...(regime === undefined ? {} : { regime }) };
  if (qualification.startsWith("E")) return { ...key, exemption: qualification, base: amount(eur.base) };
  const isTaxed = qualification === "S1" || qualification === "S2";
  if (!isTaxed || isOss(group)) return { ...key, qualification, base: amount(eur.base) };
  const surcharge =
    group.surchargeRate === undefined
      ? {}
      : { surchargeRate: toFixed(group.surchargeRate, 2), surchargeAmount: amount(eur.surcharge) };
  const rate = { rate: toFixed(group.rate, 2), taxAmount: amount(eur.tax) };
  return { ...key, qualification, ...rate, base: amount(eur.base), ...surcharge };
}

function amount(value: Decimal): string {
  return toFixed(value, 2);
}
