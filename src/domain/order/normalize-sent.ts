import type { Decimal } from "../shared/decimal.ts";
import type { Instant } from "../shared/instant.ts";
import type {
  CorrectionEvent,
  CorrectionLine,
  Discount,
  OrderFacts,
  OrderLine,
  TaxTotal,
  UnmappedTotal,
} from "./facts.ts";
import type { Moment } from "./normalize-moment.ts";

type Concluded =
  | "orderedAt"
  | "paidAt"
  | "isCandidate"
  | "isCancelled"
  | "asksFullInvoice"
  | "isTest"
  | "taxTotals"
  | "breakdown"
  | "discounts"
  | "unmappedTotals"
  | "events"
  | "contractVersion";

/**
 * An order of the right shape, its words as the connector wrote them. It is plain data, because the edge that
 * reads it does not know the issuer's zone.
 */
export interface SentOrder extends Omit<OrderFacts, Concluded> {
  /** At least one of the two is present. */
  readonly orderDate?: Moment;
  readonly paidAt?: Instant;
  readonly fiscalEvent?: string;
  readonly invoiceAction?: string;
  readonly test?: boolean;
  readonly sourceChannelEvidence?: string;
  readonly breakdown: readonly SentLine[];
  readonly discounts: readonly SentDiscount[];
  readonly unmappedTotals: readonly SentUnmappedTotal[];
  readonly taxTotals: readonly TaxTotal[];
  readonly events: readonly SentEvent[];
  readonly refunds: readonly SentRefund[];
  readonly contractVersion?: string;
}

export interface SentLine extends Omit<OrderLine, "kind" | "quantity"> {
  readonly kind?: string;
  readonly quantity?: Decimal;
}

export interface SentDiscount extends Omit<Discount, "kind" | "included"> {
  readonly kind?: string;
  readonly included?: boolean;
}

export interface SentUnmappedTotal extends Omit<UnmappedTotal, "kind"> {
  readonly kind?: string;
}

export interface SentEvent extends Omit<CorrectionEvent, "type"> {
  readonly type?: string;
}

/** Contract 1.2: amounts are positive. */
export interface SentRefund {
  readonly id: string;
  readonly date?: Moment;
  readonly amount: Decimal;
  readonly lines: readonly SentRefundLine[];
}

export interface SentRefundLine extends Pick<CorrectionLine, "productId" | "lineId" | "name" | "taxRate"> {
  readonly quantity?: Decimal;
  readonly base: Decimal;
  readonly tax: Decimal;
}
