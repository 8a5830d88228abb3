import { ok, type Result } from "../shared/result.ts";
import { hasInk, isPlainText, normalizeText } from "../shared/text.ts";
import { givingBackRefusal } from "./decide-cancellation.ts";
import { offersFor, type RecordedInvoice } from "./recorded-invoice.ts";
import type { FindInvoice } from "./references.ts";
import { type RecordRefusal, refuse } from "./refusal.ts";

export interface AnnulmentContext {
  readonly consented: boolean;
  /** Finds the targets of a rectification by difference. */
  readonly find: FindInvoice;
}

const REASON_LENGTH = 500;

/**
 * Decides if the owner may annul the invoice. The first annulment cancels it and needs consent. A repeat
 * after a refusal by the authority only completes the earlier decision.
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

/** A plain, visible text of limited length. */
export function isReason(reason: string): boolean {
  const text = normalizeText(reason);
  return isPlainText(text) && hasInk(text) && [...text].length <= REASON_LENGTH;
}
