/** Secrets of the deployment change while keys, links and sessions that older ones signed are in use. */
import { env, waitUntil } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { createApp } from "../../src/api/app.ts";
import { createConsoleApp } from "../../src/console/app.ts";
import { consoleDeps } from "../../src/console/wiring.ts";
import { newApiKey } from "../../src/domain/connection/api-key.ts";
import { serverSecrets } from "../../src/domain/connection/server-secrets.ts";
import { appDeps } from "../../src/wiring.ts";
import { newPerson, ownerOf } from "../support/worlds/console.ts";
import { API, anEdgeOverAll, openShopWith, viewerUrl } from "../support/worlds/customer-views.ts";
import { apiOver, ownerOver } from "../support/worlds/deployment.ts";
import { openShop, type Shop } from "../support/worlds/shop.ts";

const OF_TESTS = env.API_KEY_SECRETS;
const [TODAY = ""] = serverSecrets(OF_TESTS);

test.each<[string | undefined, readonly string[]]>([
  ["one", ["one"]],
  ["new,old", ["new", "old"]],
  [" new , old ", ["new", "old"]],
  ["new,", ["new"]],
  [",", []],
  ["", []],
  [undefined, []],
])("secrets configured as %j", (configured, expected) => {
  expect(serverSecrets(configured)).toEqual(expected);
});

describe("API_KEY_SECRETS", () => {
  const edgeWith = (secrets: string) =>
    createApp(appDeps(apiOver({ ...env, API_KEY_SECRETS: secrets }), waitUntil));
  const statusOf = async (secrets: string, key: string) =>
    (await edgeWith(secrets).request(`${API}/api/v1/module-version`, { headers: { "X-API-KEY": key } }))
      .status;
  const consoleWith = (secrets: string) =>
    createConsoleApp(consoleDeps(ownerOver({ ...env, API_KEY_SECRETS: secrets })));

  async function makeKey(shop: Shop, secrets: string): Promise<{ status: number; key: string }> {
    const owner = await ownerOf(shop);
    const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const path = `/api/accounts/${shop.accountId}/connections/${shop.connectionId}/keys`;
    const response = await consoleWith(secrets).request(`http://127.0.0.1:8788${path}`, {
      method: "POST",
      headers: { Origin: "http://127.0.0.1:8788", Cookie: cookie },
    });
    const { data } = await response.json<{ data?: { key: string } }>();
    return { status: response.status, key: data?.key ?? "" };
  }

  test("a new one in front signs new keys; the old keys live until theirs is dropped", async () => {
    const shop = await openShop();
    const both = `tomorrow,${TODAY}`;
    expect(await statusOf(both, shop.key)).not.toBe(401);
    const { key } = await makeKey(shop, both);
    for (const secrets of [both, "tomorrow"]) expect(await statusOf(secrets, key)).not.toBe(401);
    expect(await statusOf("tomorrow", shop.key)).toBe(401);
    expect(await statusOf(TODAY, key)).toBe(401);
  });

  test("none signs nothing and lets nothing in, least of all what an empty one signed", async () => {
    const shop = await openShop();
    const random = (size: number) => crypto.getRandomValues(new Uint8Array(size));
    const forged = newApiKey(shop.connectionId, "", random);
    const calls: string[] = [];
    for (const secrets of ["", ",", `${TODAY},`]) {
      const deps = appDeps(apiOver({ ...env, API_KEY_SECRETS: secrets }), waitUntil);
      const app = createApp({
        ...deps,
        connection: (id) => {
          calls.push(id);
          return deps.connection(id);
        },
      });
      const headers = { "X-API-KEY": forged };
      expect((await app.request(`${API}/api/v1/module-version`, { headers })).status).toBe(401);
    }
    expect(calls).toEqual([]);
    expect(await makeKey(shop, "")).toEqual({ status: 500, key: "" });
  });
});

describe("VIEWER_TOKEN_SECRETS", () => {
  test("a new one in front ends no link that the old one signed", async () => {
    const shop = await openShopWith(["A-1"]);
    const link = await viewerUrl(anEdgeOverAll({ VIEWER_TOKEN_SECRETS: "today" }), shop, "A-1");
    const look = async (secrets: string) =>
      (await anEdgeOverAll({ VIEWER_TOKEN_SECRETS: secrets }).app.request(link)).status;
    expect([await look("tomorrow, today"), await look("tomorrow")]).toEqual([200, 404]);
  });
});

describe("SESSION_SECRET", () => {
  const CONSOLE = "http://127.0.0.1:8788";
  const consoleWith = (secrets: string) =>
    createConsoleApp(consoleDeps(ownerOver({ ...env, SESSION_SECRET: secrets })));
  const today = env.SESSION_SECRET;

  /** The session's cookie: a browser has one of the person's too. */
  const cookieOf = (cookies: ReadonlyMap<string, string>) =>
    [...cookies]
      .filter(([name]) => name.endsWith("session_token"))
      .map(([name, value]) => `${name}=${value}`)
      .join("; ");
  const whoIs = async (secrets: string, cookie: string) =>
    (await consoleWith(secrets).request(`${CONSOLE}/api/me`, { headers: { Cookie: cookie } })).status;

  test("a signed-in person stays so while the old one is listed after the new one", async () => {
    const person = await newPerson();
    const cookie = cookieOf(person.cookies);
    expect(await whoIs(`tomorrow,${today}`, cookie)).toBe(200);
    expect(await whoIs(`later,tomorrow,${today}`, `theme=dark; ${cookie}; other=1`)).toBe(200);
    expect(await whoIs("tomorrow", cookie)).toBe(401);
    expect(await whoIs("tomorrow,yesterday", cookie)).toBe(401);
  });

  test("a person signing in during it gets a cookie of the new one, and the library's routes know both", async () => {
    const person = await newPerson();
    const response = await consoleWith(`tomorrow,${today}`).request(`${CONSOLE}/api/auth/sign-in/email`, {
      method: "POST",
      headers: { Origin: CONSOLE, "Content-Type": "application/json" },
      body: JSON.stringify({ email: person.email, password: "cuatro lunas de marzo" }),
    });
    const cookie = response.headers
      .getSetCookie()
      .map((set) => set.split(";")[0])
      .join("; ");
    expect([await whoIs("tomorrow", cookie), await whoIs(today, cookie)]).toEqual([200, 401]);
    const passkeys = await consoleWith(`tomorrow,${today}`).request(
      `${CONSOLE}/api/auth/passkey/list-user-passkeys`,
      {
        headers: { Cookie: cookieOf(person.cookies) },
      },
    );
    expect([passkeys.status, await passkeys.json()]).toEqual([200, []]);
  });

  test.each([
    [
      "another session's token",
      (cookie: string) => cookie.replace(/=(.)/, (_, first) => (first === "x" ? "=y" : "=x")),
    ],
    ["another signature", (cookie: string) => `${cookie.slice(0, -9)}AAAAAAA%3D`],
    ["no signature", (cookie: string) => cookie.split(".").slice(0, 2).join(".")],
    ["nothing", () => ""],
  ])(
    "%s is refused, with one secret and with two",
    async (_, change) => {
      const cookie = change(cookieOf((await newPerson()).cookies));
      for (const secrets of [today, `tomorrow,${today}`]) expect(await whoIs(secrets, cookie)).toBe(401);
    },
    60_000,
  );

  test("without any no one is admitted", () => {
    expect(() => consoleWith("")).toThrow("has a secret to sign with");
  });
});
