import { type Context, Hono } from "hono";
import * as z from "zod";
import { withIso } from "../../domain/shared/instant.ts";
import type { ConsoleEnv } from "../deps.ts";
import { freshlySignedIn } from "../gates.ts";
import { refuse } from "../refuse.ts";
import { body, emailText, query, typedEmail } from "../shapes.ts";
import { askToChangeEmail } from "../sign-in/change-email.ts";
import { secondFactorRoutes } from "../sign-in/second-factor-routes.ts";
import {
  mailFacts,
  recordSecurity,
  refuseAndRecord,
  sendInBackground,
  setCookie,
} from "../sign-in/security.ts";
import { linkMail, pageOf } from "../sign-in/texts/identity-mails.ts";
import { addressOf } from "../sign-in/tokens.ts";

export const newEmailBody = z.strictObject({ email: emailText });
export const deletionBody = z.strictObject({ email: typedEmail });

export const ownActivityQuery = z.object({ before: z.string().max(30).pipe(z.iso.datetime()).optional() });

const PAGE = 50;
const DONE = { success: true as const, data: {} };

/** A person's own sessions, password, address and passkeys. */
export const ownLoginRoutes = new Hono<ConsoleEnv>()
  .route("/second-factor", secondFactorRoutes)
  .get("/sessions", async (c) => {
    const { deps, user, session } = c.var;
    const known = await deps.login.logins.sessionsOf(user.id, deps.now());
    const sessions = known.map((one) => ({
      ...withIso(one, "firstSeenAt", "lastSeenAt"),
      current: one.id === session.id,
    }));
    return c.json({ success: true as const, data: { sessions } });
  })
  .delete("/sessions", async (c) => {
    const { deps, user, session } = c.var;
    await deps.login.logins.endSessions(user.id, session.id);
    await recordSecurity(c, "sessions_ended", { email: user.email });
    return c.json(DONE);
  })
  .delete("/sessions/:session", async (c) => {
    const { deps, user } = c.var;
    const isEnded = await deps.login.logins.endSession(user.id, c.req.param("session"));
    if (!isEnded) return refuse(c, "not_found");
    await recordSecurity(c, "sessions_ended", { email: user.email });
    return c.json(DONE);
  })
  .get("/activity", query(ownActivityQuery), async (c) => {
    const { deps, user } = c.var;
    const { before } = c.req.valid("query");
    const from = before === undefined ? deps.now() + 1 : Date.parse(before);
    const events = await deps.login.events.eventsOf(user.id, from, PAGE);
    const items = events.map((event) => withIso(event, "at"));
    const next = items.length === PAGE ? (items.at(-1)?.at ?? null) : null;
    return c.json({ success: true as const, data: { items, next } });
  })
  .post("/email", freshlySignedIn, body(newEmailBody), async (c) => {
    const { deps, user, session } = c.var;
    const email = addressOf(c.req.valid("json").email);
    const outcome = await askToChangeEmail({ email, person: user, sessionId: session.id }, deps.login);
    if (!outcome.ok) return refuse(c, "too_many_mails", { retryAfterSeconds: outcome.waitMs / 1_000 });
    mailNewAddress(c, email, outcome.found);
    await recordSecurity(c, "email_change_asked", { email: user.email });
    return c.json(DONE);
  })
  .delete("/", freshlySignedIn, body(deletionBody), async (c) => {
    const { deps, user } = c.var;
    const { id: userId, email } = user;
    if (addressOf(c.req.valid("json").email) !== email) return refuse(c, "email_mismatch");
    const memberships = await deps.members.membershipsOf(userId);
    const kept = await deps.login.emails.deleteLogin(userId, deps.now());
    if (kept) {
      const facts = { nif: kept.soleOwnerOf };
      return refuseAndRecord(c, "sole_owner", { event: "login_deleted", of: { email }, facts });
    }
    setCookie(c, deps.identity.cookies.sessionEnd());
    await recordSecurity(c, "login_deleted", { userId, email, memberships });
    return c.json(DONE);
  });

/** If the address has a login already, its person gets a notice there; the caller gets the same reply. */
function mailNewAddress(
  c: Context<ConsoleEnv>,
  to: string,
  { token, known }: Extract<Awaited<ReturnType<typeof askToChangeEmail>>, { ok: true }>["found"],
): void {
  const facts = { ...mailFacts(c), to };
  if (known) sendInBackground(c, linkMail("known", pageOf(c.var.deps.consoleUrl, "entrar"), facts));
  else sendInBackground(c, linkMail("new_email", pageOf(c.var.deps.consoleUrl, "correo", token), facts));
}
