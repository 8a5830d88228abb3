/** What a stranger sends costs at most in proportion to its size, whatever it is and wherever it goes. */
import { afterAll, expect, test } from "vitest";
import { freshModule } from "../../support/fresh-module.ts";
import { countOperations } from "../../support/operations.ts";

type Strangers = typeof import("../../support/stranger-edge.ts");

const counting = await countOperations();
afterAll(counting.end);

const EDGE = `${import.meta.dirname}/../../support/stranger-edge.ts`;
const { anEdge, ENDPOINTS, FORGED_KEY } = await freshModule<Strangers>(EDGE);

const [SMALL, LARGE] = [2_000, 32_000];
/** In proportion to the size, with a fifth beside it. */
const MOST_GROWTH = (1.2 * LARGE) / SMALL;
/** The engine counts a function from its second or third call on: what a call costs at least is known so far. */
const NOISE = 10_000;

const PLACES: Readonly<
  Record<string, (text: string) => { readonly path?: string; readonly init: RequestInit }>
> = {
  "a body": (text) => ({ init: { body: text } }),
  "a body of members": (text) => ({ init: { body: `{${text.replaceAll("a", '"a":1,')}` } }),
  "nested brackets": (text) => ({ init: { body: "[".repeat(text.length) } }),
  "the key": (text) => ({ init: { headers: { "X-API-KEY": `ck_live_${text}` } } }),
  "the request's id": (text) => ({ init: { headers: { "X-Request-Id": text } } }),
  "the languages": (text) => ({ init: { headers: { "Accept-Language": text.replaceAll("aa", "a,") } } }),
  "the type": (text) => ({ init: { headers: { "Content-Type": `application/${text}` } } }),
  "the network": (text) => ({ init: { headers: { "CF-Connecting-IP": text.replaceAll("aa", "a:") } } }),
  "a cookie": (text) => ({ init: { headers: { Cookie: text.replaceAll("aa", "a;") } } }),
  "the query": (text) => ({ path: `?${text.replaceAll("aa", "a&")}`, init: {} }),
  "the path": (text) => ({ path: `/${text.replaceAll("aaaa", "%41/")}`, init: {} }),
};

type Route = readonly [method: string, path: string];

const ROUTES = ENDPOINTS.map(
  ({ method, path }): Route => [method, path.replace(/\{\w+\}/g, "x").replace("*", "x")],
);

const { app } = anEdge();

async function sendTo([method, path]: Route, size: number, place: string): Promise<Response> {
  const { path: more = "", init } = PLACES[place]?.("a".repeat(size)) ?? { init: {} };
  const headers = { "X-API-KEY": FORGED_KEY, "Content-Type": "application/json", ...init.headers };
  const { body, ...rest } = init;
  const sent = method === "GET" || body === undefined ? rest : init;
  return app.request(`${path}${more}`, { ...sent, method, headers });
}

/** The same text to each of the routes. */
async function operationsAt(routes: readonly Route[], size: number, place: string): Promise<number> {
  return counting.of(async () => {
    for (const route of routes) expect((await sendTo(route, size, place)).status).not.toBe(500);
  });
}

async function growsFaster(routes: readonly Route[], place: string): Promise<boolean> {
  const small = await operationsAt(routes, SMALL, place);
  const large = await operationsAt(routes, LARGE, place);
  return large > MOST_GROWTH * small + NOISE * routes.length;
}

test.each(Object.keys(PLACES))("work for strangers grows no faster than %s", async (place) => {
  // What is loaded and remembered with the first call is not of the second.
  await operationsAt(ROUTES, SMALL, place);
  if (!(await growsFaster(ROUTES, place))) return;
  const guilty: Route[] = [];
  for (const route of ROUTES) if (await growsFaster([route], place)) guilty.push(route);
  expect(guilty).toEqual([]);
  expect.unreachable("the work of all routes together grows faster");
});

test("the measure tells work that grows with the square from work that does not", async () => {
  const looping = (count: number) =>
    counting.of(async () => {
      let sum = 0;
      for (let each = 0; each < count; each++) sum += each;
      return sum;
    });
  const grows = (small: number, large: number) => large > MOST_GROWTH * small + NOISE;
  expect(grows(await looping(SMALL), await looping(LARGE))).toBe(false);
  expect(grows(await looping(SMALL ** 2 / 100), await looping(LARGE ** 2 / 100))).toBe(true);
});
