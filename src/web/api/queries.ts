import { QueryCache, QueryClient } from "@tanstack/react-query";
import { paths } from "../app/paths.ts";
import { isSignedOut } from "./client.ts";
import { ApiError } from "./errors.ts";

const MOST_RETRIES = 2;

/** Repeats only requests with a chance to succeed: a final refusal stays one. */
function isWorthRetrying(failures: number, error: Error): boolean {
  const mayPass = !(error instanceof ApiError) || error.status === 429 || error.status === 503;
  return mayPass && failures < MOST_RETRIES;
}

export const queries = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      if (isSignedOut(error)) signOutHere();
    },
  }),
  defaultOptions: {
    // The attempt itself shows if the network works: no request is queued, to be sent hours later.
    queries: {
      retry: isWorthRetrying,
      staleTime: 5_000,
      refetchOnWindowFocus: true,
      networkMode: "always",
      refetchOnReconnect: true,
    },
    mutations: { retry: false, networkMode: "always" },
  },
});

let isSigningOut = false;

/**
 * While a person signs out, another request of the page may be refused first. It must not show
 * the page of an expired session, which would lead the next person back to this one.
 */
export function beginSignOut(): void {
  isSigningOut = true;
}

/** The session continues, because the sign-out failed. */
export function giveUpSignOut(): void {
  isSigningOut = false;
}

/** The page that a person comes back to after signing in again. */
function signOutHere(): void {
  if (isSigningOut) return;
  const { pathname, search } = window.location;
  // An invitation itself offers to sign in.
  if (pathname.startsWith(paths.signIn) || pathname === paths.invitation) return;
  const back = encodeURIComponent(`${pathname}${search}`);
  window.location.assign(`${paths.signIn}?volver=${back}`);
}
