import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { InferRequestType } from "hono/client";
import { answer } from "../../api/client.ts";
import { type ConnectionPlace, ofConnection } from "../setup/setup.ts";

/** The routes of the shop of a connection. */
export const ofShop = ofConnection.shop;

/** The key of everything that is read of a shop: one change reads all of it again. */
export function shopKey({ account, connection }: ConnectionPlace) {
  return ["shop", account, connection] as const;
}

const BUSY_EVERY_MS = 2_000;
const QUIET_EVERY_MS = 15_000;

function readShop(place: ConnectionPlace) {
  return answer(ofShop.$get({ param: place }));
}

export type ShopReading = Awaited<ReturnType<typeof readShop>>;
export type Shop = NonNullable<ShopReading["shop"]>;
export type Platform = Shop["platform"];

/** Read again while the page is open, and sooner while the service works on what its owner asked for. */
export function useShop(place: ConnectionPlace, isOn = true) {
  return useQuery({
    queryKey: [...shopKey(place), "one"],
    queryFn: () => readShop(place),
    refetchInterval: ({ state }) => (isBusy(state.data?.shop) ? BUSY_EVERY_MS : QUIET_EVERY_MS),
    enabled: isOn,
  });
}

function isBusy(shop: Shop | null | undefined): boolean {
  if (!shop) return false;
  return shop.webhooks.state === "pending" || shop.health.waiting > 0 || isAtWork(shop.backfill);
}

export function useDeliveries(place: ConnectionPlace) {
  return useInfiniteQuery({
    queryKey: [...shopKey(place), "deliveries"],
    queryFn: ({ pageParam }) =>
      answer(ofShop.deliveries.$get({ param: place, query: pageParam === "" ? {} : { cursor: pageParam } })),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
    refetchInterval: QUIET_EVERY_MS,
  });
}

export type Delivery = NonNullable<
  ReturnType<typeof useDeliveries>["data"]
>["pages"][number]["items"][number];

/** Rates and amounts of the newest orders. */
export function useSeen(place: ConnectionPlace) {
  return useQuery({
    queryKey: [...shopKey(place), "seen"],
    queryFn: () => answer(ofShop.seen.$get({ param: place })),
  });
}

export type Seen = NonNullable<ReturnType<typeof useSeen>["data"]>;

type BackfillQuery = InferRequestType<typeof ofShop.backfill.$get>["query"];
/** A state that an earlier order would have. */
export type Would = NonNullable<BackfillQuery["would"]>;

/** The list of earlier orders, page after page. */
export function useBackfill(place: ConnectionPlace, would: Would | undefined) {
  return useInfiniteQuery({
    queryKey: [...shopKey(place), "backfill", would],
    queryFn: ({ pageParam }) =>
      answer(
        ofShop.backfill.$get({
          param: place,
          query: {
            ...(pageParam === "" ? {} : { cursor: pageParam }),
            ...(would === undefined ? {} : { would }),
          },
        }),
      ),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
  });
}

type BackfillPage = NonNullable<ReturnType<typeof useBackfill>["data"]>["pages"][number];
export type Backfill = NonNullable<BackfillPage["backfill"]>;
export type Candidate = BackfillPage["items"][number];

/** What the invoices of the list would come to; of one list it stays the same. */
export function useBackfillTotals(place: ConnectionPlace, { version, listed }: Backfill) {
  return useQuery({
    queryKey: [...shopKey(place), "totals", version, listed],
    queryFn: async () => (await answer(ofShop.backfill.totals.$get({ param: place }))).totals,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export type BackfillTotals = NonNullable<ReturnType<typeof useBackfillTotals>["data"]>;

/** The list still grows, or confirmed orders wait for their decision. */
export function isAtWork(backfill: Backfill | null): boolean {
  if (!backfill) return false;
  return backfill.state === "listing" || (backfill.state === "confirmed" && openOf(backfill) > 0);
}

/** Confirmed orders that are neither decided nor given up. */
export function openOf({ confirmed, decided, givenUp }: Backfill): number {
  return Math.max(0, confirmed - decided - givenUp.count);
}
