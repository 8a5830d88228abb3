import { useQuery } from "@tanstack/react-query";
import { answer, api } from "../../api/client.ts";
import { type ConnectionPlace, ofConnection } from "../wizard/setup.ts";

export const ofAccount = api.accounts[":account"];

/** Of everything that a change of a connection touches: each is read again behind it. */
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

export function sellingKey(account: string) {
  return ["selling", account] as const;
}

export function useSellingList(account: string) {
  return useQuery({
    queryKey: [...sellingKey(account), "list"],
    queryFn: async () => (await answer(ofAccount.profiles.$get({ param: { account } }))).connections,
  });
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
