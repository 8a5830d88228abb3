import { type Context, Hono } from "hono";
import * as z from "zod";
import type { Mailable } from "../../db/login/login-stores.ts";
import { hasInk, isPlainText, normalizeText } from "../../domain/shared/text.ts";
import { isTypedName } from "../../domain/shared/typed-name.ts";
import { networkIn } from "../../platform/brake.ts";
import type { ConsoleEnv } from "../deps.ts";
import { freshlySignedIn, signedIn, tryBrake } from "../gates.ts";
import { refuse } from "../refuse.ts";
import { body, typedEmail } from "../shapes.ts";
import { changeEmail, restoreEmail } from "./change-email.ts";
import {
  askForPassword,
  askToJoin,
  changePassword,
  choosePassword,
  type LinkMail,
} from "./choose-password.ts";
import { passkeyRoutes } from "./passkeys.ts";
import { refuseCode, typedCodeText } from "./second-factor-routes.ts";
import {
  deviceOfCaller,
  languageOfCaller,
  mailFacts,
  recordSecurity,
  refuseAndRecord,
  sendInBackground,
  setCookie,
} from "./security.ts";
import { signIn } from "./sign-in.ts";
import { linkMail, pageOf } from "./texts/identity-mails.ts";
import { addressOf } from "./tokens.ts";

/** The password policy checks the length; the body's size is limited already. */
const password = z.string().min(1).max(4_096);
const token = z.string().min(1).max(128);

/** Other members, such as a password, are ignored. */
export const signUpBody = z.object({ name: z.string().max(500), email: typedEmail });
export const signInBody = z.object({ email: typedEmail, password, code: typedCodeText.optional() });
export const askForPasswordBody = z.object({ email: typedEmail });
export const choosePasswordBody = z.object({ token, newPassword: password, code: typedCodeText.optional() });
export const changePasswordBody = z.object({ currentPassword: password, newPassword: password });
export const linkBody = z.object({ token });

const LONGEST_NAME = 120;

const DONE = { success: true as const, data: {} };

/** Sign-up, sign-in, sign-out and mailed links; other routes of the library do not exist. */
export const authRoutes = new Hono<ConsoleEnv>()
  .post("/sign-up/email", tryBrake, body(signUpBody), async (c) => {
    const sent = c.req.valid("json");
    const [name, email] = [normalizeText(sent.name), addressOf(sent.email)];
    if (!isPlainText(name) || !hasInk(name) || [...name].length > LONGEST_NAME) {
      return refuse(c, "person_name_invalid");
    }
    if (!isTypedName(name)) return refuse(c, "name_invalid");
    if (!isMailable(email)) return refuse(c, "email_invalid");
    mailLink(c, email, await askToJoin({ name, email }, c.var.deps.login));
    await recordSecurity(c, "asked_to_join", { email });
    return c.json(DONE);
  })
  .post("/request-password-reset", tryBrake, body(askForPasswordBody), async (c) => {
    const email = addressOf(c.req.valid("json").email);
    if (!isMailable(email)) return refuse(c, "email_invalid");
    mailLink(c, email, await askForPassword(email, c.var.deps.login));
    await recordSecurity(c, "asked_for_password", { email });
    return c.json(DONE);
  })
  .post("/reset-password", tryBrake, body(choosePasswordBody), async (c) => {
    const { deps } = c.var;
    const { token, newPassword: password, code } = c.req.valid("json");
    const devices = await deps.identity.cookies.devicesIn(c.req.raw.headers);
    const request = {
      ...{ token, password, code, devices, device: deviceOfCaller(c), language: languageOfCaller(c) },
    };
    const chosen = await choosePassword(request, deps.login);
    if (chosen.outcome === "link_ended")
      return refuseAndRecord(c, "link_ended", { event: "link_refused", of: {} });
    if (chosen.outcome === "refused") {
      return refuseAndRecord(c, chosen.code, { event: "password_refused", of: { email: chosen.email } });
    }
    if (chosen.outcome !== "chosen") return refuseCode(c, chosen, chosen);
    const { userId, email, session, deviceId } = chosen;
    if (chosen.isRecoveryCode) await recordSecurity(c, "recovery_code_used", { userId, email });
    setCookie(c, await deps.identity.cookies.device(userId, deviceId));
    if (session) setCookie(c, await deps.identity.cookies.session(session.token));
    await recordSecurity(c, session ? "signed_up" : "password_recovered", { userId, email });
    return c.json({ success: true as const, data: { signedIn: session !== undefined } });
  })
  .post("/sign-in/email", tryBrake, body(signInBody), async (c) => {
    const { deps } = c.var;
    const { email: typed, password, code } = c.req.valid("json");
    const email = addressOf(typed);
    const signed = await signIn(
      {
        ...{ email, password, code, device: deviceOfCaller(c), network: networkIn(c) },
        ...{
          devices: await deps.identity.cookies.devicesIn(c.req.raw.headers),
          language: languageOfCaller(c),
        },
      },
      deps.login,
    );
    if (signed.outcome === "delayed") {
      const refusal = { event: "sign_in_delayed", of: { email } } as const;
      return refuseAndRecord(c, "too_many_attempts", {
        ...refusal,
        retryAfterSeconds: signed.waitMs / 1_000,
      });
    }
    if (signed.outcome === "wrong") {
      const { warned } = signed;
      if (warned) await recordSecurity(c, "many_failed_sign_ins", { userId: warned.id, email });
      return refuseAndRecord(c, "credentials_wrong", { event: "sign_in_failed", of: { email } });
    }
    if (signed.outcome !== "signed_in") return refuseCode(c, signed, { userId: signed.person.id, email });
    const { person, session, newDeviceId } = signed;
    if (signed.isRecoveryCode) await recordSecurity(c, "recovery_code_used", { userId: person.id, email });
    setCookie(c, await deps.identity.cookies.session(session.token));
    if (newDeviceId) setCookie(c, await deps.identity.cookies.device(person.id, newDeviceId));
    const event = newDeviceId ? "signed_in_new_device" : "signed_in";
    await recordSecurity(c, event, { userId: person.id, email });
    return c.json(DONE);
  })
  .post("/sign-out", async (c) => {
    const { deps } = c.var;
    const known = await deps.identity.signedIn(c.req.raw.headers);
    if (known) {
      await deps.login.logins.endSession(known.person.id, known.session.id);
      await recordSecurity(c, "signed_out", { email: known.person.email });
    }
    setCookie(c, deps.identity.cookies.sessionEnd());
    return c.json(DONE);
  })
  .post("/revoke-sessions", signedIn, async (c) => {
    const { deps, user } = c.var;
    await deps.login.logins.endSessions(user.id);
    await recordSecurity(c, "sessions_ended", { email: user.email });
    return c.json(DONE);
  })
  .post("/change-password", signedIn, freshlySignedIn, body(changePasswordBody), async (c) => {
    const { deps, user, session } = c.var;
    const { currentPassword: current, newPassword: becomes } = c.req.valid("json");
    const { email, id: userId } = user;
    const changed = await changePassword({ person: user, session, current, becomes }, deps.login);
    switch (changed.outcome) {
      case "delayed": {
        const refusal = { event: "sign_in_delayed", of: { email } } as const;
        return refuseAndRecord(c, "too_many_attempts", {
          ...refusal,
          retryAfterSeconds: changed.waitMs / 1_000,
        });
      }
      case "wrong":
        return refuseAndRecord(c, "password_wrong", { event: "sign_in_failed", of: { email } });
      case "refused":
        return refuseAndRecord(c, changed.code, { event: "password_refused", of: { email } });
      case "changed":
        await recordSecurity(c, "password_changed", { userId, email });
        return c.json(DONE);
    }
  })
  .post("/confirm-email", tryBrake, body(linkBody), async (c) => {
    const changed = await changeEmail(c.req.valid("json").token, c.var.deps.login);
    if (!changed) return refuseAndRecord(c, "link_ended", { event: "link_refused", of: {} });
    const { userId, was, becomes, undoToken, language } = changed;
    const facts = { ...mailFacts(c), ...(language ? { language } : {}) };
    sendInBackground(
      c,
      linkMail("old_email", pageOf(c.var.deps.consoleUrl, "no-he-sido-yo", undoToken), { ...facts, to: was }),
    );
    await recordSecurity(c, "email_changed", { userId, email: becomes });
    return c.json({ success: true as const, data: { email: becomes } });
  })
  .post("/restore-email", tryBrake, body(linkBody), async (c) => {
    const { deps } = c.var;
    const restored = await restoreEmail(c.req.valid("json").token, deps.login);
    if (!restored) return refuseAndRecord(c, "link_ended", { event: "link_refused", of: {} });
    const { userId, becomes: email } = restored;
    mailLink(c, email, await askForPassword(email, deps.login));
    await recordSecurity(c, "email_restored", { userId, email });
    return c.json({ success: true as const, data: { email } });
  })
  .route("/passkey", passkeyRoutes);

/** One line with an @ sign. */
function isMailable(email: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(email) && isPlainText(email);
}

/** Sent in the background, so that the response is the same with or without a mail. */
function mailLink(c: Context<ConsoleEnv>, to: string, mail: Mailable<LinkMail>): void {
  if (!mail.ok) throw refuse(c, "too_many_mails", { retryAfterSeconds: mail.waitMs / 1_000 });
  const { found } = mail;
  if (found.mail === "none") return;
  const { consoleUrl } = c.var.deps;
  const url =
    found.mail === "known" ? pageOf(consoleUrl, "entrar") : pageOf(consoleUrl, "contrasena", found.token);
  const language = found.person?.language;
  sendInBackground(c, linkMail(found.mail, url, { ...mailFacts(c), ...(language ? { language } : {}), to }));
}
