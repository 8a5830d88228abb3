/** A stranger's request costs at most in proportion to its size, with any content and on any route. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freshModule } from "../../support/rules/fresh-module.ts";
import { countOperations } from "../../support/rules/operations.ts";

type Strangers = typeof import("../../support/worlds/stranger-edge.ts");

const counting = await countOperations();
afterAll(counting.end);

const EDGE = `${import.meta.dirname}/../../support/worlds/stranger-edge.ts`;
const { anEdge, aConsole, ENDPOINTS, FORGED_KEY } = await freshModule<Strangers>(EDGE);

type Sizes = readonly [small: number, large: number];

/** Headers and addresses; of bodies, what the API and the console take. */
const ANYTHING: Sizes = [2_000, 32_000];
/** The members of a body that sign-in reads, next to its others. */
const SIGN_IN: Sizes = [200, 3_200];
/** In proportion to the size, which grows by sixteen, plus a fifth. */
const MOST_GROWTH = 1.2 * 16;
/**
 * The engine counts a function from its second or third call on, so the least cost of a call is known by
 * then.
 */
const NOISE = 10_000;

interface Sent {
  /** In the place of everything that the path names. */
  readonly named?: string;
  /** The query of the path. */
  readonly more?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

type Places = Readonly<Record<string, (text: string) => Sent>>;

const HEADS: Places = {
  "the key": (text) => ({ headers: { "X-API-KEY": `ck_live_${text}` } }),
  "the request's id": (text) => ({ headers: { "X-Request-Id": text } }),
  "the languages": (text) => ({ headers: { "Accept-Language": text.replaceAll("aa", "a,") } }),
  "the type": (text) => ({ headers: { "Content-Type": `application/${text}` } }),
  "the encoding": (text) => ({ headers: { "Content-Encoding": text.replaceAll("aa", "a,") } }),
  "the network": (text) => ({ headers: { "CF-Connecting-IP": text.replaceAll("aa", "a:") } }),
  "the browser": (text) => ({ headers: { "User-Agent": text.replaceAll("aaaaaaaa", "Safari/ ") } }),
  "the origin": (text) => ({ headers: { Origin: `https://${text}` } }),
  "a cookie": (text) => ({ headers: { Cookie: text.replaceAll("aa", "a;") } }),
  "one cookie": (text) => ({ headers: { Cookie: `cuadre.session_token=${text}.${text}` } }),
  "cookies of sessions": (text) => ({ headers: { Cookie: cookies(text, "cuadre.session_token") } }),
  "cookies of browsers": (text) => ({ headers: { Cookie: cookies(text, "cuadre.device_0123456789ab") } }),
  "the query": (text) => ({ more: `?${text.replaceAll("aa", "a&")}` }),
  "the path": (text) => ({ more: `/${text.replaceAll("aaaa", "%41/")}` }),
  "what the path names": (text) => ({ named: text }),
};

/** As many as fit, each under a name of its own. */
function cookies({ length }: { readonly length: number }, name: string): string {
  const each = `${name}=value.signature; `;
  return Array.from({ length: Math.floor(length / (each.length + 5)) }, (_, at) => `${at}.${each}`).join("");
}

const MEMBERS = ["name", "email", "password", "newPassword", "currentPassword", "token", "id"] as const;

const BODIES: Places = {
  "a body": (text) => ({ body: text }),
  "a body of members": (text) => ({ body: `{${text.replaceAll("a", '"a":1,')}` }),
  "nested brackets": (text) => ({ body: "[".repeat(text.length) }),
  "a list": (text) => ({ body: `[${"1,".repeat(text.length / 2)}1]` }),
};

const FORMS: Places = {
  ...Object.fromEntries(
    MEMBERS.map((member) => [
      `the member ${member}`,
      (text: string) => ({ body: saying({ [member]: text }) }),
    ]),
  ),
  "a password of spaces": (text) => ({ body: saying({ newPassword: " ".repeat(text.length) }) }),
  "a password of marks": (text) => ({ body: saying({ newPassword: "\u0301".repeat(text.length / 2) }) }),
  "an address of signs": (text) => ({ body: saying({ email: "@.".repeat(text.length / 2) }) }),
  "a passkey's id": (text) => ({ body: saying({ response: { id: text } }) }),
  "a passkey's answer": (text) => ({ body: saying({ response: { id: "x", clientDataJSON: text } }) }),
  "a passkey's members": (text) => ({
    body: `{"response":{"id":"x",${text.replaceAll("aaaaaaaa", '"a":[],')}"b":1}}`,
  }),
};

let people = 0;

/** A form that every route of sign-in reads, of a new person. */
function saying(members: object): string {
  people += 1;
  const form = { name: "Ana", email: `a${people}@correo.example`, password: "x", token: "x", id: "x" };
  return JSON.stringify({
    ...form,
    newPassword: "x",
    currentPassword: "x",
    response: { id: "x" },
    ...members,
  });
}

interface Route {
  readonly method: string;
  readonly path: string;
  readonly send: (path: string, init: RequestInit) => Promise<Response>;
}

const { app } = anEdge();
const cabin = aConsole();

const API_ROUTES: readonly Route[] = ENDPOINTS.map(({ method, path }) => ({
  ...{ method, path: path.replace(/\{(\w+)\}/g, ":$1").replace("*", ":rest") },
  send: async (sent, init) => app.request(sent, init),
}));
const CONSOLE_ROUTES: readonly Route[] = cabin.routes.map(({ method, path }) => ({
  ...{ method, path },
  send: (sent, init) => cabin.send(method, sent, init),
}));
const ROUTES = [...API_ROUTES, ...CONSOLE_ROUTES];

async function sendTo({ method, path, send }: Route, sent: Sent): Promise<Response> {
  const { named = "x", more = "", headers = {}, body } = sent;
  return send(`${path.replace(/:\w+/g, named)}${more}`, {
    method,
    headers: { "X-API-KEY": FORGED_KEY, "Content-Type": "application/json", ...headers },
    ...(method === "GET" || body === undefined ? {} : { body }),
  });
}

/** The same text to each of the routes. */
function sending(routes: readonly Route[], sent: () => Sent) {
  return async () => {
    for (const route of routes) expect((await sendTo(route, sent())).status).not.toBe(500);
  };
}

/** The groups of routes whose work grows faster than what they are sent. */
async function fasterOf(
  groups: readonly (readonly Route[])[],
  place: (text: string) => Sent,
  sizes: Sizes,
): Promise<readonly (readonly Route[])[]> {
  const acts = groups.flatMap((routes) =>
    sizes.map((size) => sending(routes, () => place("a".repeat(size)))),
  );
  const counts = await counting.each(acts);
  return groups.filter((routes, at) => {
    const [small = 0, large = 0] = counts.slice(2 * at);
    return large > MOST_GROWTH * small + NOISE * routes.length;
  });
}

const alone = (routes: readonly Route[]) => routes.map((route) => [route]);

async function expectSlow(routes: readonly Route[], place: (text: string) => Sent, sizes: Sizes) {
  if ((await fasterOf([routes], place, sizes)).length === 0) return;
  await expectEachSlow(routes, place, sizes);
  expect.unreachable("the work of all routes together grows faster");
}

async function expectEachSlow(routes: readonly Route[], place: (text: string) => Sent, sizes: Sizes) {
  const faster = await fasterOf(alone(routes), place, sizes);
  expect(faster.flat().map(({ method, path }) => `${method} ${path}`)).toEqual([]);
}

/** Every other route of the console asks for a session first. */
const OPEN = [
  "POST /api/auth/sign-up/email",
  "POST /api/auth/request-password-reset",
  "POST /api/auth/reset-password",
  "POST /api/auth/sign-in/email",
  "POST /api/auth/sign-out",
  "POST /api/auth/confirm-email",
  "POST /api/auth/restore-email",
  "GET /api/auth/passkey/generate-authenticate-options",
  "POST /api/auth/passkey/verify-authentication",
];
const named = ({ method, path }: Route) => `${method} ${path}`;
const isOpen = (route: Route) => OPEN.includes(named(route));

// Work that is loaded and kept with the first calls does not count for the next.
beforeAll(async () => {
  for (let calls = 0; calls < 3; calls++)
    for (const route of ROUTES) await sendTo(route, { body: saying({}) });
});

describe("work for strangers grows no faster than", () => {
  test.each(Object.entries(HEADS))("%s", (_, place) => expectSlow(ROUTES, place, ANYTHING));

  test.each(Object.entries(BODIES))("%s", (_, place) =>
    expectSlow(
      ROUTES.filter((route) => !isOpen(route)),
      place,
      ANYTHING,
    ),
  );

  // Separately: their work is so small that others would hide it.
  test.each(Object.entries({ ...BODIES, ...FORMS }))("%s that is sent to sign in", async (_, place) => {
    const open = CONSOLE_ROUTES.filter((route) => isOpen(route) && route.method !== "GET");
    await expectEachSlow(open, place, SIGN_IN);
  });
});

describe("a stranger at the console", () => {
  const GATED = CONSOLE_ROUTES.filter((route) => !isOpen(route));

  test("finds these routes, and every other one asks for a session", async () => {
    const open: string[] = [];
    for (const route of CONSOLE_ROUTES) {
      const answer = await sendTo(route, { body: "{}" });
      if (answer.status !== 401) open.push(named(route));
    }
    expect(open).toEqual(OPEN);
  });

  test.each<[string, Sent]>([
    ["no cookie", {}],
    ["a forged cookie", { headers: { Cookie: "cuadre.session_token=token.signature" } }],
    ["a body without shape", { body: "{" }],
    ["the largest body", { body: " ".repeat(4_096) }],
  ])("asks no database anything by %s, on none of the others", async (_, sent) => {
    const before = cabin.statements();
    for (const route of GATED) expect((await sendTo(route, sent)).status).toBe(401);
    expect(cabin.statements() - before).toBe(0);
  });

  test("reached the directory alone", () => {
    expect([...cabin.reached]).toEqual([]);
  });

  test("is braked by the network, on every open route but the end of a session", async () => {
    const keys: string[] = [];
    const braked = aConsole({
      failedAuthentication: {
        async limit({ key }) {
          keys.push(key);
          return { success: false };
        },
      },
    });
    for (const route of OPEN.filter((each) => !each.endsWith("/sign-out"))) {
      const [method = "", path = ""] = route.split(" ");
      const headers = { "CF-Connecting-IP": "2001:db8:1:2:3::4" };
      const answer = await braked.send(method, path, method === "GET" ? { headers } : { headers, body: "{" });
      expect([route, answer.status, answer.headers.get("Retry-After")]).toEqual([route, 429, "60"]);
    }
    expect(keys).toEqual(Array(OPEN.length - 1).fill("sign-in:2001:db8:1:2::/64"));
    expect(braked.statements()).toBe(0);
  });
});

describe("public content is made once, not for each caller", () => {
  /** A page of the service drawn anew takes a hundred times as much. */
  const MOST = 20_000;

  test.each(API_ROUTES.filter(({ method }) => method === "GET").map((route) => [route.path, route] as const))(
    "%s",
    async (_, route) => {
      expect(await counting.of(sending([route], () => ({})))).toBeLessThan(MOST);
    },
  );
});

test("the measure distinguishes work that grows with the square from work that does not", async () => {
  const looping = (count: number) =>
    counting.of(async () => {
      let sum = 0;
      for (let each = 0; each < count; each++) sum += each;
      return sum;
    });
  const grows = (small: number, large: number) => large > MOST_GROWTH * small + NOISE;
  for (const [small, large] of [ANYTHING, SIGN_IN]) {
    expect(grows(await looping(small), await looping(large))).toBe(false);
    expect(grows(await looping(small ** 2 / 100), await looping(large ** 2 / 100))).toBe(true);
  }
});
