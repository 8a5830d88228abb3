import { ok, type Result } from "../shared/result.ts";
import { hasInk, isPlainText, normalizeText } from "../shared/text.ts";
import { givingBackRefusal } from "./decide-cancellation.ts";
import type { RecordRefusal } from "./record-refusal.ts";
import { offersFor, type RecordedInvoice } from "./recorded-invoice.ts";
import type { FindInvoice } from "./references.ts";
import { refuse } from "./refusal.ts";

export interface AnnulmentContext {
  readonly consented: boolean;
  /** For a rectification by difference: what it acts on. */
  readonly find: FindInvoice;
}

const REASON_LENGTH = 500;

/**
 * Whether the owner annuls the invoice, and why. The first annulment cancels it and so needs consent; one
 * that is repeated because the authority refused it only brings to an end what was decided before.
 */
export function decideAnnulment(
  reason: string,
  invoice: RecordedInvoice,
  { consented, find }: AnnulmentContext,
): Result<string, RecordRefusal> {
  const isFirst = !invoice.rectifiable.cancelled;
  if (isFirst && !consented) return refuse("invoicing_not_enabled");
  const { annul } = offersFor(invoice);
  if (!annul.ok) return annul;
  const overdrawn = isFirst ? givingBackRefusal(invoice.rectifiable, find) : undefined;
  if (overdrawn) return { ok: false, error: overdrawn };
  if (!isReason(reason)) return refuse("cancellation_without_reason", {}, "reason");
  return ok(normalizeText(reason));
}

/** What an owner says of why. */
export function isReason(reason: string): boolean {
  const text = normalizeText(reason);
  return isPlainText(text) && hasInk(text) && [...text].length <= REASON_LENGTH;
}
