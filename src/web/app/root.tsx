import { Outlet, ScrollRestoration } from "react-router";
import { LeaveGuard } from "../parts/unsaved.tsx";

/** Above every page: what all of them need once. */
export function Root() {
  return (
    <>
      <LeaveGuard />
      <ScrollRestoration />
      <Outlet />
    </>
  );
}
