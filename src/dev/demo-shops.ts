/** Connections of the first demo company whose shops send their own documents: two for each platform. */
import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import { type Database, databaseOn } from "../db/database.ts";
import { connection } from "../db/schema/ledger.ts";
import { connectedShop, selectShop } from "../db/shops/shop-row.ts";
import { shopWorkStore } from "../db/shops/work-store.ts";
import { shopAddress } from "../domain/connection/shop-address.ts";
import type { ConnectedShop } from "../domain/shop/connected-shop.ts";
import { TABLES_FRESH_MS } from "../domain/shop/fetching.ts";
import { prestashopPreset, type ShopPlatform, STATUS_PRESETS } from "../domain/shop/presets.ts";
import type { ShopTables } from "../domain/shop/tables.ts";
import {
  CUTOFF,
  demoDeployment,
  demoOwnerOf,
  type SeedEnv,
  type SeededConnection,
  type SeededDemo,
  type SeedOptions,
} from "./seed.ts";

/** A connection with what its shop needs to deliver. */
interface SeededShop {
  readonly connection: SeededConnection;
  /** Part of the address; its tag depends on the server's secret. */
  readonly nonce: string;
  /** Signs deliveries. */
  readonly secret: string;
}

interface FetchingShop extends SeededShop {
  /** Those of the stand-in shop. */
  readonly credentials: Readonly<Record<string, string>>;
}

/** `posting` has no credentials: its documents decide. `fetching` reads the stand-in shop. */
interface SeededPair {
  readonly posting: SeededShop;
  readonly fetching: FetchingShop;
}

export interface SeededShops {
  /** Address of the stand-in shops that the connections fetch from. */
  readonly url: string;
  readonly pairs: Readonly<Partial<Record<ShopPlatform, SeededPair>>>;
}

const NAMES: Readonly<Record<ShopPlatform, string>> = {
  ...{ woocommerce: "WooCommerce", shopify: "Shopify", prestashop: "PrestaShop", magento: "Magento" },
};
const ORDER = ["woocommerce", "shopify", "prestashop", "magento"] as const satisfies readonly ShopPlatform[];

/** Its documents name currency, country and state by ids of the shop, which nothing else explains here. */
const PRESTASHOP_TABLES: ShopTables = {
  timeZone: "Europe/Madrid",
  currencies: { "1": "EUR" },
  countries: { "6": "ES" },
  orderStates: {
    ...Object.fromEntries(["2", "3", "4", "5", "7"].map((id) => [id, { paid: true }])),
    "6": { paid: false, template: "order_canceled" },
  },
};

const made = (prefix: string) => `${prefix}${randomBytes(20).toString("hex")}`;

function newCredentials(platform: ShopPlatform): Readonly<Record<string, string>> {
  switch (platform) {
    case "woocommerce":
      return { consumer_key: made("ck_"), consumer_secret: made("cs_") };
    case "shopify":
      return { client_id: randomBytes(16).toString("hex"), secret: made("shpss_") };
    case "prestashop":
      return { key: randomBytes(16).toString("hex").toUpperCase() };
    case "magento":
      return { token: randomBytes(16).toString("hex") };
  }
}

export interface ShopSeedOptions extends SeedOptions {
  readonly shopSecrets: string;
  /** Address of the stand-in shops. */
  readonly url: string;
  /** Called after each platform, so that an interrupted start continues behind it. */
  readonly keep: (shops: SeededShops) => void;
}

/** The stand-in shops have another address, or some are missing. */
export function needsShops(known: SeededShops | undefined, url: string): boolean {
  return known?.url !== url || ORDER.some((platform) => !known.pairs[platform]);
}

/** Adds the connections that are missing, and sends those that fetch to the stand-in's present address. */
export async function seedShops(
  { connections }: Pick<SeededDemo, "connections">,
  known: SeededShops | undefined,
  bindings: SeedEnv,
  options: ShopSeedOptions,
): Promise<SeededShops> {
  const { url, shopSecrets, keep } = options;
  const env = demoDeployment({ ...bindings, SHOP_SECRETS: shopSecrets, SANDBOX_SHOPS_URL: url });
  const db = databaseOn(env.LEDGER_000);
  const accountId = await accountOf(db, connections.commerce.id);
  const owner = demoOwnerOf({ ledger: "000", accountId }, env, options);
  const seeding: Seeding = { db, owner, options, binding: env.LEDGER_000 };
  let shops: SeededShops = known ?? { url, pairs: {} };
  if (shops.url !== url) {
    for (const platform of ORDER) {
      const pair = shops.pairs[platform];
      if (pair) await sendTo(`${url}/${platform}`, `${shops.url}/${platform}`, pair.fetching, seeding);
    }
    shops = { ...shops, url };
    keep(shops);
  }
  for (const platform of ORDER) {
    if (shops.pairs[platform]) continue;
    const posting = await connect(platform, undefined, seeding);
    const fetching = await connect(platform, `${url}/${platform}`, seeding);
    shops = { ...shops, pairs: { ...shops.pairs, [platform]: { posting, fetching } } };
    keep(shops);
  }
  return shops;
}

interface Seeding {
  readonly db: Database;
  readonly binding: D1Database;
  readonly owner: ReturnType<typeof demoOwnerOf>;
  readonly options: ShopSeedOptions;
}

async function accountOf(db: Database, connectionId: string): Promise<string> {
  const found = db
    .select({ id: connection.accountId })
    .from(connection)
    .where(eq(connection.id, connectionId));
  const [row] = await found;
  if (!row) throw new Error("the first demo company has no connection for a shop");
  return row.id;
}

async function connect(
  platform: ShopPlatform,
  url: string | undefined,
  { db, binding, owner, options }: Seeding,
): Promise<FetchingShop> {
  const name = `${NAMES[platform]} ${url === undefined ? "(solo avisos)" : "(con acceso)"}`;
  const opened = await owner.openConnection({ kind: "commerce", name, guided: true });
  const all = newCredentials(platform);
  // Without access the app's secret is still known: it signs what Shopify delivers.
  const { secret: appSecret } = all;
  const credentials = url === undefined ? (appSecret === undefined ? {} : { secret: appSecret }) : all;
  const isPrestaShop = platform === "prestashop";
  const secret = await owner.act(opened, {
    ...{ verb: "connect_shop", platform, credentials, settings: {} },
    ...(url === undefined ? {} : { url }),
    statuses: isPrestaShop ? prestashopPreset(PRESTASHOP_TABLES.orderStates ?? {}) : STATUS_PRESETS[platform],
  });
  await owner.consent(opened, CUTOFF);
  if (isPrestaShop) {
    const read = { at: options.now, nextAt: options.now + TABLES_FRESH_MS };
    const { access } = (await shopOf(db, opened.id)) ?? { access: "" };
    await shopWorkStore(binding, opened.id).keepTables(access, JSON.stringify(PRESTASHOP_TABLES), read);
  }
  const { nonce } = (await shopOf(db, opened.id)) ?? { nonce: "" };
  return { connection: opened, nonce, secret: secret ?? appSecret ?? "", credentials };
}

async function shopOf(db: Database, connectionId: string): Promise<ConnectedShop | undefined> {
  const [row] = await selectShop(db, connectionId);
  return row && connectedShop(row);
}

/** A shop that its owner has sent elsewhere meanwhile stays there. */
async function sendTo(
  url: string,
  before: string,
  shop: FetchingShop,
  { db, owner }: Seeding,
): Promise<void> {
  const { connection: opened, credentials } = shop;
  const stored = await shopOf(db, opened.id);
  if (stored?.url !== before) return;
  const { statuses, ...settings } = stored.settings;
  const { platform } = stored;
  await owner.act(opened, { verb: "connect_shop", platform, url, credentials, settings, statuses });
}

interface Addressed {
  readonly apiUrl: string;
  readonly shops: SeededShops;
  /** Signs the addresses. */
  readonly serverSecret: string;
}

/** The member `shops` of `demo.json`. */
export function shopsOfDemo(place: Addressed): Readonly<Record<string, object>> {
  const { shops } = place;
  return Object.fromEntries(
    pairsOf(shops).map(([platform, { posting, fetching }]) => [
      platform,
      {
        ...addressed(platform, posting, place),
        fetching: { ...addressed(platform, fetching, place), sandbox_url: `${shops.url}/${platform}` },
      },
    ]),
  );
}

function addressed(platform: ShopPlatform, shop: SeededShop, { apiUrl, serverSecret }: Addressed) {
  const { connection: of, nonce, secret } = shop;
  const address = shopAddress(platform, { connectionId: of.id, nonce }, serverSecret);
  return { address_url: `${apiUrl}/v1/shops/${platform}/${address}`, secret, connection: of };
}

function pairsOf({ pairs }: SeededShops): readonly (readonly [ShopPlatform, SeededPair])[] {
  return ORDER.flatMap((platform) => {
    const pair = pairs[platform];
    return pair ? [[platform, pair] as const] : [];
  });
}

/** The settings of the stand-in: credentials, and where each shop delivers from the start. */
export function standInConfig(place: Addressed): object {
  return Object.fromEntries(
    pairsOf(place.shops).map(([platform, { posting, fetching }]) => {
      const webhookOf = (name: "posting" | "fetching", shop: SeededShop) => {
        const { address_url: url, secret } = addressed(platform, shop, place);
        return { name, url, secret, sends: name === "posting" ? "documents" : "hint" };
      };
      const webhooks = [webhookOf("posting", posting), webhookOf("fetching", fetching)];
      return [platform, { credentials: fetching.credentials, webhooks }];
    }),
  );
}
