import { paths } from "./paths.ts";

/** The page that a person comes back to after signing in again. */
export function signOutHere(): void {
  const { pathname, search } = window.location;
  if (pathname.startsWith(paths.signIn)) return;
  const back = encodeURIComponent(`${pathname}${search}`);
  window.location.assign(`${paths.signIn}?volver=${back}`);
}
