import { useRouteError } from "react-router";
import { ErrorCard } from "../parts/states.tsx";

/** A page that could not be shown: the console was renewed meanwhile, or a fault of ours. */
export function FailedPage() {
  const error = useRouteError();
  return (
    <main style={{ padding: 32, maxWidth: 720 }}>
      <ErrorCard error={error} retry={() => window.location.reload()} />
    </main>
  );
}
