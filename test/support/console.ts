/** The console as a browser uses it: cookies kept, the origin said. */
import { env, exports } from "cloudflare:workers";
import { sha256Hex } from "../../src/domain/shared/sha256.ts";

const ORIGIN = "http://127.0.0.1:8788";
export const PASSWORD = "cuatro lunas de marzo";

export interface ConsoleAnswer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: what is inside is what the test is about
  readonly body: any;
}

export interface Browser {
  call(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<ConsoleAnswer>;
  get(path: string): Promise<ConsoleAnswer>;
  post(path: string, body?: object): Promise<ConsoleAnswer>;
  raw(path: string): Promise<Response>;
  /** A body as it stands, as JSON. */
  sendText(path: string, text: string, headers?: Record<string, string>): Promise<ConsoleAnswer>;
  readonly cookies: Map<string, string>;
}

export function browser(): Browser {
  const cookies = new Map<string, string>();
  async function send(
    method: string,
    path: string,
    body?: object | string,
    headers: Record<string, string> = {},
  ) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await exports.OwnerApi.fetch(`${ORIGIN}${path}`, {
      method,
      headers: {
        ...(method === "GET" ? {} : { Origin: ORIGIN }),
        ...(body ? { "Content-Type": "application/json" } : {}),
        ...(cookie ? { Cookie: cookie } : {}),
        ...headers,
      },
      ...(body ? { body: typeof body === "string" ? body : JSON.stringify(body) } : {}),
    });
    for (const set of response.headers.getSetCookie()) keep(cookies, set);
    return response;
  }
  async function call(...given: Parameters<typeof send>): Promise<ConsoleAnswer> {
    const { status, headers, ...response } = await answerOf(await send(...given));
    return { status, headers, body: response.text === "" ? undefined : JSON.parse(response.text) };
  }
  return {
    cookies,
    call,
    get: (path) => call("GET", path),
    post: (path, body) => call("POST", path, body),
    sendText: (path, text, headers) => call("POST", path, text, headers),
    raw: (path) => send("GET", path),
  };
}

async function answerOf(response: Response) {
  return { status: response.status, headers: response.headers, text: await response.text() };
}

function keep(cookies: Map<string, string>, set: string): void {
  const [pair = ""] = set.split(";");
  const at = pair.indexOf("=");
  const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
  if (value === "" || /max-age=0/i.test(set)) cookies.delete(name);
  else cookies.set(name, value);
}

let people = 0;

/** A link as it would be mailed to who signs up. */
export async function signUpLink(email: string, name: string): Promise<string> {
  const token = `link-of-the-tests-${email}`;
  const now = Date.now();
  await env.DIRECTORY.prepare(
    `INSERT INTO identity_link (token_sha256, kind, email, name, created_at, expires_at)
     VALUES (?, 'sign_up', ?, ?, ?, ?)`,
  )
    .bind(sha256Hex(token), email, name, now, now + 3_600_000)
    .run();
  return token;
}

/** A new person, signed in. */
export async function newPerson(name = "María Ferrer"): Promise<Browser & { readonly email: string }> {
  people += 1;
  const email = `persona.${people}@correo.example`;
  const signedIn = browser();
  const token = await signUpLink(email, name);
  const answer = await signedIn.post("/api/auth/reset-password", { token, newPassword: PASSWORD });
  if (answer.status !== 200) throw new Error(`choosing a password answered ${answer.status}`);
  return { ...signedIn, email };
}

/** That person as owner of an account that stands already, such as that of `openShop()`. */
export async function ownerOf(
  account: { readonly accountId: string; readonly ledger?: string; readonly nif?: string },
  role: "owner" | "accountant" = "owner",
): Promise<Browser & { readonly email: string; readonly userId: string }> {
  const person = await newPerson();
  const { user } = (await person.get("/api/me")).body.data;
  const ledger = account.ledger ?? account.accountId.slice(2, 5);
  await env.DIRECTORY.batch([
    env.DIRECTORY.prepare(
      "INSERT INTO account_directory (account_id, nif, ledger, opened_at) VALUES (?, ?, ?, 0) ON CONFLICT DO NOTHING",
    ).bind(account.accountId, account.nif ?? account.accountId, ledger),
    env.DIRECTORY.prepare("INSERT INTO account_owner (account_id, owner_id, role) VALUES (?, ?, ?)").bind(
      account.accountId,
      user.id,
      role,
    ),
  ]);
  return { ...person, userId: user.id };
}
