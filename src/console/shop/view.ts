import { FORM_VERSIONS } from "../../domain/connection/owner-verbs.ts";
import { shopAddress } from "../../domain/connection/shop-address.ts";
import { type Instant, isoInstant } from "../../domain/shared/instant.ts";
import type { SealedCredentials } from "../../domain/shop/connected-shop.ts";
import { lookedUp } from "../../domain/shop/native.ts";
import { meaningOf } from "../../domain/shop/presets.ts";
import { offersWebhooks, webhookTopics } from "../../domain/shop/webhooks.ts";
import type { ShopAnswer, ShopTest } from "../../platform/shop-api.ts";
import { backfillView } from "./backfill-routes.ts";
import { MOST_LACKING, type ShopReading } from "./queries.ts";

interface AddressOf {
  readonly connectionId: string;
  readonly apiUrl: string;
  /** Signs the address that is shown. */
  readonly serverSecret: string;
}

/** A shop as its page shows it: of secrets only the last characters. */
export function shopView(reading: ShopReading, { connectionId, apiUrl, serverSecret }: AddressOf) {
  const { shop, health, waiting, failing } = reading;
  const { platform, url, nonce, previousUntil, secret, previousSecret, credentials, settings } = shop;
  const address = shopAddress(platform, { connectionId, nonce }, serverSecret);
  const statuses = statusesOf(reading);
  return {
    platform,
    url: url ?? null,
    addressUrl: `${apiUrl.replace(/\/$/, "")}/v1/shops/${platform}/${address}`,
    secretTail: secret?.tail ?? null,
    hasPreviousSecret: previousSecret !== undefined,
    credentials: tailsOf(credentials),
    nifKey: settings.nifKey ?? null,
    creditKeys: settings.creditKeys ?? [],
    statuses,
    statusesFrom: settings.areStatusesOwn ? ("owner" as const) : ("preset" as const),
    canFetch: url !== undefined && health.credentialsRefusedAt === null,
    tested: testedView(reading),
    webhooks: webhooksView(reading),
    backfill: backfillView(reading.backfill),
    previousUntil: isoOrNull(previousUntil ?? null),
    health: {
      deliveredAt: isoOrNull(health.deliveredAt),
      fetchedAt: isoOrNull(health.fetchedAt),
      reconciledAt: isoOrNull(health.reconciledAt),
      testedAt: isoOrNull(health.testedAt),
      credentialsRefusedAt: isoOrNull(health.credentialsRefusedAt),
      failingSince: isoOrNull(health.failingSince),
      failure: health.failure,
      forged: health.forged,
      forgedAt: isoOrNull(health.forgedAt),
      ...{ waiting, failing },
      unmapped: statuses.flatMap(({ means, orders, ...status }) =>
        means === null && orders > 0 ? [{ ...status, orders }] : [],
      ),
      missing: missingIn(reading),
    },
    versions: { shop: FORM_VERSIONS.shop(shop), statuses: FORM_VERSIONS.shopStatuses(settings.statuses) },
  };
}

/** Of the map and of the stored orders. */
function statusesOf({ shop, statuses, statusNames }: ShopReading) {
  const map = shop.settings.statuses;
  const all = new Set([...Object.keys(map), ...statuses.map(({ status }) => status)]);
  const counts = new Map(statuses.map(({ status, count }) => [status, count]));
  return [...all].sort().map((status) => ({
    status,
    name: lookedUp(statusNames, status) ?? null,
    means: meaningOf(status, map) ?? null,
    orders: counts.get(status) ?? 0,
  }));
}

/** How many of the newest orders that lack something lack each fact. */
function missingIn({ missing }: ShopReading) {
  const counts = new Map<string, number>();
  for (const ofOrder of missing) {
    for (const what of new Set(ofOrder.map((one) => one.what))) {
      counts.set(what, (counts.get(what) ?? 0) + 1);
    }
  }
  const isMore = missing.length >= MOST_LACKING;
  return [...counts].map(([what, orders]) => ({ what, orders, isMore })).sort((a, b) => b.orders - a.orders);
}

function webhooksView({ shop: { platform }, webhooks }: ShopReading) {
  const offered = { offered: offersWebhooks(platform), topics: webhookTopics(platform) };
  if (!webhooks) return { ...offered, state: "none" as const, madeAt: null, nextAt: null, failure: null };
  const { dueAt, madeAt, failure } = webhooks;
  const waiting = failure === null ? ("pending" as const) : ("failing" as const);
  const settled = failure === null ? ("made" as const) : ("refused" as const);
  const state = dueAt === null ? settled : waiting;
  return { ...offered, state, madeAt: isoOrNull(madeAt), nextAt: isoOrNull(dueAt), failure };
}

function testedView({ tested }: ShopReading) {
  if (!tested) return null;
  const { at, ...answer } = tested;
  // Noted as the shop's API answered.
  return { at: isoInstant(at), ...testView(answer as ShopAnswer<ShopTest>) };
}

function isoOrNull(at: Instant | null): string | null {
  return at === null ? null : isoInstant(at);
}

/** The answer to a test of the credentials: a failure is told by its code, never by text of the shop. */
export function testView(answer: ShopAnswer<ShopTest>) {
  const found: ShopTest = answer.answer === "given" ? answer.value : { scopes: [], lacking: [] };
  const { version = null, currency = null, timeZone = null, lastOrder = null } = found;
  // A test noted by an earlier version has no scopes.
  const { scopes = [], lacking } = found;
  return {
    result: answer.answer,
    cause: answer.answer === "failed" ? answer.cause : null,
    ...{ version, currency, timeZone, lastOrder, scopes, lacking },
  };
}

function tailsOf(credentials: SealedCredentials): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(credentials).map(([field, { tail }]) => [field, tail]));
}
