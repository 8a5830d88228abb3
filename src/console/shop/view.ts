import { FORM_VERSIONS } from "../../domain/connection/owner-verbs.ts";
import { shopAddress } from "../../domain/connection/shop-address.ts";
import { type Instant, isoInstant } from "../../domain/shared/instant.ts";
import type { SealedCredentials } from "../../domain/shop/connected-shop.ts";
import { meaningOf } from "../../domain/shop/presets.ts";
import type { ShopAnswer, ShopTest } from "../../platform/shop-api.ts";
import type { ShopReading } from "./queries.ts";

interface AddressOf {
  readonly connectionId: string;
  readonly apiUrl: string;
  /** Signs the address that is shown. */
  readonly serverSecret: string;
}

/** A shop as its page shows it: of secrets only the last characters. */
export function shopView(
  { shop, health, statuses, waiting, failing }: ShopReading,
  { connectionId, apiUrl, serverSecret }: AddressOf,
) {
  const { platform, url, nonce, previousUntil, secret, previousSecret, credentials, settings } = shop;
  const address = shopAddress(platform, { connectionId, nonce }, serverSecret);
  const named = new Set([...Object.keys(settings.statuses), ...statuses.map(({ status }) => status)]);
  const counts = new Map(statuses.map(({ status, count }) => [status, count]));
  return {
    platform,
    url: url ?? null,
    addressUrl: `${apiUrl.replace(/\/$/, "")}/v1/shops/${platform}/${address}`,
    secretTail: secret?.tail ?? null,
    hasPreviousSecret: previousSecret !== undefined,
    credentials: tailsOf(credentials),
    nifKey: settings.nifKey ?? null,
    creditKeys: settings.creditKeys ?? [],
    statuses: [...named].sort().map((status) => ({
      status,
      means: meaningOf(status, settings.statuses) ?? null,
      orders: counts.get(status) ?? 0,
    })),
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
    },
    versions: { shop: FORM_VERSIONS.shop(shop), statuses: FORM_VERSIONS.shopStatuses(settings.statuses) },
  };
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
