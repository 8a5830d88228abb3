import { parseCookies, serializeSignedCookie } from "better-call";
import { IDENTITY, SIGN_IN_DELAY } from "../../domain/limits.ts";
import { sha256Hex } from "../../domain/shared/sha256.ts";

const PREFIX = "cuadre";
/** Of so many persons a browser remembers that they signed in. */
const MOST_DEVICE_COOKIES = 10;
const DEVICE_COOKIE = new RegExp(`(^|-)${PREFIX}\\.device_[0-9a-f]{12}$`);

export interface CookieSettings {
  /** The first one signs, all of them verify. */
  readonly secrets: readonly [string, ...string[]];
  readonly isSecure: boolean;
}

/** The cookies of who signs in: the session's as the library reads it, and one for each person's browser. */
export function signInCookies({ secrets, isSecure }: CookieSettings) {
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
