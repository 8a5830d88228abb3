/** Unneeded data is forgotten automatically, and nothing else is. */
import { createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { DAYS_WITHOUT_NEED } from "../../src/domain/retention/keeping.ts";
import { forgetDeps } from "../../src/wiring.ts";
import { newBudget } from "../../src/work/budget.ts";
import { forget, HOURLY_CRON } from "../../src/work/retention/forget.ts";
import worker from "../../src/worker.ts";
import { wrapEnv } from "../support/faults/wrapped-d1.ts";
import { newPerson } from "../support/worlds/console.ts";
import { apiOver } from "../support/worlds/deployment.ts";
import { aSentOrder, openCommerce, orderConnector } from "../support/worlds/order-calls.ts";
import { act, type Shop } from "../support/worlds/shop.ts";
import { connectorOf } from "../support/worlds/shop-reports.ts";

const DAY_MS = 86_400_000;

afterEach(() => {
  vi.useRealTimers();
});

function daysLater(days: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + days * DAY_MS });
}

const runHourly = () =>
  worker.scheduled(createScheduledController({ cron: HOURLY_CRON, scheduledTime: new Date() }), wrapEnv(env));

async function ids(
  table: "shop_order" | "shop_order_sent" | "shop_client" | "erased_order",
): Promise<string[]> {
  const { results } = await env.LEDGER_000.prepare(`SELECT id_external AS id FROM ${table} ORDER BY 1`).all<{
    id: string;
  }>();
  return results.map(({ id }) => id);
}

/** One order of every state without a document, and one with. */
async function aShopWithOrders(): Promise<Shop> {
  const shop = await openCommerce();
  const connector = orderConnector(shop);
  await connector.send(aSentOrder("invoiced"));
  await connector.send(aSentOrder("stored", { fiscal_event: "none" }));
  await connector.send(aSentOrder("cancelled", { fiscal_event: "cancelled" }));
  await connector.send(aSentOrder("before_cutoff", { order_date: "2020-01-01 10:00:00" }));
  await connector.send(aSentOrder("held", { total: 120 }));
  await act(shop, { verb: "withdraw_consent" });
  await connector.send(aSentOrder("deferred"));
  await connectorOf(shop)({ resource: "client", client: { idExternal: "c1", firstName: "Ana" } });
  return shop;
}

test("drafts of invoices go two years after they were saved last, unless their account is frozen", async () => {
  const { accountId } = await aShopWithOrders();
  const now = Date.now();
  const insert = env.LEDGER_000.prepare(
    "INSERT INTO invoice_draft VALUES (?1, ?2, ?1, 1, '{}', 'maria', ?3)",
  );
  await env.LEDGER_000.batch([
    insert.bind("old", accountId, now - 2 * DAY_MS),
    insert.bind("young", accountId, now),
  ]);
  daysLater(DAYS_WITHOUT_NEED - 1);
  const left = async () =>
    (await env.LEDGER_000.prepare("SELECT id FROM invoice_draft ORDER BY id").all<{ id: string }>()).results;
  await env.LEDGER_000.prepare("UPDATE account SET frozen = 1").run();
  await runHourly();
  expect(await left()).toEqual([{ id: "old" }, { id: "young" }]);
  await env.LEDGER_000.prepare("UPDATE account SET frozen = 0").run();
  await runHourly();
  expect(await left()).toEqual([{ id: "young" }]);
});

describe("orders and customers unchanged for two years", () => {
  test("go, unless they wait for their owner or have an invoice", async () => {
    const shop = await aShopWithOrders();
    daysLater(DAYS_WITHOUT_NEED - 1);
    await runHourly();
    expect(await ids("shop_order")).toHaveLength(6);
    expect(await ids("shop_client")).toEqual(["c1"]);
    daysLater(2);
    await runHourly();
    const kept = ["deferred", "held", "invoiced"];
    expect(await ids("shop_order")).toEqual(kept);
    expect(await ids("shop_order_sent")).toEqual(kept);
    expect(await ids("shop_client")).toEqual([]);
    expect(await ids("erased_order")).toEqual(["before_cutoff", "cancelled", "stored"]);
    expect(await orderConnector(shop).send(aSentOrder("stored"))).toMatchObject({
      outcome: "refused",
      refusal: { code: "order_erased", facts: { why: { phrase: "order_aged" } } },
    });
  });

  test("stay while anything happens to them", async () => {
    const shop = await aShopWithOrders();
    daysLater(DAYS_WITHOUT_NEED - 1);
    await orderConnector(shop).send(aSentOrder("stored", { fiscal_event: "none", reference: "again" }));
    daysLater(2);
    await runHourly();
    expect(await ids("shop_order")).toContain("stored");
  });

  test("stay in a frozen account, and while they are to be decided again", async () => {
    await aShopWithOrders();
    daysLater(DAYS_WITHOUT_NEED + 1);
    await env.LEDGER_000.prepare("UPDATE account SET frozen = 1").run();
    await runHourly();
    expect(await ids("erased_order")).toEqual([]);
    await env.LEDGER_000.batch([
      env.LEDGER_000.prepare("UPDATE account SET frozen = 0"),
      env.LEDGER_000.prepare("UPDATE shop_order SET undecided = 1 WHERE id_external = 'stored'"),
    ]);
    await runHourly();
    expect(await ids("erased_order")).toEqual(["before_cutoff", "cancelled"]);
  });

  test("go page by page, in any number, and are found without a scan", async () => {
    const shop = await aShopWithOrders();
    const { results: columns } = await env.LEDGER_000.prepare(
      "SELECT name FROM pragma_table_info('shop_order')",
    ).all<{ name: string }>();
    const copied = columns.map(({ name }) => (name === "id_external" ? "'copy-' || n" : name)).join(", ");
    await env.LEDGER_000.prepare(
      `WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 450)
       INSERT INTO shop_order SELECT ${copied} FROM counted CROSS JOIN
         (SELECT * FROM shop_order WHERE connection_id = '${shop.connectionId}' AND id_external = 'stored')`,
    ).run();
    daysLater(DAYS_WITHOUT_NEED + 1);
    await runHourly();
    expect(await ids("erased_order")).toHaveLength(453);
    const { results } = await env.LEDGER_000.prepare(
      `EXPLAIN QUERY PLAN SELECT connection_id, id_external FROM shop_order
       WHERE state IN ('stored', 'before_cutoff', 'store_not_selected', 'cancelled') AND sold_fingerprint IS NULL
         AND changed_at < 1 AND undecided = 0 ORDER BY changed_at LIMIT 200`,
    ).all<{ detail: string }>();
    expect(results.map(({ detail }) => detail)).toEqual([
      "SEARCH shop_order USING INDEX shop_order_settled (changed_at<?)",
    ]);
  });
});

describe("of people who sign in", () => {
  const many = async (table: string) =>
    (await env.DIRECTORY.prepare(`SELECT count(*) AS v FROM ${table}`).first<number>("v")) ?? 0;

  test("their traces go once they are past their time", async () => {
    await newPerson();
    const now = Date.now();
    await env.DIRECTORY.batch(
      [
        `INSERT INTO verification VALUES ('v', 'reset', 'x', ${now + DAY_MS}, ${now}, ${now})`,
        `INSERT INTO sign_in_failure (email_sha256, failures, since) VALUES ('hash', 3, ${now})`,
        `INSERT INTO identity_link (token_sha256, kind, email, user_id, created_at, expires_at)
         SELECT 'link', 'password', email, id, ${now}, ${now + 3_600_000} FROM user`,
        `INSERT INTO identity_link (token_sha256, kind, email, name, created_at, expires_at)
         VALUES ('unproven', 'sign_up', 'x@b.es', 'X', ${now}, ${now + 3_600_000})`,
        `INSERT INTO account_directory (account_id, nif, ledger, opened_at) VALUES ('ac1', 'B1', '000', 0)`,
        `INSERT INTO invitation (id, account_id, token_sha256, email, role, invited_by, created_at, expires_at)
         VALUES ('iv', 'ac1', 'h', 'a@b.es', 'owner', 'x', ${now}, ${now + 7 * DAY_MS})`,
      ].map((sql) => env.DIRECTORY.prepare(sql)),
    );
    const counts = async () => [
      ...[await many("session"), await many("verification"), await many("sign_in_failure")],
      ...[await many("invitation"), await many("identity_link")],
      ...[await many("known_device"), await many("identity_event")],
    ];
    await runHourly();
    expect(await counts()).toEqual([1, 1, 1, 1, 2, 1, 1]);
    daysLater(2);
    await runHourly();
    expect(await counts()).toEqual([1, 0, 0, 1, 1, 1, 1]);
    daysLater(6);
    await runHourly();
    expect(await counts()).toEqual([0, 0, 0, 1, 0, 1, 1]);
    daysLater(95);
    await runHourly();
    expect(await counts()).toEqual([0, 0, 0, 0, 0, 1, 1]);
    daysLater(300);
    await runHourly();
    expect(await counts()).toEqual([0, 0, 0, 0, 0, 0, 0]);
  });
});

test("more that has ended than fits a run goes by pages, and the rest waits for the next", async () => {
  const expired = async () =>
    env.DIRECTORY.prepare("SELECT count(*) AS many FROM known_device").first<number>("many");
  const person = await newPerson();
  const { user } = (await person.get("/api/me")).body.data;
  await env.DIRECTORY.prepare(
    `WITH RECURSIVE row(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM row WHERE n < 3500)
      INSERT INTO known_device (id_sha256, user_id, created_at, expires_at) SELECT 'd' || n, ?, 1, 1 FROM row`,
  )
    .bind(user.id)
    .run();
  const before = (await expired()) ?? 0;
  const deps = forgetDeps(apiOver(env));
  let asked = 0;
  const budget = {
    take: () => ++asked <= 3,
    isOver: () => false,
    spent: () => ({ took_ms: 0, d1_queries: 0 }),
  };
  expect(await forget({ ...deps, ledgers: [], budget })).toBe(1);
  expect(await expired()).toBe(before - 3_000);
  expect(await forget({ ...deps, ledgers: [], budget: newBudget(() => 0) })).toBe(0);
  expect(await expired()).toBe(before - 3_500);
});

test("a ledger that is down keeps none of the others from forgetting", async () => {
  await aShopWithOrders();
  daysLater(DAYS_WITHOUT_NEED + 1);
  const told: object[] = [];
  const deps = forgetDeps(apiOver(env));
  const down = {
    ledger: "009",
    forgetOrders: async () => Promise.reject(new Error("x")),
    ...{ forgetClients: async () => 0, forgetBodies: async () => 0, forgetDeliveries: async () => 0 },
    forgetDrafts: async () => 0,
    ...{ droppedBodies: async () => [], endDroppedBodies: async () => {} },
  };
  await forget({ ...deps, ledgers: [down, ...deps.ledgers], log: (line) => told.push(line) });
  expect(told).toEqual([
    {
      ...{ level: "alarm", alarm: "job_failed", job: "forget", ledger: "009" },
      ...{ cause: "Error", frames: expect.stringContaining("test/ledger/forget.test.ts:") },
    },
  ]);
  expect(await ids("erased_order")).toHaveLength(3);
});

describe("deliveries of shops", () => {
  async function delivered(shop: { readonly connectionId: string }, daysAgo: number, outcome: string) {
    const id = `${outcome}-${daysAgo}`;
    await env.LEDGER_000.prepare(
      `INSERT INTO shop_delivery VALUES (?, ?, 'order.updated', 'a', 9, ?, NULL, NULL, 'e30=', NULL, ?, 0)`,
    )
      .bind(shop.connectionId, id, outcome, Date.now() - daysAgo * DAY_MS)
      .run();
  }

  test("bodies that decided no order go after 30 days, and deliveries after 90", async () => {
    const shop = await openCommerce();
    for (const days of [29, 31, 91]) {
      await delivered(shop, days, "decided");
      await delivered(shop, days, "unreadable");
    }
    await forget(forgetDeps(apiOver(env)));
    const { results } = await env.LEDGER_000.prepare(
      "SELECT delivery_id, body IS NOT NULL AS has_body FROM shop_delivery WHERE connection_id = ? ORDER BY 1",
    )
      .bind(shop.connectionId)
      .all();
    expect(results).toEqual([
      { delivery_id: "decided-29", has_body: 1 },
      { delivery_id: "decided-31", has_body: 1 },
      { delivery_id: "unreadable-29", has_body: 1 },
      { delivery_id: "unreadable-31", has_body: 0 },
    ]);
  });

  test("bodies in R2 are erased once their rows are gone, and named until then", async () => {
    await env.LEDGER_000.prepare("INSERT INTO shop_dropped_body (key) VALUES ('shops/a'), ('shops/b')").run();
    const erased: string[] = [];
    const erase = async (keys: readonly string[]) => void erased.push(...keys);
    const down = async () => Promise.reject(new Error("x"));
    const left = async () =>
      (await env.LEDGER_000.prepare("SELECT key FROM shop_dropped_body ORDER BY 1").all()).results.length;
    await forget({ ...forgetDeps(apiOver(env)), bodies: { erase: down }, log: () => {} });
    expect(await left()).toBe(2);
    await forget({ ...forgetDeps(apiOver(env)), bodies: { erase } });
    expect([erased.toSorted(), await left()]).toEqual([["shops/a", "shops/b"], 0]);
  });
});
