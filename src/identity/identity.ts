import { passkey as passkeys } from "@better-auth/passkey";
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { APIError, createAuthMiddleware, getSessionFromCtx } from "better-auth/api";
import { type BetterAuthOptions, betterAuth } from "better-auth/minimal";
import { consoleOrigins, passkeyDomain } from "../domain/connection/console-origins.ts";
import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from "../domain/connection/password.ts";
import { currentSecret } from "../domain/connection/server-secrets.ts";
import { databaseOn } from "../storage/database.ts";
import * as tables from "../storage/schema/identity.ts";
import type { Attempts, Identity, Mailer } from "../usecases/console/identity-ports.ts";
import { type AttemptBrake, attemptBrake } from "./attempt-brake.ts";
import { hashPassword, isPasswordOf } from "./password-hash.ts";
import { resetMail } from "./reset-mail.ts";
import { emailOf, refuseGuessable, signUpBody } from "./sent-body.ts";
import { signedByCurrent } from "./session-cookies.ts";

export interface IdentityDeps {
  readonly directory: D1Database;
  readonly mailer: Mailer;
  readonly attempts: Attempts;
  /** Links that were sent to choose a password by. */
  readonly resetLinks: { endOf(userId: string): Promise<void> };
  /** The first one signs cookies, all of them verify. */
  readonly secrets: readonly string[];
  /** Origin of the console. */
  readonly consoleUrl: string;
  readonly product: string;
  readonly now: () => number;
  /** Keeps the Worker alive for what need not be waited for. */
  readonly inBackground: (work: Promise<unknown>) => void;
  readonly languageOf: (headers: Headers) => "es" | "en";
}

const HOUR_SECONDS = 3600;
const WEEK_SECONDS = 7 * 24 * HOUR_SECONDS;

/** Paths of the library that rules of ours stand around. */
const SIGN_UP = "/sign-up/email";
const SIGN_IN = "/sign-in/email";
const RESET_MAIL = "/request-password-reset";
const RESET = "/reset-password";
const CHANGE_PASSWORD = "/change-password";

/** Sign-in by better-auth on the directory database. */
export function identityOn(deps: IdentityDeps): Identity {
  const auth = betterAuth(optionsOf(deps));
  const current = signedByCurrent(deps.secrets);
  return {
    serve: async (request) => auth.handler(new Request(request, { headers: await current(request.headers) })),
    async signedIn(headers) {
      const { response, headers: answered } = await auth.api.getSession({
        headers: await current(headers),
        returnHeaders: true,
      });
      if (!response) return undefined;
      const { id, name, email } = response.user;
      return { person: { id, name, email }, cookies: answered.getSetCookie() };
    },
  };
}

function optionsOf(deps: IdentityDeps) {
  const { origin, protocol } = new URL(deps.consoleUrl);
  const origins = [...consoleOrigins(deps.consoleUrl)];
  return {
    appName: deps.product,
    baseURL: origin,
    basePath: "/api/auth",
    trustedOrigins: origins,
    secret: currentSecret(deps.secrets),
    database: drizzleAdapter(databaseOn(deps.directory), {
      provider: "sqlite",
      schema: { ...tables, account: tables.credential },
      transaction: false,
    }),
    emailAndPassword: passwords(deps),
    session: { expiresIn: WEEK_SECONDS, updateAge: 24 * HOUR_SECONDS },
    advanced: {
      cookiePrefix: "cuadre",
      useSecureCookies: protocol === "https:",
      defaultCookieAttributes: { httpOnly: true, sameSite: "strict" },
      ipAddress: { ipAddressHeaders: ["cf-connecting-ip"] },
      backgroundTasks: { handler: deps.inBackground },
    },
    // The brakes are ours: by IP address in front of the library, by e-mail address in its hooks.
    rateLimit: { enabled: false },
    hooks: hooksOf(attemptBrake(deps.attempts, deps.now), deps),
    // The directory itself opens nobody's account: of a link it has the hash.
    verification: { storeIdentifier: { default: "plain", overrides: { "reset-password:": "hashed" } } },
    plugins: [passkeys({ rpID: passkeyDomain(deps.consoleUrl), rpName: deps.product, origin: origins })],
    telemetry: { enabled: false },
    // What it would log may quote what somebody sent.
    logger: { disabled: true },
  } satisfies BetterAuthOptions;
}

function passwords(deps: IdentityDeps) {
  return {
    enabled: true,
    autoSignIn: true,
    minPasswordLength: SHORTEST_PASSWORD,
    maxPasswordLength: LONGEST_PASSWORD,
    password: {
      hash: hashPassword,
      verify: ({ hash, password }: { hash: string; password: string }) => isPasswordOf(hash, password),
    },
    resetPasswordTokenExpiresIn: HOUR_SECONDS,
    revokeSessionsOnPasswordReset: true,
    onPasswordReset: ({ user }: { user: { id: string } }) => deps.resetLinks.endOf(user.id),
    async sendResetPassword(
      { user, token }: { user: { email: string }; token: string },
      request?: Request,
    ): Promise<void> {
      const url = `${new URL(deps.consoleUrl).origin}/contrasena?token=${encodeURIComponent(token)}`;
      const language = deps.languageOf(request?.headers ?? new Headers());
      await deps.mailer.send(resetMail({ to: user.email, url, product: deps.product, language }));
    },
  };
}

type Hook = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

function hooksOf(brake: AttemptBrake, { resetLinks }: IdentityDeps) {
  return {
    before: createAuthMiddleware(async (ctx) => {
      switch (ctx.path) {
        case SIGN_UP:
          return { context: { body: signUpBody(ctx.body) } };
        case SIGN_IN:
          return refuseTooMany(await brake.begin("signIn", emailOf(ctx.body)));
        case RESET_MAIL:
          return refuseTooMany(await brake.begin("resetMail", emailOf(ctx.body)));
        case RESET:
          return refuseGuessable(ctx.body, "newPassword");
        case CHANGE_PASSWORD:
          return beforeChange(ctx, brake);
        default:
      }
    }),
    after: createAuthMiddleware(async (ctx) => {
      if (ctx.context.returned instanceof APIError) return;
      if (ctx.path === SIGN_IN) await brake.succeeded("signIn", emailOf(ctx.body));
      const changed = ctx.path === CHANGE_PASSWORD ? ctx.context.newSession : null;
      if (changed) await resetLinks.endOf(changed.user.id);
    }),
  };
}

/** Whoever else is in with the old password, or tries it from a screen left open, is out. */
async function beforeChange(ctx: Hook, brake: AttemptBrake) {
  refuseGuessable(ctx.body, "newPassword");
  const session = await getSessionFromCtx(ctx);
  if (session) refuseTooMany(await brake.begin("changePassword", session.user.id));
  return { context: { body: { ...ctx.body, revokeOtherSessions: true } } };
}

function refuseTooMany(seconds: number | undefined): void {
  if (seconds === undefined) return;
  const body = { code: "TOO_MANY_ATTEMPTS", message: "Too many attempts.", seconds };
  throw new APIError("TOO_MANY_REQUESTS", body, { "Retry-After": String(seconds) });
}
