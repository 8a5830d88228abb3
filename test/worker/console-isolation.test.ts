/** Every route of the owner's API, asked for by those whom it is not for. */
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { createConsoleApp } from "../../src/http/console/app.ts";
import { consoleDeps } from "../../src/wiring-console.ts";
import { type Browser, browser, newPerson, ownerOf } from "../support/console.ts";
import { clientOf } from "../support/ledger-client.ts";
import { openShop } from "../support/shop.ts";

interface Route {
  readonly method: string;
  readonly path: string;
}

type Ids = Readonly<Record<string, string>>;

const METHODS = new Set(["GET", "POST", "PUT", "DELETE", "PATCH"]);

/** As the router itself has them; what only stands in front of others has no method of its own. */
const ROUTES: readonly Route[] = [
  ...new Map(
    createConsoleApp(consoleDeps(env))
      .routes.filter(({ method, path }) => METHODS.has(method) && !path.includes("*"))
      .map(({ method, path }) => [`${method} ${path}`, { method, path }]),
  ).values(),
];

const OF_ACCOUNTS = ROUTES.filter(({ path }) => path.startsWith("/api/accounts/:account"));
const OF_CONNECTIONS = OF_ACCOUNTS.filter(({ path }) => path.includes("/connections/:connection/"));

/** Posts that only ask: an accountant may. */
const QUESTION = /\/(preview|test|check)$/;

/** Those that answer otherwise than all of them must. */
async function otherwise(
  routes: readonly Route[],
  { who, ids }: { readonly who: Pick<Browser, "call">; readonly ids: Ids },
  expected: string,
): Promise<string[]> {
  const told: string[] = [];
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)(\{[^}]*\})?/g, (_, name: string) => ids[name] ?? "nowhere");
    const hasBody = route.method !== "GET" && route.method !== "DELETE";
    const { status, body } = await who.call(route.method, path, hasBody ? {} : undefined);
    const answer = `${status} ${body?.error_code}`;
    if (answer !== expected) told.push(`${route.method} ${route.path}: ${answer}`);
  }
  return told;
}

test("there are routes of every area", () => {
  expect(OF_ACCOUNTS.length).toBeGreaterThan(50);
  expect(OF_CONNECTIONS.length).toBeGreaterThan(20);
});

test("none knows anybody without a session", async () => {
  const { accountId: account, connectionId: connection } = await openShop();
  const visitor = { who: browser(), ids: { account, connection } };
  expect(await otherwise(ROUTES, visitor, "401 signed_out")).toEqual([]);
});

test("none of an account exists for who is no member of it", async () => {
  const { accountId: account, connectionId: connection } = await openShop();
  const stranger = { who: await newPerson(), ids: { account, connection } };
  expect(await otherwise(OF_ACCOUNTS, stranger, "404 not_found")).toEqual([]);
});

test("none of a connection exists with another account's connection", async () => {
  const [ours, theirs] = [await openShop(), await openShop()];
  const ids = { account: ours.accountId, connection: theirs.connectionId };
  expect(await otherwise(OF_CONNECTIONS, { who: await ownerOf(ours), ids }, "404 not_found")).toEqual([]);
});

test("none that changes something does so for an accountant", async () => {
  const { accountId, connectionId: connection } = await openShop();
  const changing = OF_ACCOUNTS.filter(({ method, path }) => method !== "GET" && !QUESTION.test(path));
  const accountant = await ownerOf({ accountId }, "accountant");
  const ids = { account: accountId, connection };
  expect(await otherwise(changing, { who: accountant, ids }, "403 read_only")).toEqual([]);
});

describe("by the ids of what another tenant has", () => {
  const NAMES_A_THING = /:(?!account\b|connection\b)\w+/;

  async function rowOf(sql: string, ...values: readonly string[]): Promise<Record<string, string>> {
    const row = await env.LEDGER_000.prepare(sql)
      .bind(...values)
      .first<Record<string, string>>();
    return row ?? {};
  }

  test("nothing is given and nothing taken", async () => {
    const [ours, theirs] = [await openShop(), await openShop()];
    await clientOf(theirs).issue("theirs");
    const { connectionId, accountId } = theirs;
    const { id: invoice = "", full_number: number = "" } = await rowOf(
      "SELECT id, full_number FROM invoice WHERE connection_id = ?",
      connectionId,
    );
    const { id: key = "" } = await rowOf("SELECT id FROM api_key WHERE connection_id = ?", connectionId);
    const owner = await ownerOf(ours);
    const ids = {
      ...{ account: ours.accountId, connection: ours.connectionId },
      ...{ invoice, key, person: owner.userId.toUpperCase(), number },
    };
    for (const route of OF_ACCOUNTS.filter(({ path }) => NAMES_A_THING.test(path))) {
      const path = route.path.replace(
        /:(\w+)(\{[^}]*\})?/g,
        (_, name: string) => ids[name as keyof typeof ids] ?? "x",
      );
      const hasBody = route.method !== "GET" && route.method !== "DELETE";
      const { status, body } = await owner.call(route.method, path, hasBody ? {} : undefined);
      const told = `${route.method} ${route.path}: ${status}`;
      expect(told).toMatch(/: (4\d\d|200)$/);
      expect(`${told} ${JSON.stringify(body)}`).not.toContain(number);
    }
    const after = await rowOf(
      "SELECT count(*) AS keys FROM api_key WHERE connection_id = ? AND revoked_at IS NULL",
      connectionId,
    );
    expect(Number(after.keys)).toBe(1);
    const audited = await rowOf(
      "SELECT count(*) AS lines FROM audit_log WHERE account_id = ? AND user_id = ?",
      accountId,
      owner.userId,
    );
    expect(Number(audited.lines)).toBe(0);
  });
});
