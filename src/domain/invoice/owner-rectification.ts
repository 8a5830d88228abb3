import { compare, type Decimal, isZero, multiply, negate, ONE, ZERO } from "../shared/decimal.ts";
import { ok, type Result } from "../shared/result.ts";
import { isSameValue } from "../shared/same-value.ts";
import type { RegistrationContent } from "../verifactu/record.ts";
import { identifierIn } from "./amended-recipient.ts";
import type { Amounts, InvoiceDocument, TaxGroup } from "./document.ts";
import {
  differencesOf,
  familyOf,
  isPart,
  type RectifiableInvoice,
  remainingOf,
  successorOf,
} from "./rectifiable.ts";
import { type Refusal, refuse } from "./refusal.ts";
import {
  ID_TYPES,
  type InvoiceRequest,
  type InvoiceType,
  type Recipient,
  type RectificationMethod,
  type RequestLine,
} from "./request.ts";
import { grossOf, isOfMargin, taxedGrossOf } from "./tax-groups.ts";

/** A direct invoice with what is known of it today. */
export interface DirectInvoice {
  readonly document: InvoiceDocument;
  readonly rectifiable: RectifiableInvoice;
  readonly registered: RegistrationContent;
  /** What its newest registration says. */
  readonly content: RegistrationContent;
}

/** How an owner says it: what a tax group loses, or what it should have been. */
export interface OwnerRectification {
  readonly externalId: string;
  readonly invoiceType: RectifyingType;
  readonly method: RectificationMethod;
  /** Article 15.5 RD 1619/2012: it is printed. */
  readonly cause: string;
  readonly amounts: readonly StatedAmount[];
  /** Who should have been named; by substitution. */
  readonly recipient?: Recipient;
}

export type RectifyingType = Extract<InvoiceType, `R${string}`>;

export function isRectifyingType(type: InvoiceType): type is RectifyingType {
  return type.startsWith("R");
}

/** Base of a tax group, or its gross where the prices of the invoice include tax. Never negative. */
export interface StatedAmount {
  readonly group: string;
  readonly amount: Decimal;
}

export const OWNER_RECTIFICATION_REFUSALS = [
  "rectification_type_not_allowed",
  "rectification_without_amounts",
  "rectification_group_unknown",
  "rectification_margin_unknown",
] as const;
export type OwnerRectificationRefusalCode = (typeof OWNER_RECTIFICATION_REFUSALS)[number];
type OwnRefusal = Refusal<OwnerRectificationRefusalCode>;

/** What may be done, with what remains of each tax group. */
export interface OfferedRectification {
  readonly types: readonly RectifyingType[];
  readonly groups: readonly { readonly key: string; readonly group: TaxGroup; readonly remaining: Decimal }[];
}

/** Undefined where another invoice has taken its place, or is what is to be rectified. */
export function offeredRectification({
  document,
  rectifiable,
}: Pick<DirectInvoice, "document" | "rectifiable">): OfferedRectification | undefined {
  if (rectifiable.cancelled || successorOf(rectifiable) || isPart(rectifiable)) return undefined;
  const groups = [...remainingOf(rectifiable)].map(([key, group]) => ({
    ...{ key, group },
    remaining: statedOf(document.request, group.amounts),
  }));
  return { types: typesFor(rectifiable), groups };
}

/** A rectification stays in the family of its invoice: R5 for those that name nobody. */
function typesFor(rectifiable: RectifiableInvoice): readonly RectifyingType[] {
  const family = familyOf(rectifiable);
  return family === "full" || family === "qualified" ? ["R1", "R2", "R3", "R4"] : ["R5"];
}

/**
 * The request that a caller would send for the same, from what the invoice says. The same answer for the same
 * deed, whatever has been issued meanwhile: what that changes, the rules of issuance refuse.
 */
export function rectificationOf(
  asked: OwnerRectification,
  invoice: DirectInvoice,
): Result<InvoiceRequest, OwnRefusal> {
  const { document, rectifiable } = invoice;
  const { request } = document;
  const types = typesFor(rectifiable);
  if (!types.includes(asked.invoiceType)) {
    const facts = { invoice_type: asked.invoiceType, allowed: { either: types } };
    return refuse("rectification_type_not_allowed", facts, "invoice_type");
  }
  const lines = linesOf(asked, invoice);
  if (!lines.ok) return lines;
  const recipient = asked.recipient ?? recipientOf(invoice);
  return ok({
    externalId: asked.externalId,
    invoiceType: asked.invoiceType,
    ...{ regime: request.regime, flags: request.flags, description: asked.cause, currency: request.currency },
    ...(request.exchangeRate === undefined ? {} : { exchangeRate: request.exchangeRate }),
    ...(request.exchangeRateDate === undefined ? {} : { exchangeRateDate: request.exchangeRateDate }),
    pricesIncludeTax: request.pricesIncludeTax,
    ...(request.withholdingRate === undefined ? {} : { withholdingRate: request.withholdingRate }),
    ...(recipient === undefined ? {} : { recipient }),
    ...disbursementsOf(asked, request),
    lines: lines.value,
    rectifies: citedBy(asked, rectifiable),
    rectificationMethod: asked.method,
  });
}

/** The invoice that takes the place of another claims back what that one did. */
function disbursementsOf({ method }: OwnerRectification, { disbursements }: InvoiceRequest) {
  return method === "substitution" && disbursements !== undefined ? { disbursements } : {};
}

/** Whoever takes the place of an invoice takes that of its parts. */
function citedBy({ method }: OwnerRectification, rectifiable: RectifiableInvoice) {
  const parts = method === "substitution" ? differencesOf(rectifiable) : [];
  return [rectifiable, ...parts].map(({ externalId }) => ({ externalId }));
}

function linesOf(
  { method, amounts }: OwnerRectification,
  { document, rectifiable }: DirectInvoice,
): Result<readonly RequestLine[], OwnRefusal> {
  const { request } = document;
  const groups = remainingOf(rectifiable);
  const stated = new Map(amounts.map(({ group, amount }) => [group, amount]));
  const unknown = [...stated.keys()].find((key) => !groups.has(key));
  if (unknown !== undefined) {
    return refuse("rectification_group_unknown", { number: rectifiable.number }, `amounts.${unknown}`);
  }
  const isByDifference = method === "difference";
  if (isByDifference && [...stated.values()].every(isZero)) {
    return refuse("rectification_without_amounts", { number: rectifiable.number }, "amounts");
  }
  const split = [...groups].find(([key, group]) => isSplit(stated.get(key) ?? ZERO, group));
  if (split) {
    return refuse("rectification_margin_unknown", { number: rectifiable.number }, `amounts.${split[0]}`);
  }
  const isAsIssued =
    !isByDifference &&
    differencesOf(rectifiable).length === 0 &&
    [...groups].every(([key, { amounts: issued }]) => isSame(stated.get(key), statedOf(request, issued)));
  if (isAsIssued) return ok(request.lines);
  const lines = [...groups].flatMap(([key, group]) => {
    const amount = stated.get(key) ?? ZERO;
    if (isByDifference && isZero(amount)) return [];
    return [lineOf(group, request.description, { quantity: isByDifference ? negate(ONE) : ONE, amount })];
  });
  return ok(lines);
}

/** One price says nothing of its margin, unless it is all of it or nothing. */
function isSplit(stated: Decimal, { amounts }: TaxGroup): boolean {
  return isOfMargin(amounts) && !isZero(stated) && !isSame(stated, grossOf(amounts));
}

function isSame(stated: Decimal | undefined, issued: Decimal): boolean {
  return stated !== undefined && compare(stated, issued) === 0;
}

function lineOf(
  group: TaxGroup,
  description: string,
  { quantity, amount }: { readonly quantity: Decimal; readonly amount: Decimal },
): RequestLine {
  const { tax, regime, qualification, rate, surchargeRate, amounts } = group;
  const margin = isZero(amount) ? ZERO : multiply(quantity, taxedGrossOf(amounts));
  return {
    ...{ description, quantity, priceUnit: amount, taxRate: rate, qualification, tax },
    ...(surchargeRate === undefined ? {} : { surchargeRate }),
    ...(regime === undefined ? {} : { regime }),
    ...(isOfMargin(amounts) ? { taxableMargin: margin } : {}),
  };
}

/** What the lines of an invoice state: the base, or the gross where prices include tax. */
function statedOf({ pricesIncludeTax }: InvoiceRequest, amounts: Amounts): Decimal {
  return pricesIncludeTax ? grossOf(amounts) : amounts.base;
}

/** As sent; as amended where the record was put right since, or the same mistake would be declined again. */
function recipientOf({ document, registered, content }: DirectInvoice): Recipient | undefined {
  const { recipient } = document.request;
  const [named] = content.recipients ?? [];
  const [before] = registered.recipients ?? [];
  const identifier = identifierIn(content);
  if (!recipient || !named || !identifier || isSameValue(named, before)) return recipient;
  const { idType: _, ...kept } = { ...recipient, company: named.name };
  switch (identifier.kind) {
    case "nif":
      return { ...kept, vatNumber: identifier.nif, country: "ES" };
    case "eu_vat":
      return { ...kept, vatNumber: identifier.id, idType: "02" };
    case "other": {
      const { id: vatNumber, country } = identifier;
      const idType = ID_TYPES.find((type) => type === identifier.idType);
      return {
        ...{ ...kept, vatNumber },
        ...(idType === undefined ? {} : { idType }),
        ...(country === "" ? {} : { country }),
      };
    }
  }
}
