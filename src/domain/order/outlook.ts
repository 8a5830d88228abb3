import type { Payment, TaxGroup } from "../invoice/document.ts";
import type { DocumentaryRegime, InvoiceType } from "../invoice/request.ts";
import { totalInEur } from "../invoice/totals.ts";
import type { CivilDate } from "../shared/civil-date.ts";
import { type Decimal, isZero } from "../shared/decimal.ts";
import type { OrderContext } from "./context.ts";
import { operationDateOf } from "./dates.ts";
import { assess } from "./decide-first.ts";
import { chooseProfile, type Sale } from "./profile.ts";

/** The first invoice of an order as far as known, with the figures of the decision. */
export interface Outlook {
  readonly declaredBy: Sale["declaredBy"];
  readonly stem: string;
  /** Undefined while it is open which document the customer gets. */
  readonly kind?: { readonly invoiceType: InvoiceType; readonly regime: DocumentaryRegime };
  readonly currency: string;
  readonly operationDate: CivilDate;
  /** Empty while something of the amounts is open. */
  readonly groups: readonly TaxGroup[];
  /** Undefined while the exchange rate is missing. */
  readonly totalEur?: Decimal;
  readonly discounts: readonly SpreadDiscount[];
  readonly payments: readonly Payment[];
}

/** All discounts together, as they fall on one rate. */
export interface SpreadDiscount {
  readonly rate: Decimal;
  /** Tax included. */
  readonly taken: Decimal;
}

/** Undefined for an order that no profile takes: nothing of it could be numbered. */
export function outlookOf(context: OrderContext): Outlook | undefined {
  const { sale } = chooseProfile(context);
  if (!sale) return undefined;
  const { sold, groups, exchange, document } = assess(context, sale);
  const { kind } = document;
  const isOpen = sold.reasons.length > 0;
  return {
    declaredBy: sale.declaredBy,
    stem: sale.stem,
    ...(kind ? { kind: { invoiceType: kind.invoiceType, regime: kind.regime } } : {}),
    currency: context.facts.currency,
    operationDate: operationDateOf(context),
    groups: isOpen ? [] : groups,
    ...(isOpen || !exchange.isKnown ? {} : { totalEur: totalInEur(groups) }),
    discounts: isOpen ? [] : spreadOf(sold.groups),
    payments: isOpen ? [] : sold.payments,
  };
}

function spreadOf(groups: ReturnType<typeof assess>["sold"]["groups"]): SpreadDiscount[] {
  return groups.flatMap(({ key, taken }) => (isZero(taken) ? [] : [{ rate: key.rate, taken }]));
}
