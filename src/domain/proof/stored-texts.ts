/** Stored JSON may have been tampered with: these readers check the shape of every member that they use. */
import type { InvoiceDocument } from "../invoice/document.ts";
import type { RecordContent } from "../verifactu/record.ts";

/** Undefined when the literals that a record is hashed, linked and compared by are not all there. */
export function readContent(text: string): RecordContent | undefined {
  const value = parsed(text);
  return isContent(value) ? value : undefined;
}

/** Undefined when it is not JSON; of its members nothing is known. */
export function readDocument(text: string): InvoiceDocument | undefined {
  const value = parsed(text);
  return isObject(value) ? asDocument(value) : undefined;
}

function isContent(value: unknown): value is RecordContent {
  if (!isObject(value) || !isChain(value.chain) || !isObject(value.system)) return false;
  const common = [value.reference, value.generatedAt, value.system.installationNumber];
  if (!isKey(value.key) || !common.every(isText)) return false;
  if (value.kind !== "ALTA") return value.kind === "ANULACION";
  return [value.invoiceType, value.taxTotal, value.total].every(isText) && Array.isArray(value.breakdown);
}

function isChain(value: unknown): boolean {
  if (!isObject(value)) return false;
  return value.first === true || (value.first === false && isText(value.hash) && isKey(value));
}

function isKey(value: unknown): boolean {
  return isObject(value) && [value.issuerNif, value.number, value.date].every(isText);
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

type PlainObject = { readonly [member: string]: unknown };

function isObject(value: unknown): value is PlainObject {
  return typeof value === "object" && value !== null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The comparisons tolerate missing members. */
function asDocument(value: object): InvoiceDocument {
  return value as InvoiceDocument;
}
