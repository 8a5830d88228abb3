import { Navigate } from "react-router";
import { ErrorCard, Loading } from "../parts/states.tsx";
import { paths } from "./paths.ts";
import { useMe } from "./session.tsx";

/** To the company of the person, or to the page that opens one. */
export function HomePage() {
  const me = useMe();
  if (me.isPending) return <Loading />;
  if (me.isLoadingError) return <ErrorCard error={me.error} retry={() => void me.refetch()} />;
  const [first] = me.data.accounts;
  return <Navigate to={first ? paths.overview(first.id) : paths.newCompany} replace />;
}
