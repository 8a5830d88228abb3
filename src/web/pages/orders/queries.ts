import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { InferRequestType } from "hono/client";
import { useSearchParams } from "react-router";
import { LEFT_BEHIND } from "../../../domain/limits.ts";
import { answer, api } from "../../api/client.ts";
import { useCompany } from "../../app/session.tsx";

const account = api.accounts[":account"];
const connection = account.connections[":connection"];

/** The key of every query of orders, so that one change reads all of them again. */
export const ORDERS = "orders";

type Query<Route extends (...given: never[]) => unknown> =
  InferRequestType<Route> extends { readonly query: infer Asked } ? Asked : never;

export type OrdersFilter = Query<typeof account.orders.$get>;
export type ReviewFilter = Query<typeof account.review.$get>;

export function useOrders(filter: OrdersFilter, isOn: boolean) {
  const { account: company } = useCompany();
  return useQuery({
    queryKey: [company.id, ORDERS, "list", filter],
    queryFn: () => answer(account.orders.$get({ param: { account: company.id }, query: filter })),
    placeholderData: keepPreviousData,
    enabled: isOn,
  });
}

/** The number of filtered orders, read once per filter and not per page. */
export function useOrdersCount({ cursor: _, ...filter }: OrdersFilter, isOn: boolean) {
  const { account: company } = useCompany();
  return useQuery({
    queryKey: [company.id, ORDERS, "counted", filter],
    queryFn: () => answer(account.orders.count.$get({ param: { account: company.id }, query: filter })),
    placeholderData: keepPreviousData,
    enabled: isOn,
  });
}

export function useFoundOrders(text: string) {
  const { account: company } = useCompany();
  return useQuery({
    queryKey: [company.id, ORDERS, "found", text],
    queryFn: () => answer(account.orders.search.$get({ param: { account: company.id }, query: { text } })),
    placeholderData: keepPreviousData,
    enabled: text !== "",
  });
}

/** Connections, and shops of one of them, or the first of all. */
export function usePlaces(connection = "") {
  const { account: company } = useCompany();
  const [params] = useSearchParams();
  return useQuery({
    queryKey: [company.id, ORDERS, "places", connection],
    queryFn: () =>
      answer(
        account.orders.places.$get({
          param: { account: company.id },
          query: connection === "" ? {} : { connection },
        }),
      ),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    // Older ones may lack the connection of the address.
    refetchOnMount: params.has("connection") ? "always" : true,
  });
}

/** The places by which a value of the address can be none. */
export function useCurrentPlaces() {
  const { data, isFetchedAfterMount } = usePlaces();
  if (!data || !isFetchedAfterMount) return undefined;
  return { ...data, hasMoreStores: data.stores.length >= LEFT_BEHIND.stores ? undefined : false };
}

/** The members of the address by their names in the API, which are the same. */
export const REVIEW_PARAMS = { reason: "reason", connection: "connection", cursor: "cursor" } as const;

export function useReview(filter: ReviewFilter) {
  const { account: company } = useCompany();
  return useQuery({
    queryKey: [company.id, ORDERS, "review", filter],
    queryFn: () => answer(account.review.$get({ param: { account: company.id }, query: filter })),
    placeholderData: keepPreviousData,
  });
}

export function useReviewGroups(of: string | undefined) {
  const { account: company } = useCompany();
  return useQuery({
    queryKey: [company.id, ORDERS, "groups", of],
    queryFn: () =>
      answer(
        account.review.groups.$get({
          param: { account: company.id },
          query: of === undefined ? {} : { connection: of },
        }),
      ),
  });
}

export function useCounts() {
  const { account: company } = useCompany();
  return useQuery({
    queryKey: [company.id, ORDERS, "count"],
    queryFn: () => answer(account.review.count.$get({ param: { account: company.id } })),
    staleTime: 30_000,
  });
}

/** An order with its connection. */
export interface OrderPlace {
  readonly connection: string;
  readonly order: string;
}

export function useOrder(place: OrderPlace) {
  const { account: company } = useCompany();
  return useQuery({
    queryKey: [company.id, ORDERS, "one", place],
    queryFn: () =>
      answer(
        connection.order.$get({
          param: { account: company.id, connection: place.connection },
          query: { order_id: place.order },
        }),
      ),
  });
}

export type Order = NonNullable<ReturnType<typeof useOrder>["data"]>;
export type Listed = NonNullable<ReturnType<typeof useOrders>["data"]>["items"][number];
export type Waiting = NonNullable<ReturnType<typeof useReview>["data"]>["items"][number];

export function useSent(place: OrderPlace, isOn: boolean) {
  const { account: company } = useCompany();
  return useQuery({
    queryKey: [company.id, ORDERS, "sent", place],
    queryFn: () =>
      answer(
        connection.order.sent.$get({
          param: { account: company.id, connection: place.connection },
          query: { order_id: place.order },
        }),
      ),
    enabled: isOn,
  });
}

export type AnswerBody = InferRequestType<typeof connection.order.preview.$post>["json"]["answers"][number];

/** The result of the answers; the last result stays visible while the next is loading. */
export function usePreview(place: OrderPlace, answers: readonly AnswerBody[]) {
  const { account: company } = useCompany();
  return useQuery({
    queryKey: [company.id, ORDERS, "preview", place, answers],
    queryFn: () =>
      answer(
        connection.order.preview.$post({
          param: { account: company.id, connection: place.connection },
          json: { order_id: place.order, answers: [...answers] },
        }),
      ),
    placeholderData: (before, query) => (isSame(query?.queryKey[3], place) ? before : undefined),
    staleTime: 0,
  });
}

function isSame(key: unknown, place: OrderPlace): boolean {
  return JSON.stringify(key) === JSON.stringify(place);
}

export type Preview = NonNullable<ReturnType<typeof usePreview>["data"]>;
export type ShownReason = Preview["reasons"][number];
export type Choices = Preview["choices"];
export type Draft = Preview["drafts"][number];

interface SimilarOrdersQuery {
  readonly code: ShownReason["code"];
  readonly about: string;
  readonly profile: string | undefined;
}

export function useSimilar(place: OrderPlace, { code, about, profile }: SimilarOrdersQuery) {
  const { account: company } = useCompany();
  return useQuery({
    queryKey: [company.id, ORDERS, "alike", place, code, about, profile],
    queryFn: () =>
      answer(
        connection.order.alike.$get({
          param: { account: company.id, connection: place.connection },
          query: {
            order_id: place.order,
            code,
            about,
            ...(profile === undefined ? {} : { profile_id: profile }),
          },
        }),
      ),
    staleTime: 60_000,
  });
}

interface PlaceQuery {
  readonly place: OrderPlace;
  readonly due: string;
  readonly reason: ReviewFilter["reason"];
  readonly of: string | undefined;
}

/** The order's place in the queue, with its neighbours. */
export function useNeighbours({ place, due, reason, of }: PlaceQuery) {
  const { account: company } = useCompany();
  return useQuery({
    queryKey: [company.id, ORDERS, "place", place, due, reason, of],
    queryFn: () =>
      answer(
        account.review.place.$get({
          param: { account: company.id },
          query: {
            of_connection: place.connection,
            order_id: place.order,
            due,
            ...(reason === undefined ? {} : { reason }),
            ...(of === undefined ? {} : { connection: of }),
          },
        }),
      ),
    enabled: due !== "",
  });
}

export type Neighbour = NonNullable<NonNullable<ReturnType<typeof useNeighbours>["data"]>["next"]>;

export function sendAnswers(company: string, place: OrderPlace, json: AnswersBody) {
  const { connection: of, order } = place;
  return answer(
    connection.order.answers.$post({
      param: { account: company, connection: of },
      json: { ...json, order_id: order },
    }),
  );
}

type AnswersBody = Omit<InferRequestType<typeof connection.order.answers.$post>["json"], "order_id">;

export function sendMany(company: string, orders: readonly OrderPlace[], given: AnswerBody) {
  return answer(
    account.review.answers.$post({
      param: { account: company },
      json: {
        orders: orders.map(({ connection: of, order }) => ({ connection: of, order_id: order })),
        answer: given,
      },
    }),
  );
}

export type Outcome = Awaited<ReturnType<typeof sendMany>>["outcomes"][number];
