import { useQuery } from "@tanstack/react-query";
import { answer, api } from "../api/client.ts";
import { useCompany } from "./session.tsx";

const EVERY_MS = 60_000;

/** The number of orders waiting for the owner; undefined until known. */
export function useReviewCount(): number | undefined {
  const { account } = useCompany();
  const { data } = useQuery({
    // The key of the pages of orders: a change of an order also updates the badge.
    queryKey: [account.id, "orders", "count"],
    queryFn: () => answer(api.accounts[":account"].review.count.$get({ param: { account: account.id } })),
    staleTime: 30_000,
    refetchInterval: EVERY_MS,
  });
  return data?.waiting;
}
