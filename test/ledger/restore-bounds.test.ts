/** A restore of an account with ten times the allowed rows: D1 accepts every statement. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { freezing } from "../../src/ops/restore/ledger-changes.ts";
import { putBackAccount } from "../../src/ops/restore/put-back-account.ts";
import { BEGIN_TEXTS, END_TEXTS } from "../../src/ops/restore/sql-text.ts";
import { DERIVED } from "../../src/ops/restore/tables.ts";
import { clientOf } from "../support/worlds/ledger-client.ts";
import { openShop } from "../support/worlds/shop.ts";
import { goBackTo, type Moment, momentOf } from "../support/worlds/time-travel.ts";

const ledger = env.LEDGER_000;
const MANY = 10_000;
const PAGE = 1_000;

/** Columns and values of the n-th row of each kind; `c` and `a` are its connection and account. */
const KINDS: Readonly<Record<string, readonly [columns: string, values: string]>> = {
  shop_store: [
    "connection_id, store_id, name, url, ordinal",
    "c, k, 'Tienda ' || k, 'https://t.es/' || n, n",
  ],
  shop_status: ["connection_id, id_external, name, paid, cancelled", "c, k, 'Estado ' || k, 1, 0"],
  shop_client: ["connection_id, id_external, facts, received_at", "c, k, json_object('id', k), at"],
  tag_rule: ["connection_id, account_id, tag, action", "c, a, k, 'hold'"],
  allowed_origin: ["connection_id, account_id, origin, added_at", "c, a, 'https://' || n || '.es', at"],
  series_stem: ["account_id, code, stem, connection_id", "a, 'S' || n, 'S' || n, c"],
  oss_rate: ["account_id, area, rate, from_date, kept_at", "a, 'FR', n || '.5', '2026-01-01', at"],
  profile: [
    "id, account_id, connection_id, name, channel, stem, sales, created_at",
    "c || n, a, c, k, k, 'P' || n, '{}', at",
  ],
  webhook_endpoint: [
    "id, connection_id, account_id, url, secret, events, created_at, held_seq, ended_at, ended_because",
    "c || n, c, a, 'https://r.es/' || n, 'secret', '[]', at, 0, at, 'removed'",
  ],
  audit_log: ["id, account_id, connection_id, user_id, at, verb, facts", "c || n, a, c, 'o', at, 'v', '{}'"],
};

type Shop = Awaited<ReturnType<typeof openShop>>;

async function fill(shop: Shop, kind: string, stem: string, at: number): Promise<void> {
  const [columns, values] = KINDS[kind] ?? ["", ""];
  for (let from = 0; from < MANY; from += PAGE) {
    await ledger
      .prepare(
        `INSERT INTO ${kind} (${columns})
          WITH RECURSIVE s(n) AS (SELECT CAST(?1 AS INTEGER) UNION ALL SELECT n + 1 FROM s WHERE n < ?1 + ${PAGE - 1}),
            its AS (SELECT n, ?2 || n || ' it''s ñ' AS k, ?3 AS c, ?4 AS a, ?5 AS at FROM s)
          SELECT ${values} FROM its`,
      )
      .bind(from, stem, shop.connectionId, shop.accountId, at)
      .run();
  }
}

async function books(): Promise<Moment> {
  const { account: _, ledger_head: __, ...tables } = await momentOf(ledger);
  return Object.fromEntries(Object.entries(tables).filter(([name]) => !DERIVED.includes(name)));
}

const textOf = (row: object) => JSON.stringify(row);

async function run(statements: readonly string[]): Promise<void> {
  for (let from = 0; from < statements.length; from += 100) {
    await ledger.batch(statements.slice(from, from + 100).map((sql) => ledger.prepare(sql)));
  }
}

test("freeze, export and put back with ten thousand rows of each kind, and as many removed ones", async () => {
  const shop = await openShop();
  await clientOf(shop).issue("a");
  const since = Date.now();
  const moment = await momentOf(ledger);
  for (const kind of Object.keys(KINDS)) await fill(shop, kind, "k", since);
  await run(freezing([{ id: shop.accountId, frozen: 0 }], 1));
  const before = await books();
  const statements = [...BEGIN_TEXTS];
  for await (const sql of putBackAccount(ledger, { accountId: shop.accountId, since, now: Date.now() })) {
    statements.push(sql);
  }
  statements.push(...END_TEXTS);
  const longest = Math.max(...statements.map((sql) => new TextEncoder().encode(sql).length));
  expect(longest).toBeLessThanOrEqual(90_000);
  expect(statements.length).toBeLessThan(5_000);
  await goBackTo(ledger, moment);
  for (const kind of ["shop_store", "shop_status", "tag_rule", "shop_client"])
    await fill(shop, kind, "old", since);
  await run(freezing([{ id: shop.accountId, frozen: 0 }], 1));
  await run(statements);
  const after = await books();
  for (const [name, rows] of Object.entries(before)) {
    const [there, here] = [new Set(rows.map(textOf)), new Set((after[name] ?? []).map(textOf))];
    expect([...there].filter((row) => !here.has(row)).slice(0, 3), `of ${name}, missing`).toEqual([]);
    expect([...here].filter((row) => !there.has(row)).slice(0, 3), `of ${name}, too much`).toEqual([]);
  }
}, 300_000);
