import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { answer, api } from "../../api/client.ts";
import { type ConnectionPlace, ofConnection } from "../setup/setup.ts";

export const ofAccount = api.accounts[":account"];

/** The key of everything that a change of a connection affects: all of it is read again. */
export function connectionsKey(account: string) {
  return ["connections", account] as const;
}

export function useConnections(account: string) {
  return useQuery({
    queryKey: [...connectionsKey(account), "list"],
    queryFn: async () => (await answer(ofAccount.connections.$get({ param: { account } }))).connections,
  });
}

export type ConnectionCard = NonNullable<ReturnType<typeof useConnections>["data"]>[number];

export function useConnection(place: ConnectionPlace) {
  return useQuery({
    queryKey: [...connectionsKey(place.account), place.connection],
    queryFn: () => answer(ofConnection.$get({ param: place })),
  });
}

export type Connection = NonNullable<ReturnType<typeof useConnection>["data"]>;

export function originsKey(place: ConnectionPlace) {
  return [...connectionsKey(place.account), place.connection, "origins"] as const;
}

/** Pages that may show invoices in a frame, the newest first. */
export function useOrigins(place: ConnectionPlace) {
  return useInfiniteQuery({
    queryKey: originsKey(place),
    queryFn: ({ pageParam }) =>
      answer(
        ofConnection.origins.$get({ param: place, query: pageParam === "" ? {} : { cursor: pageParam } }),
      ),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
  });
}

export type OriginShown = NonNullable<
  ReturnType<typeof useOrigins>["data"]
>["pages"][number]["items"][number];

export function sellingKey(account: string) {
  return ["selling", account] as const;
}

export function useSellingList(account: string) {
  return useQuery({
    queryKey: [...sellingKey(account), "list"],
    queryFn: () => readSelling(account),
  });
}

/** Page after page: where much is declared, one has not room for all of it. */
async function readSelling(account: string) {
  const read = (from: number) =>
    answer(ofAccount.profiles.$get({ param: { account }, query: { from: String(from) } }));
  const { connections, ...first } = await read(0);
  const all = [...connections];
  for (let { next } = first; next !== null; ) {
    const page = await read(next);
    all.push(...page.connections);
    next = page.next;
  }
  return all;
}

export function useSelling(place: ConnectionPlace) {
  return useQuery({
    queryKey: [...sellingKey(place.account), place.connection],
    queryFn: () => answer(ofConnection.profiles.$get({ param: place })),
  });
}

export type Selling = NonNullable<ReturnType<typeof useSelling>["data"]>;
export type ProfileShown = Selling["profiles"][number];
export type SeriesShown = Selling["orders"]["series"][number];

export function companyKey(account: string) {
  return ["company", account] as const;
}

export function useCompanySettings(account: string) {
  return useQuery({
    queryKey: companyKey(account),
    queryFn: () => answer(ofAccount.company.$get({ param: { account } })),
  });
}

export type CompanySettings = NonNullable<ReturnType<typeof useCompanySettings>["data"]>;
