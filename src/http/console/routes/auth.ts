import { Hono } from "hono";
import { networkOf } from "../../client-network.ts";
import type { ConsoleEnv } from "../deps.ts";
import { refuse } from "../refuse.ts";

const BRAKE_SECONDS = 60;

/** What the console asks of the library, and whether a password or a link can be tried there. */
const SERVED: Readonly<Record<string, { readonly isTry: boolean }>> = {
  "POST sign-up/email": { isTry: true },
  "POST sign-in/email": { isTry: true },
  "POST sign-out": { isTry: false },
  "POST revoke-sessions": { isTry: false },
  "POST request-password-reset": { isTry: true },
  "POST reset-password": { isTry: true },
  "POST change-password": { isTry: true },
  "GET passkey/generate-authenticate-options": { isTry: true },
  "POST passkey/verify-authentication": { isTry: true },
  "GET passkey/generate-register-options": { isTry: false },
  "POST passkey/verify-registration": { isTry: false },
  "GET passkey/list-user-passkeys": { isTry: false },
  "POST passkey/delete-passkey": { isTry: false },
};

const BASE = "/api/auth/";

/** Signing up, in and out; the library answers in its own form, and whatever else it knows is not there. */
export const authRoutes = new Hono<ConsoleEnv>().all("/*", async (c) => {
  const { deps } = c.var;
  const served = SERVED[`${c.req.method} ${new URL(c.req.url).pathname.slice(BASE.length)}`];
  if (!served) return refuse(c, "not_found");
  if (served.isTry) {
    const key = `sign-in:${networkOf(c.req.header("CF-Connecting-IP"))}`;
    // Only a brake: while it is out of order, passwords are still checked.
    const { success } = await deps.failedAuthentication.limit({ key }).catch(() => ({ success: true }));
    if (!success) return refuse(c, "rate_limited", { retryAfterSeconds: BRAKE_SECONDS });
  }
  return deps.identity.serve(c.req.raw);
});
