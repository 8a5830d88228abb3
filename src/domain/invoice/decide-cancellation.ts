import { ok, type Result } from "../shared/result.ts";
import type { RectifiableInvoice } from "./rectifiable.ts";
import { type CancellationRefusal, refuse } from "./refusal.ts";
import type { IssuingSettings } from "./settings.ts";

/**
 * The invoice that an ANULACION may be made for: one that no other in force acts on. Replays are known
 * before.
 */
export function decideCancellation(
  externalId: string,
  invoice: RectifiableInvoice | undefined,
  settings: IssuingSettings,
): Result<RectifiableInvoice, CancellationRefusal> {
  if (settings.connectionKind !== "api") {
    return refuse("direct_invoicing_not_supported_by_connection", { kind: settings.connectionKind });
  }
  if (!settings.consented) return refuse("invoicing_not_enabled");
  if (!invoice) return refuse("invoice_not_found", { external_id: externalId });
  const acting = invoice.actedOnBy.find((candidate) => candidate.inForce);
  if (!acting) return ok(invoice);
  const state = { difference: "corrected", substitution: "substituted", replacement: "replaced" }[
    acting.kind
  ];
  return refuse("cancellation_not_allowed", { number: invoice.number, state, successor: acting.number });
}
