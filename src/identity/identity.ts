import { passkey as passkeys } from "@better-auth/passkey";
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { APIError, createAuthMiddleware } from "better-auth/api";
import { type BetterAuthOptions, betterAuth } from "better-auth/minimal";
import { consoleOrigins, passkeyDomain } from "../domain/connection/console-origins.ts";
import { isGuessable, LONGEST_PASSWORD, SHORTEST_PASSWORD } from "../domain/connection/password.ts";
import { currentSecret } from "../domain/connection/server-secrets.ts";
import { databaseOn } from "../storage/database.ts";
import * as tables from "../storage/schema/identity.ts";
import type { Identity, Mailer, SignInFailures } from "../usecases/console/identity-ports.ts";
import { hashPassword, isPasswordOf } from "./password-hash.ts";
import { resetMail } from "./reset-mail.ts";
import { signedByCurrent } from "./session-cookies.ts";
import { type SignInBrake, signInBrake } from "./sign-in-brake.ts";

export interface IdentityDeps {
  readonly directory: D1Database;
  readonly mailer: Mailer;
  readonly failures: SignInFailures;
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
const SIGN_IN = "/sign-in/email";

/** Where a password is chosen, and under which member it comes. */
const CHOOSES_PASSWORD: Readonly<Record<string, string>> = {
  "/sign-up/email": "password",
  "/reset-password": "newPassword",
  "/change-password": "newPassword",
};

/** Sign-in by better-auth on the directory database. */
export function identityOn(deps: IdentityDeps): Identity {
  const auth = betterAuth(optionsOf(deps));
  const current = signedByCurrent(deps.secrets);
  return {
    serve: async (request) => auth.handler(new Request(request, { headers: await current(request.headers) })),
    async signedIn(headers) {
      const session = await auth.api.getSession({ headers: await current(headers) });
      if (!session) return undefined;
      const { id, name, email } = session.user;
      return { id, name, email };
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
    hooks: hooksOf(signInBrake(deps.failures, deps.now)),
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

function hooksOf(brake: SignInBrake) {
  return {
    before: createAuthMiddleware(async (ctx) => {
      const member = CHOOSES_PASSWORD[ctx.path];
      if (member !== undefined) refuseGuessable(textOf(ctx.body, member), ctx.body);
      if (ctx.path === SIGN_IN) await refuseTooMany(textOf(ctx.body, "email"), brake);
    }),
    after: createAuthMiddleware(async (ctx) => {
      if (ctx.path !== SIGN_IN) return;
      const email = textOf(ctx.body, "email");
      await (ctx.context.returned instanceof APIError ? brake.failed(email) : brake.succeeded(email));
    }),
  };
}

function refuseGuessable(password: string, body: unknown): void {
  if (isGuessable(password, [textOf(body, "email"), textOf(body, "name")])) {
    throw new APIError("BAD_REQUEST", { code: "PASSWORD_GUESSABLE", message: "Choose a longer phrase." });
  }
}

async function refuseTooMany(email: string, brake: SignInBrake): Promise<void> {
  const seconds = await brake.waitSeconds(email);
  if (seconds === undefined) return;
  const body = { code: "TOO_MANY_ATTEMPTS", message: "Too many attempts.", seconds };
  throw new APIError("TOO_MANY_REQUESTS", body, { "Retry-After": String(seconds) });
}

function textOf(body: unknown, member: string): string {
  const value: unknown = typeof body === "object" && body !== null ? Reflect.get(body, member) : undefined;
  return typeof value === "string" ? value : "";
}
