/** Every route of the owner's API, asked for by those whom it is not for, and by the ids of others. */
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { createConsoleApp } from "../../src/console/app.ts";
import { question } from "../../src/console/gates.ts";
import { consoleDeps } from "../../src/console/wiring.ts";
import { CONSOLE_ROUTES, requestWith } from "../support/isolation/console-routes.ts";
import { aTenant, type ConsoleIds, nobodysIds, rowsOf, type Tenant } from "../support/isolation/tenant.ts";
import { type Browser, browser, newPerson, ownerOf } from "../support/worlds/console.ts";
import { ownerOver } from "../support/worlds/deployment.ts";
import { openShop } from "../support/worlds/shop.ts";

const METHODS = new Set(["GET", "POST", "PUT", "DELETE", "PATCH"]);

/** The router's own list; middleware has no method of its own. Under `/api/auth/` are the ways in. */
const { routes } = createConsoleApp(consoleDeps(ownerOver(env)));
const nameOf = ({ method, path }: { readonly method: string; readonly path: string }) =>
  `${method} ${path.replace(/\{[^}]*\}/g, "")}`;
const ROUTES = [
  ...new Set(
    routes.filter(({ method, path }) => METHODS.has(method) && !/\*|^\/api\/auth\//.test(path)).map(nameOf),
  ),
];

const OF_ACCOUNTS = ROUTES.filter((route) => route.includes(" /api/accounts/:account"));
const OF_CONNECTIONS = OF_ACCOUNTS.filter((route) => route.includes("/connections/:connection"));

/** Posts that only ask: an accountant may, and may post nothing else. */
const CONNECTION = "/api/accounts/:account/connections/:connection";
const QUESTIONS = [
  "POST /api/accounts/:account/company/look/preview",
  `POST ${CONNECTION}/erasure/preview`,
  `POST ${CONNECTION}/order/preview`,
  `POST ${CONNECTION}/profiles/stem/check`,
  `POST ${CONNECTION}/profiles/test`,
  `POST ${CONNECTION}/stem/check`,
  `POST ${CONNECTION}/verification/check`,
  "POST /api/accounts/:account/drafts/:draft/preview",
  "POST /api/accounts/:account/invoices/:invoice/rectifications/preview",
  "POST /api/accounts/:account/review/questions/preview",
];

type Caller = Pick<Browser, "call">;
type Within = Pick<ConsoleIds, "account" | "connection">;

async function answerTo(who: Caller, route: string, ids: ConsoleIds, within: Within) {
  const { method, path, body } = requestWith(route, ids, within);
  const { status, body: told } = await who.call(method, path, body);
  const code = told?.error_code as string | undefined;
  return {
    told: code === undefined ? String(status) : `${status} ${code}`,
    text: JSON.stringify(told ?? null),
  };
}

/** The routes that answer differently. */
async function otherwise(
  routes: readonly string[],
  { who, within }: { readonly who: Caller; readonly within: Within },
  expected: string,
): Promise<string[]> {
  const ids = { ...nobodysIds(), ...within };
  const answers = await Promise.all(routes.map((route) => answerTo(who, route, ids, within)));
  return answers.flatMap(({ told }, index) => (told === expected ? [] : [`${routes[index]}: ${told}`]));
}

async function aShop(options = {}) {
  const shop = await openShop(options);
  return { ...shop, within: { account: shop.accountId, connection: shop.connectionId } };
}

test("every route has a row in the table, and every row a route", () => {
  expect(Object.keys(CONSOLE_ROUTES).toSorted()).toEqual(ROUTES.toSorted());
  expect(OF_ACCOUNTS.length).toBeGreaterThan(50);
  expect(OF_CONNECTIONS.length).toBeGreaterThan(20);
});

test("every request of the table has the shape that its route wants", () => {
  const misshapen = Object.entries(CONSOLE_ROUTES).filter(([, { body, query }]) =>
    [body, query].some((asked) => asked && !asked[0].safeParse(asked[1](nobodysIds())).success),
  );
  expect(misshapen.map(([route]) => route)).toEqual([]);
});

describe("sessions", () => {
  test("none knows a caller without a session, with one that is over, or with a made-up one", async () => {
    const { within } = await aShop();
    expect(await otherwise(ROUTES, { who: browser(), within }, "401 signed_out")).toEqual([]);
    const over = await newPerson();
    const kept = new Map(over.cookies);
    await over.post("/api/auth/sign-out", {});
    for (const [name, value] of kept) over.cookies.set(name, value);
    expect(await otherwise(ROUTES, { who: over, within }, "401 signed_out")).toEqual([]);
    const forged = await newPerson();
    for (const [name, value] of forged.cookies)
      forged.cookies.set(name, `${value.slice(0, 20)}A${value.slice(21)}`);
    expect(await otherwise(ROUTES, { who: forged, within }, "401 signed_out")).toEqual([]);
  });

  test("none of an account exists for who is no member of it, or is one no more", async () => {
    const { within, accountId } = await aShop();
    const stranger = await newPerson();
    expect(await otherwise(OF_ACCOUNTS, { who: stranger, within }, "404 not_found")).toEqual([]);
    const [owner, removed] = [await ownerOf({ accountId }), await ownerOf({ accountId }, "accountant")];
    const { status } = await owner.call("DELETE", `/api/accounts/${accountId}/people/${removed.userId}`);
    expect(status).toBe(200);
    expect(await otherwise(OF_ACCOUNTS, { who: removed, within }, "404 not_found")).toEqual([]);
  });

  test("none of a connection exists with another account's connection, whichever ledger it is in", async () => {
    const ours = await aShop();
    const owner = await ownerOf(ours);
    for (const ledger of ["000", "001"] as const) {
      const { connectionId: connection } = await aShop({ ledger });
      const within = { ...ours.within, connection };
      expect(await otherwise(OF_CONNECTIONS, { who: owner, within }, "404 not_found")).toEqual([]);
    }
  });

  test("none that changes something does so for an accountant", async () => {
    const { within, accountId } = await aShop();
    const changing = OF_ACCOUNTS.filter((route) => !route.startsWith("GET") && !QUESTIONS.includes(route));
    const who = await ownerOf({ accountId }, "accountant");
    expect(await otherwise(changing, { who, within }, "403 read_only")).toEqual([]);
  });

  test("the routes that only ask are declared, and these are all of them", () => {
    const declared = routes.filter(({ handler }) => handler === question).map(nameOf);
    expect(declared.sort()).toEqual(QUESTIONS);
    expect(ROUTES).toEqual(expect.arrayContaining(QUESTIONS));
  });

  test("routes that only ask give an accountant and an owner the same answer, and change nothing", async () => {
    const tenant = await aTenant("nuestro");
    const accountant = await ownerOf(tenant.shop, "accountant");
    const before = await rowsOf(tenant);
    for (const route of QUESTIONS) {
      const [told, toOwner] = [
        await answerTo(accountant, route, tenant.ids, tenant.ids),
        await answerTo(tenant.owner, route, tenant.ids, tenant.ids),
      ];
      expect([route, told.told]).toEqual([route, "200"]);
      expect(told).toEqual(toOwner);
    }
    expect(await rowsOf(tenant)).toEqual(before);
  });
});

describe("by the ids of another tenant's things", () => {
  /** Routes with an id in their request. */
  const NAMING = OF_ACCOUNTS.filter((route) => {
    const within = { account: "a", connection: "c" };
    const named = requestWith(route, nobodysIds(), within);
    const others = { ...nobodysIds(), ...otherIds() };
    return JSON.stringify(named) !== JSON.stringify(requestWith(route, others, within));
  });

  function otherIds(): ConsoleIds {
    const changed = Object.entries(nobodysIds()).map(([name, id]) => [name, `other-${id}`]);
    return { ...nobodysIds(), ...Object.fromEntries(changed) };
  }

  /** Routes of a connection that read the account: series are the account's own, also for a verification. */
  const OF_WHOLE_ACCOUNT = /\/(stem\/check|verification\/check)$/;

  /** The same words for another's thing and for a missing one, except for the ids of the request. */
  async function expectAlike(ours: Tenant, theirs: Tenant, routes: readonly string[]): Promise<void> {
    const within = { account: ours.ids.account, connection: ours.ids.connection };
    const before = await rowsOf(theirs);
    const told: string[] = [];
    const different: string[] = [];
    for (const route of routes) {
      const foreign = await answerTo(ours.owner, route, theirs.ids, within);
      const unknown = await answerTo(ours.owner, route, nobodysIds(), within);
      told.push(`${route}: ${foreign.told}`);
      const [first, second] = [withoutIds(foreign.text, theirs.ids), withoutIds(unknown.text, nobodysIds())];
      if (first !== second || foreign.text.includes(theirs.fullNumber))
        different.push(`${route}: ${first}, ${second}`);
    }
    expect(told).toEqual(routes.map((route) => `${route}: ${CONSOLE_ROUTES[route]?.foreign}`));
    expect(different).toEqual([]);
    expect(await rowsOf(theirs)).toEqual(before);
  }

  function withoutIds(text: string, ids: ConsoleIds): string {
    const longestFirst = Object.values(ids).toSorted((a, b) => b.length - a.length);
    const plain = longestFirst.reduce((left, id) => left.replaceAll(id, "?"), text);
    return plain.replace(/"request_id":"[^"]*"/, "");
  }

  test("every route that names something says what it answers then", () => {
    expect(NAMING.filter((route) => CONSOLE_ROUTES[route]?.foreign === undefined)).toEqual([]);
    expect(NAMING.length).toBeGreaterThan(30);
  });

  /** Files too. */
  async function toldTo(owner: Tenant["owner"], route: string, ids: ConsoleIds): Promise<string> {
    const { path } = requestWith(route, ids, ids);
    if (!/\/(pdf|xml|ubl|facturae|record)$/.test(path)) return (await answerTo(owner, route, ids, ids)).told;
    const response = await owner.raw(path);
    await response.arrayBuffer();
    return String(response.status);
  }

  test("by ids of one's own it is another answer", async () => {
    const { owner, ids } = await aTenant("nuestro");
    // Removed things are asked for first, and the owner is one to the end.
    const last = (route: string) => (route.includes("/people/:person") ? 2 : Number(/^DELETE/.test(route)));
    const inOrder = NAMING.toSorted((a, b) => last(a) - last(b));
    const failed: string[] = [];
    for (const route of inOrder) {
      const told = await toldTo(owner, route, ids);
      const { foreign = "", ownHasNone } = CONSOLE_ROUTES[route] ?? {};
      const isOwn = ownHasNone || (foreign === "200" ? told === "200" : told !== foreign);
      if (!isOwn) failed.push(`${route}: ${told}`);
    }
    expect(failed).toEqual([]);
  });

  test("another's erasure and its question answer the same by each id", async () => {
    const [ours, theirs] = [await aTenant("nuestro"), await aTenant("ajeno")];
    const before = await rowsOf(theirs);
    const base = `/api/accounts/${ours.ids.account}/connections/${ours.ids.connection}/erasure`;
    const { order, erased, client } = theirs.ids;
    for (const of of ["order", "client"] as const) {
      for (const id of [order, erased, client]) {
        for (const [path, body] of [
          [`${base}/preview`, { of, id }],
          [base, { of, id, confirmation: id }],
        ] as const) {
          const { status, body: told } = await ours.owner.post(path, body);
          expect([path, of, id, status, told.error_code]).toEqual([path, of, id, 404, "nothing_to_erase"]);
        }
      }
    }
    expect(await rowsOf(theirs)).toEqual(before);
  });

  test.each(["000", "001"] as const)("nothing is given, accepted or shown, in ledger %s", async (ledger) => {
    const [ours, theirs] = [await aTenant("nuestro"), await aTenant("ajeno", { ledger })];
    await expectAlike(ours, theirs, NAMING);
  });

  test("no verb of a company writes a row of another, also with the same person as owner and member", async () => {
    const [ours, theirs] = [await aTenant("nuestro"), await aTenant("ajeno")];
    await env.DIRECTORY.prepare("INSERT INTO account_owner (account_id, owner_id, role) VALUES (?, ?, ?)")
      .bind(ours.ids.account, theirs.owner.userId, "accountant")
      .run();
    // The membership of our own company is ours to change.
    const rows = async () => (await rowsOf(theirs)).filter((row) => !row.includes(ours.ids.account));
    const before = await rows();
    const ids = { ...ours.ids, person: theirs.owner.userId };
    const last = (route: string) => (route.includes("/people/:person") ? 2 : Number(/^DELETE/.test(route)));
    for (const route of OF_ACCOUNTS.toSorted((a, b) => last(a) - last(b))) {
      const { method, path, body } = requestWith(route, ids, ids);
      if (method !== "GET") await ours.owner.call(method, path, body);
      if (route.startsWith("PUT") && route.endsWith("/people/:person")) {
        await ours.owner.call(method, path, { role: "owner" });
      }
    }
    expect(await rows()).toEqual(before);
  });

  test("the things of another connection of the same account are not this one's", async () => {
    const ours = await aTenant("nuestro");
    const sister = await aTenant("hermana", { accountId: ours.shop.accountId });
    const naming = NAMING.filter((route) => OF_CONNECTIONS.includes(route) && !OF_WHOLE_ACCOUNT.test(route));
    await expectAlike(ours, sister, naming);
  });
});
