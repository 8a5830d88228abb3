import { passkey as passkeys } from "@better-auth/passkey";
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { type BetterAuthOptions, betterAuth } from "better-auth/minimal";
import { parseCookies, serializeSignedCookie } from "better-call";
import { databaseOn } from "../../db/database.ts";
import type { Identity } from "../../db/people/identity-store.ts";
import * as tables from "../../db/schema/directory.ts";
import { consoleOrigins, passkeyDomain } from "../../domain/connection/console-origins.ts";
import { currentSecret } from "../../domain/connection/server-secrets.ts";
import { deviceOf } from "../../domain/identity/device.ts";
import { IDENTITY, SIGN_IN_DELAY } from "../../domain/limits.ts";
import { sha256Hex } from "../../domain/shared/hash.ts";

interface IdentityDeps {
  readonly directory: D1Database;
  /** The first secret signs cookies; all of them verify. */
  readonly secrets: readonly string[];
  /** The console's origin. */
  readonly consoleUrl: string;
  readonly product: string;
  /** Keeps the Worker alive for work that the response does not wait for. */
  readonly inBackground: (work: Promise<unknown>) => void;
}

/** better-auth serves sessions and passkeys on the directory database; passwords and links are our own. */
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
    // Our own check of a sign-in's age runs before the library, so the library's check is off.
    session: { expiresIn: IDENTITY.sessionMs / 1_000, updateAge: IDENTITY.seenAgainMs / 1_000, freshAge: 0 },
    databaseHooks: {
      session: {
        create: {
          // Only the device's description, so that the person recognises it; no other data of the browser.
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
    // Our own limits run before the library.
    rateLimit: { enabled: false },
    plugins: [passkeys({ rpID: passkeyDomain(deps.consoleUrl), rpName: deps.product, origin: origins })],
    telemetry: { enabled: false },
    // The library's log lines may quote the request.
    logger: { disabled: true },
  } satisfies BetterAuthOptions;
}

const SESSION_COOKIE = /(^|\.)session_token$/;

/**
 * Accepts sessions signed with an older secret by signing them again with the current one. People stay signed
 * in when a secret is replaced, until the library renews their cookies.
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
  /** The signed text, a dot and the signature. */
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
/** Limit of persons that one browser remembers. */
const MOST_DEVICE_COOKIES = 10;
const DEVICE_COOKIE = new RegExp(`(^|-)${PREFIX}\\.device_[0-9a-f]{12}$`);

interface CookieSettings {
  /** The first secret signs; all of them verify. */
  readonly secrets: readonly [string, ...string[]];
  readonly isSecure: boolean;
}

/** Cookies at sign-in: the session in the library's format, and a device cookie per person. */
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
    /** Device ids from the browser's cookies, if our signature is valid. */
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
