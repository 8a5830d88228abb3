import { eq, sql } from "drizzle-orm";
import type { WriteOf } from "../../db/ledger-state.ts";
import { upsertSetup } from "../../db/owner-store.ts";
import { shopStatus } from "../../db/schema/shop.ts";
import { hintFetch } from "../../db/shops/delivery-writes.ts";
import {
  dueNow,
  keepShop,
  noteTest,
  removeShop,
  restartWork,
  type ShopTested,
} from "../../db/shops/shop-row.ts";
import { keepWebhooks, removeWebhooks, renewWebhooks } from "../../db/shops/webhook-store.ts";
import { newSigningSecret } from "../../domain/callback/message.ts";
import { FORM_VERSIONS } from "../../domain/connection/owner-verbs.ts";
import { isSyncReady } from "../../domain/connection/setup.ts";
import { newAddressNonce } from "../../domain/connection/shop-address.ts";
import { refuse } from "../../domain/invoice/refusal.ts";
import { takesOrders } from "../../domain/order/gates.ts";
import { isSameValue } from "../../domain/shared/hash.ts";
import {
  type ConnectedShop,
  checkAccess,
  type RemovedShop,
  removedShop,
  type SealedCredentials,
  type SealedSecret,
  type ShopAccess,
  type ShopSettings,
  signsWithOwnSecret,
  withNewAddress,
} from "../../domain/shop/connected-shop.ts";
import type { ShopPlatform, StatusMap } from "../../domain/shop/presets.ts";
import { offersWebhooks } from "../../domain/shop/webhooks.ts";
import {
  type FromForm,
  type OwnerScope,
  ownerReading,
  refused,
  UNCHANGED,
  URL_FIELDS,
  type VerbReads,
  type VerbScope,
  verb,
  verbReading,
  write,
} from "./verb.ts";

interface Connecting extends FromForm, ShopAccess {
  readonly platform: ShopPlatform;
  readonly settings: Omit<ShopSettings, "statuses" | "areStatusesOwn">;
  /** The preset of the platform, for a shop that is new. */
  readonly statuses: StatusMap;
}

/** Secrets are sealed before the decision, which awaits nothing. */
interface SealingScope extends OwnerScope {
  readonly sealed: SealedCredentials;
  /** The given credentials are those that are stored. */
  readonly isSameAccess: boolean;
  /** A secret for deliveries, for a shop that needs one. */
  readonly fresh: { readonly secret: string; readonly sealed: SealedSecret };
  /** The stored one, for a repeat of the call that made it. */
  readonly secret: string | undefined;
}

async function sealing(
  { credentials }: Pick<ShopAccess, "credentials">,
  scope: VerbScope,
  reads: VerbReads,
): Promise<SealingScope> {
  const read = await ownerReading()({}, scope, reads);
  const { vault } = reads;
  const stored = read.reading.shop?.credentials ?? {};
  const sealed: Record<string, SealedSecret> = {};
  let isSame = Object.keys(stored).length === Object.keys(credentials).length;
  for (const [field, text] of Object.entries(credentials)) {
    const before = stored[field];
    const isKept = before !== undefined && (await vault.open(field, before)) === text.trim();
    sealed[field] = isKept ? before : await vault.seal(field, text.trim());
    isSame &&= isKept;
  }
  const made = newSigningSecret(scope.random);
  const kept = read.reading.shop?.secret;
  return {
    ...{ ...read, sealed, isSameAccess: isSame },
    fresh: { secret: made, sealed: await vault.seal("secret", made) },
    secret: kept && (await vault.open("secret", kept)),
  };
}

interface Kept {
  readonly shop: ConnectedShop;
  /** The access is another one, and perhaps that to another shop. */
  readonly access: "same" | "other" | "elsewhere";
  /** The guided setup ends with it: the orders of all its stores are taken. */
  readonly completesSetup: boolean;
}

const FIELDS = {
  ...URL_FIELDS,
  ...{ shop_url_invalid: "url", shop_credentials_incomplete: "credentials" },
} as const;

/** Connects a shop, or changes the access to it. The secret of its deliveries is shown once. */
export const connect_shop = verbReading<Connecting, Kept, SealingScope>(sealing, {
  area: "connections",
  wakesObject: true,
  fieldOf: FIELDS,
  formVersion: (_, { reading }) => FORM_VERSIONS.shop(reading.shop),
  decide(request, scope) {
    const { reading, random, shopPolicy, sealed, isSameAccess, fresh } = scope;
    const { platform } = request;
    const { connectionKind: kind, shop: before } = reading;
    if (!takesOrders(kind)) return refused(refuse("orders_not_supported_by_connection", { kind }).error);
    if (before && before.platform !== platform) {
      return refused(refuse("shop_platform_fixed", { platform: before.platform }).error);
    }
    const access = checkAccess(platform, request, shopPolicy());
    if (!access.ok) return refused(access.error);
    const { url } = access.value;
    const settings: ShopSettings = {
      ...{ ...request.settings, statuses: before?.settings.statuses ?? request.statuses },
      ...(before?.settings.areStatusesOwn ? { areStatusesOwn: true } : {}),
    };
    const isAccessKept = before !== undefined && isSameAccess && before.url === url;
    const areSettingsKept = before !== undefined && isSameValue(before.settings, settings);
    if (isAccessKept && areSettingsKept) return unchanged(before, scope);
    const own = signsWithOwnSecret(platform);
    const secret = own ? sealed.secret : (before?.secret ?? fresh.sealed);
    const { url: _, ...kept } = before ?? { nonce: newAddressNonce(random), settingsVersion: 0 };
    const shop: ConnectedShop = {
      ...kept,
      ...(url === undefined ? {} : { url }),
      ...(secret ? { secret } : {}),
      ...{ platform, settings, credentials: sealed },
      access: isAccessKept ? before.access : newAddressNonce(random),
      settingsVersion: areSettingsKept ? before.settingsVersion : kept.settingsVersion + 1,
    };
    const isElsewhere = url !== undefined && url !== before?.url;
    const change = isAccessKept ? "same" : isElsewhere ? "elsewhere" : "other";
    const facts = { platform, ...(url === undefined ? {} : { host: new URL(url).host }) };
    const decided = write(
      { shop, access: change, completesSetup: !isSyncReady(reading.setup) } as const,
      facts,
    );
    return own || before?.secret ? decided : { ...decided, secret: fresh.secret };
  },
  write: (db, owner, { shop, access, completesSetup }, by) => [
    keepShop(db, owner, shop, by.at),
    renewWebhooks(db, owner.connectionId, by.at),
    ...(access === "same"
      ? []
      : restartWork(db, owner.connectionId, { isElsewhere: access === "elsewhere", at: by.at })),
    ...markStatuses(db, owner, shop.settings.statuses, by),
    ...(completesSetup
      ? [upsertSetup(db, owner, { state: "configured", storeIds: "", chosenAt: by.at })]
      : []),
  ],
});

/** With the secret, which is shown only to the call that made it. */
function unchanged({ platform }: ConnectedShop, { secret }: SealingScope) {
  const isOurs = secret !== undefined && !signsWithOwnSecret(platform);
  return isOurs ? { ...UNCHANGED, secret } : UNCHANGED;
}

/** A status that cancels an order is one that the decision knows as such. */
const markStatuses: WriteOf<StatusMap> = (db, { connectionId }, statuses) => {
  const rows = Object.entries(statuses).map(([status, means]) => [status, Number(means === "cancelled")]);
  const json = JSON.stringify(rows);
  return [
    db.delete(shopStatus).where(eq(shopStatus.connectionId, connectionId)),
    db.insert(shopStatus).select(sql`SELECT ${connectionId}, value ->> 0, value ->> 0, 0, value ->> 1
      FROM json_each(${json}) ORDER BY key`),
  ];
};

interface Disconnected {
  readonly removed: RemovedShop | undefined;
}

/**
 * Secrets go with it, and so does all waiting work; its orders, documents and deliveries stay. A shop whose
 * webhooks the service can remove keeps its credentials sealed until they are removed, or for a day.
 */
export const disconnect_shop = verb<{ readonly nonce?: string }, Disconnected>({
  area: "connections",
  wakesObject: true,
  // Of a hand-over: a shop that was connected meanwhile has another address.
  decide({ nonce }, { reading: { shop } }) {
    if (!shop || (nonce !== undefined && nonce !== shop.nonce)) return UNCHANGED;
    return write({ removed: removedShop(shop) }, { platform: shop.platform });
  },
  write: (db, { connectionId }, { removed }, { at }) => [
    ...removeWebhooks(db, connectionId, removed, at),
    ...removeShop(db, connectionId),
  ],
});

const keep: WriteOf<{ readonly shop: ConnectedShop }> = (db, owner, { shop }, { at }) => [
  keepShop(db, owner, shop, at),
];

/** With the webhooks that the service has made: they go to the new address, and sign with the new secret. */
const keepAndRenew: typeof keep = (db, owner, change, by) => [
  ...keep(db, owner, change, by),
  renewWebhooks(db, owner.connectionId, by.at),
];

/** Another address; the one before lives on for a day, in which a repeat changes nothing. */
export const renew_shop_address = verb<object, { readonly shop: ConnectedShop }>({
  area: "connections",
  wakesObject: true,
  decide(_, { reading: { shop }, now, random }) {
    if (!shop) return refused(refuse("shop_missing").error);
    const renewed = withNewAddress(shop, now, random);
    return renewed ? write({ shop: renewed }) : UNCHANGED;
  },
  write: keepAndRenew,
});

/** Shows a new secret for deliveries. Until the old one ends both are valid, and a repeat changes nothing. */
export const rotate_shop_secret = verbReading<object, { readonly shop: ConnectedShop }, SealingScope>(
  (_, scope, reads) => sealing({ credentials: {} }, scope, reads),
  {
    area: "connections",
    wakesObject: true,
    decide(_, scope) {
      const { fresh } = scope;
      const { shop } = scope.reading;
      if (!shop) return refused(refuse("shop_missing").error);
      if (signsWithOwnSecret(shop.platform)) return refused(refuse("shop_secret_is_theirs").error);
      if (shop.previousSecret) return unchanged(shop, scope);
      const { secret: before, ...kept } = shop;
      const rotated = { ...kept, secret: fresh.sealed, ...(before ? { previousSecret: before } : {}) };
      return { ...write({ shop: rotated }), secret: fresh.secret };
    },
    write: keepAndRenew,
  },
);

export const end_shop_secret_overlap = verb<object, { readonly shop: ConnectedShop }>({
  area: "connections",
  wakesObject: false,
  decide(_, { reading: { shop } }) {
    if (!shop) return refused(refuse("shop_missing").error);
    const { previousSecret, ...kept } = shop;
    return previousSecret ? write({ shop: kept }) : UNCHANGED;
  },
  write: keep,
});

const keepMapped: typeof keep = (db, owner, { shop }, by) => [
  keepShop(db, owner, shop, by.at),
  ...markStatuses(db, owner, shop.settings.statuses, by),
];

/** What an order of each status asks for; stored orders are decided again by it. */
export const choose_shop_statuses = verb<
  FromForm & { readonly statuses: StatusMap },
  { readonly shop: ConnectedShop }
>({
  area: "connections",
  wakesObject: true,
  formVersion: (_, { reading }) => FORM_VERSIONS.shopStatuses(reading.shop?.settings.statuses ?? {}),
  decide({ statuses }, { reading: { shop } }) {
    if (!shop) return refused(refuse("shop_missing").error);
    const before = shop.settings.statuses;
    if (isSameValue(before, statuses)) return UNCHANGED;
    const settings = { ...shop.settings, statuses, areStatusesOwn: true } as const;
    const names = new Set([...Object.keys(before), ...Object.keys(statuses)]);
    const changed = [...names].filter((name) => before[name] !== statuses[name]);
    const facts = changed.map((name) => [`status ${name}`, statuses[name] ?? "-"] as const);
    const change = { shop: { ...shop, settings, settingsVersion: shop.settingsVersion + 1 } };
    return write(change, Object.fromEntries(facts));
  },
  write: keepMapped,
});

/** The states of the shop itself, as it lists them, until its owner has a map of his own. */
export const adopt_shop_statuses = verb<
  { readonly access: string; readonly statuses: StatusMap },
  { readonly shop: ConnectedShop }
>({
  area: "connections",
  wakesObject: true,
  decide({ access, statuses }, { reading: { shop } }) {
    if (!shop || shop.access !== access || shop.settings.areStatusesOwn) return UNCHANGED;
    if (isSameValue(shop.settings.statuses, statuses)) return UNCHANGED;
    const settings = { ...shop.settings, statuses };
    const change = { shop: { ...shop, settings, settingsVersion: shop.settingsVersion + 1 } };
    return write(change, { statuses: String(Object.keys(statuses).length) });
  },
  write: keepMapped,
});

/** Makes the webhooks of the shop that its API can make, now and after each change of address or secret. */
export const make_shop_webhooks = verb<
  { readonly apiUrl: string },
  { readonly apiUrl: string; readonly platform: ShopPlatform }
>({
  area: "connections",
  wakesObject: true,
  decide({ apiUrl }, { reading: { shop, shopDue } }) {
    if (!shop) return refused(refuse("shop_missing").error);
    const { platform } = shop;
    if (!offersWebhooks(platform)) return refused(refuse("shop_webhooks_by_module", { platform }).error);
    if (shop.url === undefined) return refused(refuse("shop_not_fetched").error);
    return shopDue?.webhooksAt === apiUrl ? UNCHANGED : write({ apiUrl, platform }, { platform });
  },
  write: (db, { connectionId }, { apiUrl }, { at }) => [keepWebhooks(db, connectionId, { apiUrl, at })],
});

/** Asks the shop now what has changed. */
export const reconcile_shop = verb<object, object>({
  area: "connections",
  wakesObject: true,
  decide(_, { reading: { shop, shopDue }, now }) {
    if (!shop) return refused(refuse("shop_missing").error);
    if (shop.url === undefined) return refused(refuse("shop_not_fetched").error);
    return (shopDue?.searchAt ?? Infinity) <= now ? UNCHANGED : write({});
  },
  write: (db, { connectionId }, _, { at }) => [dueNow(db, connectionId, at)],
});

interface Fetching {
  readonly orderId: string;
}

interface FetchingScope extends OwnerScope {
  readonly isKnown: boolean;
}

/** Fetches an order again that the connection has. */
export const fetch_shop_order = verbReading<Fetching, Fetching & { readonly access: string }, FetchingScope>(
  async ({ orderId }, scope, reads) => {
    const read = await ownerReading()({}, scope, reads);
    const { orders } = await reads.erasure({ orderId });
    return { ...read, isKnown: orders.length > 0 };
  },
  {
    area: "orders",
    wakesObject: true,
    decide({ orderId }, { isKnown, reading: { shop, shopDue } }) {
      if (!isKnown) return refused(refuse("shop_order_unknown").error);
      if (!shop) return refused(refuse("shop_missing").error);
      if (shop.url === undefined) return refused(refuse("shop_not_fetched").error);
      if (shopDue?.orders.includes(orderId)) return UNCHANGED;
      return write({ orderId, access: shop.access }, { order: orderId });
    },
    write: (db, { connectionId }, { orderId, access }, { at }) =>
      hintFetch(db, connectionId, { access, nativeId: orderId, because: "owner", dueAt: at }),
  },
);

interface NotedTest {
  readonly testId: string;
  /** The access that was tested. */
  readonly access: string;
  readonly answer: ShopTested;
}

/** The result of a test of the credentials: what the shop accepts may be fetched with again. */
export const note_shop_test = verb<NotedTest, ShopTested>({
  area: "connections",
  wakesObject: true,
  onceBy: ({ testId }) => testId,
  decide({ answer, access }, { reading: { shop } }) {
    if (!shop) return refused(refuse("shop_missing").error);
    // It says nothing of credentials that were entered meanwhile.
    if (shop.access !== access) return refused(refuse("changed_meanwhile").error);
    return write(answer, { test: answer.answer });
  },
  write: (db, { connectionId }, answer, { at }) => [noteTest(db, connectionId, answer, at)],
});
