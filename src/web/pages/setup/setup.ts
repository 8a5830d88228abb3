import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { answer, api } from "../../api/client.ts";

/** The routes of one connection of the account. */
export const ofConnection = api.accounts[":account"].connections[":connection"];

export interface ConnectionPlace {
  readonly account: string;
  readonly connection: string;
}

/** The account and the connection of the address. */
export function useConnectionPlace(): ConnectionPlace {
  const { account = "", connection = "" } = useParams();
  return { account, connection };
}

export function setupKey({ account, connection }: ConnectionPlace) {
  return ["setup", account, connection] as const;
}

/** The state of the setup; polled while a report of the shop is expected. */
export function useSetup(place: ConnectionPlace, everyMs?: number) {
  return useQuery({
    queryKey: setupKey(place),
    queryFn: () => answer(ofConnection.setup.$get({ param: place })),
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
  });
}

export type Setup = NonNullable<ReturnType<typeof useSetup>["data"]>;
