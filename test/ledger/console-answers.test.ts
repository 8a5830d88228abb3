/** No answer of the console grows without limit with the data of keys or people. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { COMPANY, CONSOLE_ANSWER_BYTES, DECLARED_BYTES, LEFT_BEHIND } from "../../src/domain/limits.ts";
import { CONSOLE_ROUTES, requestWith } from "../support/isolation/console-routes.ts";
import { aTenant, type Tenant } from "../support/isolation/tenant.ts";
import { aSentOrder, orderConnector } from "../support/worlds/order-calls.ts";
import { HELD } from "../support/worlds/order-changes.ts";
import { act } from "../support/worlds/shop.ts";

/** Four bytes each, so that no text of its length is longer. */
const wide = (length: number) => "\u{1F3EA}".repeat(length);
const ALL = `WITH RECURSIVE row(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM row WHERE n < ?1)`;

/** One document, whole, as large as it was sent or issued. */
const DOCUMENTS = /\/(pdf|xml|ubl|facturae|sent|document|invoices\.csv|records\.xml|record|logo)$/;

const run = (sql: string, ...values: readonly (string | number)[]) =>
  env.LEDGER_000.prepare(sql)
    .bind(...values)
    .run();

/** Everything that a key may leave, at its limit and as long as it may be. */
async function fill({ shop: { accountId, connectionId } }: Tenant): Promise<void> {
  await run(
    `${ALL} INSERT INTO shop_store SELECT ?2, substr('${wide(28)}', 1, 28) || n, '${wide(255)}',
      'https://s' || n || '.example/${wide(2000)}', 999999999, n + 10, 9e12 FROM row`,
    ...[LEFT_BEHIND.stores - 1, connectionId],
  );
  await run(
    `${ALL} INSERT INTO store_origin SELECT ?2, ?3, 'https://' || n || '.${"o".repeat(250)}.example', '1', 1, NULL
      FROM row`,
    ...[LEFT_BEHIND.origins - 1, connectionId, accountId],
  );
  await run(
    `${ALL} INSERT INTO shop_status SELECT ?2, 'n' || n, '${wide(255)}', 0, 0 FROM row`,
    ...[LEFT_BEHIND.statuses - 1, connectionId],
  );
  await run(
    "UPDATE shop_setup SET chosen_at = 1, store_ids = '1', state = 'configured' WHERE connection_id = ?",
    connectionId,
  );
  await run(
    `${ALL} INSERT INTO audit_log (id, account_id, connection_id, user_id, at, verb, facts)
      SELECT 'al000fill' || n, ?2, ?3, 'owner', 9e12 + n, 'complete_setup',
        json_object('store_ids', '${wide(4000)}', 'a', '${wide(4000)}', 'b', '${wide(4000)}') FROM row`,
    ...[100, accountId, connectionId],
  );
  await run(
    `${ALL} INSERT INTO webhook_endpoint (id, connection_id, account_id, url, secret, events, created_at, held_seq,
        ended_at, ended_because)
      SELECT 'wh000fill' || n, ?2, ?3, 'https://r.example/' || '${"u".repeat(1500)}', 'x', '["order.held"]', n, 0, n,
        'removed' FROM row`,
    ...[1_000, connectionId, accountId],
  );
}

/** More sessions of its owner than are shown, and more orders on hold than a page has. */
async function fillLists({ shop, owner }: Tenant): Promise<void> {
  await env.DIRECTORY.prepare(
    `${ALL} INSERT INTO session (id, user_id, token, user_agent, created_at, updated_at, expires_at)
      SELECT 's' || n, ?2, 't' || n, '${wide(200)}', n, n, 9e12 FROM row`,
  )
    .bind(300, owner.userId)
    .run();
  const { send } = orderConnector(shop);
  await fillPeople(shop.accountId);
  for (let n = 0; n < 30; n++) await send(aSentOrder(`${n}${wide(118)}`, { ...HELD, reference: wide(120) }));
}

/** As many members and invitations as a list shows, and some more. */
async function fillPeople(accountId: string): Promise<void> {
  const rows = COMPANY.peopleShown + 10;
  await env.DIRECTORY.batch(
    [
      `INSERT INTO user (id, name, email, created_at, updated_at)
        SELECT 'p' || n, '${wide(120)}', n || '${"m".repeat(240)}@x.example', 1, 1 FROM row`,
      `INSERT INTO account_owner (account_id, owner_id, role) SELECT ?2, 'p' || n, 'accountant' FROM row`,
      `INSERT INTO invitation (id, account_id, token_sha256, email, role, invited_by, created_at, expires_at)
        SELECT 'iv000' || n, ?2, n, n || '${"m".repeat(240)}@x.example', 'owner', 'p1', 1, 9e12 FROM row`,
    ].map((sql) =>
      env.DIRECTORY.prepare(`${ALL} ${sql}`).bind(rows, ...(sql.includes("?2") ? [accountId] : [])),
    ),
  );
}

/** As many profiles, treatments and tags as fit. */
async function declareAll({ shop }: Tenant): Promise<readonly string[]> {
  const codes: string[] = [];
  for (let n = 0; codes.at(-1) !== "too_much_declared" && n < 1_000; n++) {
    const rule = { tag: `${n}${wide(250)}`, action: "hold" as const };
    const told = await act(shop, { verb: "set_tag_rule", rule });
    codes.push(told.outcome === "refused" ? told.refusal.code : told.outcome);
  }
  return codes;
}

test("every list of a full account stays within its allowed size", async () => {
  const tenant = await aTenant("lleno");
  const declared = await declareAll(tenant);
  expect(declared.at(-1)).toBe("too_much_declared");
  expect(declared.length).toBeGreaterThan(DECLARED_BYTES / 1_100);
  await fill(tenant);
  await fillLists(tenant);
  const sizes: Record<string, number> = {};
  for (const route of Object.keys(CONSOLE_ROUTES)) {
    if (!route.startsWith("GET ") || DOCUMENTS.test(route) || CONSOLE_ROUTES[route]?.ownHasNone) continue;
    const { method, path } = requestWith(route, tenant.ids, tenant.ids);
    const { status, body } = await tenant.owner.call(method, path);
    expect([route, status]).toEqual([route, 200]);
    sizes[route] = new TextEncoder().encode(JSON.stringify(body)).length;
  }
  const tooLarge = Object.entries(sizes).filter(([, bytes]) => bytes > CONSOLE_ANSWER_BYTES);
  expect(tooLarge).toEqual([]);
  expect(Object.keys(sizes).length).toBeGreaterThan(30);
});

test("a list of pages shows all of them, each once", async () => {
  const tenant = await aTenant("paginas");
  await fill(tenant);
  const at = `/api/accounts/${tenant.shop.accountId}/connections/${tenant.shop.connectionId}/origins`;
  const seen: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const query: string = cursor === "" ? "" : `?cursor=${cursor}`;
    const { items, next } = (await tenant.owner.get(`${at}${query}`)).body.data;
    seen.push(...items.map(({ origin }: { origin: string }) => origin));
    cursor = next;
  }
  expect(new Set(seen).size).toBe(seen.length);
  // The kept ones, and those of stores from before.
  expect(seen.length).toBe(LEFT_BEHIND.origins + LEFT_BEHIND.stores - 1);
});
