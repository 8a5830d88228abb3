import { passkey as passkeys } from "@better-auth/passkey";
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { type BetterAuthOptions, betterAuth } from "better-auth/minimal";
import { databaseOn } from "../../db/database.ts";
import type { Identity } from "../../db/people/identity-ports.ts";
import * as tables from "../../db/schema/identity.ts";
import { consoleOrigins, passkeyDomain } from "../../domain/connection/console-origins.ts";
import { currentSecret } from "../../domain/connection/server-secrets.ts";
import { deviceOf } from "../../domain/identity/device.ts";
import { IDENTITY } from "../../domain/limits.ts";
import { signInCookies } from "./cookies.ts";
import { signedByCurrent } from "./session-cookies.ts";

export interface IdentityDeps {
  readonly directory: D1Database;
  /** The first one signs cookies, all of them verify. */
  readonly secrets: readonly string[];
  /** Origin of the console. */
  readonly consoleUrl: string;
  readonly product: string;
  /** Keeps the Worker alive for what need not be waited for. */
  readonly inBackground: (work: Promise<unknown>) => void;
}

/** Sessions and passkeys by better-auth on the directory database; passwords and links are ours. */
export function identityOn(deps: IdentityDeps): Identity {
  const auth = betterAuth(optionsOf(deps));
  const current = signedByCurrent(deps.secrets);
  const [, ...older] = deps.secrets;
  const cookies = signInCookies({
    secrets: [currentSecret(deps.secrets), ...older],
    isSecure: isSecure(deps),
  });
  return {
    cookies,
    serve: async (request) => auth.handler(new Request(request, { headers: await current(request.headers) })),
    async signedIn(headers) {
      const { response, headers: answered } = await auth.api.getSession({
        headers: await current(headers),
        returnHeaders: true,
      });
      if (!response) return undefined;
      const { id, name, email } = response.user;
      const session = { id: response.session.id, begunAt: response.session.createdAt.getTime() };
      return { person: { id, name, email }, session, cookies: answered.getSetCookie() };
    },
  };
}

function isSecure({ consoleUrl }: IdentityDeps): boolean {
  return new URL(consoleUrl).protocol === "https:";
}

function optionsOf(deps: IdentityDeps) {
  const origins = [...consoleOrigins(deps.consoleUrl)];
  return {
    appName: deps.product,
    baseURL: new URL(deps.consoleUrl).origin,
    basePath: "/api/auth",
    trustedOrigins: origins,
    secret: currentSecret(deps.secrets),
    database: drizzleAdapter(databaseOn(deps.directory), {
      provider: "sqlite",
      schema: { ...tables, account: tables.credential },
      transaction: false,
    }),
    emailAndPassword: { enabled: false },
    // How young a sign-in must be is asked in front of the library.
    session: { expiresIn: IDENTITY.sessionMs / 1_000, updateAge: IDENTITY.seenAgainMs / 1_000, freshAge: 0 },
    databaseHooks: {
      session: {
        create: {
          // What a person recognises it by, and nothing more of the browser.
          before: async (session: { readonly userAgent?: string | null | undefined }) => ({
            data: { ...session, userAgent: deviceOf(session.userAgent ?? undefined) ?? null },
          }),
        },
      },
    },
    advanced: {
      cookiePrefix: "cuadre",
      useSecureCookies: isSecure(deps),
      defaultCookieAttributes: { httpOnly: true, sameSite: "strict" },
      ipAddress: { disableIpTracking: true },
      backgroundTasks: { handler: deps.inBackground },
    },
    // The brakes are ours, in front of the library.
    rateLimit: { enabled: false },
    plugins: [passkeys({ rpID: passkeyDomain(deps.consoleUrl), rpName: deps.product, origin: origins })],
    telemetry: { enabled: false },
    // What it would log may quote what somebody sent.
    logger: { disabled: true },
  } satisfies BetterAuthOptions;
}
