import { canonicalJson } from "../shared/canonical-json.ts";
import { sha256Hex } from "../shared/sha256.ts";
import type { CorrectionEvent, OrderFacts } from "./facts.ts";

type FiscalFacts = Pick<
  OrderFacts,
  "breakdown" | "discounts" | "unmappedTotals" | "taxTotals" | "total" | "currency"
>;

/** The order as sold. While it stays the same, nothing that changes has to be looked at. */
export function fiscalFingerprint(facts: FiscalFacts): string {
  return sha256Hex(
    canonicalJson({
      total: facts.total,
      currency: facts.currency,
      breakdown: facts.breakdown.map((line) => ({ ...line })),
      discounts: facts.discounts.map((discount) => ({ ...discount })),
      unmappedTotals: facts.unmappedTotals.map((entry) => ({ ...entry })),
      taxTotals: facts.taxTotals?.map((entry) => ({ ...entry })),
    }),
  );
}

/** What an invoice was made from. The database lets another follow where its generation does. */
export function soldFingerprintOf(facts: FiscalFacts, generation: number): string {
  const fingerprint = fiscalFingerprint(facts);
  return generation === 1 ? fingerprint : `${generation}:${fingerprint}`;
}

export function isAsSold(soldFingerprint: string, facts: FiscalFacts): boolean {
  return soldFingerprint.slice(soldFingerprint.indexOf(":") + 1) === fiscalFingerprint(facts);
}

/**
 * What an event does, without its id. Its reason, its time and the names of its lines change no amount, and
 * platforms retouch them: they do not make another event of it.
 */
export function eventFingerprint({ type, amount, lines }: CorrectionEvent): string {
  return sha256Hex(
    canonicalJson({ type, amount, lines: lines.map(({ name: _, ...effect }) => ({ ...effect })) }),
  );
}
