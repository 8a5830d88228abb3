/**
 * JSON that this service wrote into its own append-only rows. The database refuses every change, so the shape
 * is the one that was written; golden files keep a sample of each version readable.
 */
import type { InvoiceDocument, TaxGroup } from "../domain/invoice/document.ts";
import type { RecordContent } from "../domain/verifactu/record.ts";

export function documentFromJson(text: string): InvoiceDocument {
  return fromOwnJson(text);
}

export function recordFromJson(text: string): RecordContent {
  return fromOwnJson(text);
}

export function takenFromJson(text: string): readonly TaxGroup[] {
  return fromOwnJson(text);
}

export function fromOwnJson<T>(text: string): T {
  return JSON.parse(text) as T;
}
