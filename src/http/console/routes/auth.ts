import { Hono } from "hono";
import type { ConsoleEnv } from "../deps.ts";
import { refuse } from "../refuse.ts";

const BRAKE_SECONDS = 60;

/** Where a password or a link can be tried. */
const TRIES = /\/(sign-in|sign-up|reset-password|request-password-reset|passkey\/verify-authentication)/;

/** Signing up, in and out; the library answers in its own form. */
export const authRoutes = new Hono<ConsoleEnv>().all("/*", async (c) => {
  const { deps } = c.var;
  if (c.req.method === "POST" && TRIES.test(c.req.path)) {
    const key = `sign-in:${c.req.header("CF-Connecting-IP") ?? "unknown"}`;
    // Only a brake: while it is out of order, passwords are still checked.
    const { success } = await deps.failedAuthentication.limit({ key }).catch(() => ({ success: true }));
    if (!success) return refuse(c, "rate_limited", { retryAfterSeconds: BRAKE_SECONDS });
  }
  return deps.identity.serve(c.req.raw);
});
