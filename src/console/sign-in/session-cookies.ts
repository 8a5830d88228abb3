import { parseCookies, serializeSignedCookie } from "better-call";

const SESSION_COOKIE = /(^|\.)session_token$/;

/**
 * A session that an older secret signed goes on as if the current one had: so a secret is changed while
 * people are signed in, and their cookies get the new signature when the library renews them.
 */
export function signedByCurrent([current, ...older]: readonly string[]) {
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
