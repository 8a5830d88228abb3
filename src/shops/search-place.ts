import type { Instant } from "../domain/shared/instant.ts";
import { type ListedOrder, ORDERS_OF_PAGE, type OrderPage } from "../platform/shop-api.ts";

/** The place where the next page of a search in the order of time begins. */
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
  /** The number of entries of the page, orders or not. */
  readonly entries: number;
  /** The time of the last entry, by which the list is sorted. */
  readonly lastAt: Instant | undefined;
  /** The shop's own count of all found entries; undefined if it gives none. */
  readonly isLast: boolean | undefined;
  /** The headers of the answer. */
  readonly headers: Headers;
}

/**
 * The next page begins at the last time seen, because pages move when orders change meanwhile. The number of
 * the page counts only within one second.
 */
export function pageFrom(place: Place, { orders, entries, lastAt, isLast, headers }: Listed): OrderPage {
  const shopTime = Date.parse(headers.get("Date") ?? "");
  const page = { orders, ...(Number.isNaN(shopTime) ? {} : { shopTime }) };
  if (entries < ORDERS_OF_PAGE || isLast === true) return page;
  const isLater = lastAt !== undefined && lastAt > place.since;
  const next = isLater ? { since: lastAt, page: 1 } : { ...place, page: place.page + 1 };
  return { ...page, next: `${next.since}.${next.page}` };
}
