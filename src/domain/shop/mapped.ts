import type { MissingFact } from "../order/facts.ts";
import type { SentEvent, SentOrder } from "../order/sent-order.ts";
import { type Decimal, ZERO } from "../shared/decimal.ts";
import type { Instant } from "../shared/instant.ts";
import type { Native } from "./native.ts";

/** A fact that the documents lack, or with both figures one that they contradict: `what` is a `ShopFact`. */
export type Missing = MissingFact;

/** What a mapper may find missing or contradictory. Console and documentation have a sentence for each. */
export const SHOP_FACTS = [
  "id",
  "order_date",
  "total",
  "currency",
  "order",
  "amount",
  "country",
  "discounts",
  "lines",
  "pages",
  "refund_above_paid",
  "tax_lines",
  "tax_rate",
  "taxes_included",
  "time_zone",
  "transactions",
  "unmapped_total",
] as const;

export type ShopFact = (typeof SHOP_FACTS)[number];

export interface MappedOrder {
  /** The order to which the documents belong; refunds that come alone name it too. */
  readonly idExternal?: string;
  /** Absent without id, date, total or currency: `missing` says which. It has `events` and `missing` too. */
  readonly order?: SentOrder;
  /** One for each refund, in the order of the documents. */
  readonly events: readonly SentEvent[];
  readonly missing: readonly Missing[];
  /** When the documents were changed; also known for refunds that come alone. */
  readonly updatedAt?: Instant;
}

/** The most facts that are noted: the first one already holds the order. */
const MOST_MISSING = 100;

/** Collects what is missing while the documents are read. */
export class Findings {
  readonly missing: Missing[] = [];

  add(what: ShopFact, where?: string, figures: Pick<Missing, "stated" | "computed"> = {}): void {
    if (this.missing.length === MOST_MISSING) return;
    const entry = { what, ...(where ? { where } : {}), ...figures };
    const isKnown = this.missing.some(
      (known) => known.what === what && known.where === entry.where && known.stated === entry.stated,
    );
    if (!isKnown) this.missing.push(entry);
  }

  /** An amount that the document must have; zero stands for one that is missing. */
  amount(place: Native, where = place.where): Decimal {
    const amount = place.amount();
    if (amount === undefined) this.add("amount", where);
    return amount ?? ZERO;
  }

  /** An amount that may be absent. Text that is no number is missing. */
  optionalAmount(place: Native, where = place.where): Decimal | undefined {
    return place.isEmpty ? undefined : this.amount(place, where);
  }
}

/** Platforms give ascending ids: the older refund comes first. */
export function inOrderOfIds<Event extends Pick<SentEvent, "id">>(events: readonly Event[]): Event[] {
  return events.toSorted(({ id: a }, { id: b }) => a.length - b.length || (a < b ? -1 : Number(a > b)));
}
