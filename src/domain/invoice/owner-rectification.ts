import { compare, type Decimal, isNegative, isZero, multiply, negate, ONE, ZERO } from "../shared/decimal.ts";
import { money } from "../shared/fact.ts";
import { isSameValue } from "../shared/hash.ts";
import { ok, type Result } from "../shared/result.ts";
import type { RegistrationContent } from "../verifactu/record.ts";
import { identifierIn } from "./decide-amendment.ts";
import type { Amounts, InvoiceDocument, TaxGroup } from "./document.ts";
import { type InvoiceView, newestRegistration } from "./invoice-view.ts";
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
  referencesOf,
} from "./request.ts";
import { grossOf, isOfMargin, taxedGrossOf } from "./tax-groups.ts";

/** A direct invoice with its current state. */
export interface DirectInvoice {
  readonly document: InvoiceDocument;
  readonly rectifiable: RectifiableInvoice;
  readonly registered: RegistrationContent;
  /** The content of the newest registration. */
  readonly content: RegistrationContent;
}

/** Direct invoices only: an order's invoices are rectified through the order. */
export function directInvoiceOf({
  view,
  rectifiable,
}: {
  readonly view: InvoiceView;
  readonly rectifiable: RectifiableInvoice;
}): DirectInvoice | undefined {
  if (!view.origin.startsWith("direct:")) return undefined;
  const { content: registered } = view.alta.record;
  if (registered.kind !== "ALTA") return undefined;
  return { document: view.document, rectifiable, registered, content: newestRegistration(view).content };
}

/** The owner's form: the amount that a tax group loses, or its correct amount. */
export interface OwnerRectification {
  readonly externalId: string;
  readonly invoiceType: RectifyingType;
  readonly method: RectificationMethod;
  /** Article 15.5 RD 1619/2012: it is printed. */
  readonly cause: string;
  readonly amounts: readonly StatedAmount[];
  /** The correct recipient; by substitution. */
  readonly recipient?: Recipient;
}

export type RectifyingType = Extract<InvoiceType, `R${string}`>;

export function isRectifyingType(type: InvoiceType): type is RectifyingType {
  return type.startsWith("R");
}

/** Base of a tax group, or its gross where the prices of the invoice include tax. */
export interface StatedAmount {
  readonly group: string;
  /** By difference, the amount that is taken back. It has the sign of the amount that remains. */
  readonly amount: Decimal;
  /**
   * Margin scheme: the margin within the amount, tax included. If it is none or all of the price, it may be
   * absent.
   */
  readonly margin?: Decimal;
}

export const OWNER_RECTIFICATION_REFUSALS = [
  "rectification_type_not_allowed",
  "rectification_without_amounts",
  "rectification_group_unknown",
  "rectification_adds",
  "rectification_margin_unknown",
] as const;
export type OwnerRectificationRefusalCode = (typeof OWNER_RECTIFICATION_REFUSALS)[number];
type OwnRefusal = Refusal<OwnerRectificationRefusalCode>;

/** The offered types, with the remaining amounts of each tax group. */
export interface OfferedRectification {
  readonly types: readonly RectifyingType[];
  readonly groups: readonly OfferedGroup[];
}

export interface OfferedGroup {
  readonly key: string;
  readonly group: TaxGroup;
  readonly remaining: Decimal;
  /** Margin scheme: the margin within the remaining amount, tax included. */
  readonly margin?: Decimal;
}

/** Undefined if another invoice has replaced it, or must be rectified instead. */
export function offeredRectification({
  document,
  rectifiable,
}: Pick<DirectInvoice, "document" | "rectifiable">): OfferedRectification | undefined {
  if (rectifiable.cancelled || successorOf(rectifiable) || isPart(rectifiable)) return undefined;
  const groups = [...remainingOf(rectifiable)].map(([key, group]) => ({
    ...{ key, group },
    remaining: statedOf(document.request, group.amounts),
    ...(isOfMargin(group.amounts) ? { margin: taxedGrossOf(group.amounts) } : {}),
  }));
  return { types: typesFor(rectifiable), groups };
}

/** A rectification stays in the family of its invoice: R5 for invoices without a recipient. */
export function typesFor(rectifiable: RectifiableInvoice): readonly RectifyingType[] {
  const family = familyOf(rectifiable);
  return family === "full" || family === "qualified" ? ["R1", "R2", "R3", "R4"] : ["R5"];
}

/**
 * The request that a caller would send for the same rectification. It depends on the invoice before it, so
 * that a repeat yields the same request. The rules of issue refuse conflicts with later invoices.
 */
export function rectificationOf(
  given: OwnerRectification,
  direct: DirectInvoice,
): Result<InvoiceRequest, OwnRefusal> {
  const invoice = { ...direct, rectifiable: withoutRectification(given, direct.rectifiable) };
  const { document, rectifiable } = invoice;
  const { request } = document;
  const types = typesFor(rectifiable);
  if (!types.includes(given.invoiceType)) {
    const facts = { invoice_type: given.invoiceType, allowed: { either: types } };
    return refuse("rectification_type_not_allowed", facts, "invoice_type");
  }
  const lines = linesOf(given, invoice);
  if (!lines.ok) return lines;
  const form = { lines: lines.value, pricesIncludeTax: request.pricesIncludeTax };
  return ok(rectifyingRequest(given, invoice, form));
}

type Framed = Pick<OwnerRectification, "externalId" | "invoiceType" | "method" | "cause" | "recipient">;

/** A rectification of the invoice, with everything that it shares with it. */
export function rectifyingRequest(
  given: Framed,
  invoice: DirectInvoice,
  { lines, pricesIncludeTax }: Pick<InvoiceRequest, "lines" | "pricesIncludeTax">,
): InvoiceRequest {
  const { request } = invoice.document;
  const recipient = given.recipient ?? namedRecipient(invoice);
  return {
    externalId: given.externalId,
    invoiceType: given.invoiceType,
    ...{ regime: request.regime, flags: request.flags, description: given.cause, currency: request.currency },
    ...(request.exchangeRate === undefined ? {} : { exchangeRate: request.exchangeRate }),
    ...(request.exchangeRateDate === undefined ? {} : { exchangeRateDate: request.exchangeRateDate }),
    pricesIncludeTax,
    ...(request.withholdingRate === undefined ? {} : { withholdingRate: request.withholdingRate }),
    ...(recipient === undefined ? {} : { recipient }),
    ...referencesOf(request),
    ...disbursementsOf(given, request),
    lines,
    rectifies: citedBy(given, invoice.rectifiable),
    rectificationMethod: given.method,
  };
}

/** The invoice before this rectification, so that a repeat produces the same request. */
function withoutRectification({ externalId }: OwnerRectification, rectifiable: RectifiableInvoice) {
  const actedOnBy = rectifiable.actedOnBy.filter((acting) => acting.externalId !== externalId);
  return { ...rectifiable, actedOnBy };
}

/** A substitute claims the same disbursements again. */
function disbursementsOf({ method }: Framed, { disbursements }: InvoiceRequest) {
  return method === "substitution" && disbursements !== undefined ? { disbursements } : {};
}

/** A substitute also cites the invoice's partial rectifications. */
function citedBy({ method }: Framed, rectifiable: RectifiableInvoice) {
  const parts = method === "substitution" ? differencesOf(rectifiable) : [];
  return [rectifiable, ...parts].map(({ externalId }) => ({ externalId }));
}

function linesOf(
  given: OwnerRectification,
  { document, rectifiable }: DirectInvoice,
): Result<readonly RequestLine[], OwnRefusal> {
  const { request } = document;
  const { method, amounts } = given;
  const groups = remainingOf(rectifiable);
  const possible = checkAmounts(given, request, rectifiable);
  if (!possible.ok) return possible;
  const isByDifference = method === "difference";
  const stated = new Map(amounts.map((one) => [one.group, one]));
  const isAsIssued =
    !isByDifference &&
    differencesOf(rectifiable).length === 0 &&
    [...groups].every(([key, { amounts: issued }]) => isWhole(stated.get(key), issued, request));
  if (isAsIssued) return ok(request.lines);
  const lines = [...groups].flatMap(([key, group]) => {
    const one = stated.get(key) ?? { group: key, amount: ZERO };
    if (isByDifference && isNothing(one)) return [];
    return [lineOf(group, one, { description: request.description, isByDifference })];
  });
  return ok(lines);
}

function checkAmounts(
  { method, amounts }: OwnerRectification,
  request: InvoiceRequest,
  rectifiable: RectifiableInvoice,
): Result<void, OwnRefusal> {
  const groups = remainingOf(rectifiable);
  const { number, currency } = rectifiable;
  for (const one of amounts) {
    const group = groups.get(one.group);
    const path = `amounts.${one.group}`;
    if (!group) return refuse("rectification_group_unknown", { number }, path);
    if (method === "difference" && isAdding(one.amount, statedOf(request, group.amounts))) {
      return refuse("rectification_adds", { number, amount: money(negate(one.amount), currency) }, path);
    }
    if (isSplit(one, group)) return refuse("rectification_margin_unknown", { number }, `${path}.margin`);
  }
  if (method === "difference" && amounts.every(isNothing)) {
    return refuse("rectification_without_amounts", { number }, "amounts");
  }
  return ok(undefined);
}

/** A group below zero, such as a discount with a rate of its own, is taken back by a negative amount. */
function isAdding(amount: Decimal, remaining: Decimal): boolean {
  return isNegative(amount) && (!isNegative(remaining) || compare(amount, remaining) < 0);
}

function isNothing({ amount, margin = ZERO }: StatedAmount): boolean {
  return isZero(amount) && isZero(margin);
}

/** A single price does not show its margin, unless the margin is all of it or zero. */
function isSplit({ amount, margin }: StatedAmount, { amounts }: TaxGroup): boolean {
  return isOfMargin(amounts) && margin === undefined && !isZero(amount) && !isSame(amount, grossOf(amounts));
}

function isWhole(stated: StatedAmount | undefined, issued: Amounts, request: InvoiceRequest): boolean {
  if (!stated || !isSame(stated.amount, statedOf(request, issued))) return false;
  return stated.margin === undefined || isSame(stated.margin, taxedGrossOf(issued));
}

function isSame(stated: Decimal, issued: Decimal): boolean {
  return compare(stated, issued) === 0;
}

function lineOf(
  group: TaxGroup,
  stated: StatedAmount,
  { description, isByDifference }: { readonly description: string; readonly isByDifference: boolean },
): RequestLine {
  const { tax, regime, qualification, rate, surchargeRate } = group;
  const quantity = isByDifference ? negate(ONE) : ONE;
  const margin = marginOf(stated, group);
  return {
    ...{ description, quantity, priceUnit: stated.amount, taxRate: rate, qualification, tax },
    ...(surchargeRate === undefined ? {} : { surchargeRate }),
    ...(regime === undefined ? {} : { regime }),
    ...(margin === undefined ? {} : { taxableMargin: isZero(margin) ? ZERO : multiply(quantity, margin) }),
  };
}

/** Unsaid, it is all of the margin with all of the price. */
function marginOf({ amount, margin }: StatedAmount, { amounts }: TaxGroup): Decimal | undefined {
  if (margin !== undefined || !isOfMargin(amounts)) return margin;
  return isZero(amount) ? ZERO : taxedGrossOf(amounts);
}

/** The amount as lines state it: the base, or the gross if prices include tax. */
function statedOf({ pricesIncludeTax }: InvoiceRequest, amounts: Amounts): Decimal {
  return pricesIncludeTax ? grossOf(amounts) : amounts.base;
}

/** The parts are of the name that the amendment replaced. */
function withoutNameParts({ firstName: _, surname1: __, surname2: ___, ...recipient }: Recipient): Recipient {
  return recipient;
}

/** The recipient of the request, or of a later amendment: a corrected mistake must not return. */
export function namedRecipient({ document, registered, content }: DirectInvoice): Recipient | undefined {
  const { recipient } = document.request;
  const [named] = content.recipients ?? [];
  const [before] = registered.recipients ?? [];
  const identifier = identifierIn(content);
  if (!recipient || !named || !identifier || isSameValue(named, before)) return recipient;
  const { idType: _, administrativeCentres: centres, ...whole } = recipient;
  const kept = named.name === recipient.company ? whole : { ...withoutNameParts(whole), company: named.name };
  switch (identifier.kind) {
    case "nif":
      return {
        ...{ ...kept, vatNumber: identifier.nif, country: "ES" },
        ...(centres === undefined ? {} : { administrativeCentres: centres }),
      };
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
