/**
 * Every route of the public API with every kind of foreign key and id, and customers' pages with every kind
 * of URL that shows nothing. The tables are in test/support/isolation.
 */
import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { STYLESHEET_PATH } from "../../src/api/docs/stylesheet.ts";
import { ENDPOINTS } from "../../src/api/endpoints.ts";
import { issueKey } from "../../src/db/accounts/opening.ts";
import { hashOfKey, newApiKey } from "../../src/domain/connection/api-key.ts";
import { newId } from "../../src/domain/connection/ids.ts";
import { VIEWER_ASSETS } from "../../src/viewer/assets.ts";
import { mintToken } from "../../src/viewer/viewer-token.ts";
import worker from "../../src/worker.ts";
import {
  type ApiIds,
  type ApiRequest,
  KEYED_ROUTES,
  OPEN_ROUTES,
  SHOP_ROUTES,
  VIEWER_ROUTES,
} from "../support/isolation/api-routes.ts";
import { aTenant, rowsOf, type Tenant } from "../support/isolation/tenant.ts";
import { declare, everythingIn } from "../support/worlds/http-calls.ts";

const random = (sizeBytes: number) => crypto.getRandomValues(new Uint8Array(sizeBytes));
const [SECRET = ""] = env.API_KEY_SECRETS.split(",");
const NOBODY: ApiIds = {
  ...{ externalId: "factura-nadie", invoiceId: "in00000000000000000000" },
  ...{ idExternal: "pedido-nadie", told: "nadie", connectionId: "cn00000000000000000000" },
};
/** A thing made under a free id is the caller's own from then on: those come last. */
const isMade = (foreign: string) => foreign === "201";
const KEYED = Object.entries(KEYED_ROUTES)
  .flatMap(([route, rows]) => rows.map((row) => ({ route, ...row })))
  .toSorted((a, b) => Number(isMade(a.foreign)) - Number(isMade(b.foreign)));

interface Told {
  readonly status: number;
  readonly headers: readonly string[];
  readonly text: string;
}

async function send(method: string, { path, body }: ApiRequest, key?: string): Promise<Told> {
  const request = new Request<unknown, IncomingRequestCfProperties>(`https://api.example${path}`, {
    method,
    redirect: "manual",
    headers: {
      ...(key === undefined ? {} : { "X-API-KEY": key }),
      // The brake on failed authentication counts by address.
      "CF-Connecting-IP": crypto.randomUUID(),
      "Content-Type": "application/json",
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const response = await worker.fetch(request, env, createExecutionContext());
  const headers = [...response.headers].filter(([name]) => name !== "x-request-id").map(String);
  const text = new TextDecoder().decode(await response.arrayBuffer());
  return { status: response.status, headers, text: text.replace(/"request_id":"[^"]*"/, '"request_id":""') };
}

const methodOf = (route: string) => route.split(" ")[0] ?? "";

function codeIn({ status, text }: Told): string {
  const { error_code: code }: { readonly error_code?: string } = JSON.parse(text);
  return code === undefined ? String(status) : `${status} ${code}`;
}

function idsOf({ externalId, idExternal, ids, shop: { connectionId } }: Tenant): ApiIds {
  return { externalId, invoiceId: ids.invoice, idExternal, told: externalId, connectionId };
}

const everything = () =>
  Promise.all([env.LEDGER_000, env.LEDGER_001, env.DIRECTORY].map((database) => everythingIn(database)));

test("every route is in a table, and every row of a table is a route", () => {
  const constant = new Set([STYLESHEET_PATH, ...Object.keys(VIEWER_ASSETS)]);
  const routes = ENDPOINTS.filter(({ path }) => !constant.has(path));
  const rows = [KEYED_ROUTES, OPEN_ROUTES, SHOP_ROUTES, VIEWER_ROUTES].flatMap((table) => Object.keys(table));
  expect(rows.toSorted()).toEqual(routes.map(({ method, path }) => `${method} ${path}`).toSorted());
  const keyed = ENDPOINTS.filter(({ doc }) => doc.needsKey).map(({ method, path }) => `${method} ${path}`);
  expect(Object.keys(KEYED_ROUTES).toSorted()).toEqual(keyed.toSorted());
});

describe("a key that opens nothing", () => {
  let ours: Tenant;
  let keys: Readonly<Record<string, string | undefined>>;

  beforeEach(async () => {
    ours = await aTenant("nuestro");
    const { connectionId, key } = ours.shop;
    const theirs = await aTenant("ajeno");
    const [, connection = "", secret = "", tag = ""] = /^ck_live_(\w{21})_(\w{32})_(\w{32})$/.exec(key) ?? [];
    keys = {
      "no key": undefined,
      "an empty key": "",
      "a text": "secreto",
      "a key that was cut": key.slice(0, -1),
      "a key that has grown": `${key}0`,
      "a key in capitals": key.toUpperCase(),
      "a key with blanks around it inside quotes": `" ${key} "`,
      "a forged tag": `${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}`,
      "another's tag": `ck_live_${connection}_${secret}_${theirs.shop.key.slice(-32)}`,
      "another's secret and tag": theirs.shop.key.replace(theirs.shop.connectionId, connection),
      "another's connection": key.replace(connection, theirs.shop.connectionId),
      "the tag of another deployment": newApiKey(connectionId, "another-deployment", random),
      "a tag for which nothing was opened": newApiKey(connectionId, SECRET, random),
      "a connection that does not exist": newApiKey(newId("cn", "000", random), SECRET, random),
      "a tag alone": tag,
      "a key that was revoked": await revoked(theirs),
      "a key that was rotated out": await rotatedOut(ours),
    };
  });

  async function revoked(tenant: Tenant): Promise<string> {
    await declare(tenant.shop, { verb: "revoke_key", hash: hashOfKey(tenant.shop.key) });
    return tenant.shop.key;
  }

  async function rotatedOut({ shop }: Tenant): Promise<string> {
    const { id, hash } = issueKey(shop.connectionId, { ledger: "000", apiKeySecret: SECRET, random });
    await declare(shop, { verb: "open_key", id, hash }, { verb: "revoke_key", hash: hashOfKey(shop.key) });
    return shop.key;
  }

  test("gets the same answer for every fault in it, on every route, and nothing is written", async () => {
    const before = await everything();
    const asked = KEYED.flatMap((row) => Object.entries(keys).map(([what, key]) => ({ ...row, what, key })));
    const answers = await Promise.all(
      asked.map(async ({ route, request, what, key }) => {
        const told = await send(methodOf(route), request(idsOf(ours)), key);
        return { about: `${route}: ${what}`, told };
      }),
    );
    expect(answers.filter(({ told }) => codeIn(told) !== "401 unauthorized")).toEqual([]);
    expect(new Set(answers.map(({ told }) => JSON.stringify(told))).size).toBe(1);
    expect(await everything()).toEqual(before);
  });

  test("opens the public routes, and shows the same there", async () => {
    const { shop } = ours;
    const some = [undefined, shop.key, keys["a forged tag"], keys["a key that was revoked"]];
    for (const [route, path] of Object.entries(OPEN_ROUTES)) {
      const [first, ...others] = await Promise.all(some.map((key) => send(methodOf(route), { path }, key)));
      for (const other of others) expect([route, other]).toEqual([route, first]);
    }
  });
});

describe("with a key of one's own", () => {
  async function expectAlike(ours: Tenant, theirs: Tenant): Promise<void> {
    const before = await rowsOf(theirs);
    const told: string[] = [];
    for (const { route, request, foreign, lists } of KEYED) {
      const answers = await Promise.all(
        [idsOf(theirs), NOBODY].map(async (ids) => {
          const answer = await send(methodOf(route), request(ids), ours.shop.key);
          // Two accounts may have the same number, and each lists its own.
          const secrets = lists ? [theirs.ids.invoice, theirs.idExternal] : [theirs.fullNumber];
          expect([route, secrets.filter((secret) => answer.text.includes(secret))]).toEqual([route, []]);
          const plain = Object.values(ids).reduce((text, id) => text.replaceAll(id, "?"), answer.text);
          return { ...answer, text: isMade(foreign) ? "" : plain, code: codeIn(answer) };
        }),
      );
      told.push(`${route}: ${answers[0]?.code}`);
      expect([route, answers[0]]).toEqual([route, answers[1]]);
    }
    expect(told).toEqual(KEYED.map(({ route, foreign }) => `${route}: ${foreign}`));
    expect(await rowsOf(theirs)).toEqual(before);
  }

  test.each(["000", "001"] as const)(
    "another account's things in ledger %s are as if missing",
    async (ledger) => {
      await expectAlike(await aTenant("nuestro"), await aTenant("ajeno", { ledger }));
    },
  );

  test("the things of another connection of the same account are as if missing", async () => {
    const ours = await aTenant("nuestro");
    await expectAlike(ours, await aTenant("hermana", { accountId: ours.shop.accountId }));
  });
});

describe("a viewer URL that shows nothing", () => {
  const LINK = { presentation: "link" } as const;
  const VIEWER_SECRETS = env.VIEWER_TOKEN_SECRETS.split(",");

  afterEach(() => {
    vi.useRealTimers();
  });

  async function tokenOf({ shop, idExternal }: Tenant): Promise<string> {
    const body = { order_id: idExternal, ...LINK };
    const { text } = await send("POST", { path: "/api/v1/order/invoice-access", body }, shop.key);
    const { data }: { readonly data: { readonly viewer_url: string } } = JSON.parse(text);
    return new URL(data.viewer_url).pathname.slice("/v/".length);
  }

  async function tokens(): Promise<Readonly<Record<string, string>>> {
    const [live, off, again, without] = [
      await aTenant("viva"),
      await aTenant("apagada"),
      await aTenant("otravez"),
      await aTenant("sinclave"),
    ];
    const token = await tokenOf(live);
    const over = { "switched off": await tokenOf(off), "of an older epoch": await tokenOf(again) };
    const keyless = await tokenOf(without);
    await declare(off.shop, { verb: "switch_customer_access", enabled: false });
    await declare(again.shop, { verb: "switch_customer_access", enabled: false });
    await declare(again.shop, { verb: "switch_customer_access", enabled: true });
    await declare(without.shop, { verb: "revoke_key", hash: hashOfKey(without.shop.key) });
    const grant = {
      ...{ connectionId: live.shop.connectionId, epoch: 0, framing: LINK },
      ...{ idExternal: live.idExternal, expiresAt: Math.floor(Date.now() / 1_000) + 600 },
    };
    const [secret = ""] = VIEWER_SECRETS;
    return {
      ...over,
      "that was cut": token.slice(0, -1),
      "that has grown": `${token}A`,
      "that was altered": `${token.slice(0, 30)}${token[30] === "A" ? "B" : "A"}${token.slice(31)}`,
      "of a connection without keys": keyless,
      "that another deployment signed": await mintToken(grant, { secrets: ["another"], random }),
      "of an order that does not exist": await mintToken(
        { ...grant, idExternal: "nadie" },
        { secrets: [secret], random },
      ),
      "of another connection's order": await mintToken(
        { ...grant, connectionId: off.shop.connectionId },
        { secrets: [secret], random },
      ),
    };
  }

  test("leads to one and the same page, on every route", async () => {
    const all = await tokens();
    const [, gone] = await Promise.all([everything(), send("GET", { path: "/v/none" })]);
    expect(gone.status).toBe(404);
    for (const [route, pathOf] of Object.entries(VIEWER_ROUTES)) {
      for (const [what, token] of Object.entries(all)) {
        const told = await send("GET", { path: pathOf(token, "PED-1S-2026-000001") });
        expect([route, what, told]).toEqual([route, what, gone]);
      }
    }
  });

  test("shows no other invoice than its own by the number of one, there or not", async () => {
    const [ours, theirs] = [await aTenant("nuestro"), await aTenant("ajeno")];
    const token = await tokenOf(ours);
    expect((await send("GET", { path: `/v/${token}` })).text).toContain(ours.idExternal);
    const files = [theirs.fullNumber, ours.fullNumber, "NADIE-1-2026-000001"];
    const told = await Promise.all(files.map((file) => send("GET", { path: `/v/${token}/${file}.pdf` })));
    expect(told.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(new Set(told.map((each) => JSON.stringify(each))).size).toBe(1);
  });

  test("that is over says so to who had it, and shows nothing more", async () => {
    const ours = await aTenant("nuestro");
    const token = await tokenOf(ours);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 31 * 60_000 });
    const { status, text } = await send("GET", { path: `/v/${token}` });
    expect([status, text.includes(ours.idExternal), text.includes(ours.fullNumber)]).toEqual([
      410,
      false,
      false,
    ]);
  });
});
