import { useQuery } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext } from "react";
import { useParams } from "react-router";
import { answer, api } from "../api/client.ts";
import { NowherePage } from "../pages/not-found.tsx";
import { ErrorCard, Loading } from "../parts/states.tsx";
import { noteSession } from "./known-session.ts";

export function useMe() {
  return useQuery({
    queryKey: ["me"],
    queryFn: async () => {
      const me = await answer(api.me.$get());
      noteSession();
      return me;
    },
    staleTime: 60_000,
  });
}

export type Me = NonNullable<ReturnType<typeof useMe>["data"]>;
export type Account = Me["accounts"][number];

interface Company {
  readonly me: Me;
  readonly account: Account;
  /** Reads all, changes nothing. */
  readonly isReadOnly: boolean;
}

const CompanyContext = createContext<Company | undefined>(undefined);

/** The company of the address: every page below knows it, and that the person may see it. */
export function CompanyProvider({ children }: { readonly children: ReactNode }) {
  const { account: id } = useParams();
  const me = useMe();
  if (me.isPending) return <Loading />;
  if (me.isLoadingError) return <ErrorCard error={me.error} retry={() => void me.refetch()} />;
  const account = me.data.accounts.find((one) => one.id === id);
  if (!account) return <NowherePage />;
  const company = { me: me.data, account, isReadOnly: account.role !== "owner" };
  return <CompanyContext value={company}>{children}</CompanyContext>;
}

export function useCompany(): Company {
  const company = useContext(CompanyContext);
  if (!company) throw new Error("the page stands below a company");
  return company;
}
