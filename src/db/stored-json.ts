/**
 * JSON that this service wrote into its own append-only rows. The database refuses changes, so the written
 * shape is kept. Golden files keep a sample of each version readable.
 */
import type { InvoiceDocument, TaxGroup } from "../domain/invoice/document.ts";
import type { Standing } from "../domain/invoice/invoice-view.ts";
import type { RecordContent } from "../domain/verifactu/record.ts";

export function documentFromJson(text: string): InvoiceDocument {
  return fromOwnJson(text);
}

export function recordFromJson(text: string): RecordContent {
  return fromOwnJson(text);
}

/** For a record with an answer. */
export function standingFromJson(text: string | null): { readonly standing?: Standing } {
  return text === null ? {} : { standing: fromOwnJson(text) };
}

export function takenFromJson(text: string): readonly TaxGroup[] {
  return fromOwnJson(text);
}

export function fromOwnJson<T>(text: string): T {
  return JSON.parse(text) as T;
}
