import type { CivilDate } from "../shared/civil-date.ts";
import type { Decimal } from "../shared/decimal.ts";
import type { Instant } from "../shared/instant.ts";

/** What a connector says of an order: facts, never fiscal instructions. Absent members are absent. */
export interface OrderFacts {
  readonly idExternal: string;
  readonly reference?: string;
  /** `order_date` as an instant, else `paid_at`: one of the two is always there. */
  readonly orderedAt: Instant;
  /** `paid_at`, else `order_date`: it selects the exchange rate and nothing else. */
  readonly paidAt: Instant;
  readonly total: Decimal;
  /** Tax of the whole order as the shop computed it: it confirms a rounding, the invoice never has it. */
  readonly totalTax?: Decimal;
  /** Tax by rate as the shop computed it; absent where the shop sends none. */
  readonly taxTotals?: readonly TaxTotal[];
  readonly currency: string;
  /** `id_order_status`, else `status`. */
  readonly status?: string;
  readonly sourcePlatform?: string;
  readonly isCandidate: boolean;
  readonly isCancelled: boolean;
  readonly asksFullInvoice: boolean;
  /** Placed to try the shop; absent for orders in earnest. */
  readonly isTest?: true;
  readonly client?: ClientFacts;
  readonly delivery?: { readonly country?: string; readonly postcode?: string };
  readonly breakdown: readonly OrderLine[];
  readonly discounts: readonly Discount[];
  readonly unmappedTotals: readonly UnmappedTotal[];
  readonly events: readonly CorrectionEvent[];
  /** Lower case, as channels are compared. */
  readonly sourceChannel?: string;
  readonly storeId?: string;
  /** Trimmed, NFC, case folded, as tags are compared. */
  readonly tags: readonly string[];
  readonly operationDate?: CivilDate;
  readonly updatedAt?: Instant;
  /** As declared, 1.0 when absent. */
  readonly contractVersion: string;
}

export interface ClientFacts {
  readonly idExternal?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly company?: string;
  readonly vatNumber?: string;
  readonly idType?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly country?: string;
  readonly address1?: string;
  readonly postcode?: string;
  readonly city?: string;
}

export type LineKind = "product" | "shipping" | "fee" | "gift_voucher";

/** Amounts are for the whole line. */
export interface OrderLine {
  readonly lineId?: string;
  readonly productId?: string;
  readonly name?: string;
  readonly kind: LineKind;
  readonly quantity: Decimal;
  readonly base: Decimal;
  readonly taxRate: Decimal;
  readonly tax: Decimal;
  readonly surchargeRate?: Decimal;
  readonly surcharge?: Decimal;
}

/** The platform's own sums of all lines of a rate. */
export interface TaxTotal {
  readonly rate: Decimal;
  readonly base?: Decimal;
  readonly tax: Decimal;
  readonly surchargeRate?: Decimal;
  readonly surcharge?: Decimal;
}

export type AmountKind = "promotional" | "customer_credit" | "gift_card" | "loyalty" | "unknown";

export interface Discount {
  readonly code?: string;
  readonly name?: string;
  /** Tax included, positive. */
  readonly amount: Decimal;
  readonly kind: AmountKind;
  /** Ids of the lines that it is limited to; empty for all. */
  readonly lines: readonly string[];
  /** Already taken off the lines: it is only printed. */
  readonly included: boolean;
}

export interface UnmappedTotal {
  readonly code: string;
  readonly title?: string;
  /** Its effect on the order total, signed. */
  readonly value: Decimal;
  readonly kind: AmountKind;
}

export type EventType = "refund" | "return" | "price_reduction" | "cancellation" | "void" | "unknown";

export interface CorrectionEvent {
  readonly id: string;
  readonly type: EventType;
  readonly occurredAt?: Instant;
  readonly reason?: string;
  /** Signed, tax included. */
  readonly amount?: Decimal;
  readonly lines: readonly CorrectionLine[];
}

export interface CorrectionLine {
  readonly productId?: string;
  readonly lineId?: string;
  readonly name?: string;
  readonly quantityDelta?: Decimal;
  readonly baseDelta: Decimal;
  readonly taxRate: Decimal;
  readonly taxDelta: Decimal;
}
