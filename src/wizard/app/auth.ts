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

/** Throws where the session goes on: the person has to know. */
export async function signOut(): Promise<void> {
  const { error } = await auth.signOut();
  if (error) throw error;
  leave();
}

/** Throws where the others go on: then this one does too. */
export async function signOutEverywhere(): Promise<void> {
  const { error } = await auth.revokeSessions();
  if (error && error.status !== SIGNED_OUT) throw error;
  await signOut();
}

/** There is none any more that could be ended. */
const SIGNED_OUT = 401;

/** Nothing of the last person may stay on the screen or in memory. */
function leave(): void {
  queries.clear();
  window.location.assign(paths.signIn);
}
