import { passkeyClient } from "@better-auth/passkey/client";
import { createAuthClient } from "better-auth/client";
import { answer, api, isSignedOut } from "../api/client.ts";
import { beginSignOut, giveUpSignOut, queries } from "../api/queries.ts";
import { forgetSession } from "./known-session.ts";
import { currentLanguage } from "./language.ts";
import { paths } from "./paths.ts";

/** The ceremonies of passkeys, which the library knows on both sides. */
const library = createAuthClient({
  basePath: "/api/auth",
  plugins: [passkeyClient()],
  fetchOptions: { headers: { "Accept-Language": currentLanguage() } },
});

/** The failure of a passkey ceremony. */
export interface PasskeyRefused {
  readonly status: number;
  /** The API's code; undefined if the browser or the person ended it. */
  readonly code: string | undefined;
}

type Ceremony = Promise<{ readonly error?: unknown } | undefined>;

export const passkeys = {
  signIn: () => refusedIn(library.signIn.passkey()),
  add: () => refusedIn(library.passkey.addPasskey()),
  remove: (id: string) => refusedIn(library.passkey.deletePasskey({ id })),
  list: async () => (await library.passkey.listUserPasskeys()).data ?? [],
};

async function refusedIn(ceremony: Ceremony): Promise<PasskeyRefused | undefined> {
  const error = (await ceremony)?.error;
  if (typeof error !== "object" || error === null) return undefined;
  const [status, code] = [Reflect.get(error, "status"), Reflect.get(error, "error_code")];
  return { status: Number(status), code: typeof code === "string" ? code : undefined };
}

/** Throws if the session continues, because the person must know. */
export async function signOut(): Promise<void> {
  beginSignOut();
  try {
    await answer(api.auth["sign-out"].$post());
  } catch (error) {
    giveUpSignOut();
    throw error;
  }
  leave();
}

/** Throws where the others go on: then this one does too. */
export async function signOutEverywhere(): Promise<void> {
  beginSignOut();
  await answer(api.auth["revoke-sessions"].$post()).catch((error: unknown) => {
    // The session has ended already.
    if (isSignedOut(error)) return;
    giveUpSignOut();
    throw error;
  });
  await signOut();
}

/** To sign in again, and back to this page. */
export function signInAgain(): void {
  const { pathname, search } = window.location;
  const back = encodeURIComponent(`${pathname}${search}`);
  window.location.assign(`${paths.signIn}?volver=${back}&motivo=seguridad`);
}

/** Nothing of the last person may stay on the screen or in memory. */
export function leave(): void {
  beginSignOut();
  forgetSession();
  queries.clear();
  window.location.assign(paths.signIn);
}
