export interface ConsoleAnswer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: the content is the subject of the test
  readonly body: any;
}

export interface Browser {
  call(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<ConsoleAnswer>;
  get(path: string): Promise<ConsoleAnswer>;
  post(path: string, body?: object): Promise<ConsoleAnswer>;
  raw(path: string): Promise<Response>;
  /** A body as it is, as JSON. */
  sendText(path: string, text: string, headers?: Record<string, string>): Promise<ConsoleAnswer>;
  readonly cookies: Map<string, string>;
}

/** A browser that keeps cookies and says its origin. */
export function visitor(
  origin: string,
  fetch: (url: string, init: RequestInit) => Promise<Response>,
): Browser {
  const cookies = new Map<string, string>();
  async function send(
    method: string,
    path: string,
    body?: object | string,
    headers: Record<string, string> = {},
  ) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: {
        ...(method === "GET" ? {} : { Origin: origin }),
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
