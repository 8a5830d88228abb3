import { useRouteError } from "react-router";
import { ErrorCard } from "../parts/states.tsx";

/** A fault of our own in a page; it takes the content only, where a frame is around it. */
export function FailedPage() {
  const error = useRouteError();
  return (
    <div style={{ padding: "32px 16px", maxWidth: 720 }}>
      <ErrorCard error={error} retry={() => window.location.reload()} />
    </div>
  );
}
