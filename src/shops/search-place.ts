import type { Instant } from "../domain/shared/instant.ts";
import { type ListedOrder, ORDERS_OF_PAGE, type OrderPage } from "../platform/shop-api.ts";

/** Where a page of a search in the order of time begins. */
export interface Place {
  readonly since: Instant;
  readonly page: number;
}

export function placeFrom(page: string | undefined, since: Instant): Place {
  const [, from, number] = /^(\d{1,15})\.(\d{1,6})$/.exec(page ?? "") ?? [];
  return from && number ? { since: Number(from), page: Number(number) } : { since, page: 1 };
}

interface Listed {
  readonly orders: readonly ListedOrder[];
  /** Entries of the page, also those that are no order. */
  readonly entries: number;
  /** The time of the last entry, by which the list is sorted. */
  readonly lastAt: Instant | undefined;
  /** As the shop counts what it has found; undefined if it does not. */
  readonly isLast: boolean | undefined;
}

/**
 * The next page begins at the last time seen, because pages move when orders change meanwhile. The number of
 * the page counts only within one second.
 */
export function pageFrom(place: Place, { orders, entries, lastAt, isLast }: Listed): OrderPage {
  if (entries < ORDERS_OF_PAGE || isLast === true) return { orders };
  const isLater = lastAt !== undefined && lastAt > place.since;
  const next = isLater ? { since: lastAt, page: 1 } : { ...place, page: place.page + 1 };
  return { orders, next: `${next.since}.${next.page}` };
}
