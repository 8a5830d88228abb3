import { compare, isNegative, isPositive } from "../shared/decimal.ts";
import type { Facts } from "../shared/fact.ts";
import { ok, type Result } from "../shared/result.ts";
import {
  type ActingInvoice,
  differencesOf,
  type RectifiableInvoice,
  remainingOf,
  successorOf,
} from "./rectifiable.ts";
import type { FindInvoice } from "./references.ts";
import { type CancellationRefusal, type Refusal, refuse } from "./refusal.ts";
import type { IssuingSettings } from "./settings.ts";
import { keyText, subtractAmounts } from "./tax-groups.ts";

export interface CancellationContext {
  readonly settings: IssuingSettings;
  /** For a rectification by difference: what it acts on. */
  readonly find: FindInvoice;
}

/**
 * The invoice that an ANULACION may be made for: one that no other in force acts on. Replays are known
 * before.
 */
export function decideCancellation(
  externalId: string,
  invoice: RectifiableInvoice | undefined,
  { settings, find }: CancellationContext,
): Result<RectifiableInvoice, CancellationRefusal> {
  if (settings.connectionKind !== "api") {
    return refuse("direct_invoicing_not_supported_by_connection", { kind: settings.connectionKind });
  }
  if (!settings.consented) return refuse("invoicing_not_enabled");
  if (!invoice) return refuse("invoice_not_found", { external_id: externalId });
  const refusal = actingRefusal(invoice) ?? overdrawRefusal(invoice, find);
  return refusal ? { ok: false, error: refusal } : ok(invoice);
}

type ActingRefusal = Refusal<"cancellation_not_allowed" | "cancellation_exceeds">;

/** Another invoice in force acts on it. */
export function actingRefusal(invoice: RectifiableInvoice): ActingRefusal | undefined {
  // What was corrected and then substituted is its successor's: the corrections are no way back to it.
  const acting = successorOf(invoice) ?? differencesOf(invoice)[0];
  if (!acting) return undefined;
  return refuse("cancellation_not_allowed", { number: invoice.number, ...actedOn(acting) }).error;
}

/** What it would give back has been drawn on. */
export function overdrawRefusal(invoice: RectifiableInvoice, find: FindInvoice): ActingRefusal | undefined {
  const overdrawn = targetsOf(invoice, find).find((target) => wouldOverdraw(target, invoice));
  if (!overdrawn) return undefined;
  return refuse("cancellation_exceeds", { number: invoice.number, reference: overdrawn.number }).error;
}

function actedOn({ kind, number: successor }: ActingInvoice): Facts {
  const fix = kind === "difference" ? "correct_rest_or_cancel" : "act_on_successor";
  return { state: { phrase: STATES[kind] }, successor, fix: { phrase: fix, successor } };
}

const STATES = { difference: "corrected", substitution: "substituted", replacement: "replaced" } as const;

/** What a cancellation of this invoice gives back to; only parts give anything back. */
export function partTargetsOf(invoice: RectifiableInvoice): string[] {
  return invoice.actsOn.filter((link) => link.kind === "difference").map((link) => link.externalId);
}

function targetsOf(invoice: RectifiableInvoice, find: FindInvoice): RectifiableInvoice[] {
  return partTargetsOf(invoice).flatMap((externalId) => find(externalId) ?? []);
}

/** An increase that later refunds have drawn on cannot be taken away: a group would fall below zero. */
function wouldOverdraw(target: RectifiableInvoice, part: RectifiableInvoice): boolean {
  const taken = target.actedOnBy.find((acting) => acting.invoiceId === part.invoiceId)?.taken ?? [];
  const remaining = remainingOf(target);
  return taken.some((group) => {
    const now = remaining.get(keyText(group))?.amounts;
    if (!now || !isPositive(group.amounts.base)) return false;
    const without = subtractAmounts(now, group.amounts).base;
    return isNegative(without) && compare(without, now.base) < 0;
  });
}
