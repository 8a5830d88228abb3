import { passkeyClient } from "@better-auth/passkey/client";
import { createAuthClient } from "better-auth/client";
import { queries } from "../api/queries.ts";
import { currentLanguage } from "./language.ts";
import { paths } from "./paths.ts";

/** The sign-in library's own calls, and what it refused with. */
export const auth = createAuthClient({
  basePath: "/api/auth",
  plugins: [passkeyClient()],
  fetchOptions: { headers: { "Accept-Language": currentLanguage() } },
});

export async function signOut(): Promise<void> {
  await auth.signOut();
  leave();
}

export async function signOutEverywhere(): Promise<void> {
  await auth.revokeSessions();
  await auth.signOut();
  leave();
}

/** Nothing of the last person may stay on the screen or in memory. */
function leave(): void {
  queries.clear();
  window.location.assign(paths.signIn);
}
