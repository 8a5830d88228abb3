import {
  absolute,
  type Decimal,
  digitsOf,
  divide,
  isNegative,
  isZero,
  multiply,
  negate,
  ONE,
  round,
} from "../shared/decimal.ts";
import { ok, type Result } from "../shared/result.ts";
import { normalizeText } from "../shared/text.ts";
import { type Balance, balancesOf, remainingIn } from "./balance.ts";
import type { InvoiceDocument } from "./document.ts";
import {
  grossLines,
  type LineBalance,
  type LinePart,
  type LineRefusal,
  lineBalances,
  marginIn,
  takeLines,
} from "./line-balances.ts";
import { type DirectInvoice, rectifyingRequest, typesFor } from "./owner-rectification.ts";
import { scaleOf } from "./prepare.ts";
import { isReason } from "./recorded-invoice.ts";
import { differencesOf, isPart, type RectifiableInvoice, successorOf } from "./rectifiable.ts";
import { type Refusal, refuse } from "./refusal.ts";
import type { InvoiceRequest, RequestLine, ReturnedLine } from "./request.ts";
import { grossOf } from "./tax-groups.ts";

/** What happened to a sale, as its owner says it in the console. */
export const SALE_CHANGES = ["refund", "price_reduction", "substitution", "void"] as const;
export type SaleChange = (typeof SALE_CHANGES)[number];

/** A rectification by lines, or an annulment. */
export interface LinesRectification {
  readonly what: SaleChange;
  /** By substitution the right amount of a line; lines that are not named keep theirs. */
  readonly parts: readonly LinePart[];
  /** Article 15.5 RD 1619/2012: it is printed. */
  readonly cause: string;
}

export const RECTIFY_REFUSALS = [
  "rectify_other_invoice",
  "rectify_reduction_by_pieces",
  "rectify_margin_by_groups",
  "rectify_changes_nothing",
  "rectify_without_cause",
  "rectify_order_waits",
  "rectify_order_not_substituted",
] as const;
export type RectifyRefusal = LineRefusal | Refusal<(typeof RECTIFY_REFUSALS)[number]>;

/** ReasonCode of Facturae: a lower price after the sale. */
const PRICE_REDUCED = "83";

/** The lines of a direct invoice, with what its rectifications in force took of them. */
export function directLines(
  { document, rectifiable }: Pick<DirectInvoice, "document" | "rectifiable">,
  acting: readonly InvoiceDocument[],
): LineBalance[] {
  const returned = acting.flatMap((one) => returnedIn(one, document));
  return lineBalances({ document, balances: balancesOf(rectifiable), returned });
}

/** A caller's rectification names no line: its lines are found by their id, else by text and price. */
function returnedIn(acting: InvoiceDocument, sold: InvoiceDocument): readonly ReturnedLine[] {
  const { request } = acting;
  if (request.returned) return request.returned;
  const scale = scaleOf(request.currency);
  return grossLines(acting).flatMap(({ index, gross }) => {
    const line = request.lines[index];
    const place = line ? sold.request.lines.findIndex((one) => isSameLine(one, line)) : -1;
    if (!line || place < 0) return [];
    const isByPieces = isNegative(line.quantity) && sold.request.lines[place]?.priceUnit === line.priceUnit;
    return [
      {
        line: place + 1,
        gross: negate(round(gross, scale)),
        ...(isByPieces ? { quantity: absolute(line.quantity) } : {}),
      },
    ];
  });
}

function isSameLine(sold: RequestLine, returned: RequestLine): boolean {
  if (sold.lineId !== undefined && returned.lineId !== undefined) return sold.lineId === returned.lineId;
  const { description, priceUnit, taxRate } = returned;
  return sold.description === description && sold.priceUnit === priceUnit && sold.taxRate === taxRate;
}

/** Cause of a rectification, or reason of an annulment: a plain text of 1 to 500 characters. */
export function causeOf(cause: string): Result<string, RectifyRefusal> {
  return isReason(cause) ? ok(normalizeText(cause)) : refuse("rectify_without_cause", {}, "cause");
}

/** The changes that the console offers by lines: none of a part or of a replaced invoice. */
export function offeredChanges(rectifiable: RectifiableInvoice): readonly SaleChange[] {
  const isOver = rectifiable.cancelled || successorOf(rectifiable) !== undefined;
  if (isOver || isPart(rectifiable)) return [];
  const isUntouched = differencesOf(rectifiable).length === 0;
  const isLeft = balancesOf(rectifiable).some((balance) => !isZero(grossOf(remainingIn(balance))));
  if (!isLeft) return [];
  return isUntouched ? SALE_CHANGES : SALE_CHANGES.filter((change) => change !== "void");
}

interface Decided {
  readonly externalId: string;
  readonly lines: readonly LineBalance[];
}

/** The request that rectifies a direct invoice by its lines. An annulment has none. */
export function linesRequest(
  { what, parts, cause }: LinesRectification,
  invoice: DirectInvoice,
  { externalId, lines }: Decided,
): Result<InvoiceRequest, RectifyRefusal> {
  const { document, rectifiable } = invoice;
  const form = { what, parts, lines };
  const changed = what === "substitution" ? rightLines(form, document) : returnedLines(form, invoice);
  if (!changed.ok) return changed;
  const stated = causeOf(cause);
  if (!stated.ok) return stated;
  const [invoiceType = "R1"] = typesFor(rectifiable);
  const method = what === "substitution" ? "substitution" : "difference";
  const given = { externalId, invoiceType, method, cause: stated.value } as const;
  const { lines: printed, returned } = changed.value;
  return ok({
    ...rectifyingRequest(given, invoice, { lines: printed, pricesIncludeTax: true }),
    ...(returned ? { returned } : {}),
    ...(what === "price_reduction" ? { rectificationReason: PRICE_REDUCED } : {}),
  });
}

interface Form {
  readonly what: SaleChange;
  readonly parts: readonly LinePart[];
  readonly lines: readonly LineBalance[];
}

type Lines = Result<Pick<InvoiceRequest, "lines" | "returned">, RectifyRefusal>;

/** What is taken of the lines. The customer of a reduced price keeps every piece. */
export function takenParts(
  { what, parts, lines }: Form,
  invoice: { readonly balances: readonly Balance[]; readonly currency: string },
): Result<readonly ReturnedLine[], RectifyRefusal> {
  const byPieces = parts.findIndex((part) => "quantity" in part);
  if (what !== "refund" && byPieces >= 0) {
    return refuse("rectify_reduction_by_pieces", {}, `lines.${byPieces}.quantity`);
  }
  return takeLines(lines, parts, invoice);
}

/** By difference: each line with its pieces negative. */
function returnedLines(form: Form, { document, rectifiable }: DirectInvoice): Lines {
  const { currency, lines: sold } = document.request;
  const taken = takenParts(form, { balances: balancesOf(rectifiable), currency });
  if (!taken.ok) return taken;
  const scale = scaleOf(currency);
  const lines: RequestLine[] = [];
  for (const part of taken.value) {
    const line = sold[part.line - 1];
    const own = form.lines.find((each) => each.line === part.line);
    if (!line || !own) continue;
    const margin = marginIn(line, part, scale);
    const isWhole = part.gross === own.worth;
    if (line.taxableMargin !== undefined && margin === undefined && !isWhole) {
      const index = form.parts.findIndex((each) => each.line === part.line);
      return refuse("rectify_margin_by_groups", { line: line.description }, `lines.${index}.amount`);
    }
    const { quantity, priceUnit } = priced(part.gross, part.quantity ?? ONE, scale);
    lines.push({
      ...resolved(line, own),
      ...{ quantity: negate(quantity), priceUnit },
      ...(line.taxableMargin === undefined ? {} : { taxableMargin: negate(margin ?? line.taxableMargin) }),
    });
  }
  return ok({ lines, returned: taken.value });
}

/** The line without what belongs to its own invoice. Its tax group is stated, whatever the defaults are. */
function resolved(line: RequestLine, { key }: LineBalance): RequestLine {
  const { lineId: _, discountRate: __, ...plain } = line;
  return { ...plain, tax: key.tax, ...(key.regime === undefined ? {} : { regime: key.regime }) };
}

/** Digits of a unit price. */
const PRICE_DIGITS = 6;

/** Pieces and price that come to the gross exactly; if no price does, the line is one piece. */
function priced(gross: Decimal, pieces: Decimal, scale: number): Pick<RequestLine, "quantity" | "priceUnit"> {
  if (isZero(pieces)) return { quantity: ONE, priceUnit: gross };
  const priceUnit = divide(gross, pieces, PRICE_DIGITS);
  const isExact = round(multiply(pieces, priceUnit), scale) === gross;
  return isExact ? { quantity: pieces, priceUnit } : { quantity: ONE, priceUnit: gross };
}

/** By substitution: every line with its right amount. */
function rightLines({ parts, lines }: Form, { request }: InvoiceDocument): Lines {
  const scale = scaleOf(request.currency);
  const right = new Map<number, Decimal>();
  for (const [index, part] of parts.entries()) {
    const path = `lines.${index}`;
    const own = lines.find(({ line }) => line === part.line);
    if (!own) return refuse("rectify_line_unknown", { line: String(part.line) }, `${path}.line`);
    if (right.has(part.line))
      return refuse("rectify_line_repeated", { line: own.description }, `${path}.line`);
    if (!("amount" in part)) return refuse("rectify_reduction_by_pieces", {}, `${path}.quantity`);
    if (digitsOf(part.amount).fraction > scale) {
      const facts = { currency: request.currency, digits: String(scale) };
      return refuse("rectify_amount_digits", facts, `${path}.amount`);
    }
    const isOther = part.amount !== own.left.gross;
    if (isOther && request.lines[part.line - 1]?.taxableMargin !== undefined) {
      return refuse("rectify_margin_by_groups", { line: own.description }, `${path}.amount`);
    }
    right.set(part.line, part.amount);
  }
  const amountOf = ({ line, left }: LineBalance) => right.get(line) ?? left.gross;
  if (lines.every((line) => amountOf(line) === line.left.gross)) {
    return refuse("rectify_changes_nothing", {}, "lines");
  }
  const kept = lines.filter((line) => !isZero(amountOf(line)));
  return ok({
    lines: (kept.length > 0 ? kept : lines.slice(0, 1)).flatMap((line) => {
      const sold = request.lines[line.line - 1];
      const price = priced(amountOf(line), line.left.quantity, scale);
      return sold ? [{ ...resolved(sold, line), ...price }] : [];
    }),
  });
}

/** Whether an invoice that this key has issued is of the same request: then it is a replay. */
export function isSameRectification(
  { request }: InvoiceDocument,
  { what, parts, cause }: LinesRectification,
): boolean {
  if (request.description !== normalizeText(cause)) return false;
  if ((request.rectificationMethod === "substitution") !== (what === "substitution")) return false;
  if (!request.returned) return true;
  return arePartsOf(parts, request.returned);
}

/** The same lines with the same pieces, apart from parts of nothing. */
export function arePartsOf(parts: readonly LinePart[], returned: readonly ReturnedLine[]): boolean {
  const named = parts.filter((part) => !isZero("quantity" in part ? part.quantity : part.amount));
  const isAmong = (part: LinePart) =>
    returned.some(
      ({ line, quantity }) =>
        line === part.line && quantity === ("quantity" in part ? part.quantity : undefined),
    );
  return named.length === returned.length && named.every(isAmong);
}
