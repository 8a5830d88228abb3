import { type Context, Hono } from "hono";
import * as z from "zod";
import { IDENTITY } from "../../domain/limits.ts";
import { sha256Hex } from "../../domain/shared/hash.ts";
import type { ConsoleEnv } from "../deps.ts";
import { freshlySignedIn, signedIn, tryBrake } from "../gates.ts";
import { refuse } from "../refuse.ts";
import { body } from "../shapes.ts";
import { type Concerned, recordSecurity, refuseAndRecord, setCookie } from "./security.ts";
import { mailboxHashes, newDevice } from "./tokens.ts";

/** A browser's passkey response; the library checks it in detail. */
export const passkeyBody = z.object({
  response: z.looseObject({ id: z.string().min(1).max(1_500) }),
  name: z.string().max(120).optional(),
});
export const passkeyIdBody = z.object({ id: z.string().min(1).max(128) });

/** Passkeys: the library runs the ceremonies; our code decides who may start one and what follows. */
export const passkeyRoutes = new Hono<ConsoleEnv>()
  .get("/generate-authenticate-options", tryBrake, (c) => served(c, {}))
  .post("/verify-authentication", tryBrake, body(passkeyBody), async (c) => {
    const { deps } = c.var;
    const { response } = c.req.valid("json");
    const answer = await libraryAnswer(c, { response });
    const signed = answer.ok ? sessionIn(await answer.json()) : undefined;
    const isIn = signed && (await deps.login.passkeys.confirmSession(signed.userId, signed.id, response.id));
    if (!isIn) return refuseAndRecord(c, "passkey_refused", { event: "passkey_refused", of: {} });
    for (const cookie of answer.headers.getSetCookie()) setCookie(c, cookie);
    const { userId, email } = signed;
    const device = newDevice(deps.login);
    const devices = (await deps.identity.cookies.devicesIn(c.req.raw.headers)).map(sha256Hex);
    const mailbox = mailboxHashes(email, deps.login);
    const login = { devices, newDevice: device.stored, now: deps.now(), mailbox };
    const isKnown = await deps.login.passkeys.recogniseDevice(userId, login);
    if (!isKnown) setCookie(c, await deps.identity.cookies.device(userId, device.id));
    await recordSecurity(c, isKnown ? "signed_in" : "signed_in_new_device", { userId, email });
    return c.json({ success: true as const, data: {} });
  })
  .get("/generate-register-options", signedIn, freshlySignedIn, async (c) => {
    const { deps, user } = c.var;
    const limit = IDENTITY.mostPasskeys;
    if ((await deps.login.passkeys.countOf(user.id)) >= limit) {
      return refuse(c, "too_many_passkeys", { facts: { limit: String(limit) } });
    }
    return served(c, user);
  })
  .post("/verify-registration", signedIn, freshlySignedIn, body(passkeyBody), async (c) => {
    const { deps, user, session } = c.var;
    const { response, name } = c.req.valid("json");
    const answer = await libraryAnswer(c, { response, ...(name === undefined ? {} : { name }) });
    const isIn = answer.ok && (await deps.login.passkeys.confirmPasskey(user.id, session.id, response.id));
    const { id: userId, email } = user;
    if (!isIn) return refuseAndRecord(c, "passkey_refused", { event: "passkey_refused", of: { email } });
    await recordSecurity(c, "passkey_added", { userId, email });
    return c.json({ success: true as const, data: {} });
  })
  .get("/list-user-passkeys", signedIn, (c) => served(c, c.var.user))
  .post("/delete-passkey", signedIn, body(passkeyIdBody), async (c) => {
    const { id: userId, email } = c.var.user;
    const answer = await libraryAnswer(c, c.req.valid("json"));
    if (!answer.ok) return refuse(c, "not_found");
    await recordSecurity(c, "passkey_removed", { userId, email });
    return c.json({ success: true as const, data: {} });
  });

/** Calls the library for this request with only the validated body and without the query. */
async function libraryAnswer(c: Context<ConsoleEnv>, sent?: object): Promise<Response> {
  const { origin, pathname } = new URL(c.req.url);
  const headers = new Headers(c.req.raw.headers);
  headers.delete("Content-Length");
  const { method } = c.req;
  const answer = await c.var.deps.identity.serve(
    new Request(origin + pathname, { method, headers, ...(sent ? { body: JSON.stringify(sent) } : {}) }),
  );
  const { status } = answer;
  if (status >= 500 && !(await isUnread(answer))) throw new Error(`the library answered ${status}`);
  return answer;
}

/** The library reports an unreadable new passkey as its own server error. */
async function isUnread(answer: Response): Promise<boolean> {
  return (await answer.clone().text()).includes('"FAILED_TO_VERIFY_REGISTRATION"');
}

/** Passes on the library's response, which has no session. */
async function served(c: Context<ConsoleEnv>, of: Concerned): Promise<Response> {
  const answer = await libraryAnswer(c);
  if (!answer.ok) return refuseAndRecord(c, "passkey_refused", { event: "passkey_refused", of });
  for (const cookie of answer.headers.getSetCookie()) setCookie(c, cookie);
  return c.body(await answer.text(), 200, { "Content-Type": "application/json" });
}

function sessionIn(
  answer: unknown,
): { readonly id: string; readonly userId: string; readonly email: string } | undefined {
  const [id, userId, email] = [
    textAt(answer, "session", "id"),
    textAt(answer, "user", "id"),
    textAt(answer, "user", "email"),
  ];
  return id && userId && email ? { id, userId, email } : undefined;
}

function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = path.reduce<unknown>(
    (at, name) => (typeof at === "object" && at !== null ? Reflect.get(at, name) : undefined),
    value,
  );
  return typeof found === "string" ? found : undefined;
}
