import { passkey as passkeys } from "@better-auth/passkey";
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { type BetterAuthOptions, betterAuth } from "better-auth/minimal";
import { parseCookies, serializeSignedCookie } from "better-call";
import { databaseOn } from "../../db/database.ts";
import type { Identity } from "../../db/people/identity-store.ts";
import * as tables from "../../db/schema/identity.ts";
import { consoleOrigins, passkeyDomain } from "../../domain/connection/console-origins.ts";
import { currentSecret } from "../../domain/connection/server-secrets.ts";
import { deviceOf } from "../../domain/identity/device.ts";
import { IDENTITY, SIGN_IN_DELAY } from "../../domain/limits.ts";
import { sha256Hex } from "../../domain/shared/sha256.ts";

interface IdentityDeps {
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

const SESSION_COOKIE = /(^|\.)session_token$/;

/**
 * A session that an older secret signed goes on as if the current one had: so a secret is changed while
 * people are signed in, and their cookies get the new signature when the library renews them.
 */
function signedByCurrent([current, ...older]: readonly string[]) {
  return async (headers: Headers): Promise<Headers> => {
    const sent = headers.get("Cookie");
    if (!sent || older.length === 0) return headers;
    const cookies = [...parseCookies(sent)];
    const signed = cookies.map(async ([name, value]) =>
      SESSION_COOKIE.test(name)
        ? resigned({ name, value }, { current: current ?? "", older })
        : `${name}=${encodeURIComponent(value)}`,
    );
    const renewed = new Headers(headers);
    renewed.set("Cookie", (await Promise.all(signed)).join("; "));
    return renewed;
  };
}

interface Cookie {
  readonly name: string;
  /** What was signed, a point, and the signature. */
  readonly value: string;
}

async function resigned(
  { name, value }: Cookie,
  { current, older }: { readonly current: string; readonly older: readonly string[] },
): Promise<string> {
  const sent = `${name}=${encodeURIComponent(value)}`;
  const content = value.slice(0, value.lastIndexOf("."));
  for (const secret of older) {
    if ((await serializeSignedCookie(name, content, secret)) === sent) {
      return serializeSignedCookie(name, content, current);
    }
  }
  return sent;
}

const PREFIX = "cuadre";
/** Of so many persons a browser remembers that they signed in. */
const MOST_DEVICE_COOKIES = 10;
const DEVICE_COOKIE = new RegExp(`(^|-)${PREFIX}\\.device_[0-9a-f]{12}$`);

interface CookieSettings {
  /** The first one signs, all of them verify. */
  readonly secrets: readonly [string, ...string[]];
  readonly isSecure: boolean;
}

/** The cookies of who signs in: the session's as the library reads it, and one for each person's browser. */
function signInCookies({ secrets, isSecure }: CookieSettings) {
  const [current] = secrets;
  const named = (name: string) => `${isSecure ? "__Secure-" : ""}${PREFIX}.${name}`;
  const attributes = { path: "/", httpOnly: true, sameSite: "strict", secure: isSecure } as const;
  const session = named("session_token");
  return {
    session: (token: string): Promise<string> =>
      serializeSignedCookie(session, token, current, { ...attributes, maxAge: IDENTITY.sessionMs / 1_000 }),
    sessionEnd: (): string =>
      `${session}=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`,
    device: (userId: string, id: string): Promise<string> =>
      serializeSignedCookie(named(`device_${sha256Hex(userId).slice(0, 12)}`), id, current, {
        ...attributes,
        maxAge: SIGN_IN_DELAY.deviceMs / 1_000,
      }),
    /** What the browser holds of devices, as far as we signed it. */
    async devicesIn(headers: Headers): Promise<readonly string[]> {
      const sent = [...parseCookies(headers.get("Cookie") ?? "")].filter(([name]) =>
        DEVICE_COOKIE.test(name),
      );
      const verified = sent.slice(0, MOST_DEVICE_COOKIES).map(async ([name, value]) => {
        const id = value.slice(0, Math.max(0, value.lastIndexOf(".")));
        const signed = await Promise.all(secrets.map((secret) => serializeSignedCookie(name, id, secret)));
        return signed.includes(`${name}=${encodeURIComponent(value)}`) ? [id] : [];
      });
      return (await Promise.all(verified)).flat();
    },
  };
}
