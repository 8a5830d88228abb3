/** The demo shops of `npm start`: seeded once, added to the data of older versions, sent to other ports. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  needsShops,
  type SeededShops,
  seedShops,
  shopsOfDemo,
  standInConfig,
} from "../../../src/dev/demo-shops.ts";
import { type SeedEnv, type SeededDemo, seedDemo } from "../../../src/dev/seed.ts";
import { openState } from "../../../src/dev/state.ts";
import { placeOfAddress } from "../../../src/domain/connection/shop-address.ts";
import { migrateLocalDatabases, withLocalDatabases } from "../../../src/ops/local-databases.ts";

const NOW = Date.UTC(2026, 10, 27, 12);
const URL_BEFORE = "http://127.0.0.1:8790";
const URL_AFTER = "http://127.0.0.1:9790";
const PLATFORMS = ["woocommerce", "shopify", "prestashop", "magento"] as const;

const dir = mkdtempSync(join(tmpdir(), "cuadre-shops-"));
const state = openState(dir);
const { apiKeySecrets, shopSecrets } = state;

interface Row {
  readonly id: string;
  readonly kind: string;
  readonly platform: string;
  readonly url: string | null;
  readonly tables: string | null;
  readonly cutoff: string | null;
  readonly setup: string;
}

let rows: { readonly interrupted: number; readonly first: readonly Row[]; readonly moved: readonly Row[] };
let shops: SeededShops;
let moved: SeededShops;
let statuses: readonly { readonly id: string; readonly cancelled: number }[];

const ROWS = `SELECT c.id, c.kind, s.platform, s.url, s.tables, u.state AS setup,
    (SELECT max(cutoff_date) FROM consent WHERE connection_id = c.id) AS cutoff
  FROM shop s JOIN connection c ON c.id = s.connection_id JOIN shop_setup u ON u.connection_id = c.id
  ORDER BY c.opened_at, c.ordinal`;

beforeAll(async () => {
  await migrateLocalDatabases(state);
  await withLocalDatabases<SeedEnv, void>(state, async (env) => {
    const demo: SeededDemo = await seedDemo(env, { apiKeySecrets, now: NOW });
    const read = async () => (await env.LEDGER_000.prepare(ROWS).all<Row>()).results;
    let kept: SeededShops | undefined;
    const keep = (seeded: SeededShops) => {
      kept = seeded;
      if (Object.keys(seeded.pairs).length === 2) throw new Error("the start is interrupted");
    };
    const options = { apiKeySecrets, shopSecrets, url: URL_BEFORE, now: NOW };
    await seedShops(demo, undefined, env, { ...options, keep }).catch(() => undefined);
    const interrupted = (await read()).length;
    shops = await seedShops(demo, kept, env, { ...options, keep: () => undefined });
    const first = await read();
    moved = await seedShops(demo, shops, env, { ...options, url: URL_AFTER, keep: () => undefined });
    rows = { interrupted, first, moved: await read() };
    const ofPrestaShop = shops.pairs.prestashop?.posting.connection.id ?? "";
    const found = env.LEDGER_000.prepare(
      "SELECT id_external AS id, cancelled FROM shop_status WHERE connection_id = ? ORDER BY id_external",
    ).bind(ofPrestaShop);
    statuses = (await found.all<{ id: string; cancelled: number }>()).results;
  });
}, 120_000);
afterAll(() => rmSync(dir, { recursive: true }));

test("a start that was interrupted continues behind what it had noted", () => {
  expect([rows.interrupted, rows.first.length, new Set(rows.first.map(({ id }) => id)).size]).toEqual([
    4, 8, 8,
  ]);
});

test("each platform has a connection without and one with credentials, consented and set up", () => {
  const pairs = rows.first.map(({ kind, platform, url, cutoff, setup }) => [
    kind,
    platform,
    url,
    cutoff,
    setup,
  ]);
  expect(pairs).toEqual(
    PLATFORMS.flatMap((platform) => [
      ["commerce", platform, null, "2026-01-01", "configured"],
      ["commerce", platform, `${URL_BEFORE}/${platform}`, "2026-01-01", "configured"],
    ]),
  );
});

test("PrestaShop's ids are known without its shop, and state 6 cancels", () => {
  const tables = rows.first.filter(({ platform }) => platform === "prestashop").map((row) => row.tables);
  for (const text of tables) {
    expect(JSON.parse(text ?? "{}")).toMatchObject({
      ...{ timeZone: "Europe/Madrid", currencies: { "1": "EUR" }, countries: { "6": "ES" } },
    });
  }
  expect(tables).toHaveLength(2);
  expect(statuses.filter(({ cancelled }) => cancelled === 1).map(({ id }) => id)).toEqual(["6", "deleted"]);
});

test("a start on another port sends the connections that fetch there, and no other", () => {
  expect(rows.moved.map(({ url }) => url)).toEqual(
    PLATFORMS.flatMap((platform) => [null, `${URL_AFTER}/${platform}`]),
  );
  expect(rows.moved.map(({ id }) => id)).toEqual(rows.first.map(({ id }) => id));
  expect([needsShops(undefined, URL_AFTER), needsShops(shops, URL_AFTER)]).toEqual([true, true]);
  expect([needsShops(shops, URL_BEFORE), needsShops(moved, URL_AFTER)]).toEqual([false, false]);
});

test("demo.json has addresses that the server knows, secrets and keys, and no credentials", () => {
  const place = { apiUrl: "http://127.0.0.1:8787", shops, serverSecret: apiKeySecrets };
  const demo = shopsOfDemo(place);
  expect(Object.keys(demo)).toEqual([...PLATFORMS]);
  for (const platform of PLATFORMS) {
    const pair = Object(demo[platform]);
    const shop = { address_url: expect.any(String), secret: expect.any(String) };
    const connection = { id: expect.stringMatching(/^cn/), key: expect.stringMatching(/^ck_live_/) };
    const sandbox_url = `${URL_BEFORE}/${platform}`;
    expect(pair).toEqual({ ...shop, connection, fetching: { ...shop, connection, sandbox_url } });
    for (const { address_url: url, connection: of } of [pair, pair.fetching]) {
      const [, address = ""] =
        new RegExp(`^http://127.0.0.1:8787/v1/shops/${platform}/(.+)$`).exec(url) ?? [];
      expect(placeOfAddress(platform, address, [apiKeySecrets])?.connectionId).toBe(of.id);
    }
    const secrets = Object.values(shops.pairs[platform]?.fetching.credentials ?? {});
    const { secret } = pair.fetching;
    expect(secrets.filter((text) => text !== secret && JSON.stringify(demo).includes(text))).toEqual([]);
  }
});

test("the stand-in signs for both, and sends documents to the one that cannot fetch", () => {
  const place = { apiUrl: "http://127.0.0.1:8787", shops, serverSecret: apiKeySecrets };
  const config = Object(standInConfig(place));
  const demo = shopsOfDemo(place);
  for (const platform of PLATFORMS) {
    const pair = Object(demo[platform]);
    expect(config[platform].webhooks).toEqual([
      { name: "posting", url: pair.address_url, secret: pair.secret, sends: "documents" },
      { name: "fetching", url: pair.fetching.address_url, secret: pair.fetching.secret, sends: "hint" },
    ]);
  }
});
